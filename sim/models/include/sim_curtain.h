/* Curtains and flags in real time, as columns of semi-rigid splines (Cheng, Shi, Xu, Shum: Physically based
 * real-time animation of curtain). Warp and weft are treated apart, both in closed form, O(n), without
 * iteration.
 *
 * Warp: a column is a chain of point masses on rods that keep their length, held at its top: a multiple
 * pendulum. At node k, with the rod above it along d_k (unit, downwards), tensions T, all other forces f,
 *   m_k a_k = f_k - T_k d_k + T_(k+1) d_(k+1),    |x_k - x_(k-1)| = l at the step's end
 *   (1)
 * The nodes below a node answer its acceleration with a force q - P a, P a symmetric 3 x 3 matrix: from the
 * bottom up P and q are found, from the top down accelerations and tensions; the force is parted into what is
 * along the rod and what is across. [R] The paper leaves the formulae of the chain out; these are ours.
 *
 * Time: leapfrog, velocities half a step behind. A rod's turning under tension is stiff (the fastest mode of
 * n rods swings 1.7 n times as fast as the slowest), so that (1) has the inertia h^2 b T/l more between
 * neighbours, b = 1/2 (Newmark's method, N. M. Newmark, J. Eng. Mech. 85(3):67, 1959: small swings are stable
 * in any step and not damped, their periods err by (b - 1/12)/2 (omega h)^2).
 *
 * Weft: nodes of neighbouring columns that are farther apart than the cloth between them is long are pulled
 * together, a row at once, by elimination, which keeps its momentum; then rods get their length back from the
 * top down; so many rounds as the setup says. Rods are exact in the end, rows are not: sim_curtain_report.
 *
 * Folds: cloth between two columns that is wider (w) than they are apart (D) stands out as a chain of
 * segments that keep their length, in the plane of the edge and its normal. Of n segments k = ceil(n/3) go
 * out at an angle alpha to the edge, n - 2k along it, k come back:
 *   cos alpha = (n D/w - (n - 2k)) / 2k
 *   (2)
 * The nodes of these chains (the second layer) are seen, and weigh on the columns; they do not move on their
 * own.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_CURTAIN_H
#define SIM_CURTAIN_H

#include <stdint.h>

#include "cb_archive.h"
#include "cb_permeability_law.h"
#include "sim_body.h"

/* A round window, from which the wind spreads as if it came from an apex far behind. At a node C, with B
 * where the line from the apex meets the window and r the direction of BC, cloth that stands across r at an
 * angle gamma feels per area
 *   F = pressure (direction.r) r (1 - passing)^thinning |cos gamma| (near / max(|BC|, near))^falloff
 * on the area as it stands (folds hide cloth from the wind). What is behind the window feels what stands in
 * it; the outer fifth of the window fades to nothing. [R]: the paper has neither near nor the edge.
 * Turbulence: a random force of that rms, times F with cos gamma 1, in any direction, that runs down the
 * columns. */
typedef struct sim_curtain_wind {
  double centre_m[3], direction[3]; /* of the window; of any length > 0 */
  double radius_m, apex_m;          /* apex: so far behind the window */
  double pressure_Pa;               /* on cloth that lets nothing through, at the centre; 0: no wind */
  double passing, thinning;         /* share of the air that goes through the cloth, 0 to 1; power, >= 0 */
  double near_m;
  int falloff;                                   /* 0 to 4 */
  double turbulence, turbulence_m_per_s, eddy_m; /* eddy: standard deviation of the bells that random numbers
                                                    are smoothed with */
  uint64_t seed;
} sim_curtain_wind;

/* Air at rest: per area and velocity v, rho C max(|v|, threshold) v. C is that of the node's place, and grows
 * from the threshold on: |v| C in the formula is |v| C + fast (|v| - threshold) C. [R]: the paper's two
 * branches do not meet at its threshold; these do. */
typedef struct sim_curtain_air {
  double density_kg_per_m3, threshold_m_per_s;
  double corner, edge, inside; /* C: corner >= edge >= inside >= 0 */
  double fast;
} sim_curtain_air;

typedef struct sim_curtain_setup {
  int columns, nodes;             /* >= 1; of a column, the held one at its top included, >= 2 */
  double rod_m;                   /* between nodes of a column */
  double weft_m, spacing_m;       /* width of the cloth between two columns; how far apart they are held, <=
                                     weft_m */
  int segments;                   /* of a fold, 1 (none) to SIM_CURTAIN_SEGMENTS */
  double top_m[3];                /* of the first column */
  double across[3], down[3];      /* unit: from column to column; along columns at first */
  double areal_density_kg_per_m2; /* of the flat cloth */
  double gravity_m_per_s2[3];
  sim_curtain_wind wind;
  sim_curtain_air air;
  int pulls; /* rounds of pulling neighbours together; 0: columns that know nothing of each other */
  const sim_body *body; /* as they are when a step begins, with their velocities in it and their
                           friction; not owned, outlive the curtain */
  int n_bodies;
  double thickness_m; /* of the cloth: nodes stay half of it away from bodies, features of the cloth from each
                         other */
  int self_passes;    /* of collisions of the first layer with itself, per step; 0: none are looked for */
} sim_curtain_setup;

#define SIM_CURTAIN_SEGMENTS 16

/* 20 x 31 nodes, 50 mm apart both ways, hung along -z from x = 0 on; 150 g/m2; standard gravity; no wind, air
 * at 20 degC. */
sim_curtain_setup sim_curtain_setup_default(void);
CB_CHECKED cb_status sim_curtain_setup_check(const sim_curtain_setup *s, cb_err *err);

/* The share p of air of a speed V that passes a cloth of a measured law: cloth that u goes through drops the
 * pressure by what air of speed V has more than air of speed u,  p(u) = rho/2 (V^2 - u^2),  p = u/V. 0 for
 * tight cloth, 1 for none. Speed and density > 0. */
double sim_curtain_passing(const cb_permeability_law *law, double speed_m_per_s, double density_kg_per_m3);

typedef struct sim_curtain_report {
  double stretch; /* largest distance of neighbouring columns over the cloth's width there, >= 1: how far (2)
                     was missed */
  int touching;   /* nodes that a body pushed out */
  int self_impacts;    /* of the cloth with itself */
  bool self_left_over; /* the passes did not do: cloth may have come through cloth */
} sim_curtain_report;

typedef struct sim_curtain sim_curtain;

/* At rest, flat and straight. Caller: sim_curtain_free. */
CB_CHECKED cb_status sim_curtain_new(const sim_curtain_setup *setup, sim_curtain **out, cb_err *err);
void sim_curtain_free(sim_curtain *c);

/* report may be NULL: its stretch costs a look at every edge. CB_E_NUM: a column that is nowhere. */
CB_CHECKED cb_status sim_curtain_step(sim_curtain *c, double dt_s, sim_curtain_report *report, cb_err *err);
double sim_curtain_time(const sim_curtain *c);

/* A spring from a node to a place: the hand that drags it; from the next step on. A node that is out of reach
 * hangs back on it. */
typedef struct sim_curtain_drag {
  int column, node; /* node: >= 1 */
  double target_m[3], velocity_m_per_s[3];
  double stiffness_N_per_m, damping_Ns_per_m;
} sim_curtain_drag;
CB_CHECKED cb_status sim_curtain_hold(sim_curtain *c, const sim_curtain_drag *drag, cb_err *err);
void sim_curtain_let_go(sim_curtain *c);

/* ---- first layer ---- */

/* v: half a step behind; may be NULL */
void sim_curtain_node(const sim_curtain *c, int column, int node, double x_m[3], double v_m_per_s[3]);
double sim_curtain_mass(const sim_curtain *c, int column, int node); /* kg */

/* ---- both layers, as a surface: rows of vertices from the top ---- */

int sim_curtain_vertices(const sim_curtain *c); /* (columns - 1) segments + 1 in a row */
int sim_curtain_triangles(const sim_curtain *c);
void sim_curtain_places(const sim_curtain *c, double (*out_m)[3]); /* all vertices, as they are now */
void sim_curtain_surface(const sim_curtain *c, int (*out)[3]);     /* all triangles; they do not change */

/* What a curtain carries from step to step: with it, and made from the same setup, the next step has the same
 * bits. Reading changes it before it fails, but never into one whose step is not safe. */
void sim_curtain_archive(sim_curtain *curtain, cb_archive *a);

#endif
