/* A step: the minimum of what stands in sim_conditions.h over the velocities at its end. */
#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "sim_conditions_impl.h"
#include "sim_vec.h"

#define DESCENT 1e-4   /* of what the slope promises, at least */
#define ROUNDING 1e-14 /* of the sizes that were added: no difference below that says anything */
#define HALVINGS 40

static bool is_held(const sim_conditions *p, int i) { return p->setup.held && p->setup.held[i]; }

/* Inertia m + h k_w A, pull m v0 + h (m g + push + k_w A wind); free velocities begin at 0, so that the first
 * linearisation is at x0. */
static void begin_step(sim_conditions *p, double dt_s) {
  const sim_conditions_setup *s = &p->setup;
  sim_wind_shadow_cast(&p->wind_shadow, s->mesh, (const sim_vec3 *)p->x, s->wind_m_per_s);
  memcpy(p->x0, p->x, (size_t)p->n * sizeof *p->x0);
  sim_conditions_remember(p, (const sim_vec3 *)p->x0);
  for (int i = 0; i < p->n; i++) {
    const double wind =
        p->wind_shadow.shadowed[i] ? 0 : dt_s * s->wind_Ns_per_m3 * s->mesh->vertex_area_m2[i];
    p->inertia[i] = p->mass[i] + wind;
    for (int k = 0; k < 3; k++) {
      const double push = s->push_N ? s->push_N[i][k] : 0;
      p->pull[i][k] =
          p->mass[i] * (p->v[i][k] + dt_s * s->gravity_m_per_s2[k]) + dt_s * push + wind * s->wind_m_per_s[k];
      if (!is_held(p, i)) p->v[i][k] = 0;
    }
  }
}

static void move_share(sim_conditions *p, double dt_s, double share) {
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++) p->x[i][k] = p->x0[i][k] + dt_s * (p->v[i][k] + share * p->change[i][k]);
}

typedef struct value {
  double sum, size; /* size: of what was added */
} value;

/* At velocities v + share change, where x stands already. */
static value value_of(const sim_conditions *p, double energy_J, double share) {
  double kinetic = 0, pulled = 0;
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++) {
      const double v = p->v[i][k] + share * p->change[i][k];
      kinetic += p->inertia[i] * v * v / 2;
      pulled += p->pull[i][k] * v;
    }
  return (value){kinetic - pulled + energy_J, kinetic + fabs(pulled) + energy_J};
}

/* b = -gradient, matrix = second derivative, at the present v; the value there. */
static value linearise_step(sim_conditions *p, double dt_s, sim_tangent tangent) {
  sim_blocks *a = &p->matrix;
  memset(a->block, 0, (size_t)a->start[p->n] * sizeof *a->block);
  memset(p->force, 0, (size_t)p->n * sizeof *p->force);
  memset(p->change, 0, (size_t)p->n * sizeof *p->change);
  const double energy_J =
      sim_conditions_conditions(p, (const sim_vec3 *)p->x, 1 / dt_s, p->force, dt_s * dt_s, tangent);
  for (int i = 0; i < p->n; i++) {
    double *diagonal = a->block[sim_blocks_find(a, i, i)];
    for (size_t k = 0; k < 3; k++) {
      diagonal[4 * k] += p->inertia[i];
      p->b[i][k] = p->pull[i][k] + dt_s * p->force[i][k] - p->inertia[i] * p->v[i][k];
    }
  }
  return value_of(p, energy_J, 0);
}

static double slope_of(const sim_conditions *p) {
  double slope = 0;
  for (int i = 0; i < p->n; i++)
    if (!is_held(p, i)) slope -= sim_dot(p->b[i], p->change[i]);
  return slope;
}

/* The change that the linearised step wants; false where conjugate gradients meet a direction in which the
 * matrix is not positive. */
static bool solve_change(sim_conditions *p, sim_conditions_report *report) {
  const sim_conditions_setup *s = &p->setup;
  const sim_blocks_result r = sim_blocks_solve(&p->matrix, s->held, (const sim_vec3 *)p->b, p->change,
                                               s->solve_tolerance, s->solve_iterations);
  report->solver_iterations += r.iterations;
  return (r.residual <= s->solve_tolerance || r.iterations == s->solve_iterations) && slope_of(p) < 0;
}

/* Along the change as far as the value falls by its share; false where it does not. Leaves x there. */
static bool descend_line(sim_conditions *p, double dt_s, value from, double *share,
                         sim_conditions_report *report) {
  const double slope = slope_of(p);
  *share = 1;
  for (int k = 0; k < HALVINGS; k++, *share /= 2, report->halvings++) {
    move_share(p, dt_s, *share);
    const value now = value_of(
        p, sim_conditions_conditions(p, (const sim_vec3 *)p->x, 1 / dt_s, NULL, 0, SIM_TANGENT_NONE), *share);
    if (now.sum <= from.sum + DESCENT * *share * slope + ROUNDING * (from.size + now.size)) return true;
  }
  return false;
}

static void iterate_step(sim_conditions *p, double dt_s, sim_conditions_report *report) {
  const sim_conditions_setup *s = &p->setup;
  double share;
  move_share(p, dt_s, 0); /* those that are held */
  while (report->linearisations < s->iterations && !report->settled) {
    value from = linearise_step(p, dt_s, SIM_TANGENT_EXACT);
    report->linearisations++;
    if (!solve_change(p, report)) { /* with what is negative left out */
      from = linearise_step(p, dt_s, SIM_TANGENT_CLAMPED);
      report->clamped++;
      (void)solve_change(p, report);
    }
    if (!descend_line(p, dt_s, from, &share, report)) break;
    double most = 0;
    for (int i = 0; i < p->n; i++) {
      most = fmax(most, sim_norm(p->change[i]) * share);
      sim_add(p->v[i], share, p->change[i]);
    }
    report->settled = most <= s->settle_m_per_s;
  }
  memset(p->change, 0, (size_t)p->n * sizeof *p->change);
  move_share(p, dt_s, 0);
}

static cb_status check_finite(const sim_conditions *p, cb_err *err) {
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(p->x[i][k]) || !isfinite(p->v[i][k]))
        return cb_fail(err, CB_E_NUM,
                       "conditions: vertex %d is nowhere at %g s: its place and velocity must be finite", i,
                       p->time_s);
  return CB_OK;
}

cb_status sim_conditions_step(sim_conditions *p, double dt_s, sim_conditions_report *report, cb_err *err) {
  sim_conditions_report r = {0};
  CB_TRY(cb_check_range(dt_s, 1e-9, 1e6, "conditions: step", "s", err));
  CB_TRY(check_finite(p, err));
  memset(p->change, 0, (size_t)p->n * sizeof *p->change);
  begin_step(p, dt_s);
  iterate_step(p, dt_s, &r);
  p->time_s += dt_s;
  for (int i = 0; i < p->n; i++) r.shadowed += p->wind_shadow.shadowed[i];
  if (report) *report = r;
  return check_finite(p, err);
}
