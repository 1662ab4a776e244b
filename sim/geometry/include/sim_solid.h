/* A solid bounded by triangles: where a point is against its surface, signed, exactly.
 *
 * The nearest triangle is found in a BVH; its side gives the sign, by the angle-weighted normal of the face,
 * edge or corner that is nearest (Baerentzen, Aanaes, IEEE TVCG 11:243, 2005). A grid of distances around the
 * surface, each true at its node and off by no more than the way to it, answers at once for what is far. */
#ifndef SIM_SOLID_H
#define SIM_SOLID_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* ---- the innermost places of a closed surface ---- */

/* The innermost places of a closed surface, and whether cloth came across them within a step.
 *
 * A place of the core is the centre of a ball that lies inside of the surface and touches it twice (the
 * medial axis); those whose balls are at least half as large as the largest are kept. A sheet cannot come
 * through a body without coming across its core; cloth that lies on the body, however its triangles cut its
 * corners, stays away from it. SI. */

#define SIM_CORE_MOST 256

typedef struct sim_core {
  int n;
  double (*x_m)[3]; /* n <= SIM_CORE_MOST, owned */
  double inner_m;   /* radius of the largest ball; 0: there is no core */
} sim_core;

/* By shrinking balls from the middles of up to 2000 triangles (Ma, Bae, Choi, The Visual Computer 28:7,
 * 2012). The triangles run counter-clockwise, seen from outside. Caller clears with sim_core_clear, even
 * after a failure. */
CB_CHECKED cb_status sim_core_of_surface(const double (*x_m)[3], int n_vertices, const int (*triangle)[3],
                                         int n_triangles, sim_core *out, cb_err *err);
void sim_core_clear(sim_core *core);

/* Whether a point and a triangle, or a segment and an edge, come within near_m of each other while all their
 * points move straight from start to end: point 0 and triangle 1 to 3; edges 0, 1 and 2, 3. */
bool sim_core_meets_triangle(const double start_m[4][3], const double end_m[4][3], double near_m);
bool sim_core_meets_edge(const double start_m[4][3], const double end_m[4][3], double near_m);

/* ---- a solid ---- */

typedef struct sim_solid sim_solid; /* never changes; may be shared */

/* Copies both. Errors, one sentence: indices out of range, co-ordinates beyond 1e9 m or not finite, triangles
 * of no area, an edge that has not two triangles (the surface is open), two triangles that turn against each
 * other, a surface turned inside out. Corners that fall together must be one vertex. Caller frees with
 * sim_solid_free. */
CB_CHECKED cb_status sim_solid_new(const double (*position_m)[3], int n_vertices, const int (*triangle)[3],
                                   int n_triangles, sim_solid **out, cb_err *err);
void sim_solid_free(sim_solid *solid);

/* An OBJ file, plain or gzip, polygons fanned; its texture is not looked at. */
CB_CHECKED cb_status sim_solid_read(const char *path, double m_per_unit, sim_solid **out, cb_err *err);
/* A torus around z: ring_m from its axis to the middle of the tube; about this many triangles around either
 * way. */
CB_CHECKED cb_status sim_solid_torus(double ring_m, double tube_m, int around, sim_solid **out, cb_err *err);

/* Signed distance [m], > 0 outside, and the direction of its growth. */
double sim_solid_distance(const sim_solid *solid, const double x_m[3], double normal[3]);

/* False: surely further outside than this; then nothing is written. */
bool sim_solid_near(const sim_solid *solid, const double x_m[3], double within_m, double *distance_m,
                    double normal[3]);

/* Its innermost places, in its own frame. */
const sim_core *sim_solid_core(const sim_solid *solid);

/* For pictures and files: the triangles as they were given. */
int sim_solid_vertices(const sim_solid *solid, const double (**position_m)[3]);
int sim_solid_triangles(const sim_solid *solid, const int (**triangle)[3]);

#endif
