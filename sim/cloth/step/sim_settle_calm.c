/* Descent towards an equilibrium in implicit steps from rest, x += (M / dt^2 + K)^-1 F(x), with K without
 * compression. A step costs an iterative solve in place of a factorisation.
 *
 * Where compression in a fold nearly cancels its bending stiffness, K is far too stiff, and descent creeps.
 * Nesterov's momentum (Soviet Math. Dokl. 27:372, 1983) continues in the direction of the last steps, and
 * restarts when the energy has risen (O'Donoghue, Candes, Found. Comput. Math. 15:715, 2015). Inertia would
 * not help: it is small against K.
 *
 * Momentum overshoots. So bending friction keeps its sliders until the end; else it would remember the
 * detours (sim_bending_friction.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_cloth_impl.h"
#include "sim_cloth_room.h"

#define MOMENTUM_MAX 0.95
#define SOLVE_TOLERANCE 3e-2 /* to 0.01 costs more, to 0.1 takes more steps: docs/method/equilibria.md */
#define LOOK_EVERY 5         /* steps between two looks at the residual */

static double potential_J(sim_cloth *c) {
  sim_cloth_energies e;
  sim_cloth_energy(c, &e);
  return e.stretch + e.bending + e.gravity;
}

/* Moves on by a fraction of the way since `before`, which becomes the present positions. The cloth is at rest
 * afterwards. The next solve starts from the change of velocity of the last step, as in steps in time: it
 * takes two thirds of the iterations. */
static void lean_on(sim_cloth *c, double share, double (*before)[3]) {
  for (int i = 0; i < c->now.n; i++) {
    const bool held = c->setup.gripped && c->setup.gripped[i];
    for (int k = 0; k < 3; k++) {
      const double now = c->now.x[i][k];
      if (!held) c->now.x[i][k] += share * (now - before[i][k]);
      before[i][k] = now;
      c->v_before[i][k] = -c->now.v[i][k];
      c->now.v[i][k] = 0;
    }
  }
}

static cb_status descend_by_steps(sim_cloth *c, double (*before)[3], double dt_s, double tolerance,
                                  int max_steps, int *steps, cb_err *err) {
  double energy = INFINITY;
  memset(c->now.v, 0, (size_t)c->now.n * sizeof *c->now.v);
  c->previous_dt_s = 0; /* no start of the first solve */
  memcpy(before, c->now.x, (size_t)c->now.n * sizeof *before);
  for (int age = 0; *steps < max_steps; ++*steps, age++) {
    if (*steps % LOOK_EVERY == 0 && sim_cloth_residual(c) <= tolerance) return CB_OK;
    lean_on(c, fmin(MOMENTUM_MAX, age / (age + 3.0)), before);
    CB_TRY(sim_cloth_step(c, dt_s, NULL, err));
    const double now = potential_J(c);
    if (now > energy) age = -1;
    energy = now;
  }
  return CB_OK;
}

cb_status sim_cloth_calm(sim_cloth *c, double dt_s, double tolerance, int max_steps, int *steps,
                         cb_err *err) {
  *steps = 0;
  if (!(tolerance > 0)) return cb_fail(err, CB_E_RANGE, "calm: tolerance = %g: must be > 0", tolerance);
  sim_guess guess;
  double(*before)[3] = malloc((size_t)c->now.n * sizeof *before);
  if (!before) return cb_no_memory(err, "calm, %d vertices", c->now.n);
  cb_status st = sim_guess_init(c->now.n, &guess, err);
  const sim_cloth_setup setup = c->setup;
  const sim_cloth_energies ledger = c->ledger;
  const double time_s = c->time_s;
  c->setup.n_bodies = c->setup.n_tethers = 0;
  c->setup.scheme = SIM_BACKWARD_EULER;
  c->setup.solve_tolerance = SOLVE_TOLERANCE;
  c->sliders_wait = true;
  c->guess = &guess;
  if (st == CB_OK) st = descend_by_steps(c, before, dt_s, tolerance, max_steps, steps, err);
  c->guess = NULL;
  c->sliders_wait = false;
  (void)sim_bending_friction_slip(&c->bending_friction, (const sim_vec3 *)c->now.x);
  memset(c->now.v, 0, (size_t)c->now.n * sizeof *c->now.v);
  c->previous_dt_s = 0;
  c->setup = setup;
  c->ledger = ledger;
  c->time_s = time_s;
  sim_guess_clear(&guess);
  free(before);
  return st;
}
