/* Equilibria: pseudo-transient continuation (Kelley, Keyes, SIAM J. Numer. Anal. 35:508, 1998). The step solves
 * (M / tau^2 + K) dx = F; tau, the length of a fictitious time step from rest, grows while steps succeed and shrinks where they fail, so
 * that the method is implicit dynamics with all kinetic energy taken out at first, and Newton's at the end. */
#include <math.h>
#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_threads.h"
#include "sim_vec.h"

const char *const sim_settle_outcome_text[] = {"settled", "too many iterations", "stuck"};

#define TAU_START_S 0.02
#define TAU_MAX_S 1e6
#define TAU_MIN_S 1e-7

static double potential(sim_cloth *c, double (*x)[3], bool with_tangent) {
  const double *g = c->setup.gravity_m_per_s2;
  memset(c->force, 0, (size_t)c->n * sizeof *c->force);
  double energy =
      sim_membrane_evaluate(&c->membrane, (const double(*)[3])x, with_tangent ? SIM_TANGENT_CLAMPED : SIM_TANGENT_NONE, c->force);
  sim_bending_add_force(&c->bending, (const double(*)[3])x, c->force);
  energy += sim_bending_energy_J(&c->bending, (const double(*)[3])x);
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < 3; k++) {
      energy -= c->mass_kg[i] * g[k] * x[i][k];
      c->force[i][k] += c->mass_kg[i] * g[k];
    }
  return energy;
}

/* Of the free vertices. */
static double norm_of_forces(sim_cloth *c) {
  double sum = 0;
  for (int j = 0; j < c->n_grips; j++) memset(c->force[c->constraint[j].vertex], 0, sizeof *c->force);
  for (int i = 0; i < c->n; i++) sum += sim_dot(c->force[i], c->force[i]);
  return sqrt(sum);
}

static double norm_of_weights(const sim_cloth *c) {
  double sum = 0, g = sim_norm(c->setup.gravity_m_per_s2);
  for (int i = 0; i < c->n; i++) sum += c->mass_kg[i] * c->mass_kg[i];
  return g > 0 ? g * sqrt(sum) : 1;
}

static int solve_step(sim_cloth *c, double tau_s, double tolerance) {
  for (int i = 0; i < c->n; i++) {
    c->inertia_kg[i] = c->mass_kg[i] / (tau_s * tau_s);
    for (int k = 0; k < 4; k++) {
      c->right[i][k] = k < 3 ? (float)c->force[i][k] : 0;
      c->change[i][k] = 0;
    }
  }
  sim_matrix_assemble(&c->matrix, c->inertia_kg, NULL, 1, &c->membrane, 1);
  sim_multilevel_build(&c->multilevel, &c->matrix, c->inertia_kg, NULL, 1, &c->membrane, c->constraint, c->n_grips);
  return sim_pcg_solve(&c->pcg, &c->matrix, &c->multilevel, c->constraint, c->n_grips, c->right, c->change, tolerance, 0,
                       c->setup.solve_iterations)
      .iterations;
}

/* at = x + share * change */
static void try_share(sim_cloth *c, double share) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < 3; k++) c->at[i][k] = c->x[i][k] + share * (double)c->change[i][k];
}

/* The share of the step that lowers the energy, or, where that is lost in rounding, the forces; 0: none. Leaves forces and tangent there.
 */
static double search(sim_cloth *c, double *energy, double *norm) {
  double slope = 0;
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < 3; k++) slope -= c->force[i][k] * (double)c->change[i][k];
  for (double share = 1; share > 1e-3; share /= 2) {
    try_share(c, share);
    double e = potential(c, c->at, true), f = norm_of_forces(c);
    bool lower = e <= *energy + 1e-4 * share * slope;
    bool rounding = fabs(share * slope) < 1e-11 * fabs(*energy) && f < *norm;
    if (!isfinite(e) || (!lower && !rounding)) continue;
    *energy = e;
    *norm = f;
    return share;
  }
  return 0;
}

static void adopt(sim_cloth *c) {
  memcpy(c->x, c->at, (size_t)c->n * sizeof *c->x);
  memset(c->v, 0, (size_t)c->n * sizeof *c->v);
  c->previous_dt_s = 0;
}

cb_status sim_cloth_settle(sim_cloth *c, double tolerance, int max_iterations, sim_settle_report *report, cb_err *err) {
  *report = (sim_settle_report){.outcome = SIM_SETTLE_MAX_ITERATIONS};
  if (!(tolerance > 0)) return cb_fail(err, CB_E_RANGE, "settle: tolerance = %g: must be > 0", tolerance);
  double weight = norm_of_weights(c), tau = TAU_START_S;
  double energy = potential(c, c->x, true), norm = norm_of_forces(c);
  if (!isfinite(energy) || !isfinite(norm)) return cb_fail(err, CB_E_NUM, "settle: the energy of the start is not finite");
  for (; report->iterations < max_iterations; report->iterations++) {
    if (norm <= tolerance * weight) {
      report->outcome = SIM_SETTLED;
      break;
    }
    report->solver_iterations += solve_step(c, tau, fmin(0.1, sqrt(norm / weight) / 10));
    double share = search(c, &energy, &norm);
    if (share > 0) adopt(c);
    if (share == 0) energy = potential(c, c->x, true), norm = norm_of_forces(c);
    tau *= share == 1 ? 2 : share > 0 ? 1 : 0.25;
    tau = fmin(tau, TAU_MAX_S);
    if (tau < TAU_MIN_S) {
      report->outcome = SIM_SETTLE_STUCK;
      break;
    }
  }
  report->residual = norm / weight;
  report->energy_J = energy;
  return CB_OK;
}
