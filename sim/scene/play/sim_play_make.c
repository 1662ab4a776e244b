/* What a scene of any model begins with - its bodies, its probes, the names of its columns - and what stands
 * in these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_play_impl.h"
#include "sim_solid.h"

/* ---- bodies ---- */

#define TORUS_AROUND 96
#define CYLINDER_AROUND                                                               \
  256 /* sides of a cylinder with ends: 0.008 % of the radius inside of the round one \
       */

/* The rotation vector that turns z to the axis of a cylinder, whose two ends are alike. */
static void turn_to_axis(const double axis[3], double turned_rad[3]) {
  const double across = hypot(axis[0], axis[1]), angle = atan2(across, axis[2]);
  turned_rad[0] = across > 0 ? -axis[1] / across * angle : 0;
  turned_rad[1] = across > 0 ? axis[0] / across * angle : 0;
  turned_rad[2] = 0;
}

/* At its start. *solid: caller frees, even after a failure; NULL for what has none. */
static cb_status make_body(const sim_scene_body *b, sim_body *out, sim_solid **solid, cb_err *err) {
  static const sim_shape shape[] = {SIM_PLANE, SIM_SPHERE, SIM_CYLINDER, SIM_TRIANGLES, SIM_TRIANGLES};
  *out = (sim_body){.shape = shape[b->shape], .radius_m = b->radius_m, .friction = b->friction};
  memcpy(out->origin_m, b->at_m, sizeof out->origin_m);
  memcpy(out->axis, b->axis, sizeof out->axis);
  memcpy(out->turned_rad, b->turned_rad, sizeof out->turned_rad);
  if (b->shape == SIM_SCENE_CYLINDER && b->length_m > 0) {
    out->shape = SIM_TRIANGLES;
    turn_to_axis(b->axis, out->turned_rad);
    CB_TRY(sim_solid_cylinder(b->radius_m, b->length_m, CYLINDER_AROUND, solid, err));
  }
  if (b->shape == SIM_SCENE_TORUS) CB_TRY(sim_solid_torus(b->radius_m, b->tube_m, TORUS_AROUND, solid, err));
  if (b->shape == SIM_SCENE_FILE) CB_TRY(sim_solid_read(b->file, b->m_per_unit, solid, err));
  out->solid = *solid;
  return CB_OK;
}

cb_status sim_play_make_bodies(sim_play *p, cb_err *err) {
  const sim_scene *s = p->scene;
  for (int b = 0; b < s->n_bodies; b++)
    if (make_body(&s->body[b], &p->body[b], &p->solid[b], err) != CB_OK)
      return cb_fail_in(err, CB_E_RANGE, "%s: body %d", s->name, b + 1);
  return CB_OK;
}

/* ---- columns ---- */

static void name_columns(sim_play *p) {
  static const char *const six[] = {"x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s"};
  const char *const *own = p->model->columns(p->state);
  int n = 0;
  memcpy(p->column[n++], "time_s", sizeof "time_s");
  for (int k = 0; k < p->n_model_columns; k++)
    (void)snprintf(p->column[n++], SIM_PLAY_COLUMN_BYTES, "%s", own[k]);
  for (int i = 0; i < p->scene->n_probes; i++)
    for (int k = 0; k < 6; k++)
      (void)snprintf(p->column[n++], SIM_PLAY_COLUMN_BYTES, "%s_%s", p->scene->probe[i].name, six[k]);
}

/* A probe looks at the nearest vertex, which is no place of its own beyond this part of the surface's size.
 */
#define PROBE_MOST 0.3

static cb_status check_probe(const sim_scene *s, int i, const sim_drawn *d, cb_err *err) {
  double low[3], high[3], best = INFINITY, apart[3];
  for (int v = 0; v < d->n_vertices; v++)
    for (int k = 0; k < 3; k++) {
      low[k] = v > 0 ? fmin(low[k], d->position_m[v][k]) : d->position_m[v][k];
      high[k] = v > 0 ? fmax(high[k], d->position_m[v][k]) : d->position_m[v][k];
    }
  for (int v = 0; v < d->n_vertices; v++) {
    sim_sub(d->position_m[v], s->probe[i].at_m, apart);
    best = fmin(best, sim_norm(apart));
  }
  sim_sub(high, low, apart);
  if (best <= PROBE_MOST * sim_norm(apart)) return CB_OK;
  return cb_fail(
      err, CB_E_RANGE,
      "%s: probe '%s': at_mm [%g, %g, %g] is %.4g mm from the nearest surface, which is %.4g mm across: "
      "a place on it was wanted",
      s->name, s->probe[i].name, 1e3 * s->probe[i].at_m[0], 1e3 * s->probe[i].at_m[1],
      1e3 * s->probe[i].at_m[2], 1e3 * best, 1e3 * sim_norm(apart));
}

cb_status sim_play_make_columns(sim_play *p, cb_err *err) {
  const sim_scene *s = p->scene;
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  const int n = s->n_probes > 0 ? p->model->surfaces(p->state, surface) : 0;
  for (int i = 0; i < s->n_probes; i++) {
    p->probe[i] = sim_probe_nearest(surface, n, s->probe[i].at_m);
    if (p->probe[i].surface < 0)
      return cb_fail(err, CB_E_RANGE, "%s: probe '%s': there is no surface to look at", s->name,
                     s->probe[i].name);
    CB_TRY(check_probe(s, i, &surface[p->probe[i].surface], err));
  }
  for (const char *const *c = p->model->columns(p->state); *c; c++) p->n_model_columns++;
  p->n_columns = 1 + p->n_model_columns + 6 * s->n_probes;
  p->column = calloc((size_t)p->n_columns, sizeof *p->column);
  if (p->column == NULL) return cb_no_memory(err, "%s, %d columns", s->name, p->n_columns);
  name_columns(p);
  return CB_OK;
}

int sim_play_columns(const sim_play *p) { return p->n_columns; }
const char *sim_play_column(const sim_play *p, int column) { return p->column[column]; }

void sim_play_row(sim_play *p, double *value) {
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  value[0] = sim_play_time(p);
  p->model->values(p->state, value + 1);
  if (p->scene->n_probes > 0) (void)p->model->surfaces(p->state, surface);
  for (int i = 0; i < p->scene->n_probes; i++) {
    double *at = value + 1 + p->n_model_columns + (size_t)6 * (size_t)i;
    memset(at, 0, 6 * sizeof *at);
    sim_probe_look(&p->probe[i], surface, at);
  }
}

double sim_play_value(sim_play *p, const char *column) {
  double value[1 + SIM_MODEL_COLUMNS + 6 * SIM_SCENE_PROBES];
  sim_play_row(p, value);
  for (int k = 0; k < p->n_columns; k++)
    if (strcmp(p->column[k], column) == 0) return value[k];
  return NAN;
}
