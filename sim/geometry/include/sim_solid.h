/* A solid bounded by triangles: where a point is against its surface, signed, exactly.
 *
 * The nearest triangle is found in a tree of boxes; its side tells the sign, by the angle-weighted normal of the face, edge or corner that
 * is nearest (Baerentzen, Aanaes, IEEE TVCG 11:243, 2005). A grid of distances around the surface, each true at its node and off by no more
 * than the way to it, answers at once for what is far. */
#ifndef SIM_SOLID_H
#define SIM_SOLID_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "sim_core.h"

typedef struct sim_solid sim_solid; /* never changes; may be shared */

/* Copies both. Errors, one sentence: indices out of range, co-ordinates beyond 1e9 m or not finite, triangles of no area, an edge that has
 * not two triangles (the surface is open), two triangles that turn against each other, a surface turned inside out. Corners that fall
 * together must be one vertex. Caller frees with sim_solid_free. */
CB_CHECKED cb_status sim_solid_new(const double (*position_m)[3], int n_vertices, const int (*triangle)[3], int n_triangles,
                                   sim_solid **out, cb_err *err);
void sim_solid_free(sim_solid *solid);

/* An OBJ file, plain or gzip, polygons fanned; its texture is not looked at. */
CB_CHECKED cb_status sim_solid_read(const char *path, double m_per_unit, sim_solid **out, cb_err *err);
CB_CHECKED cb_status sim_solid_parse(const char *text, size_t n, const char *name, double m_per_unit, sim_solid **out, cb_err *err);

/* A torus around z: ring_m from its axis to the middle of the tube; about this many triangles around either way. */
CB_CHECKED cb_status sim_solid_torus(double ring_m, double tube_m, int around, sim_solid **out, cb_err *err);

/* Signed distance [m], > 0 outside, and the direction of its growth. */
double sim_solid_distance(const sim_solid *solid, const double x_m[3], double normal[3]);

/* False: surely further outside than this; then nothing is written. */
bool sim_solid_near(const sim_solid *solid, const double x_m[3], double within_m, double *distance_m, double normal[3]);

/* Its innermost places, in its own frame. */
const sim_core *sim_solid_core(const sim_solid *solid);

double sim_solid_volume_m3(const sim_solid *solid);
/* For pictures and files: the triangles as they were given. */
int sim_solid_vertices(const sim_solid *solid, const double (**position_m)[3]);
int sim_solid_triangles(const sim_solid *solid, const int (**triangle)[3]);

#endif
