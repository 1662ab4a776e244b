#include "val_wind.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_time.h"
#include "val_layers.h"

#define CASE_M 0.1
#define BALL_M 0.06
#define CELLS 14
#define BALL_CELLS 8

val_wind val_wind_default(void) {
  return (val_wind){
      .wind_m_per_s = 10, .kappa_m_per_s = 0.05, .flow_m_per_s = 10, .dt_s = 0.01, .duration_s = 1};
}

/* Per vertex: a third of the areas around as a vector, out of the case. */
static void area_of(const sim_mesh *m, int i, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int k = m->fan_start[i]; k < m->fan_start[i + 1]; k++) {
    const int *v = m->triangle[m->fan[k] / 3];
    const double *a = m->position_m[v[0]], *b = m->position_m[v[1]], *c = m->position_m[v[2]];
    for (int j = 0; j < 3; j++) {
      int p = (j + 1) % 3, q = (j + 2) % 3;
      out[j] += ((b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p])) / 6;
    }
  }
}

typedef struct walls {
  double *outside_Pa, *through, *gap_m, *pressure_Pa;
} walls;

static cb_status make_walls(const val_wind *e, const val_layers *l, sim_layered *t, walls *w, cb_err *err) {
  size_t n = (size_t)l->mesh.n_vertices;
  w->outside_Pa = malloc(4 * n * sizeof *w->outside_Pa);
  if (!w->outside_Pa) return cb_no_memory(err, "wind over %zu vertices", n);
  w->through = w->outside_Pa + n;
  w->gap_m = w->through + n;
  w->pressure_Pa = w->gap_m + n;
  const sim_air *air = sim_layered_air(t, 0);
  for (int i = 0; i < l->mesh.n_vertices; i++) {
    double area[3], size = l->mesh.vertex_area_m2[i];
    area_of(&l->mesh, i, area);
    double against = -e->wind_m_per_s * area[0] / hypot(hypot(area[0], area[1]), area[2]);
    w->outside_Pa[i] = l->body.air.ambient_Pa + SIM_AIR_KG_PER_M3 / 2 * against * fabs(against);
    w->through[i] = size * l->body.air.ambient_Pa * e->kappa_m_per_s / l->body.air.kappa_at_Pa;
    w->gap_m[i] = sim_air_amount_J(sim_layered_air(t, 0))[i] / sim_air_pressure_Pa(air)[i] / size;
  }
  return CB_OK;
}

static cb_status compare_pressures(const val_wind *e, const val_layers *l, sim_layered *t,
                                   val_wind_result *out, cb_err *err) {
  walls w = {NULL};
  cb_status st = make_walls(e, l, t, &w, err);
  const val_network net = {
      &l->mesh, (const sim_vec3 *)l->mesh.position_m, w.gap_m, e->flow_m_per_s, w.through, w.outside_Pa};
  if (st == CB_OK) st = val_network_solve(&net, w.pressure_Pa, err);
  const double *p = sim_air_pressure_Pa(sim_layered_air(t, 0));
  double low = INFINITY, high = -INFINITY, in = 0, leaves = 0, expected = 0, off = 0;
  for (int i = 0; i < l->mesh.n_vertices && st == CB_OK; i++) {
    double q = w.through[i] * (w.outside_Pa[i] - p[i]);
    in += fmax(0, q), leaves += fmax(0, -q);
    expected += fmax(0, w.through[i] * (w.outside_Pa[i] - w.pressure_Pa[i]));
    low = fmin(low, w.pressure_Pa[i]), high = fmax(high, w.pressure_Pa[i]);
    off = fmax(off, fabs(p[i] - w.pressure_Pa[i]));
  }
  out->in_m3_per_s = in / l->body.air.ambient_Pa;
  out->out_m3_per_s = leaves / l->body.air.ambient_Pa;
  out->expected_m3_per_s = expected / l->body.air.ambient_Pa;
  out->error = in / expected - 1;
  out->balance = fabs(in - leaves) / expected;
  out->pressure_error = off / (high - low);
  free(w.outside_Pa);
  return st;
}

cb_status val_wind_run(const val_wind *e, val_wind_result *out, cb_err *err) {
  *out = (val_wind_result){0};
  CB_TRY(cb_check_range(e->wind_m_per_s, 1e-3, 100, "wind: speed", "m/s", err));
  CB_TRY(cb_check_range(e->kappa_m_per_s, 1e-9, 1e3, "wind: permeability", "m/s", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 1, "wind: step", "s", err));
  double begin_s = cb_now_monotonic_s();
  val_layers l;
  sim_layered *t = NULL;
  cb_status st = val_layers_make(&l, CASE_M, CELLS, BALL_M, BALL_CELLS, true, err);
  l.body.air.kappa_m_per_s = e->kappa_m_per_s;
  l.body.air.flow_m_per_s = e->flow_m_per_s;
  l.setup.wind_m_per_s[0] = e->wind_m_per_s;
  if (st == CB_OK) st = sim_layered_new(&l.setup, &t, err);
  for (int k = 0; st == CB_OK && k < (int)lround(e->duration_s / e->dt_s); k++)
    st = sim_layered_step(t, e->dt_s, NULL, err);
  if (st == CB_OK) st = compare_pressures(e, &l, t, out, err);
  out->vertices = l.mesh.n_vertices;
  sim_layered_free(t);
  val_layers_clear(&l);
  out->agrees = fabs(out->error) <= VAL_WIND_TOLERANCE && out->pressure_error <= VAL_WIND_TOLERANCE &&
                out->balance <= VAL_WIND_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
