/* A cloth among bodies, stepped through time.
 *
 *   sim_setup    what is given: mesh, material, bodies, grips, method. Read only; kept by the caller while the cloth lives.
 *   sim_cloth    the cloth: its state, and the working memory that the steps need. It grows when there are more contacts than
 *                ever before; nothing else is allocated in a step.
 *
 * Time: implicit. With positions x, velocities v at the end of a step, X and V from the past,
 *   x = X + gamma v,   M (v - V) = gamma F(x, v)
 *   backward Euler   X = x_n, V = v_n, gamma = h
 *   BDF2             X = x_n + a (x_n - x_{n-1}), V likewise; with equal steps a = 1/3, gamma = 2h/3
 * linearised at x_n and solved by preconditioned conjugate gradients; as often again as `iterations` allows, each time at the newest
 * positions, until the velocities settle or what the equations are missed by gets no less (Newton's method; a step that would miss by more
 * is halved, and ends the iteration where it was if that does not help). F holds stretch, bending, gravity, damping, drag, contact and
 * friction (sim_contact.h).
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_CLOTH_H
#define SIM_CLOTH_H

#include <stdbool.h>

#include "cb_self_friction_law.h"
#include "sim_body.h"
#include "sim_bond.h"
#include "sim_material.h"
#include "sim_mesh.h"
#include "sim_tether.h"

typedef enum sim_scheme { SIM_BACKWARD_EULER, SIM_BDF2 } sim_scheme;
extern const char *const sim_scheme_names[]; /* "backward-euler", "bdf2", NULL */

typedef struct sim_setup {
  const sim_mesh *mesh;
  const sim_material *material;
  const bool *gripped;           /* per vertex: moves with the velocity that stands in the state; NULL: none */
  const double *load_kg;         /* per vertex: mass that rides on the cloth; NULL: none */
  const double (*rest_per_m)[3]; /* per triangle: K_uu, K_vv, K_uv where it is free of bending (sim_bending_curvature); NULL: flat */
  const double (*push_N)[3];     /* per vertex: what else pushes, as it stands at a step's begin; not owned; NULL: nothing */
  sim_bonds *const *bonds;       /* to bodies that move with the cloth, as they stand at a step's begin; not owned */
  int n_bonds;
  double gravity_m_per_s2[3];
  const sim_body *bodies; /* as they are at t = 0 */
  int n_bodies;
  const sim_tether *tethers; /* as they are at the end of the first step */
  int n_tethers;
  bool self_collision;        /* the cloth meets itself, at its material's thickness (> 0) */
  sim_friction self_friction; /* of cloth on itself: the kinetic part; slow slip is resisted like a dashpot, not held (sim_layers.h) ... */
  const cb_self_friction_law *self_law; /* ... or with a tensor for each side; not owned; NULL: self_friction */
  sim_scheme scheme;
  int iterations;           /* linearisations per step, >= 1 */
  int contact_iterations;   /* solves per linearisation until every contact agrees, >= 1 */
  double contact_tolerance; /* contacts agree where the forces a solve had wrong are at most this part of those that press */
  double settle_m_per_s;    /* stop the iterations where no velocity changes by more */
  double solve_tolerance;   /* of the linear solver: relative residual */
  int solve_iterations;
} sim_setup;

/* Standard gravity along -z, backward Euler, one linearisation. */
sim_setup sim_setup_default(const sim_mesh *mesh, const sim_material *material);
CB_CHECKED cb_status sim_setup_check(const sim_setup *setup, cb_err *err);

/* What the cloth holds, what it lost and what it was given since it was made [J]. Their sum less `supports` stays the same, but for what
 * the scheme takes out by itself (backward Euler much, BDF2 little, both less with shorter steps) and what layers do to each other. */
typedef struct sim_energy {
  double kinetic, stretch, bending;
  double gravity;           /* potential, 0 at the origin */
  double friction, damping; /* dissipated; friction: of contacts, and within the cloth that bends */
  double supports;          /* work of grips, tethers, moving bodies and push on the cloth */
} sim_energy;

/* What a step spends its time on. */
typedef enum sim_phase {
  SIM_PHASE_ASSEMBLY, /* forces, stiffness, residuals, matrix */
  SIM_PHASE_PRECONDITIONER,
  SIM_PHASE_SOLVE,
  SIM_PHASE_CONTACT,
  SIM_PHASE_SELF_COLLISION,
  SIM_PHASE_REST,
  SIM_PHASES
} sim_phase;
extern const char *const sim_phase_names[]; /* "assembly", ..., NULL */

typedef struct sim_step_report {
  int steps, refused; /* 1, 0; sim_play.h: of those that a step was divided into, and that were taken back */
  int linearisations, solves, solver_iterations, contacts, holding, sliding;
  int by_law, extrapolated; /* contacts under a measured law of friction; of these, pressed lighter or heavier than it was measured */
  int layers_by_law, layers_extrapolated; /* pairs of places that rub under one in the last solve; of these, likewise */
  int layers, impacts;   /* pairs of places of the cloth that are near each other; of these and others, stopped on their way through */
  int put_out;           /* vertices that would have ended in a body, or all but, and were put back */
  double pressed_J;      /* sim_three.h: kinetic energy that buffers of layers gave the cloth behind the ledger's back; < 0: took */
  double layers_m_per_s; /* sim_three.h: the fastest vertex of a body in a layer */
  double residual;       /* of the last solve */
  double missed;         /* iterations > 1: what the equations of the step are missed by at its end, sqrt(sum |M dv|^2 / m) [sqrt(J)] */
  double phase_s[SIM_PHASES]; /* wall clock */
  bool settled, contacts_agree;
} sim_step_report;

typedef struct sim_cloth sim_cloth; /* opaque: working memory */

/* Flat and at rest as the mesh was made. Caller frees with sim_cloth_free. */
CB_CHECKED cb_status sim_cloth_new(const sim_setup *setup, sim_cloth **out, cb_err *err);
void sim_cloth_free(sim_cloth *cloth);

/* The state: may be written between steps. */
double (*sim_cloth_position(sim_cloth *cloth))[3];
double (*sim_cloth_velocity(sim_cloth *cloth))[3];
double sim_cloth_time(const sim_cloth *cloth);
double sim_cloth_last_step(const sim_cloth *cloth); /* its length; 0: none was taken yet */
sim_body *sim_cloth_bodies(sim_cloth *cloth);
sim_tether *sim_cloth_tethers(sim_cloth *cloth);
double sim_cloth_tension_N(const sim_cloth *cloth, int tether); /* after the last step */
const double *sim_cloth_mass(const sim_cloth *cloth);           /* kg per vertex */

/* Sum of the forces of a body on the cloth in the last step, friction included. */
void sim_cloth_body_force(const sim_cloth *cloth, int body, double force_N[3]);

/* Errors: a stiffness so far above the inertia that single precision cannot tell them apart; a number that is not finite, with time and
 * vertex. */
CB_CHECKED cb_status sim_cloth_step(sim_cloth *cloth, double dt_s, sim_step_report *report, cb_err *err);
void sim_cloth_energy(sim_cloth *cloth, sim_energy *out);

/* A copy of the whole state, to go back to: state_bytes long. It begins with the positions. */
size_t sim_cloth_state_bytes(const sim_cloth *cloth);
void sim_cloth_state_take(const sim_cloth *cloth, unsigned char *to);
void sim_cloth_state_give(sim_cloth *cloth, const unsigned char *from);

typedef enum sim_settle_outcome {
  SIM_SETTLED,
  SIM_SETTLE_MAX_ITERATIONS,
  SIM_SETTLE_STUCK /* no shorter step lowers the energy, and the forces are not small: rounding, or a material out of all proportion */
} sim_settle_outcome;
extern const char *const sim_settle_outcome_text[];

typedef struct sim_settle_report {
  sim_settle_outcome outcome;
  int iterations;
  double residual; /* norm of the forces on the free vertices over that of the weights, or, without gravity, of the grips' forces */
  double energy_J;
  bool stable; /* every small motion from there costs energy */
} sim_settle_report;

/* Equilibrium of grips, elasticity and gravity from the present positions on; bodies take no part. Newton's method with as much inertia as
 * it needs (sim_settle.c), until residual <= tolerance, or as small as rounding lets it be. Velocities are 0 afterwards. Allocates a
 * factorised matrix: some 10 KB per vertex while it runs. */
CB_CHECKED cb_status sim_cloth_settle(sim_cloth *cloth, double tolerance, int max_iterations, sim_settle_report *report, cb_err *err);

/* Towards the equilibrium of grips, elasticity and gravity, until the residual is <= tolerance or after max_steps: what sim_cloth_settle
 * then has to do is little. A step of dt_s, the fictitious time that a step of descent may take, costs what sim_cloth_step does, a fraction
 * of a factorisation (sim_settle_calm.c). Time and ledger stay; velocities are 0 afterwards. */
CB_CHECKED cb_status sim_cloth_calm(sim_cloth *cloth, double dt_s, double tolerance, int max_steps, int *steps, cb_err *err);

/* What is out of balance in the present positions, at rest, as the report's residual has it. */
double sim_cloth_residual(sim_cloth *cloth);

/* The force that each grip holds its vertex with, in the present positions and at rest; 0 at free vertices. force_N: per vertex. */
void sim_cloth_grip_forces(sim_cloth *cloth, double (*force_N)[3]);

#endif
