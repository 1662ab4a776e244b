/* Adaptive anisotropic remeshing of a cloth: small triangles across folds, long ones along them, large ones
 * where the cloth is flat and slow. After Narain, Samii, O'Brien, "Adaptive anisotropic remeshing for cloth
 * simulation", ACM Trans. Graph. 31(6):152, 2012. docs/method/remeshing.md has the figures.
 *
 * Every vertex has a metric M in the plane of the cloth. The length of an edge d in the metric is sqrt(d.M
 * d), where M is the mean of both ends (their eq. 3). An edge has its wanted length where this is 1.
 *   split      an edge longer than 1, at its midpoint; what is linear along the edge stays
 *   collapse   a vertex whose removal leaves no edge longer than SIM_REMESH_COARSE
 *   flip       an edge that is not Delaunay in the metric
 *
 * Kept to rounding: the flat cloth and its border (a vertex leaves the border only where the border is
 * straight), material co-ordinates, mass, linear momentum, loads, grips, and the history of triangles,
 * summed over their areas. Not kept: bending energy where a vertex on curved cloth is removed, and angular
 * momentum, which changes to second order in the edge length.
 *
 * The same input gives the same mesh; there are no threads. All units are SI. */
#ifndef SIM_REMESH_H
#define SIM_REMESH_H

#include <stdbool.h>

#include "sim_cloth.h"
#include "sim_mesh.h"

#define SIM_REMESH_COARSE 0.85 /* < 1, so that a new split is not undone at once */

/* What decides the wanted length of edges. Wanted lengths lie between edge_min_m and edge_max_m. */
typedef struct sim_remesh_rules {
  double edge_min_m, edge_max_m;
  double aspect;         /* greatest ratio of the wanted lengths along and across, >= 1; 1: isotropic */
  double turn_rad;       /* the normal turns by at most this over a wanted length (eq. 5); 0: not used */
  double soft_m;         /* the wanted length at curvature K is at most sqrt(soft_m / K), see
                            sim_remesh_soft_m; 0: not used */
  double change_m_per_s; /* velocity changes by at most this over a wanted length (eq. 6); 0: not used */
  double compression;    /* strain, 0 to 0.99: cloth compressed by this wants edge_min_m in that direction;
                            the wanted length goes with 1 / strain; 0: not used */
  double near_m, near_edge_m; /* cloth that touches a body wants near_edge_m; up to the distance near_m the
                                 wanted length grows as 1 / (1 - distance / near_m); near_m 0: not used */
} sim_remesh_rules;

/* Returns rules of 20 deg, 0.5 m/s, 10 % and aspect 2; softness and bodies are not used. */
sim_remesh_rules sim_remesh_rules_default(double edge_min_m, double edge_max_m);

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_remesh_rules_check(const sim_remesh_rules *rules, cb_err *err);

/* Returns sim_remesh_rules.soft_m for a material: the softness that bounds the error of flat triangles on
 * curved cloth. A triangle of constant strain, of length h and stiffness k, holds k (K h)^4 / 1152 per area
 * of spurious stretch energy at curvature K (docs/method/drape-prediction.md). Bending holds B K^2 / 2. The
 * two have the ratio `share` at h = sqrt(soft_m / K). */
double sim_remesh_soft_m(const sim_material *material, double share);

/* The history of a triangle: the two sliders of bending friction, then the rest curvature K_uu, K_vv, K_uv
 * [1/m]. */
#define SIM_REMESH_HISTORY 5

/* A cloth apart from its solver: mesh, state, grips, loads and history. It owns its arrays. */
typedef struct sim_remesh_state {
  sim_mesh mesh;
  double (*x_m)[3], (*v_m_per_s)[3];
  bool *gripped;                         /* per vertex; the outline of gripped cloth stays */
  double *load_kg;                       /* per vertex; a vertex with a load is never removed */
  double (*history)[SIM_REMESH_HISTORY]; /* per triangle */
  int *from;                             /* per vertex: its number before the remeshing; -1: new */
} sim_remesh_state;

typedef struct sim_remesh_report {
  int splits, collapses, flips, vertices, triangles; /* vertices, triangles: afterwards */
  double longest;     /* longest edge in the metric: <= 1, unless the rounds ran out */
  double good;        /* share of the edges with a length of 1/2 to 1 in the metric */
  double quality_min; /* least 4 sqrt(3) area / (sum of the squared edges) of a triangle in the metric; 1 is
                         equilateral */
  bool kept;          /* nothing was to be done; the mesh is the old one */
} sim_remesh_report;

/* ---- a cloth that is remeshed ---- */

typedef struct sim_remesh sim_remesh;

/* Makes a cloth as sim_cloth_new does, on a copy of the setup's mesh, grips, loads and rest curvature. All
 * else that the setup points to must outlive it. The caller frees *out with sim_remesh_free. Errors: rules
 * out of range; tethers, contact springs or pushes in the setup, which belong to one mesh; those of
 * sim_cloth_new. */
CB_CHECKED cb_status sim_remesh_new(const sim_cloth_setup *setup, const sim_remesh_rules *rules,
                                    sim_remesh **out, cb_err *err);
void sim_remesh_free(sim_remesh *r);

/* Says whether a triangle may be as it is: w[0] and w[1] are the derivatives of its position by its warp and
 * weft co-ordinates. */
typedef bool (*sim_remesh_fits)(const void *of, const double w[2][3]);

/* From now on flips and collapses make only triangles that fit. Splits do not change w, so that a cloth whose
 * triangles all fit keeps to that. of is not owned. NULL: every triangle fits, as at first. */
void sim_remesh_keep_to(sim_remesh *r, sim_remesh_fits fits, const void *of);

/* The present cloth, and its mesh, grips and loads. Both belong to r and are valid until the next remeshing
 * or restore. Positions and velocities of the state are as of the last sim_remesh_now; the cloth has the
 * present ones. */
sim_cloth *sim_remesh_cloth(const sim_remesh *r);
const sim_remesh_state *sim_remesh_of(const sim_remesh *r);

/* Remeshes the cloth at its present positions. Time, bodies, the ledger of energy, contacts of the remaining
 * vertices and sliders of bending friction continue. BDF2 restarts with one step of backward Euler. If the
 * new mesh crosses itself more often than the old one, only splits are done. report may be NULL. Errors:
 * a seam, two pieces that meet in one vertex, a metric that is not finite, memory, those of sim_cloth_new;
 * after an error the cloth is unchanged. */
CB_CHECKED cb_status sim_remesh_now(sim_remesh *r, sim_remesh_report *report, cb_err *err);

/* Saves or restores the present mesh and its cloth. A wrong file changes nothing. Errors: memory, and those
 * of sim_cloth_archive. */
CB_CHECKED cb_status sim_remesh_archive(sim_remesh *remesh, cb_archive *a, cb_err *err);

#endif
