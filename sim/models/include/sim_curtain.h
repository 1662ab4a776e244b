/* Curtains and flags in real time, as columns of semi-rigid splines, after Cheng, Shi, Xu, Shum, "Physically
 * based real-time animation of curtain". docs/method/curtain.md has the figures. Warp and weft are
 * solved separately, in closed form, in O(n). What the paper leaves out or does differently is marked "ours".
 *
 * Warp. A column is a chain of point masses on rods of constant length l, held at its top: a multiple
 * pendulum. Node k hangs on the rod along the unit vector d_k (downwards). T_k is the rod's tension and f_k
 * the sum of all other forces:
 *
 *     m_k a_k = f_k - T_k d_k + T_(k+1) d_(k+1),    |x_k - x_(k-1)| = l at the end of the step         (1)
 *
 * The nodes below node k react to its acceleration a with the force q - P a, where P is a symmetric 3 x 3
 * matrix. P and q are found from the bottom up, accelerations and tensions from the top down. (The formulae
 * of the chain are ours.)
 *
 * Time. The scheme is leapfrog; velocities are half a step behind. The fastest mode of n rods swings 1.7 n
 * times as fast as the slowest. (1) therefore has the additional inertia h^2 b T/l between neighbours, with
 * b = 1/2 (N. M. Newmark, J. Eng. Mech. 85(3):67, 1959). Small swings are then stable in any step and
 * undamped; their periods err by (b - 1/12)/2 (omega h)^2.
 *
 * Weft. Where neighbouring columns are farther apart than the cloth between them is wide, they are pulled
 * together. An elimination does this for a whole row at once and keeps the row's momentum. Then rods get
 * their length back, from the top down. The setup has the number of rounds. In the end rods are exact and
 * rows are not: see sim_curtain_report.stretch.
 *
 * Folds. Where the cloth between two columns is wider (w) than their distance (D), it stands out as a chain
 * of n segments of constant length, in the plane of the edge and its normal. k = ceil(n/3) segments go out
 * at the angle alpha to the edge, n - 2k run along it, k come back:
 *   cos alpha = (n D/w - (n - 2k)) / 2k                                                                (2)
 * The nodes of these chains are the second layer. They are drawn, and their weight is on the columns, but
 * they have no motion of their own.
 *
 * Self-collision (ours). The cloth is kept a graph over a plane, which does not cross itself: see
 * sim_curtain_order.c. Both layers are such a graph.
 *
 * The result has the same bits for any number of threads. All units are SI. */
#ifndef SIM_CURTAIN_H
#define SIM_CURTAIN_H

#include <stdint.h>

#include "cb_archive.h"
#include "cb_permeability_law.h"
#include "sim_body.h"

/* Wind through a round window. It spreads as if it came from an apex far behind the window. For a node C, B
 * is the point where the line from the apex to C meets the window, and r is the direction of BC. gamma is
 * the angle between r and the normal of the cloth. The force per area is
 *   F = pressure (direction.r) r (1 - passing)^thinning |cos gamma| (near / max(|BC|, near))^falloff
 * on the area as it stands, so that folds hide cloth from the wind. A node behind the window feels the force
 * at the window. In the outer fifth of the window the force fades to 0. (near and the fading are ours.)
 * Turbulence adds a random force in any direction, of the rms turbulence x F at cos gamma = 1. Its pattern
 * runs down the columns at turbulence_m_per_s. */
typedef struct sim_curtain_wind {
  double centre_m[3], direction[3]; /* of the window; direction: any length > 0 */
  double radius_m, apex_m;          /* apex: its distance behind the window */
  double pressure_Pa;               /* on tight cloth at the centre; 0: no wind */
  double passing, thinning;         /* share of the air that passes the cloth, 0 to 1; exponent, >= 0 */
  double near_m;
  int falloff;                                   /* exponent, 0 to 4 */
  double turbulence, turbulence_m_per_s, eddy_m; /* eddy: standard deviation of the Gaussian that smooths the
                                                    random numbers */
  uint64_t seed;
} sim_curtain_wind;

/* Drag of air at rest. The force per area on a node of velocity v is -rho C max(|v|, threshold) v. C depends
 * on the place of the node. Above the threshold, fast (|v| - threshold) C is added to |v| C. (Ours: the two
 * branches of the paper's drag do not meet at its threshold; these do.) */
typedef struct sim_curtain_air {
  double density_kg_per_m3, threshold_m_per_s;
  double corner, edge, inside; /* C: corner >= edge >= inside >= 0 */
  double fast;
} sim_curtain_air;

typedef struct sim_curtain_setup {
  int columns, nodes;             /* columns >= 1; nodes of a column, with the held one at its top, >= 2 */
  double rod_m;                   /* distance of neighbouring nodes of a column */
  double weft_m, spacing_m;       /* width of the cloth between two columns; distance at which their tops are
                                     held, <= weft_m */
  int segments;                   /* per fold, 1 (no folds) to SIM_CURTAIN_SEGMENTS */
  double top_m[3];                /* top of the first column */
  double across[3], down[3];      /* unit vectors: to the next column; along the columns at the start */
  double areal_density_kg_per_m2; /* of the flat cloth */
  double gravity_m_per_s2[3];
  sim_curtain_wind wind;
  sim_curtain_air air;
  int pulls;            /* rounds of weft and warp per step; 0: the columns are independent */
  const sim_body *body; /* bodies and their friction, as they are at the start of a step; not owned, must
                           outlive the curtain */
  int n_bodies;
  double thickness_m;  /* of the cloth; nodes stay half of it away from bodies */
  bool self_collision; /* the cloth does not cross itself */
} sim_curtain_setup;

#define SIM_CURTAIN_SEGMENTS 16

/* Returns a setup of 20 x 31 nodes, 50 mm apart both ways, hung along -z from x = 0 on. It has 150 g/m2,
 * standard gravity, no wind and air at 20 degC. */
sim_curtain_setup sim_curtain_setup_default(void);

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_curtain_setup_check(const sim_curtain_setup *s, cb_err *err);

/* Returns p, the share of a wind of speed V that passes a cloth with this law of permeability: 0 for tight
 * cloth, 1 for no cloth. The air that passes has the speed u = p V. The pressure drop p(u) of the law equals
 * rho/2 (V^2 - u^2). Speed and density must be > 0. */
double sim_curtain_passing(const cb_permeability_law *law, double speed_m_per_s, double density_kg_per_m3);

typedef struct sim_curtain_report {
  double stretch; /* greatest distance of neighbouring columns over the width of the cloth there, >= 1 */
  int touching;   /* nodes pushed out of a body */
  int corrected;  /* rows that self-collision corrected */
} sim_curtain_report;

typedef struct sim_curtain sim_curtain;

/* Makes a curtain at rest with straight columns. The setup is copied, its bodies are not. The caller frees
 * *out with sim_curtain_free. Errors: those of sim_curtain_setup_check; self-collision with one column;
 * memory. */
CB_CHECKED cb_status sim_curtain_new(const sim_curtain_setup *setup, sim_curtain **out, cb_err *err);
void sim_curtain_free(sim_curtain *c);

/* Advances the curtain by one step of 1e-9 to 1 s. report may be NULL; its stretch costs a pass over all
 * edges. Errors: CB_E_RANGE for dt_s; CB_E_NUM for a position that is not finite; those of self-collision. */
CB_CHECKED cb_status sim_curtain_step(sim_curtain *c, double dt_s, sim_curtain_report *report, cb_err *err);
double sim_curtain_time(const sim_curtain *c); /* s since the start */

/* A hand that drags a node: a spring and a dashpot between the node and a moving target. A target out of
 * reach keeps the spring in tension. */
typedef struct sim_curtain_drag {
  int column, node; /* node: >= 1 */
  double target_m[3], velocity_m_per_s[3];
  double stiffness_N_per_m, damping_Ns_per_m;
} sim_curtain_drag;

/* Drags a node from the next step on, until sim_curtain_let_go or the next call. Error: CB_E_RANGE for a
 * number out of range. */
CB_CHECKED cb_status sim_curtain_hold(sim_curtain *c, const sim_curtain_drag *drag, cb_err *err);
void sim_curtain_let_go(sim_curtain *c);

/* ---- first layer ---- */

/* Position and velocity of a node. The velocity is half a step behind; v_m_per_s may be NULL. */
void sim_curtain_node(const sim_curtain *c, int column, int node, double x_m[3], double v_m_per_s[3]);
double sim_curtain_mass(const sim_curtain *c, int column, int node); /* kg */

/* ---- both layers, as one surface; vertices by rows, from the top ---- */

/* Numbers of vertices and triangles. A row has (columns - 1) segments + 1 vertices. */
int sim_curtain_vertices(const sim_curtain *c);
int sim_curtain_triangles(const sim_curtain *c);
/* Present positions of all vertices: out_m[sim_curtain_vertices(c)]. Folds are flattened where the setup's
 * bodies are now. */
void sim_curtain_places(const sim_curtain *c, double (*out_m)[3]);
/* Corners of all triangles: out[sim_curtain_triangles(c)]. They never change. */
void sim_curtain_surface(const sim_curtain *c, int (*out)[3]);

/* Saves or restores the state. A curtain made from the same setup then makes its next step with the same
 * bits. A wrong file can leave the curtain changed; its next step is still safe. */
void sim_curtain_archive(sim_curtain *curtain, cb_archive *a);

#endif
