/* A solid bounded by triangles: the exact signed distance of a point to its surface.
 *
 * A BVH finds the nearest triangle. The sign comes from the angle-weighted normal of the face, edge or corner
 * that is nearest (Baerentzen, Aanaes, IEEE TVCG 11:243, 2005). A grid of distances around the surface
 * answers for points that are far away: a distance is exact at its node, and off by no more than the way to
 * it. */
#ifndef SIM_SOLID_H
#define SIM_SOLID_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* ---- the core of a closed surface ---- */

/* The core of a closed surface, and whether cloth came across it within a step.
 *
 * A core point is the centre of a ball inside of the surface that touches it twice (a point of the medial
 * axis). Balls with at least half the radius of the largest are kept. A sheet cannot pass through a body
 * without passing the body's core. Cloth that lies on the body stays away from the core, however its
 * triangles cut the body's corners. SI units. */

#define SIM_CORE_MOST 256

typedef struct sim_core {
  int n;
  double (*x_m)[3]; /* owned; n <= SIM_CORE_MOST centres */
  double inner_m;   /* radius of the largest ball; 0: there is no core */
} sim_core;

/* Finds the core by shrinking balls from the centres of up to 2000 triangles (Ma, Bae, Choi, The Visual
 * Computer 28:7, 2012). The triangles run counter-clockwise, seen from outside. The surface must be closed
 * and its triangles must have an area; this is not checked. Caller: sim_core_clear, also after an error.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_core_of_surface(const double (*x_m)[3], int n_vertices, const int (*triangle)[3],
                                         int n_triangles, sim_core *out, cb_err *err);
void sim_core_clear(sim_core *core);

/* Whether a point and a triangle (point 0; points 1 to 3), or a segment and an edge (points 0, 1; points 2,
 * 3), come within near_m of each other while all four points move straight from start to end. A pair that
 * comes within near_m is never missed. A pair between near_m and 2 near_m may be reported as well, rarely one
 * that is further off (sim_ccd). */
bool sim_core_meets_triangle(const double start_m[4][3], const double end_m[4][3], double near_m);
bool sim_core_meets_edge(const double start_m[4][3], const double end_m[4][3], double near_m);

/* ---- a solid ---- */

typedef struct sim_solid sim_solid; /* opaque; never changes, may be shared by threads */

/* Makes a solid of triangles that run counter-clockwise, seen from outside. Copies both arrays. Corners in
 * one place must be one vertex. Caller: sim_solid_free.
 *
 * Errors, CB_E_RANGE: fewer than 4 vertices or triangles, more than 2^26 triangles, an index out of range, a
 * triangle without area. Also an edge that has not two triangles (the surface is open), two triangles that
 * turn against each other, a surface turned inside out. CB_E_NUM: a co-ordinate beyond 1e9 m or not finite.
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_solid_new(const double (*position_m)[3], int n_vertices, const int (*triangle)[3],
                                   int n_triangles, sim_solid **out, cb_err *err);
void sim_solid_free(sim_solid *solid);

/* Reads a solid from an OBJ file, plain or gzip; polygons are cut into fans, texture is ignored. Caller:
 * sim_solid_free. Errors: those of reading and of sim_solid_new, with the file's name. */
CB_CHECKED cb_status sim_solid_read(const char *path, double m_per_unit, sim_solid **out, cb_err *err);
/* Makes a cylinder along z with flat ends, its middle at the origin: a prism of `around` sides, 3 to 4096.
 * Its sides lie inside of the round one by up to radius (1 - cos(pi / around)). Caller: sim_solid_free.
 * Errors: CB_E_RANGE, CB_E_NOMEM. */
CB_CHECKED cb_status sim_solid_cylinder(double radius_m, double length_m, int around, sim_solid **out,
                                        cb_err *err);
/* Makes a torus around z. ring_m: from its axis to the centre of the tube; tube_m: radius of the tube, below
 * ring_m; around: triangles around either way, 3 to 4096. Caller: sim_solid_free. Errors: CB_E_RANGE,
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_solid_torus(double ring_m, double tube_m, int around, sim_solid **out, cb_err *err);

/* Returns the signed distance [m], > 0 outside, and its unit gradient. */
double sim_solid_distance(const sim_solid *solid, const double x_m[3], double normal[3]);

/* Returns true and writes distance and unit normal if the signed distance is below within_m. Otherwise
 * returns false; distance_m is not written then, normal may be. Fast where the point is far outside. */
bool sim_solid_near(const sim_solid *solid, const double x_m[3], double within_m, double *distance_m,
                    double normal[3]);

/* The core, in the solid's own frame. Owned by the solid. */
const sim_core *sim_solid_core(const sim_solid *solid);

/* The vertices and triangles as they were given; return their number. Owned by the solid. For pictures and
 * files. */
int sim_solid_vertices(const sim_solid *solid, const double (**position_m)[3]);
int sim_solid_triangles(const sim_solid *solid, const int (**triangle)[3]);

#endif
