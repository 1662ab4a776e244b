/* A cloth among bodies, stepped through time.
 *
 *   sim_cloth_setup  mesh, material, bodies, grips, method: read only
 *   sim_cloth        the state of the cloth, and working memory
 *
 * All that a setup points to must live as long as the cloth. In a step memory grows only if there are more
 * contacts than ever before.
 *
 * Time is implicit. With the positions x and velocities v at the end of a step, and X and V from the past:
 *
 *   x = X + gamma v,   M (v - V) = gamma F(x, v)
 *   backward Euler:  X = x_n, V = v_n, gamma = h
 *   BDF2:            X = x_n + a (x_n - x_{n-1}), V likewise; with equal steps a = 1/3, gamma = 2h/3
 *
 * F holds stretch, bending, gravity, damping, drag, contact and friction. The equations are linearised at x_n
 * and solved by preconditioned conjugate gradients. With `iterations` > 1 they are linearised again at the
 * newest positions (Newton's method), until the velocities settle or the residual of the step no longer
 * falls. A Newton step that would raise the residual is halved; if that does not help, the iteration ends
 * where it was.
 *
 * The bits do not depend on the number of threads. SI units. docs/method/simulation.md describes the method.
 */
#ifndef SIM_CLOTH_H
#define SIM_CLOTH_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_archive.h"
#include "cb_self_friction_law.h"
#include "sim_body.h"
#include "sim_material.h"
#include "sim_mesh.h"

/* A spring and a dashpot between a cloth and an anchor that moves along a line. It models the pull of a
 * stage, or a hanging weight (a soft spring).
 *
 *   tension = k (a - d) + c (a' - d'),   d = mean of e.(x - x at t = 0) over the cloth by share
 *
 * e is the line's direction, a the anchor. Every vertex carries its share of the spring from where it lay at
 * t = 0. So the shares together are one spring at the mean, and the pulled patch is not squeezed. */
typedef struct sim_tether {
  double direction[3];                        /* unit length */
  const double *share;                        /* per vertex, >= 0, their sum 1; not owned */
  double stiffness_N_per_m, damping_Ns_per_m; /* >= 0 */
  /* Position along the line from where the anchor was at t = 0, and velocity: both at the end of the step. */
  double anchor_m, anchor_m_per_s;
} sim_tether;

typedef enum sim_cloth_scheme { SIM_BACKWARD_EULER, SIM_BDF2 } sim_cloth_scheme;
extern const char *const sim_cloth_scheme_names[]; /* "backward-euler", "bdf2", NULL */

typedef struct sim_cloth_setup {
  const sim_mesh *mesh;
  const sim_material *material;
  const bool *gripped;   /* per vertex: moves with its velocity in the state; NULL: none */
  const double *load_kg; /* per vertex: mass that the cloth carries; NULL: none */
  /* Per triangle: K_uu, K_vv, K_uv at rest (sim_rest_as_made); NULL: flat. */
  const double (*rest_per_m)[3];
  /* Per vertex: other forces at the beginning of a step; not owned; NULL: none. */
  const double (*push_N)[3];
  /* Per edge of the mesh: its largest length, enforced by strain limiting (sim_edge_limit.h). INFINITY: not
   * limited. Set by sim_layered.h; not owned; NULL: no edge is limited. */
  const double *edge_most_m;
  /* Contact springs to bodies that move with the cloth. Set by sim_layered.h; not owned. */
  struct sim_springs *const *springs;
  int n_springs;
  double gravity_m_per_s2[3];
  const sim_body *bodies; /* at t = 0 */
  int n_bodies;
  const sim_tether *tethers; /* at the end of the first step */
  int n_tethers;
  bool self_collision; /* the cloth meets itself, at its material's thickness, which must be > 0 */
  /* Cloth on itself: only the kinetic part is used. Slow slip is resisted by a dashpot, not held. */
  sim_friction self_friction;
  /* Instead of self_friction, with a tensor for each side; not owned; NULL: self_friction. */
  const cb_self_friction_law *self_law;
  sim_cloth_scheme scheme;
  int iterations;         /* linearisations per step, >= 1 */
  int contact_iterations; /* most solves per linearisation until all contacts agree, >= 1 */
  /* Contacts agree if the forces that a solve had wrong are at most this fraction of the pressing forces. */
  double contact_tolerance;
  double settle_m_per_s;  /* iterations end where no velocity changes by more */
  double solve_tolerance; /* relative residual of the linear solver */
  int solve_iterations;
} sim_cloth_setup;

/* Returns a setup with standard gravity along -z, backward Euler, one linearisation, and no bodies. mesh and
 * material are kept, not copied. */
sim_cloth_setup sim_cloth_setup_default(const sim_mesh *mesh, const sim_material *material);

/* Writes the curvature of the mesh as it was made, for rest_per_m: per triangle K_uu, K_vv, K_uv [1/m],
 * positive where the cloth turns towards its face. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_rest_as_made(const sim_mesh *mesh, double (*out_per_m)[3], cb_err *err);

/* Energy [J] that the cloth holds, lost and received since it was made. The sum of all members, less
 * `supports`, is constant except for two effects: the numerical dissipation of the scheme (large in backward
 * Euler, small in BDF2, less with shorter steps), and self-contacts. */
typedef struct sim_cloth_energies {
  double kinetic, stretch, bending;
  double gravity;           /* potential energy; 0 at the origin */
  double friction, damping; /* dissipated; friction: in contacts, and within bent cloth */
  double supports; /* work of grips, tethers, moving bodies, push_N and contact springs on the cloth */
} sim_cloth_energies;
static inline double sim_cloth_energy_sum(const sim_cloth_energies *e) {
  return e->kinetic + e->stretch + e->bending + e->gravity + e->friction + e->damping - e->supports;
}

/* Phases of a step, for timing. */
typedef enum sim_cloth_phase {
  SIM_CLOTH_PHASE_ASSEMBLY, /* forces, stiffness, residuals, matrix */
  SIM_CLOTH_PHASE_PRECONDITIONER,
  SIM_CLOTH_PHASE_SOLVE,
  SIM_CLOTH_PHASE_CONTACT,
  SIM_CLOTH_PHASE_SELF_COLLISION,
  SIM_CLOTH_PHASE_REST,
  SIM_CLOTH_PHASES
} sim_cloth_phase;
extern const char *const sim_cloth_phase_names[]; /* "assembly", ..., NULL */

/* What happened in a step. */
typedef struct sim_step_report {
  /* 1 and 0 from sim_cloth_step. sim_play.h: parts of a divided step, and parts that were taken back. */
  int steps, refused;
  int linearisations, solves, solver_iterations, contacts, holding, sliding;
  /* Contacts under a measured law of friction; of these, contacts outside of the measured loads. */
  int by_law, extrapolated;
  /* Self-contacts that slide under a law in the last solve; of these, outside of the measured loads. */
  int self_by_law, self_extrapolated;
  /* Pairs of near places of the cloth; pairs that were stopped on their way through each other. */
  int self_contacts, impacts;
  /* Vertices put back in front of a body because they would have ended in it, or nearly. */
  int put_out;
  /* sim_layered.h: kinetic energy that contact offsets gave the cloth, outside of the ledger; < 0: took. */
  double pressed_J;
  double layers_m_per_s; /* sim_layered.h: speed of the fastest vertex of a body */
  double residual;       /* relative residual of the last linear solve */
  /* iterations > 1: residual of the step's equations at its end, sqrt(sum |M dv|^2 / m) [sqrt(J)]. */
  double missed;
  double phase_s[SIM_CLOTH_PHASES]; /* wall-clock time */
  bool settled, contacts_agree;
} sim_step_report;

typedef struct sim_cloth sim_cloth; /* opaque: working memory */

/* Makes a cloth, at rest in the positions in which the mesh was made. Keeps the setup's pointers. Caller:
 * sim_cloth_free. Errors: CB_E_RANGE for a setup with a number out of range, CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_new(const sim_cloth_setup *setup, sim_cloth **out, cb_err *err);
void sim_cloth_free(sim_cloth *cloth);

const sim_mesh *sim_cloth_mesh(const sim_cloth *cloth); /* the setup's mesh */

/* The state. Positions [m], velocities [m/s], bodies and tethers may be written between steps. Arrays are per
 * vertex and belong to the cloth. Bodies and tethers are copies of the setup's. */
double (*sim_cloth_position(const sim_cloth *cloth))[3];
double (*sim_cloth_velocity(const sim_cloth *cloth))[3];
double sim_cloth_time(const sim_cloth *cloth);
sim_body *sim_cloth_bodies(const sim_cloth *cloth);
sim_tether *sim_cloth_tethers(const sim_cloth *cloth);
double sim_cloth_tension_N(const sim_cloth *cloth, int tether); /* after the last step */
const double *sim_cloth_mass(const sim_cloth *cloth);           /* per vertex [kg] */

/* Per triangle, for the present positions: Green-Lagrange strain E_uu, E_vv, E_uv; curvature K_uu, K_vv, K_uv
 * [1/m]. The first curvature allocates about 210 bytes per vertex, which the cloth keeps. Errors:
 * CB_E_NOMEM. */
void sim_cloth_strain(const sim_cloth *cloth, double (*out)[3]);
CB_CHECKED cb_status sim_cloth_curvature(const sim_cloth *cloth, double (*out_per_m)[3], cb_err *err);

/* The contact that presses a vertex most in the last step. body -1: none. */
typedef struct sim_cloth_touch {
  int body;
  double normal_N;
  bool slides;
} sim_cloth_touch;
sim_cloth_touch sim_cloth_touch_of(const sim_cloth *cloth, int vertex);

/* Advances the cloth by dt_s. report may be NULL. Errors: CB_E_RANGE for a step that is not > 0, or a
 * stiffness so far above the inertia that single precision cannot resolve both. CB_E_NUM for a number that is
 * not finite (with time and vertex), or a body that came through the cloth. CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_step(sim_cloth *cloth, double dt_s, sim_step_report *report, cb_err *err);
/* Moves the ends of other ways of the vertices, end_m, so that nothing passes through the cloth on straight
 * ways from start_m (sim_self_resolve). *changed: an end was moved; false without self_collision. Between
 * steps, for what moves the cloth after a step. Errors: those of sim_self_resolve. */
CB_CHECKED cb_status sim_cloth_resolve(sim_cloth *cloth, const double (*start_m)[3], double (*end_m)[3],
                                       bool *changed, cb_err *err);
/* Energies for the present positions and velocities; dissipated and received energy so far. */
void sim_cloth_energy(sim_cloth *cloth, sim_cloth_energies *out);

/* ---- copies of the state ---- */

/* A copy of the state, state_bytes long: take writes it, give puts it back. It begins with the positions. The
 * cloth itself keeps the friction of layers of the last take, so only the last copy can be given back. */
size_t sim_cloth_state_bytes(const sim_cloth *cloth);
void sim_cloth_state_take(const sim_cloth *cloth, unsigned char *to);
void sim_cloth_state_give(sim_cloth *cloth, const unsigned char *from);

/* Saves or loads the state, from which a run continues bit by bit. It has time, positions and velocities of
 * this step and the previous one, and the contact memory of every vertex. It also has position and motion of
 * the bodies, near places of the cloth and their friction. Everything else belongs to the setup. Loading
 * needs a cloth made from an equal setup. A hash of mesh, material, rest curvature, grips, loads, tethers and
 * method recognises it. Bodies are compared by number and shape only; their friction and measured laws are
 * not compared.
 *
 * Loading leaves the cloth unchanged if it fails. Errors: a state of another cloth or version, damaged, or
 * with impossible numbers. An archive that ends too soon sets `wrong` instead. */
CB_CHECKED cb_status sim_cloth_archive(sim_cloth *cloth, cb_archive *a, cb_err *err);

/* ---- another mesh ---- */

/* The sliders of bending friction, two per triangle [1/m]; may be written between steps. NULL: the material
 * has none. */
double (*sim_cloth_sliders(const sim_cloth *cloth))[2];
/* Makes a new cloth, whose setup differs only in the mesh, continue from `before`: time, bodies, energy
 * ledger, and contact memory. from: per vertex of the new cloth, its vertex in the old one; -1: none. The
 * caller sets positions, velocities and sliders. */
void sim_cloth_go_on(sim_cloth *cloth, const sim_cloth *before, const int *from);
/* Returns the number of pairs of triangles that cross by more than rounding (1e-9 m). 0 without
 * self_collision. */
int sim_cloth_crossings(const sim_cloth *cloth);

/* ---- equilibrium ---- */

typedef enum sim_settle_outcome {
  SIM_SETTLED,
  SIM_SETTLE_MAX_ITERATIONS,
  /* No step, however short, lowers the energy, yet the forces are not small: rounding, or an extreme
   * material. */
  SIM_SETTLE_STUCK
} sim_settle_outcome;

typedef struct sim_settle_report {
  sim_settle_outcome outcome;
  int iterations;
  /* Norm of the forces on free vertices over that of the weights; without gravity, over that of the grips'
   * forces. */
  double residual;
  double energy_J;
  bool stable; /* every small motion from the equilibrium costs energy */
} sim_settle_report;

/* Finds the equilibrium of grips, elasticity and gravity, starting at the present positions. Bodies and
 * tethers take no part. Newton's method with as much inertia as needed, until residual <= tolerance (> 0) or
 * rounding (docs/method/equilibria.md). Velocities are 0 afterwards. Needs some 10 KB per vertex for a
 * factorised matrix while it runs. Not to converge is an outcome, no error. Errors: CB_E_RANGE, CB_E_NUM,
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_settle(sim_cloth *cloth, double tolerance, int max_iterations,
                                      sim_settle_report *report, cb_err *err);

/* Moves towards that equilibrium in at most max_steps descent steps, until residual <= tolerance. It prepares
 * sim_cloth_settle. dt_s is the fictitious time of a step of descent. A step costs as much as sim_cloth_step,
 * a fraction of a factorisation. Bodies and tethers take no part. Time and ledger stay; velocities are 0
 * afterwards. *steps: steps taken. Errors: CB_E_RANGE, those of sim_cloth_step, CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_calm(sim_cloth *cloth, double dt_s, double tolerance, int max_steps,
                                    int *steps, cb_err *err);

/* Writes the force that each grip exerts on its vertex in the present positions at rest; 0 at free vertices.
 * force_N: per vertex. */
void sim_cloth_grip_forces(sim_cloth *cloth, double (*force_N)[3]);

/* ---- checks that stop a run which goes wrong ----
 *
 * They change nothing. A body that comes through the cloth is an error of sim_cloth_step. */

/* Refuses a cloth that starts in a body or in itself. Errors: CB_E_RANGE, with vertex or triangles, place and
 * depth.
 *
 * In a body: a free vertex deeper than half of the cloth's thickness (the cloth's middle may lie on a
 * surface; gripped vertices may lie anywhere). Or a place of a triangle between free vertices, deeper than
 * that plus a quarter of the body's inner radius; the quarter allows for the corners that a mesh cuts.
 *
 * In itself, if it has self_collision: as sim_self_check_start. */
CB_CHECKED cb_status sim_start_check(sim_cloth *cloth, cb_err *err);

/* Sets *parts, into how many parts a step of dt_s must be divided. 1 if no body moves further than its inner
 * radius against a free vertex that it can reach. Otherwise the motion in a part is at most half of the
 * radius. Errors: CB_E_RANGE if more than SIM_PACE_MOST parts are needed, with body, speed and the step that
 * would do. */
#define SIM_PACE_MOST 256
CB_CHECKED cb_status sim_pace_of_cloth(const sim_cloth *cloth, double dt_s, int *parts, cb_err *err);

/* The energy alarm: it compares the energy that appeared with the energy that was put in.
 *
 * Put in: what the cloth held at the beginning; what gravity, supports and contact offsets gave since, each
 * at its maximum; and the kinetic energy of the cloth at the speed of the fastest grip or body. Appeared: the
 * rise of the sum of all energy since the beginning, or in one step, whichever is more. Energy in
 * self-contacts is not in the ledger; it may return slowly. */
typedef struct sim_alarm {
  sim_cloth_energies begin, now; /* now: after the last step that was looked at */
  /* After the last step; given since the beginning, at its maximum. */
  double last_sum_J, gravity_most_J, supports_most_J;
  /* Mass of the cloth; speed of the fastest grip or body so far. */
  double mass_kg, fastest_m_per_s;
  /* Allowance: contacts that press the cloth half of its thickness away in one step. */
  double floor_J;
  /* Energy from contact offsets of layers: sum over the steps, and its maximum. */
  double pressed_J, pressed_most_J;
  double most; /* largest ratio so far of appeared to put in */
} sim_alarm;

#define SIM_ALARM_SHARE 20.0 /* a larger ratio is an error */
#define SIM_ALARM_SHARE_LAYERS \
  1000.0 /* the same with layers, whose bodies and air hold energy outside of the ledger */

/* Begins to watch a cloth; dt_s: the length of the first step. */
sim_alarm sim_alarm_begin(sim_cloth *cloth, double dt_s);
/* Checks the energy after a step. CB_E_NUM: the ratio is above SIM_ALARM_SHARE (with layers
 * SIM_ALARM_SHARE_LAYERS); the sentence has the time, both energies and the likely cause. */
CB_CHECKED cb_status sim_alarm_look(sim_alarm *alarm, sim_cloth *cloth, const sim_step_report *report,
                                    cb_err *err);

#endif
