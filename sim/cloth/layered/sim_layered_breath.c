/* The air of a layer: its geometry, and its pressure on cloth and body. */
#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "sim_layered_impl.h"
#include "sim_vec.h"

#define GAP_LEAST 0.1 /* of the contact offset: the least depth of the layer */

/* A third of the area around each vertex, with its normal away from the body. */
static void find_area(const sim_layered *t, sim_layered_layer *l) {
  const sim_mesh *m = t->setup.cloth.mesh;
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth);
  double side = l->side != 0 ? l->side : 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    double sum[3] = {0, 0, 0};
    l->area[i] = 0;
    for (int k = m->fan_start[l->first + i]; k < m->fan_start[l->first + i + 1]; k++) {
      const int *v = m->triangle[m->fan[k] / 3];
      double a[3], b[3], n[3];
      sim_sub(x[v[1]], x[v[0]], a);
      sim_sub(x[v[2]], x[v[0]], b);
      sim_cross(a, b, n);
      sim_add(sum, side / 6, n);
      l->area[i] += sim_norm(n) / 6;
    }
    memcpy(l->out[i], sum, sizeof sum);
  }
}

/* Finds the side of the cloth that looks away from the body, by majority. */
static void find_side(const sim_layered *t, sim_layered_layer *l) {
  double along = 0;
  find_area(t, l);
  for (int i = 0; i < l->n; i++) {
    double at[3], n[3];
    sim_traverse_closest(l->traverse, &l->closest[i], at, n);
    along += sim_dot(l->out[i], n);
  }
  l->side = along < 0 ? -1 : 1;
}

static bool still_air(const sim_layered *t) {
  return sim_dot(t->setup.wind_m_per_s, t->setup.wind_m_per_s) == 0;
}

/* The wind's speed at a place, in its own. */
static double gust_at(const sim_layered *t, const double x[3]) {
  const sim_gusts *g = &t->setup.gusts;
  const double *wind = t->setup.wind_m_per_s;
  if (!(g->part > 0)) return 1;
  const double late_s = g->front_m_per_s > 0 ? sim_dot(x, wind) / (sim_norm(wind) * g->front_m_per_s) : 0;
  return 1 + g->part * sin(2 * CB_PI * (t->gusts_at_s - late_s) / g->period_s);
}

/* Pressure of the wind on the outside, above ambient. */
static double wind_Pa(const sim_layered *t, const sim_layered_layer *l, int i) {
  double u[3], length = sim_norm(l->out[i]);
  if (!(length > 0) || still_air(t)) return 0;
  memcpy(u, sim_cloth_velocity(t->cloth)[l->first + i], sizeof u);
  sim_add(u, -gust_at(t, sim_cloth_position(t->cloth)[l->first + i]), t->setup.wind_m_per_s);
  double speed = sim_dot(u, l->out[i]) / length;
  return SIM_AIR_KG_PER_M3 / 2 * speed * fabs(speed);
}

/* The end of the layer under a vertex: its closest point, or the deepest place that is allowed. Returns true
 * at the closest point. */
static bool end_at_closest(const sim_layered *t, const sim_layered_layer *l, int i, double at[3]) {
  double n[3], d[3], most = l->given->air_gap_most_m;
  sim_traverse_closest(l->traverse, &l->closest[i], at, n);
  if (!(most > 0)) return true;
  const double *x = sim_cloth_position(t->cloth)[l->first + i];
  sim_sub(at, x, d);
  double gap = sim_norm(d);
  for (int k = 0; k < 3 && gap > most; k++) at[k] = x[k] + most / gap * d[k];
  return gap <= most;
}

void sim_layered_breath_place(const sim_layered *t, sim_layered_layer *l, sim_air_place *place) {
  if (l->side == 0) find_side(t, l);
  find_area(t, l);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    l->at_closest[i] = end_at_closest(t, l, i, l->end[i]);
    l->outside_Pa[i] = l->given->air.ambient_Pa + wind_Pa(t, l, i);
  }
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth);
  sim_air_gaps(l->given->air.mesh, x + l->first, (const sim_vec3 *)l->end, l->side, l->area, l->swept_m3,
               l->gap);
  for (int i = 0; i < l->n; i++) l->gap[i] = fmax(l->gap[i], GAP_LEAST * l->given->offset.thickness_m);
  *place = (sim_air_place){x + l->first, l->area, l->gap, still_air(t) ? NULL : l->outside_Pa};
}

/* Adds the pressure as forces on the cloth outwards, and the opposite on the corners of the closest points.
 * The wind acts on the cloth alone. */
static void press_apart(const sim_layered_layer *l, double (*cloth_N)[3], double (*body_N)[3]) {
  for (int i = 0; i < l->n; i++) {
    double over = l->answer.pressure_Pa[i] - l->given->air.ambient_Pa;
    sim_add(cloth_N[i], l->answer.pressure_Pa[i] - l->outside_Pa[i], l->out[i]);
    for (int k = 0; k < 3 && body_N; k++)
      sim_add(body_N[l->hull.triangle[l->closest[i].triangle][k]], -over * l->closest[i].weight[k],
              l->out[i]);
  }
}

/* The answer of the air to an opening between cloth and body. */
static void answer_opening(void *layer, const double *opening_m, double *pull_N) {
  sim_layered_layer *l = layer;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) l->growth_m3[i] = l->reach_m2[i] * opening_m[i];
  sim_air_respond(l->air, l->growth_m3, pull_N);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) pull_N[i] *= l->reach_m2[i];
}

/* The air's spring: dF/dx = dP/dV A^2 where the layer reaches down to the body. */
static void spring(sim_layered_layer *l) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    sim_spring *k = &l->springs.spring[i];
    double area = sim_norm(l->out[i]);
    l->reach_m2[i] = l->at_closest[i] ? area : 0;
    k->air_N_per_m = l->answer.stiffness_Pa_per_m3[i] * l->reach_m2[i] * l->reach_m2[i];
    for (int a = 0; a < 3; a++) k->out[a] = area > 0 ? l->out[i][a] / area : 0;
  }
}

cb_status sim_layered_breath_push(sim_layered *t, sim_layered_layer *l, double dt_s, cb_err *err) {
  sim_air_place place;
  sim_layered_breath_place(t, l, &place);
  CB_TRY(sim_air_expect(l->air, &place, dt_s, &l->answer, err));
  press_apart(l, t->push + l->first, l->elastic ? sim_elastic_force(l->elastic) : NULL);
  spring(l);
  l->springs.respond = l->answer.spreads ? answer_opening : NULL;
  l->springs.answers = l;
  return CB_OK;
}

cb_status sim_layered_breath_step(sim_layered *t, sim_layered_layer *l, double dt_s, sim_air_report *report,
                                  cb_err *err) {
  sim_air_place place;
  sim_layered_breath_place(t, l, &place);
  return sim_air_step(l->air, &place, dt_s, report, err);
}
