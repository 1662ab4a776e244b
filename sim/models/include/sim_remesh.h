/* A cloth whose triangles follow what it does: small across folds, long along them, large where it is flat
 * and slow. After Narain, Samii, O'Brien, "Adaptive anisotropic remeshing for cloth simulation", ACM Trans.
 * Graph. 31(6):152, 2012.
 *
 * Every vertex has a metric M in the plane of the cloth; an edge d is as long as wanted where d.M d = 1, M
 * the mean of both ends' (their eq. 3). Longer ones are split in the middle, vertices whose going leaves no
 * edge longer than SIM_REMESH_COARSE go, and edges are flipped that are not Delaunay in the metric. Where a
 * vertex is made, everything linear stays what it was.
 *
 * What stays, to rounding: the flat cloth and its border (a vertex leaves the border only where that is
 * straight), material co-ordinates, mass, linear momentum, loads and grips, and what triangles remember,
 * summed over their areas. What does not: bending energy, where a vertex on curved cloth goes; angular
 * momentum to second order in the edges. Same input, same mesh; no threads. SI. */
#ifndef SIM_REMESH_H
#define SIM_REMESH_H

#include <stdbool.h>

#include "sim_cloth.h"
#include "sim_mesh.h"

#define SIM_REMESH_COARSE 0.85 /* < 1: what was just split does not come together again */

typedef struct sim_remesh_rules {
  double edge_min_m, edge_max_m; /* wanted lengths lie between; an edge as long as edge_min_m is not split */
  double aspect;                 /* of the wanted lengths along and across, at most; >= 1; 1: isotropic */
  double turn_rad; /* over a wanted length the cloth's normal turns by so much (eq. 5); 0: curvature does not
                      count */
  double soft_m;   /* over curvature K it wants sqrt(soft_m / K) at most: sim_remesh_soft_m; 0: does not
                      count */
  double change_m_per_s;      /* ... and velocity changes by that (eq. 6); 0: does not count */
  double compression;         /* < 1: where cloth is shortened by that it wants edge_min_m in this direction,
                                 elsewhere in proportion; 0 */
  double near_m, near_edge_m; /* at a body near_edge_m is wanted, longer in proportion to what is left of
                                 near_m; 0: bodies do not count */
} sim_remesh_rules;

/* 20 deg, 0.5 m/s, 10 %, aspect 2; softness and bodies do not count. */
sim_remesh_rules sim_remesh_rules_default(double edge_min_m, double edge_max_m);
CB_CHECKED cb_status sim_remesh_rules_check(const sim_remesh_rules *rules, cb_err *err);

/* For triangles that would cost too much to bend: one of constant strain of length h that is bent by K across
 * its edges stretches, and holds k (K h)^4 / 1152 per area (docs/drape.md) where the bending holds B K^2 / 2.
 * As much as `share` of that at h = sqrt(soft_m / K). */
double sim_remesh_soft_m(const sim_material *material, double share);

/* What a triangle remembers: the two sliders of bending friction, then its rest curvature (K_uu, K_vv, K_uv)
 * [1/m]. */
#define SIM_REMESH_HISTORY 5

/* A cloth between two meshes; owns everything. */
typedef struct sim_remesh_state {
  sim_mesh mesh;
  double (*x_m)[3], (*v_m_per_s)[3];
  bool *gripped;                         /* goes only among others that are gripped; their outline stays */
  double *load_kg;                       /* a vertex with a load stays */
  double (*history)[SIM_REMESH_HISTORY]; /* per triangle */
  int *from;                             /* the vertex that it was before; -1: new */
} sim_remesh_state;

typedef struct sim_remesh_report {
  int splits, collapses, flips, vertices, triangles; /* after it */
  double longest;     /* edge in the metric: <= 1, but where too many rounds would be needed */
  double good;        /* share of edges from 1/2 to 1 */
  double quality_min; /* of triangles in the metric, 4 sqrt(3) area over the sum of the edges' squares: 1 is
                         equilateral */
  bool kept;          /* nothing was to be done: the mesh is the one it was */
} sim_remesh_report;

/* ---- a cloth that is remeshed ---- */

typedef struct sim_remesh sim_remesh;

/* As sim_cloth_new on a copy of the setup's mesh; what else the setup points to must live on. Refused:
 * tethers, contact springs and pushes, which belong to one mesh. */
CB_CHECKED cb_status sim_remesh_new(const sim_cloth_setup *setup, const sim_remesh_rules *rules,
                                    sim_remesh **out, cb_err *err);
void sim_remesh_free(sim_remesh *r);

/* These live until the next remeshing. */
sim_cloth *sim_remesh_cloth(const sim_remesh *r);
const sim_remesh_state *sim_remesh_of(const sim_remesh *r); /* the mesh, grips, loads; positions are the
                                                               cloth's */

/* Remeshes the cloth as it lies and goes on with time, bodies, ledger of energy, contacts of the vertices
 * that stay, sliders of bending friction. BDF2 begins anew with one step of backward Euler. Where the new
 * mesh would go through itself and the old one does not, edges are split, and that is all.
 * After an error the cloth is what it was. */
CB_CHECKED cb_status sim_remesh_now(sim_remesh *r, sim_remesh_report *report, cb_err *err);

/* The mesh as it is now with its cloth. A file that is wrong changes nothing. Errors: memory, and those of
 * sim_cloth_archive. */
CB_CHECKED cb_status sim_remesh_archive(sim_remesh *remesh, cb_archive *a, cb_err *err);

#endif
