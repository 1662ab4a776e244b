/* Closest points of many points on a closed surface, from step to step. Each point keeps its closest point,
 * which walks along the surface with it.
 *
 * The walk is from Chen, Feng, Wang, ACM TOG 32(4):88 (2013). The closest point moves towards the projection
 * of its point onto the plane of its triangle, over edges into neighbours, until it is there or comes back to
 * a triangle. It can end in a place that is only locally nearest. The checks below make the sign of the
 * distance right nevertheless.
 *
 * Check 1. A point that changed sides in the step crossed the surface; its distance now is at most its motion
 * against the surface. So every triangle within that distance is examined if it has the point on the other
 * side than the sign says. If it is nearer, it gets the closest point. If the sign changes, all of them are
 * examined again.
 *
 * Check 2. If the walk disagrees with the sign of the previous step, or nothing is known of that step, all
 * triangles within `reach` are examined in the same way. Then the sign is right for every point within
 * `reach` of a surface that does not cut itself, whatever it was before, because the nearest triangle is
 * among those examined. Proof: the angle-weighted normal at the nearest point has the right sign (Baerentzen,
 * Aanaes, IEEE TVCG 11:243, 2005) and is a sum of the normals of the triangles around it. Were the sign
 * wrong, one of these triangles would have the point on the other side. That triangle would be measured, be
 * nearest, and put the sign right. Triangles that the walk only crossed are examined like others. The closest
 * point itself need not be the nearest.
 *
 * So every sign is right, near or far, if those of the previous step were and no point moved by more than
 * `reach` against the surface. Limit: a point that passes through a whole plate within a step is outside
 * before and after, and is not noticed. docs/method/layers-closest.md has the proof.
 *
 * Points and surface are in one frame. SI units. The bits do not depend on the number of threads. */
#ifndef SIM_TRAVERSE_H
#define SIM_TRAVERSE_H

#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

/* ---- a surface ---- */

/* A closed surface of triangles: its connectivity, without positions. A deforming body moves its vertices;
 * the hull stays. */

typedef struct sim_hull {
  int n_vertices, n_triangles;
  int (*triangle)[3]; /* counter-clockwise from outside */
  int (*across)[3];   /* the triangle beyond the edge opposite to each corner */
  /* fan_start (n_vertices + 1) and fan (3 n_triangles): the corners, 3 * triangle + corner, at each vertex,
   * ascending. */
  int *fan_start, *fan;
} sim_hull;

/* Builds a hull; copies. Vertices of no triangle are allowed: they are a body's inside. Caller:
 * sim_hull_clear, also after an error. Errors name the triangle. CB_E_RANGE: fewer than 4 vertices or
 * triangles, more than 2^26 triangles, an index out of range, an edge that has not two triangles (the surface
 * is open), two triangles that turn against each other. CB_E_NOMEM. */
CB_CHECKED cb_status sim_hull_build(const int (*triangle)[3], int n_triangles, int n_vertices, sim_hull *out,
                                    cb_err *err);
void sim_hull_clear(sim_hull *hull);

/* ---- closest points on it ---- */

typedef struct sim_closest_point {
  int triangle;
  double weight[3];  /* of the triangle's corners; >= 0, sum 1 */
  double distance_m; /* signed, > 0 outside */
  /* Where the point was at that time, in the surface's own frame. NaN: unknown, so the sign is not
   * trusted. */
  double from_m[3];
  double way_m; /* way of the surface at that time, summed over all steps */
} sim_closest_point;

typedef enum sim_traverse_mode {
  SIM_TRAVERSE, /* walk and checks as above */
  /* Measures every triangle whose box is within reach: true closest points up to the reach; beyond it, the
   * old ones. */
  SIM_EXHAUSTIVE
} sim_traverse_mode;

typedef struct sim_traverse_counts {
  int64_t points, near;      /* points asked; points with triangles in the searched cells */
  int64_t crossed, measured; /* triangles that walks passed; triangles whose nearest point was computed */
  int64_t restarts;          /* changes of sign: a walk that ended in a local minimum was caught */
} sim_traverse_counts;

typedef struct sim_traverse sim_traverse; /* opaque: planes and grid of the surface at its present place */

/* Makes a traversal of a hull. The hull is not owned and must outlive it. Caller: sim_traverse_free. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_traverse_new(const sim_hull *hull, sim_traverse **out, cb_err *err);
void sim_traverse_free(sim_traverse *t);

/* Sets the positions of the surface. Call it first, and whenever the surface has moved. x_m (n_vertices) is
 * not owned and must stay valid until the next call. reach_m > 0: the distance up to which a sign is made
 * right even if the previous one was wrong. It must be at least the largest motion of a point against the
 * surface in a step. The call is cheap where the surface moved little or not at all, as the grid has some
 * slack. Errors: CB_E_NUM for positions that are not finite, CB_E_NOMEM. */
CB_CHECKED cb_status sim_traverse_surface(sim_traverse *t, const double (*x_m)[3], double reach_m,
                                          cb_err *err);

/* Finds the true closest points of n points, without previous ones. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_traverse_start(const sim_traverse *t, const double (*point_m)[3], int n,
                                        sim_closest_point *closest, cb_err *err);

/* Advances n closest points by one step. closest: in: of the previous step; out: of this step. Adds to
 * counts. */
void sim_traverse_step(sim_traverse *t, sim_traverse_mode mode, const double (*point_m)[3], int n,
                       sim_closest_point *closest, sim_traverse_counts *counts);

/* The state for a checkpoint: where the surface was last, which the stored closest points refer to. take
 * writes state_bytes to `to`, after a first sim_traverse_surface; give reads them. With this state and the
 * closest points the next step has the same bits. */
size_t sim_traverse_state_bytes(const sim_traverse *t);
void sim_traverse_state_take(const sim_traverse *t, unsigned char *to);
void sim_traverse_state_give(sim_traverse *t, const unsigned char *from);

/* The position of a closest point, and the surface's unit normal there: of its triangle, or the mean of the
 * triangles at its edge or corner. */
void sim_traverse_closest(const sim_traverse *t, const sim_closest_point *closest, double point_m[3],
                          double normal[3]);

#endif
