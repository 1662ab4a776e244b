#include "val_balloon.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "val_layers.h"

val_balloon val_balloon_default(void) {
  return (val_balloon){.rigid = true,
                       .case_m = 0.13,
                       .ball_m = {0.06, 0.1},
                       .cells = 40,
                       .ball_cells = 10,
                       .flow_m_per_s = 1000,
                       .dt_s = 0.005,
                       .duration_s = 0.5};
}

static cb_status check_balloon(const val_balloon *e, cb_err *err) {
  CB_TRY(cb_check_range(e->case_m, 1e-3, 100, "balloon: radius of the case", "m", err));
  for (int k = 0; k < 2; k++)
    CB_TRY(cb_check_range(e->ball_m[k], 1e-4, e->case_m, "balloon: radius of the ball", "m", err));
  CB_TRY(cb_check_range(e->cells, 4, 500, "balloon: cells of the case", "", err));
  CB_TRY(cb_check_range(e->ball_cells, 2, 60, "balloon: cells of the ball", "", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.1, "balloon: step", "s", err));
  return cb_check_range(e->duration_s, e->dt_s, 1e3, "balloon: duration", "s", err);
}

/* Between case and ball, as the meshes are; and as gap times area. */
static double volume(const val_layers *l, sim_layered *t, double *flat) {
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(sim_layered_cloth(t));
  const double(*ball)[3] = (const sim_vec3 *)sim_layered_body_position(t, 0);
  double most = val_volume_m3(x, (const int(*)[3])l->mesh.triangle, l->mesh.n_triangles);
  *flat = 0;
  for (int k = 0; k < l->mesh.n_triangles; k++) {
    const int *v = l->mesh.triangle[k];
    double a[3], b[3], gap = 0;
    for (int j = 0; j < 3; j++) {
      a[j] = x[v[1]][j] - x[v[0]][j], b[j] = x[v[2]][j] - x[v[0]][j];
      gap += sim_layered_closest(t, 0)[v[j]].distance_m / 3;
    }
    *flat += gap *
             hypot(hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2]), a[0] * b[1] - a[1] * b[0]) /
             2;
  }
  return most - val_volume_m3(ball, (const int(*)[3])l->tets.surface, l->tets.n_surface);
}

static double unevenness(sim_layered *t, int n) {
  const double *p = sim_air_pressure_Pa(sim_layered_air(t, 0));
  double low = p[0], high = p[0];
  for (int i = 1; i < n; i++) low = fmin(low, p[i]), high = fmax(high, p[i]);
  return high / low - 1;
}

static cb_status compress(const val_balloon *e, const val_layers *l, sim_layered *t, val_balloon_result *out,
                          cb_err *err) {
  double flat, flat_start, flat_now;
  val_air air = val_air_of(t, l->mesh.n_vertices);
  out->volume_m3[0] = volume(l, t, &flat_start);
  out->pressure_Pa[0] = air.pressure_Pa;
  out->least_J = air.least_J;
  double amount = air.amount_J, swelling = (e->ball_m[1] / e->ball_m[0] - 1) / e->duration_s;
  double(*v)[3] = sim_layered_body_velocity(t, 0);
  for (int i = 0; i < l->tets.n_vertices; i++)
    for (int k = 0; k < 3; k++) v[i][k] = swelling * l->tets.position_m[i][k];
  int steps = (int)lround(e->duration_s / e->dt_s);
  for (int k = 0; k < steps; k++) {
    sim_layered_report r;
    CB_TRY(sim_layered_step(t, e->duration_s / steps, &r, err));
    air = val_air_of(t, l->mesh.n_vertices);
    out->volume_m3[1] = volume(l, t, &flat);
    out->pressure_Pa[1] = air.pressure_Pa;
    double pv = air.pressure_Pa / out->pressure_Pa[0];
    flat_now = fabs(pv * flat / flat_start - 1);
    out->pv_error = fmax(out->pv_error, fabs(pv * out->volume_m3[1] / out->volume_m3[0] - 1));
    out->flat_error = fmax(out->flat_error, flat_now);
    out->lost = fmax(out->lost, fabs(air.amount_J / amount - 1));
    out->least_J = fmin(out->least_J, air.least_J);
    out->unevenness = fmax(out->unevenness, unevenness(t, l->mesh.n_vertices));
  }
  return CB_OK;
}

cb_status val_balloon_run(const val_balloon *e, val_balloon_result *out, cb_err *err) {
  *out = (val_balloon_result){0};
  CB_TRY(check_balloon(e, err));
  double begin_s = cb_now_monotonic_s();
  val_layers l;
  sim_layered *t = NULL;
  cb_status st = val_layers_make(&l, e->case_m, e->cells, e->ball_m[0], e->ball_cells, e->rigid, err);
  l.material = sim_material_isotropic(0.2, 1e4, 1e-5);
  l.body.air.flow_m_per_s = e->flow_m_per_s;
  if (st == CB_OK) st = sim_layered_new(&l.setup, &t, err);
  if (st == CB_OK) st = compress(e, &l, t, out, err);
  out->vertices = l.mesh.n_vertices;
  sim_layered_free(t);
  val_layers_clear(&l);
  out->agrees = out->pv_error <= VAL_BALLOON_TOLERANCE && out->lost <= VAL_BALLOON_LOST && out->least_J > 0;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
