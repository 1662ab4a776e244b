/* The air of a layer: where it is, how it gives way, and how it presses cloth and body apart. */
#include <math.h>
#include <string.h>

#include "sim_three_parts.h"
#include "sim_vec.h"

/* A third of the area around each vertex, with its normal away from the body. */
static void find_area(const sim_three *t, sim_three_layer *l) {
  const sim_mesh *m = t->setup.cloth.mesh;
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(t->cloth);
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

/* Which side of the cloth looks away from the body, as most of it does. */
static void find_side(const sim_three *t, sim_three_layer *l) {
  double along = 0;
  find_area(t, l);
  for (int i = 0; i < l->n; i++) {
    double at[3], n[3];
    sim_traverse_foot(l->traverse, &l->foot[i], at, n);
    along += sim_dot(l->out[i], n);
  }
  l->side = along < 0 ? -1 : 1;
}

static bool still_air(const sim_three *t) { return sim_dot(t->setup.wind_m_per_s, t->setup.wind_m_per_s) == 0; }

/* What the wind does on the outside, over the ambient pressure. */
static double wind_Pa(const sim_three *t, const sim_three_layer *l, int i) {
  double u[3], length = sim_norm(l->out[i]);
  if (!(length > 0) || still_air(t)) return 0;
  sim_sub(sim_cloth_velocity(t->cloth)[l->first + i], t->setup.wind_m_per_s, u);
  double speed = sim_dot(u, l->out[i]) / length;
  return SIM_AIR_KG_PER_M3 / 2 * speed * fabs(speed);
}

/* Where the layer ends under the vertex, as cloth and body are now: at its foot, or as deep as it may be. */
static void end_of(const sim_three *t, const sim_three_layer *l, int i, double at[3]) {
  double n[3], d[3], most = l->given->air_gap_most_m;
  sim_traverse_foot(l->traverse, &l->foot[i], at, n);
  if (!(most > 0)) return;
  const double *x = sim_cloth_position(t->cloth)[l->first + i];
  sim_sub(at, x, d);
  double gap = sim_norm(d);
  for (int k = 0; k < 3 && gap > most; k++) at[k] = x[k] + most / gap * d[k];
}

void sim_three_breath_place(const sim_three *t, sim_three_layer *l, sim_air_place *place) {
  if (l->side == 0) find_side(t, l);
  find_area(t, l);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    end_of(t, l, i, l->end[i]);
    l->outside_Pa[i] = l->given->air.ambient_Pa + wind_Pa(t, l, i);
  }
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(t->cloth);
  sim_air_gaps(l->given->air.mesh, x + l->first, (const double(*)[3])l->end, l->side, l->area, l->swept_m3, l->gap);
  *place = (sim_air_place){x + l->first, l->area, l->gap, still_air(t) ? NULL : l->outside_Pa, NULL};
}

static bool gripped(const sim_three *t, const sim_three_layer *l, int i) {
  return t->setup.cloth.gripped && t->setup.cloth.gripped[l->first + i];
}

static bool held(const sim_three_layer *l, int vertex) { return l->given->elastic.held && l->given->elastic.held[vertex]; }

/* How the gap gives way to its pressure within a step. Of the body as if all pressures around changed alike: what many vertices of the
 * cloth do together to one of the body is more than what each does by itself, and an air that is thought too soft is stable. */
static void find_yield(const sim_three *t, sim_three_layer *l, double dt_s) {
  const double *mass = sim_cloth_mass(t->cloth) + l->first, *body_mass = l->elastic ? sim_elastic_mass(l->elastic) : NULL;
  memset(l->load_m2, 0, (size_t)l->hull.n_vertices * sizeof *l->load_m2);
  for (int i = 0; body_mass && i < l->n; i++)
    for (int k = 0; k < 3; k++) l->load_m2[l->hull.triangle[l->foot[i].triangle][k]] += l->foot[i].weight[k] * l->area[i];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    double gives = gripped(t, l, i) ? 0 : l->area[i] / mass[i];
    for (int k = 0; body_mass && k < 3; k++) {
      int v = l->hull.triangle[l->foot[i].triangle][k];
      if (!held(l, v)) gives += l->foot[i].weight[k] * l->load_m2[v] / body_mass[v];
    }
    l->yield[i] = dt_s * dt_s * l->area[i] * gives;
  }
}

/* ---- pushes ---- */

/* By over_Pa, as forces on the cloth, its way out, and the opposite on the corners of its foot. */
static void press_apart(const sim_three_layer *l, double (*cloth_N)[3], double (*body_N)[3]) {
  for (int i = 0; i < l->n; i++) {
    sim_add(cloth_N[i], l->over_Pa[i], l->out[i]);
    for (int k = 0; k < 3 && body_N; k++)
      sim_add(body_N[l->hull.triangle[l->foot[i].triangle][k]], -l->over_Pa[i] * l->foot[i].weight[k], l->out[i]);
  }
}

void sim_three_breath_push(sim_three *t, sim_three_layer *l) {
  find_area(t, l);
  for (int i = 0; i < l->n; i++) {
    l->before_Pa[i] = sim_air_pressure_Pa(l->air)[i];
    l->over_Pa[i] = l->before_Pa[i] - l->given->air.ambient_Pa;
  }
  press_apart(l, t->push + l->first, l->elastic ? sim_elastic_force(l->elastic) : NULL);
  for (int i = 0; i < l->n; i++) sim_add(t->push[l->first + i], -wind_Pa(t, l, i), l->out[i]);
}

/* By a force that the step had not: velocity, and place with it. */
static void kick(double x[3], double v[3], const double force_N[3], double mass_kg, double dt_s) {
  sim_add(v, dt_s / mass_kg, force_N);
  sim_add(x, dt_s * dt_s / mass_kg, force_N);
}

/* The pressures of the step's end, less those that pushed. */
static cb_status push_again(sim_three *t, sim_three_layer *l, double dt_s, cb_err *err) {
  double(*x)[3] = sim_cloth_position(t->cloth) + l->first, (*v)[3] = sim_cloth_velocity(t->cloth) + l->first;
  double(*force)[3] = t->push + l->first, (*body_force)[3] = l->elastic ? sim_elastic_force(l->elastic) : NULL;
  for (int i = 0; i < l->n; i++) l->over_Pa[i] = sim_air_pressure_Pa(l->air)[i] - l->before_Pa[i];
  memset(force, 0, (size_t)l->n * sizeof *force);
  press_apart(l, force, body_force);
  for (int i = 0; i < l->n; i++)
    if (!gripped(t, l, i)) kick(x[i], v[i], force[i], sim_cloth_mass(t->cloth)[l->first + i], dt_s);
  return l->elastic ? sim_elastic_push(l->elastic, dt_s, err) : CB_OK;
}

cb_status sim_three_breath_step(sim_three *t, sim_three_layer *l, double dt_s, sim_air_report *report, cb_err *err) {
  sim_air_place place;
  sim_three_breath_place(t, l, &place);
  find_yield(t, l, dt_s);
  place.yield_m3_per_Pa = l->yield;
  CB_TRY(sim_air_step(l->air, &place, dt_s, report, err));
  return push_again(t, l, dt_s, err);
}
