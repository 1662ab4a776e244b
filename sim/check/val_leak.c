#include "val_leak.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "val_layers.h"

#define CASE_M 0.1
#define BALL_M 0.06
#define CELLS 16
#define BALL_CELLS 8
#define FLOW_M_PER_S 1e6 /* one chamber */
#define ODE_STEPS 20000
#define FREE_S 0.5

val_leak val_leak_default(void) {
  return (val_leak){.kappa_m_per_s = 0.05, .kappa_at_Pa = 200, .over_Pa = 500, .times = 2, .steps = 500};
}

static cb_status check_leak(const val_leak *e, cb_err *err) {
  CB_TRY(cb_check_range(e->kappa_m_per_s, 1e-9, 1e6, "leak: permeability", "m/s", err));
  CB_TRY(cb_check_range(e->kappa_at_Pa, 1e-3, 1e6, "leak: its pressure", "Pa", err));
  CB_TRY(cb_check_range(e->over_Pa, 1e-3, 1e5, "leak: over-pressure", "Pa", err));
  CB_TRY(cb_check_range(e->times, 1e-3, 20, "leak: time constants", "", err));
  CB_TRY(cb_check_range(e->steps, 1, 1e6, "leak: steps", "", err));
  return e->law ? cb_permeability_law_check(e->law, err) : CB_OK;
}

static double velocity(const val_leak *e, double over_Pa) {
  if (!e->law) return e->kappa_m_per_s * over_Pa / e->kappa_at_Pa;
  return over_Pa > 0 ? cb_permeability_curve_velocity(&e->law->curve, e->law->reference_Pa, over_Pa) : 0;
}

/* dp/dt = -rate v(p), by Runge and Kutta's four stages. */
static double integrate(const val_leak *e, double rate, double duration_s) {
  double p = e->over_Pa, h = duration_s / ODE_STEPS;
  for (int k = 0; k < ODE_STEPS; k++) {
    double a = -rate * velocity(e, p), b = -rate * velocity(e, p + h / 2 * a),
           c = -rate * velocity(e, p + h / 2 * b), d = -rate * velocity(e, p + h * c);
    p += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return p;
}

static double area_m2(const sim_mesh *m) {
  double sum = 0;
  for (int i = 0; i < m->n_vertices; i++) sum += m->vertex_area_m2[i];
  return sum;
}

static cb_status play_leak(const val_leak *e, val_layers *l, sim_layered *t, val_leak_result *out,
                           cb_err *err) {
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(sim_layered_cloth(t));
  double volume = val_volume_m3(x, (const int(*)[3])l->mesh.triangle, l->mesh.n_triangles) -
                  val_volume_m3((const sim_vec3 *)l->tets.position_m, (const int(*)[3])l->tets.surface,
                                l->tets.n_surface);
  double rate = l->body.air.ambient_Pa * area_m2(&l->mesh) / volume, leaked = 0;
  out->time_constant_s = e->over_Pa / (rate * velocity(e, e->over_Pa));
  double duration = e->times * out->time_constant_s;
  val_air start = val_air_of(t, l->mesh.n_vertices), now = start;
  for (int k = 0; k < e->steps; k++) {
    sim_layered_report r;
    CB_TRY(sim_layered_step(t, duration / e->steps, &r, err));
    leaked += r.air.leaked_J;
    out->iterations += r.air.iterations;
    now = val_air_of(t, l->mesh.n_vertices);
    out->least_J = fmin(k == 0 ? start.least_J : out->least_J, now.least_J);
  }
  out->over_Pa = now.pressure_Pa - l->body.air.ambient_Pa;
  out->expected_Pa = e->law ? integrate(e, rate, duration) : e->over_Pa * exp(-e->times);
  out->lost = fabs(start.amount_J - leaked - now.amount_J) / start.amount_J;
  out->error = out->over_Pa / out->expected_Pa - 1;
  return CB_OK;
}

cb_status val_leak_run(const val_leak *e, val_leak_result *out, cb_err *err) {
  *out = (val_leak_result){0};
  CB_TRY(check_leak(e, err));
  double begin_s = cb_now_monotonic_s();
  val_layers l;
  sim_layered *t = NULL;
  cb_status st = val_layers_make(&l, CASE_M, CELLS, BALL_M, BALL_CELLS, true, err);
  l.body.air.kappa_m_per_s = e->kappa_m_per_s;
  l.body.air.kappa_at_Pa = e->kappa_at_Pa;
  l.body.air.law = e->law;
  l.body.air.solver = e->solver;
  l.body.air.flow_m_per_s = FLOW_M_PER_S;
  l.body.air_Pa = l.body.air.ambient_Pa + e->over_Pa;
  if (st == CB_OK) st = sim_layered_new(&l.setup, &t, err);
  if (st == CB_OK) st = play_leak(e, &l, t, out, err);
  out->vertices = l.mesh.n_vertices;
  sim_layered_free(t);
  val_layers_clear(&l);
  out->agrees = fabs(out->error) <= VAL_LEAK_TOLERANCE && out->least_J > 0;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}

/* ---- free ---- */

static double fastest(sim_layered *t, int n) {
  const double(*v)[3] = (const sim_vec3 *)sim_cloth_velocity(sim_layered_cloth(t));
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, hypot(hypot(v[i][0], v[i][1]), v[i][2]));
  return most;
}

static cb_status play_free(sim_layered *t, int n, double dt_s, val_leak_free *out, cb_err *err) {
  int steps = (int)lround(FREE_S / dt_s);
  double leaked = 0;
  val_air start = val_air_of(t, n), now = start;
  out->least_J = start.least_J;
  for (int k = 0; k < steps; k++) {
    sim_layered_report r;
    CB_TRY(sim_layered_step(t, dt_s, &r, err));
    double *most = &out->fastest_m_per_s[k >= steps / 2];
    if (5 * k < steps || 5 * k >= 4 * steps) *most = fmax(*most, fastest(t, n));
    leaked += r.air.leaked_J;
    now = val_air_of(t, n);
    out->least_J = fmin(out->least_J, now.least_J);
  }
  out->lost = fabs(start.amount_J - leaked - now.amount_J) / start.amount_J;
  out->stable = out->fastest_m_per_s[1] <= out->fastest_m_per_s[0] && out->least_J > 0;
  return CB_OK;
}

cb_status val_leak_run_free(double kappa_m_per_s, double dt_s, val_leak_free *out, cb_err *err) {
  *out = (val_leak_free){.least_J = 0};
  double begin_s = cb_now_monotonic_s();
  val_layers l;
  sim_layered *t = NULL;
  cb_status st = val_layers_make(&l, CASE_M, CELLS, BALL_M, BALL_CELLS, false, err);
  l.material = sim_material_isotropic(0.15, 500, 1e-5);
  l.body.air.kappa_m_per_s = kappa_m_per_s;
  l.body.air_Pa = l.body.air.ambient_Pa + 100;
  if (st == CB_OK) st = sim_layered_new(&l.setup, &t, err);
  if (st == CB_OK) st = play_free(t, l.mesh.n_vertices, dt_s, out, err);
  sim_layered_free(t);
  val_layers_clear(&l);
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
