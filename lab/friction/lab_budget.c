#include "lab_budget_parts.h"

#include <math.h>
#include <stdlib.h>

#include "cb_json.h"
#include "cb_num.h"
#include "lab_friction_parts.h"

/* ---- entries ---- */

/* Infinite degrees of freedom are null: JSON has no number for them. */
static json_t *entry_json(const fit_budget_entry *e) {
  char type[] = {e->type, '\0'};
  return json_pack("{s:s, s:s, s:s, s:f, s:s, s:f, s:f, s:f, s:o, s:b}", "name", e->name, "type", type,
                   "distribution", e->distribution, "value", e->value, "unit", e->unit, "divisor", e->divisor,
                   "sensitivity_N_per_unit", e->sensitivity, "u_N", e->u_N, "dof", cb_json_real(e->dof),
                   "in_proportion", e->in_proportion);
}

json_t *lab_budget_entries_json(const fit_budget_entry *e, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, entry_json(&e[i]));
  return list;
}

static double read_number(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

static const char *read_word(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static fit_budget_entry read_entry(const json_t *o) {
  double dof = cb_json_number(o, "dof");
  return (fit_budget_entry){.name = read_word(o, "name"),
                            .unit = read_word(o, "unit"),
                            .type = read_word(o, "type")[0],
                            .distribution = read_word(o, "distribution"),
                            .value = read_number(o, "value"),
                            .divisor = read_number(o, "divisor"),
                            .sensitivity = read_number(o, "sensitivity_N_per_unit"),
                            .u_N = read_number(o, "u_N"),
                            .dof = isnan(dof) ? INFINITY : dof,
                            .in_proportion = json_is_true(json_object_get(o, "in_proportion"))};
}

size_t lab_budget_entries_read(const json_t *list, fit_budget_entry *e, size_t most) {
  size_t n = 0;
  for (; n < most && n < json_array_size(list); n++) e[n] = read_entry(json_array_get(list, n));
  return n;
}

/* ---- a force ---- */

static const cb_friction_obs *find_nearest(const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                                           double angle_rad, double N) {
  const cb_friction_obs *best = NULL;
  double least = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const cb_run *r = &obs[i].run;
    double turned = fabs(remainder(r->angle_deg - angle_rad / CB_DEG, 180)) / 45,
           away = turned + fabs(log(r->normal_force_N / N));
    if (!isfinite(kind == CB_FRICTION_KINETIC ? obs[i].point.kinetic_N : obs[i].point.static_N) ||
        !(away < least))
      continue;
    least = away;
    best = &obs[i];
  }
  return best;
}

/* What the runs state beyond the law. */
static cb_status add_runs(cb_store *s, const cb_friction_law *law, const cb_friction_obs *obs, size_t n,
                          lab_force_budget *b, cb_err *err) {
  double angle_rad = b->predicted.angle_rad, N = b->predicted.normal_force_N;
  fit_friction_options opt;
  fit_friction_result r;
  CB_TRY(lab_friction_fit_runs(s, obs, n, law->cloth, law->body, &opt, &r, err));
  const fit_friction_law *fit = law->kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (fit->outcome != FIT_FRICTION_OK) return CB_OK;
  fit_force_scatter scatter = fit_force_scatter_of(obs, n, fit, &opt);
  fit_force_budget_law(law, angle_rad, N, &scatter, &b->predicted);
  b->n_not_assessed = fit_force_not_assessed(law, &scatter, b->not_assessed);
  const cb_friction_obs *run = find_nearest(obs, n, law->kind, angle_rad, N);
  if (!run) return CB_OK;
  cb_calibration c = {.resolution_N = 0};
  if (run->run.calibration_id) CB_TRY(cb_store_calibration_get(s, run->run.calibration_id, &c, err));
  fit_force_budget_run(&fit->law, run, &scatter, c.resolution_N, &b->run);
  b->has_run = true;
  return CB_OK;
}

cb_status lab_force_budget_make(cb_store *s, const cb_friction_law *law, double angle_rad,
                                double normal_force_N, lab_force_budget *out, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  *out = (lab_force_budget){.has_run = false};
  CB_TRY(lab_friction_observations_like(s, law->cloth, law->body, (int)law->origin, &obs, &n, err));
  fit_force_budget_law(law, angle_rad, normal_force_N, NULL, &out->predicted);
  out->n_not_assessed = fit_force_not_assessed(law, NULL, out->not_assessed);
  cb_status st = n > 0 ? add_runs(s, law, obs, n, out, err) : CB_OK;
  free(obs);
  return st;
}

static json_t *force_json(const fit_force_budget *b) {
  return json_pack("{s:f, s:f, s:f, s:o, s:{s:f, s:o, s:f, s:f}}", "angle_deg", b->angle_rad / CB_DEG,
                   "normal_force_N", b->normal_force_N, "force_N", b->force_N, "entries",
                   lab_budget_entries_json(b->entry, b->n_entries), "combined", "u_N", b->total.u, "dof",
                   cb_json_real(b->total.dof), "k", b->total.k, "U_N", b->total.U);
}

json_t *lab_force_budget_json(const lab_force_budget *b) {
  json_t *missing = json_array();
  for (size_t i = 0; i < b->n_not_assessed; i++)
    (void)json_array_append_new(missing, json_string(b->not_assessed[i]));
  return json_pack("{s:o, s:o, s:o}", "predicted", force_json(&b->predicted), "run",
                   b->has_run ? force_json(&b->run) : json_null(), "not_assessed", missing);
}
