/* What a friction fit says, as JSON: docs/json.md, `fit friction`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_json.h"
#include "cli_friction.h"
#include "cli_pooled.h"

static void angle_key(double angle_deg, char out[32]) { (void)snprintf(out, 32, "%g", angle_deg == 0 ? 0.0 : angle_deg); }

static json_t *test_json(const fit_test *t, const char *effect) {
  if (!t->done) return json_pack("{s:n, s:n, s:n, s:n, s:n}", "statistic", "dof1", "dof2", "p_value", effect);
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "statistic", cb_json_real(t->statistic), "dof1",
                   t->dof1 > 0 ? cb_json_real(t->dof1) : json_null(), "dof2", cb_json_real(t->dof2), "p_value", cb_json_real(t->p_value),
                   effect, cb_json_real(t->effect));
}

static json_t *tests_json(const fit_verdict *v) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "isotropy", test_json(&v->isotropy, "fitted_anisotropy_percent"), "linearity",
                   test_json(&v->linearity, "exponent"), "symmetry", test_json(&v->symmetry, "forward_minus_backward_percent"), "form",
                   test_json(&v->form, "variance_ratio"), "diagonal", test_json(&v->diagonal, "f01_percent"), "fourth_harmonic",
                   test_json(&v->fourth, "amplitude_percent"), "drift", test_json(&v->drift, "percent_per_repeat"));
}

static json_t *speed_json(const fit_speed *s) {
  const fit_stribeck_curve *c = &s->stribeck;
  json_t *curve = json_null();
  if (c->test.done)
    curve = json_pack("{s:o, s:o, s:o, s:o, s:o}", "coulomb", cb_json_real(c->coulomb), "breakaway", cb_json_real(c->breakaway),
                      "viscous_s_per_m", cb_json_real(c->viscous_s_per_m), "speed_m_per_s", cb_json_real(c->speed_m_per_s), "test",
                      test_json(&c->test, "weakening"));
  return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "speeds", (json_int_t)s->n_speeds, "law_m_per_s", cb_json_real(s->law_m_per_s),
                   "slowest_m_per_s", cb_json_real(s->slowest_m_per_s), "fastest_m_per_s", cb_json_real(s->fastest_m_per_s),
                   "u_percent_per_decade", s->test.done ? cb_json_real(s->u_percent_per_decade) : json_null(), "test",
                   test_json(&s->test, "percent_per_decade"), "stribeck", curve);
}

static json_t *nonlinearity_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    if (isnan(v->angles[i].nonlinearity_percent)) continue;
    angle_key(v->angles[i].angle_deg, key);
    json_object_set_new(o, key, json_real(v->angles[i].nonlinearity_percent));
  }
  return o;
}

/* Whose runs a figure is of; null: of several campaigns. */
static json_t *campaign_json(int64_t id) { return id > 0 ? json_integer((json_int_t)id) : json_null(); }

static json_t *power_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    const fit_angle *a = &v->angles[i];
    if (isnan(a->power_N)) continue;
    angle_key(a->angle_deg, key);
    json_object_set_new(o, key,
                        json_pack("{s:o, s:o, s:o, s:I, s:o, s:I}", "force_N", cb_json_real(a->power_N), "exponent",
                                  cb_json_real(a->exponent), "r2", cb_json_real(a->r2), "n", (json_int_t)a->n_sweep, "campaign_id",
                                  campaign_json(a->sweep_campaign_id), "n_elsewhere", (json_int_t)a->n_sweep_elsewhere));
  }
  return o;
}

static json_t *mean_mu_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    const fit_angle *a = &v->angles[i];
    if (a->n == 0) continue;
    angle_key(a->angle_deg, key);
    json_object_set_new(
        o, key,
        json_pack("{s:o, s:o, s:I, s:o, s:I}", "mean", cb_json_real(a->mean_mu), "sd", cb_json_real(a->sd_mu), "n", (json_int_t)a->n,
                  "campaign_id", campaign_json(a->campaign_id), "n_elsewhere", (json_int_t)a->n_elsewhere));
  }
  return o;
}

static json_t *candidates_json(const fit_friction_law *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->n_candidates; i++) {
    const fit_candidate *c = &f->candidates[i];
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "model", cb_friction_model_names[c->model], "form",
                        cb_friction_form_names[c->form], "parameters", (json_int_t)c->n_parameters, "chi2", cb_json_real(c->chi2), "aicc",
                        cb_json_real(c->aicc), "delta", cb_json_real(c->delta), "weight", cb_json_real(c->weight)));
  }
  return list;
}

static json_t *outliers_json(const fit_outlier *outliers, size_t n, const cb_friction_obs *obs) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    const fit_outlier *o = &outliers[i];
    const cb_run *run = &obs[o->index].run;
    json_array_append_new(
        list, json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "run_id", (json_int_t)run->id, "angle_deg", cb_json_real(run->angle_deg),
                        "normal_force_N", cb_json_real(run->normal_force_N), "sigma", cb_json_real(o->sigma), "departure_percent",
                        cb_json_real(o->departure_percent), "p_value", cb_json_real(o->p_value)));
  }
  return list;
}

static json_t *quality_json(const fit_friction_law *f, const cb_friction_obs *obs) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:{s:o, s:o, s:s, s:o, s:o}, s:s, s:s}", "candidates", candidates_json(f), "outliers",
                   outliers_json(f->outliers, f->n_outliers, obs), "doubtful", outliers_json(f->doubtful, f->n_doubtful, obs), "falling",
                   test_json(&f->falling, "fall_percent"), "rmse_N", cb_json_real(f->rmse_N), "points", (json_int_t)f->n_points, "scatter",
                   "sd_rel", cb_json_real(f->scatter_rel), "dof", cb_json_real(f->scatter_dof), "basis", fit_basis_names[f->scatter_basis],
                   "placement_rel", cb_json_real(f->placement_rel), "placement_dof", cb_json_real(f->placement_dof), "direction_basis",
                   fit_basis_names[f->direction_basis], "exponent_basis", fit_basis_names[f->exponent_basis]);
}

static json_t *calibration_json(const cb_calibration *c) {
  return json_pack("{s:I, s:s, s:s, s:s, s:f, s:f, s:o}", "calibration_id", (json_int_t)c->id, "kind", cb_calibration_kind_names[c->kind],
                   "certificate", c->certificate, "cell", c->cell, "u_rel", c->u_rel, "u_floor_N", c->u_floor_N, "dof",
                   c->dof > 0 ? json_real(c->dof) : json_null());
}

static void count_flags(const char *flags, json_t *counts) {
  char words[sizeof(((cb_run *)0)->flags)], *rest = words;
  (void)snprintf(words, sizeof words, "%s", flags);
  for (char *word; (word = strtok_r(rest, " ", &rest));)
    json_object_set_new(counts, word, json_integer(json_integer_value(json_object_get(counts, word)) + 1));
}

cb_status cli_friction_sources(cb_store *s, const cb_friction_obs *obs, size_t n, json_t **out, cb_err *err) {
  json_t *calibrations = json_array(), *flags = json_object();
  json_int_t without = 0;
  cb_status st = CB_OK;
  for (size_t i = 0; st == CB_OK && i < n; i++) {
    const cb_run *r = &obs[i].run;
    cb_calibration c;
    bool seen = r->calibration_id == 0;
    for (size_t k = 0; k < i && !seen; k++) seen = obs[k].run.calibration_id == r->calibration_id;
    if (!seen) st = cb_store_calibration_get(s, r->calibration_id, &c, err);
    if (!seen && st == CB_OK) json_array_append_new(calibrations, calibration_json(&c));
    count_flags(r->flags, flags);
    without += isnan(obs[i].point.kinetic_N) ? 1 : 0;
  }
  *out = json_pack("{s:o, s:o, s:I}", "calibrations", calibrations, "flags", flags, "runs_without_force", without);
  return st == CB_OK && !*out ? cb_fail(err, CB_E_NOMEM, "no memory for the sources of a law") : st;
}

/* Beside what both kinds of force have: what the authors' rules and the tests find in the kinetic forces. */
static json_t *kinetic_json(const fit_friction_result *r, const cb_friction_obs *obs) {
  const fit_verdict *v = &r->verdict;
  json_t *linear = isnan(v->nonlinearity_percent) ? json_null() : json_boolean(v->linear);
  json_t *o = json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "isotropic", v->isotropic, "anisotropy_percent",
                        cb_json_real(v->anisotropy_percent), "linear", linear, "nonlinearity_percent", nonlinearity_json(v), "power_law",
                        power_json(v), "mean_mu", mean_mu_json(v), "mean_mu_normal_force_N", cb_json_real(v->fixed_load_N), "tests",
                        tests_json(v), "speed", speed_json(&r->speed));
  json_t *quality = quality_json(&r->kinetic, obs);
  if (o && quality) (void)json_object_update(o, quality);
  json_decref(quality);
  if (o && !isnan(obs[0].run.body_angle_deg)) (void)json_object_set_new(o, "body_angle_deg", cb_json_real(obs[0].run.body_angle_deg));
  return o;
}

cb_status cli_friction_verdicts(cb_store *s, const fit_friction_result *r, const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                                json_t **out, cb_err *err) {
  json_t *pooled = NULL;
  *out = kind == CB_FRICTION_STATIC ? quality_json(&r->stat, obs) : kinetic_json(r, obs);
  cb_status st = *out ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for the verdicts");
  if (st == CB_OK && kind == CB_FRICTION_KINETIC) st = cli_pooled(s, obs, n, &pooled, err);
  if (pooled) (void)json_object_update(*out, pooled);
  json_decref(pooled);
  if (st == CB_OK) return CB_OK;
  json_decref(*out);
  *out = NULL;
  return st;
}

/* f00, f01 or f11 over the loads; the uncertainty with calibration. */
static json_t *function_json(const cb_friction_law *law, int i) {
  json_t *list = json_array();
  for (size_t k = 0; k < law->n_knots; k++) {
    const cb_friction_knot *knot = &law->knots[k];
    double cov[3][3];
    cb_friction_law_knot_cov(law, k, cov);
    double u = sqrt(fmax(0, cov[i][i]));
    json_array_append_new(list,
                          json_pack("{s:f, s:f, s:f}", "normal_force_N", knot->normal_force_N, "force_N", knot->f_N[i], "u_force_N", u));
  }
  return list;
}

static json_t *law_json(const cb_friction_law *law) {
  return json_pack("{s:s, s:s, s:f, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:I}", "form", cb_friction_form_names[law->form],
                   "model", cb_friction_model_names[law->model], "bend", law->bend, "offset_N", law->offset_N, "speed_m_per_s",
                   cb_json_real(law->speed_m_per_s), "f00", function_json(law, 0), "f01", function_json(law, 1), "f11",
                   function_json(law, 2), "exponent", law->exponent, "u_exponent", cb_friction_law_u_exponent(law, 1), "u_rel_common",
                   law->u_rel_common, "u_rel_model", law->u_rel_model, "dof", fmin(law->dof, 1e9), "law_id", (json_int_t)law->id);
}

json_t *cli_friction_document(const cb_friction_law *kinetic, json_t *kinetic_verdicts, const cb_friction_law *stat,
                              json_t *stat_verdicts) {
  json_t *doc = json_pack("{s:s, s:s, s:s, s:f, s:n}", "cloth", kinetic->cloth, "body", kinetic->body, "origin",
                          cb_origin_names[kinetic->origin], "contact_area_m2", kinetic->contact_area_m2, "body_angle_deg");
  json_t *law = law_json(kinetic), *rest = stat ? law_json(stat) : json_null();
  if (doc && law) {
    (void)json_object_update(doc, kinetic_verdicts);
    (void)json_object_update(doc, law);
  }
  if (stat && rest && stat_verdicts) (void)json_object_update(rest, stat_verdicts);
  if (doc) (void)json_object_set(doc, "static", rest);
  json_decref(law);
  json_decref(rest);
  return doc;
}
