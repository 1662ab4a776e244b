/* A cloth among bodies, stepped through time.
 *
 *   sim_cloth_setup    what is given: mesh, material, bodies, grips, method. Read only; kept by the caller
 * while the cloth lives. sim_cloth    the cloth: its state, and the working memory that the steps need. It
 * grows when there are more contacts than ever before; nothing else is allocated in a step.
 *
 * Time: implicit. With positions x, velocities v at the end of a step, X and V from the past,
 *   x = X + gamma v,   M (v - V) = gamma F(x, v)
 *   backward Euler   X = x_n, V = v_n, gamma = h
 *   BDF2             X = x_n + a (x_n - x_{n-1}), V likewise; with equal steps a = 1/3, gamma = 2h/3
 * linearised at x_n and solved by preconditioned conjugate gradients; as often again as `iterations` allows,
 * each time at the newest positions, until the velocities settle or what the equations are missed by gets no
 * less (Newton's method; a step that would miss by more is halved, and ends the iteration where it was if
 * that does not help). F holds stretch, bending, gravity, damping, drag, contact and friction.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_CLOTH_H
#define SIM_CLOTH_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_archive.h"
#include "cb_self_friction_law.h"
#include "sim_body.h"
#include "sim_material.h"
#include "sim_mesh.h"

/* A spring and a dashpot between a cloth and an anchor that is moved along a line: how a stage pulls, or how
 * a weight hangs (a soft spring).
 *   tension = k (a - d) + c (a' - d'),   d = mean of e.(x - x at t = 0) over the cloth by share, e the line's
 *   direction
 * Every vertex carries its share of the spring, from where it lay: together they are one spring at the mean,
 * and the patch that is pulled is not squeezed. */
typedef struct sim_tether {
  double direction[3];                        /* unit length */
  const double *share;                        /* per vertex, >= 0, their sum 1; not owned */
  double stiffness_N_per_m, damping_Ns_per_m; /* >= 0 */
  double anchor_m, anchor_m_per_s; /* along the line from where it was at t = 0, and its velocity: at the end
                                      of the step */
} sim_tether;

typedef enum sim_cloth_scheme { SIM_BACKWARD_EULER, SIM_BDF2 } sim_cloth_scheme;
extern const char *const sim_cloth_scheme_names[]; /* "backward-euler", "bdf2", NULL */

typedef struct sim_cloth_setup {
  const sim_mesh *mesh;
  const sim_material *material;
  const bool *gripped;   /* per vertex: moves with the velocity that stands in the state; NULL: none */
  const double *load_kg; /* per vertex: mass that rides on the cloth; NULL: none */
  const double (*rest_per_m)[3]; /* per triangle: K_uu, K_vv, K_uv where it is free of bending
                                    (sim_rest_as_made); NULL: flat */
  const double (*push_N)[3]; /* per vertex: what else pushes, as it stands at a step's begin; not owned; NULL:
                                nothing */
  struct sim_springs *const *springs; /* sim_layered.h's own: to bodies that move with the cloth; not owned */
  int n_springs;
  double gravity_m_per_s2[3];
  const sim_body *bodies; /* as they are at t = 0 */
  int n_bodies;
  const sim_tether *tethers; /* as they are at the end of the first step */
  int n_tethers;
  bool self_collision;        /* the cloth meets itself, at its material's thickness (> 0) */
  sim_friction self_friction; /* of cloth on itself: the kinetic part; slow slip is resisted like a dashpot,
                                 not held ... */
  const cb_self_friction_law *self_law; /* ... or with a tensor for each side; not owned; NULL:
                                           self_friction */
  sim_cloth_scheme scheme;
  int iterations;           /* linearisations per step, >= 1 */
  int contact_iterations;   /* solves per linearisation until every contact agrees, >= 1 */
  double contact_tolerance; /* contacts agree where the forces a solve had wrong are at most this part of
                               those that press */
  double settle_m_per_s;    /* stop the iterations where no velocity changes by more */
  double solve_tolerance;   /* of the linear solver: relative residual */
  int solve_iterations;
} sim_cloth_setup;

/* Standard gravity along -z, backward Euler, one linearisation. */
sim_cloth_setup sim_cloth_setup_default(const sim_mesh *mesh, const sim_material *material);

/* For sim_cloth_setup.rest_per_m: the curvature of the mesh as it was made, positive where the cloth turns
 * towards its face. out_per_m: per triangle. */
CB_CHECKED cb_status sim_rest_as_made(const sim_mesh *mesh, double (*out_per_m)[3], cb_err *err);

/* What the cloth holds, what it lost and what it was given since it was made [J]. Their sum less `supports`
 * stays the same, but for what the scheme takes out by itself (backward Euler much, BDF2 little, both less
 * with shorter steps) and what self-contacts do. */
typedef struct sim_cloth_energies {
  double kinetic, stretch, bending;
  double gravity;           /* potential, 0 at the origin */
  double friction, damping; /* dissipated; friction: of contacts, and within the cloth that bends */
  double supports;          /* work of grips, tethers, moving bodies and push on the cloth */
} sim_cloth_energies;

/* What a step spends its time on. */
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

typedef struct sim_step_report {
  int steps, refused; /* 1, 0; sim_play.h: of those that a step was divided into, and that were taken back */
  int linearisations, solves, solver_iterations, contacts, holding, sliding;
  int by_law, extrapolated; /* contacts under a measured law of friction; of these, pressed lighter or heavier
                               than it was measured */
  int self_by_law, self_extrapolated; /* pairs of places that slide under one in the last solve; of these,
                                             likewise */
  int self_contacts, impacts; /* pairs of places of the cloth that are near each other; of these and others,
                          stopped on their way through */
  int put_out;                /* vertices that would have ended in a body, or all but, and were put back */
  double pressed_J; /* sim_layered.h: kinetic energy that contact offsets of layers gave the cloth behind the
                       ledger's back; < 0: took */
  double layers_m_per_s; /* sim_layered.h: the fastest vertex of a body in a layer */
  double residual;       /* of the last solve */
  double missed; /* iterations > 1: what the equations of the step are missed by at its end, sqrt(sum |M dv|^2
                    / m) [sqrt(J)] */
  double phase_s[SIM_CLOTH_PHASES]; /* wall clock */
  bool settled, contacts_agree;
} sim_step_report;

typedef struct sim_cloth sim_cloth; /* opaque: working memory */

/* Flat and at rest as the mesh was made. Caller frees with sim_cloth_free. Errors: a setup with a number out
 * of range, which the sentence names; memory. */
CB_CHECKED cb_status sim_cloth_new(const sim_cloth_setup *setup, sim_cloth **out, cb_err *err);
void sim_cloth_free(sim_cloth *cloth);

const sim_mesh *sim_cloth_mesh(const sim_cloth *cloth); /* the setup's */

/* The state: may be written between steps. */
double (*sim_cloth_position(const sim_cloth *cloth))[3];
double (*sim_cloth_velocity(const sim_cloth *cloth))[3];
double sim_cloth_time(const sim_cloth *cloth);
sim_body *sim_cloth_bodies(const sim_cloth *cloth);
sim_tether *sim_cloth_tethers(const sim_cloth *cloth);
double sim_cloth_tension_N(const sim_cloth *cloth, int tether); /* after the last step */
const double *sim_cloth_mass(const sim_cloth *cloth);           /* kg per vertex */

/* Of the present positions, per triangle: Green-Lagrange strain E_uu, E_vv, E_uv; curvature K_uu, K_vv, K_uv
 * [1/m]. */
void sim_cloth_strain(const sim_cloth *cloth, double (*out)[3]);
void sim_cloth_curvature(const sim_cloth *cloth, double (*out_per_m)[3]);

/* What presses most on a vertex since the last step. body -1: nothing does. */
typedef struct sim_cloth_touch {
  int body;
  double normal_N;
  bool slides;
} sim_cloth_touch;
sim_cloth_touch sim_cloth_touch_of(const sim_cloth *cloth, int vertex);

/* Errors: a stiffness so far above the inertia that single precision cannot tell them apart; a number that is
 * not finite, with time and vertex. */
CB_CHECKED cb_status sim_cloth_step(sim_cloth *cloth, double dt_s, sim_step_report *report, cb_err *err);
void sim_cloth_energy(sim_cloth *cloth, sim_cloth_energies *out);

/* ---- copies of the state ---- */

/* To go back to: state_bytes long. It begins with the positions. */
size_t sim_cloth_state_bytes(const sim_cloth *cloth);
void sim_cloth_state_take(const sim_cloth *cloth, unsigned char *to);
void sim_cloth_state_give(sim_cloth *cloth, const unsigned char *from);

/* For a file, from which a run goes on as if it had never stopped, to the bit: time, positions and velocities
 * of this step and of the one before, what every vertex knows of its contact, the bodies' places and motion,
 * places of the cloth that are near each other. All else is the setup's: reading wants a cloth made from an
 * equal one, recognised by a hash of the mesh, the material, the rest curvature, the grips, loads and
 * tethers, and the method. Bodies are compared by their number and shapes; laws of friction are the caller's
 * to keep.
 *
 * Reading leaves the cloth as it was where it fails: with a sentence for a state of another cloth, of another
 * version, damaged, or with numbers that no cloth can have; with what is `wrong` where the archive ends too
 * soon. */
CB_CHECKED cb_status sim_cloth_archive(sim_cloth *cloth, cb_archive *a, cb_err *err);

/* ---- another mesh ---- */

/* Bending friction's sliders, two per triangle [1/m]; may be written between steps. NULL: the material has
 * none. */
double (*sim_cloth_sliders(const sim_cloth *cloth))[2];
/* A new cloth of the same setup but for its mesh goes on where `before` is: time, bodies, ledger of energy,
 * and contacts of the vertices that stay. from: per vertex of the new one, which it was before; -1: none.
 * Positions, velocities and sliders are the caller's. */
void sim_cloth_go_on(sim_cloth *cloth, const sim_cloth *before, const int *from);
/* Pairs of triangles that cross, so deep that it is no rounding; 0 without self_collision. */
int sim_cloth_crossings(const sim_cloth *cloth);

/* ---- equilibrium ---- */

typedef enum sim_settle_outcome {
  SIM_SETTLED,
  SIM_SETTLE_MAX_ITERATIONS,
  SIM_SETTLE_STUCK /* no shorter step lowers the energy, and the forces are not small: rounding, or a material
                      out of all proportion */
} sim_settle_outcome;
extern const char *const sim_settle_outcome_text[];

typedef struct sim_settle_report {
  sim_settle_outcome outcome;
  int iterations;
  double residual; /* norm of the forces on the free vertices over that of the weights, or, without gravity,
                      of the grips' forces */
  double energy_J;
  bool stable; /* every small motion from there costs energy */
} sim_settle_report;

/* Equilibrium of grips, elasticity and gravity from the present positions on; bodies take no part. Newton's
 * method with as much inertia as it needs, until residual <= tolerance, or as small as rounding lets it be.
 * Velocities are 0 afterwards. Allocates a factorised matrix: some 10 KB per vertex while it runs. */
CB_CHECKED cb_status sim_cloth_settle(sim_cloth *cloth, double tolerance, int max_iterations,
                                      sim_settle_report *report, cb_err *err);

/* Towards the equilibrium of grips, elasticity and gravity, until the residual is <= tolerance or after
 * max_steps: what sim_cloth_settle then has to do is little. A step of dt_s, the fictitious time that a step
 * of descent may take, costs what sim_cloth_step does, a fraction of a factorisation. Time and ledger stay;
 * velocities are 0 afterwards. */
CB_CHECKED cb_status sim_cloth_calm(sim_cloth *cloth, double dt_s, double tolerance, int max_steps,
                                    int *steps, cb_err *err);

/* The force that each grip holds its vertex with, in the present positions and at rest; 0 at free vertices.
 * force_N: per vertex. */
void sim_cloth_grip_forces(sim_cloth *cloth, double (*force_N)[3]);

/* ---- what is looked at so that nothing goes wrong without a word ----
 *
 * All of it reads; nothing is changed. A body that comes through the cloth is an error of sim_cloth_step. */

/* Refuses a cloth that starts in a body or in itself. In a body: a free vertex, or a place of a triangle
 * between such vertices, deeper than half of the cloth's thickness (the cloth's middle may lie on a surface;
 * what is gripped may lie anywhere); of a triangle, a quarter of what the body measures from its innermost
 * place to its surface is allowed beside, for the corners that a mesh cuts. In itself, where it meets itself:
 * triangles that cross, places that coincide, other places nearer than SIM_START_NEAR of the thickness, below
 * which the steps let nothing come. Errors: one sentence with the vertex or the triangles, place and
 * depth. */
#define SIM_START_NEAR 0.05
CB_CHECKED cb_status sim_start_check(sim_cloth *cloth, cb_err *err);

/* How a step of dt_s has to be divided so that no body moves, against free vertices that it can reach,
 * further than its inner radius: parts = 1, or as many as make that half of the radius at most. Errors: more
 * than SIM_PACE_MOST are wanted; the sentence names body, vertex, speed and the step that would do. */
#define SIM_PACE_MOST 256
CB_CHECKED cb_status sim_pace_of_cloth(const sim_cloth *cloth, double dt_s, int *parts, cb_err *err);

/* A ledger watched from its begin on. What was put in: what the cloth held at the begin, what gravity,
 * supports and the contact offsets of layers gave since, each at its most, and the kinetic energy of the
 * cloth at the speed of the fastest grip or body. What appeared: by how much the sum of all energy is more
 * than at the begin, or rose in one step, if that is more. What self-contacts hold meanwhile is not in the
 * ledger: it may come back slowly. */
typedef struct sim_alarm {
  sim_cloth_energies begin;
  double last_sum_J, gravity_most_J, supports_most_J; /* after the last step; given since the begin, at their
                                                         most */
  double mass_kg, fastest_m_per_s;                    /* of the cloth; of grips and bodies so far */
  double floor_J; /* may appear: contacts that press the cloth half of its thickness away in one step */
  double pressed_J, pressed_most_J; /* what contact offsets of layers gave: sum over the steps, and its most
                                     */
  double most;                      /* the largest part of what was put in that appeared so far */
} sim_alarm;

#define SIM_ALARM_SHARE 20.0 /* of what was put in: more is an error */
#define SIM_ALARM_SHARE_LAYERS \
  1000.0 /* ... with layers, whose bodies and air hold energy that the ledger does not have */

sim_alarm sim_alarm_begin(sim_cloth *cloth, double dt_s);
/* After a step. Errors: the sentence with the time, how much appeared against how much was put in, and the
 * likely cause. */
CB_CHECKED cb_status sim_alarm_look(sim_alarm *alarm, sim_cloth *cloth, const sim_step_report *report,
                                    cb_err *err);

#endif
