/* Which particles the wind sees: a z-buffer along it whose samples are the particles themselves (Johnson,
 * Lee, Burns, Mark, ACM TOG 24(4):1462, 2005, for shadows of light). A picture's samples lie between the
 * particles, so that its answer goes with the picture's resolution and a bias against cloth that shadows
 * itself; here every triangle is compared with the very places that ask, so that the answer is the ray's to
 * the last bit of the projection. Cells of about one particle each find them. */
#ifndef SIM_WIND_SHADOW_H
#define SIM_WIND_SHADOW_H

#include <stdbool.h>

#include "sim_mesh.h"

typedef struct sim_wind_shadow {
  int columns, rows;
  double (*at)[3]; /* across the wind, across, along it */
  double low[2], cell_per_m[2];
  int *start, *particle; /* of the cells: columns * rows + 1 <= n + 1, n */
  bool *shadowed;
} sim_wind_shadow;

CB_CHECKED cb_status sim_wind_shadow_init(int n_vertices, sim_wind_shadow *out, cb_err *err);
void sim_wind_shadow_clear(sim_wind_shadow *s);

/* A particle is shadowed where a triangle that it is no corner of lies before it, up the wind, its border
 * included. A triangle seen edge-on, or a wind of 0, shadows nothing. */
void sim_wind_shadow_cast(sim_wind_shadow *s, const sim_mesh *mesh, const double (*x)[3],
                          const double wind[3]);

#endif
