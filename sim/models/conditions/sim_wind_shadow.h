/* Wind shadow: which vertices have cloth between them and the wind. The method is an irregular z-buffer
 * along the wind, whose samples are the vertices themselves (Johnson, Lee, Burns, Mark, ACM TOG 24(4):1462,
 * 2005, for shadows of light). The samples of a picture lie between the vertices. Its answer would depend on
 * the resolution, and would need a bias against cloth that shadows itself. Here every triangle is compared
 * with the vertices, found in cells of about one vertex each. The answer is that of a ray, exact in the
 * projected co-ordinates. */
#ifndef SIM_WIND_SHADOW_H
#define SIM_WIND_SHADOW_H

#include <stdbool.h>

#include "sim_mesh.h"

typedef struct sim_wind_shadow {
  int columns, rows;
  double (*at)[3]; /* per vertex: two co-ordinates across the wind, one along it */
  double low[2], cell_per_m[2];
  int *start, *particle; /* vertices sorted by cell: start[columns * rows + 1], particle[n] */
  bool *shadowed;        /* per vertex: the result */
} sim_wind_shadow;

/* Makes room for n_vertices. Clear it with sim_wind_shadow_clear. Error: memory. */
CB_CHECKED cb_status sim_wind_shadow_init(int n_vertices, sim_wind_shadow *out, cb_err *err);
void sim_wind_shadow_clear(sim_wind_shadow *s);

/* Fills s->shadowed for the positions x. A vertex is shadowed if a triangle that it is no corner of
 * lies upwind of it; the border of the triangle counts. A triangle seen edge-on, or a wind of 0,
 * shadows nothing. */
void sim_wind_shadow_cast(sim_wind_shadow *s, const sim_mesh *mesh, const double (*x)[3],
                          const double wind[3]);

#endif
