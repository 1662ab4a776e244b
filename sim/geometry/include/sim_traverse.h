/* Where many points stand over a closed surface, from step to step: each keeps its closest point, a point of
 * the surface, and walks it along.
 *
 * Chen, Feng, Wang, ACM TOG 32(4):88 (2013): the closest point moves towards the projection of its point onto
 * the plane of its triangle, over edges into neighbours, until it is there or comes to a triangle where it
 * was. That can end in a place that is only locally nearest. Who changed sides in the step crossed the
 * surface, and is no further from it now than he moved against it. So every triangle as near as that which
 * has the point on the other side than the sign of the distance says is measured; a nearer one becomes the
 * closest point's, and where the sign changes all are asked again.
 *
 * Where walk and sign of the step before disagree, or nothing is known of before, all within `reach` are
 * asked. Then the sign is right for every point no further than `reach` from a surface that does not cut
 * itself, whatever it was before: the nearest triangle of all is among those asked. Were the sign wrong, one
 * of the triangles around the nearest point would have the point on the other side (the angle-weighted normal
 * there, whose sign is right (Baerentzen, Aanaes, IEEE TVCG 11:243, 2005), is a sum of theirs), would be
 * measured, be nearest, and put it right. Triangles that the closest point has only crossed are asked like
 * others: they were not measured. The closest point itself need not be nearest.
 *
 * So every sign is right, near or far, if those of the step before were and no point moved by more than
 * `reach` against the surface. What is not seen: a point that goes through a whole plate within a step; it is
 * outside before and after. docs/three-layers.md has the proof.
 *
 * Points and surface are in one frame; a rigid body is given once, in its own, and then only placed. SI. Same
 * bits for any number of threads. */
#ifndef SIM_TRAVERSE_H
#define SIM_TRAVERSE_H

#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

/* ---- a surface ---- */

/* A closed surface of triangles: who is beyond which edge, and who meets at which corner. Where its vertices
 * are is not its business: a deforming body moves them, the hull stays. */

typedef struct sim_hull {
  int n_vertices, n_triangles;
  int (*triangle)[3];   /* counter-clockwise from outside */
  int (*across)[3];     /* the triangle beyond the edge opposite to each corner */
  int *fan_start, *fan; /* n_vertices + 1, 3 n_triangles: the corners (3 * triangle + corner) at each vertex,
                           ascending */
} sim_hull;

/* Copies. Errors, one sentence with the triangle's number: fewer than 4 vertices or triangles, an index out
 * of range, an edge that has not two triangles (the surface is open), two triangles that turn against each
 * other. Vertices of no triangle are allowed: a body's inside. Caller: sim_hull_clear, even after a
 * failure. */
CB_CHECKED cb_status sim_hull_build(const int (*triangle)[3], int n_triangles, int n_vertices, sim_hull *out,
                                    cb_err *err);
void sim_hull_clear(sim_hull *hull);

/* ---- closest points on it ---- */

typedef struct sim_closest_point {
  int triangle;
  double weight[3];  /* of its corners; >= 0, sum 1 */
  double distance_m; /* signed, > 0 outside */
  double from_m[3];  /* where the point was then, in the surface's own frame; NaN: whether the sign was right
                        is not known */
  double way_m;      /* how far the surface had come then, all ways added up */
} sim_closest_point;

typedef enum sim_traverse_mode {
  SIM_TRAVERSE,  /* as above */
  SIM_EXHAUSTIVE /* every triangle whose box is within reach is measured: true distances up to the reach,
                    nothing new of the rest */
} sim_traverse_mode;

typedef struct sim_traverse_counts {
  int64_t points, near;      /* of these some have triangles in the cells as near as is asked */
  int64_t crossed, measured; /* triangles that closest points went through, and whose nearest point was looked
                                for */
  int64_t restarts;          /* the sign changed: a local end of the walk was caught */
} sim_traverse_counts;

typedef struct sim_traverse sim_traverse; /* opaque: planes and grid of the surface where it is now */

/* hull: not owned, must live as long. */
CB_CHECKED cb_status sim_traverse_new(const sim_hull *hull, sim_traverse **out, cb_err *err);
void sim_traverse_free(sim_traverse *t);

/* The surface is here now; x_m (n_vertices) is not owned and must stay until the next call. reach_m > 0: how
 * far off a sign has to be right even where the one before was wrong: at least the largest motion of a point
 * against the surface in a step, and what margin the caller wants. Costs next to nothing where the surface
 * has not moved, and less where it moved by little: the grid has some slack. Errors: positions that are not
 * finite, no memory (the grid grows when it holds more than ever before). */
CB_CHECKED cb_status sim_traverse_surface(sim_traverse *t, const double (*x_m)[3], double reach_m,
                                          cb_err *err);

/* The true nearest closest points, found without any from before. */
CB_CHECKED cb_status sim_traverse_start(const sim_traverse *t, const double (*point_m)[3], int n,
                                        sim_closest_point *closest, cb_err *err);

/* Closest points of the step before in, with their distances; this step's out. Adds to counts. */
void sim_traverse_step(sim_traverse *t, sim_traverse_mode mode, const double (*point_m)[3], int n,
                       sim_closest_point *closest, sim_traverse_counts *counts);

/* Where the surface was last, as closest points that are kept know it: state_bytes long, after a first
 * sim_traverse_surface. With it and the closest points the next step has the same bits. */
size_t sim_traverse_state_bytes(const sim_traverse *t);
void sim_traverse_state_take(const sim_traverse *t, unsigned char *to);
void sim_traverse_state_give(sim_traverse *t, const unsigned char *from);

/* Where the closest point is, and the surface's unit normal there: of its triangle, of its edge's or corner's
 * triangles together. */
void sim_traverse_closest(const sim_traverse *t, const sim_closest_point *closest, double point_m[3],
                          double normal[3]);

#endif
