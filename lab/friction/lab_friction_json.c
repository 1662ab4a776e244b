/* What a friction fit says, as the columns of its laws have it: docs/reference/json, `fit friction`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "lab_fields.h"
#include "lab_friction_parts.h"
#include "lab_pooled_impl.h"

const lab_friction_test lab_friction_tests[LAB_FRICTION_TESTS] = {
    {"isotropy", "fitted_anisotropy_percent", offsetof(fit_verdict, isotropy)},
    {"linearity", "exponent", offsetof(fit_verdict, linearity)},
    {"symmetry", "forward_minus_backward_percent", offsetof(fit_verdict, symmetry)},
    {"form", "variance_ratio", offsetof(fit_verdict, form)},
    {"diagonal", "f01_percent", offsetof(fit_verdict, diagonal)},
    {"fourth_harmonic", "amplitude_percent", offsetof(fit_verdict, fourth)},
    {"drift", "percent_per_repeat", offsetof(fit_verdict, drift)},
    {"first_pull", "first_minus_rest_percent", offsetof(fit_verdict, first)},
};

const fit_test *lab_friction_test_of(const fit_verdict *v, int test) {
  return (const fit_test *)((const char *)v + lab_friction_tests[test].offset);
}

static fit_test *test_to_read(fit_verdict *v, int test) {
  return (fit_test *)((char *)v + lab_friction_tests[test].offset);
}

/* ---- the keys ---- */

#define CANDIDATE(kind, member, key) LAB_KEY(kind, fit_candidate, member, key)
static const lab_field candidate_fields[] = {
    LAB_KEY_CHOICE(fit_candidate, model, "model", cb_friction_model_names, CB_MODEL_OFFSET),
    LAB_KEY_CHOICE(fit_candidate, form, "form", cb_friction_form_names, CB_FORM_GENERAL),
    CANDIDATE(LAB_COUNT, n_parameters, "parameters"),
    CANDIDATE(LAB_REAL, chi2, "chi2"),
    CANDIDATE(LAB_REAL, aicc, "aicc"),
    CANDIDATE(LAB_REAL, delta, "delta"),
    CANDIDATE(LAB_REAL, weight, "weight"),
};

#define OUTLIER(kind, member, key) LAB_KEY(kind, lab_outlier, member, key)
static const lab_field outlier_fields[] = {
    OUTLIER(LAB_ID, run_id, "run_id"),
    OUTLIER(LAB_REAL, angle_deg, "angle_deg"),
    OUTLIER(LAB_REAL, normal_force_N, "normal_force_N"),
    OUTLIER(LAB_REAL, found.sigma, "sigma"),
    OUTLIER(LAB_REAL, found.departure_percent, "departure_percent"),
    OUTLIER(LAB_REAL, found.p_value, "p_value"),
};

#define FORCE(kind, member, key) LAB_KEY(kind, fit_friction_law, member, key)
#define BASIS(member, key) LAB_KEY_CHOICE(fit_friction_law, member, key, fit_basis_names, FIT_ASSUMED)
static const lab_field misfit_fields[] = {
    FORCE(LAB_REAL, rmse_N, "rmse_N"),
    FORCE(LAB_COUNT, n_points, "points"),
};
static const lab_field scatter_fields[] = {
    FORCE(LAB_REAL, scatter_rel, "sd_rel"),
    FORCE(LAB_REAL, scatter_dof, "dof"),
    BASIS(scatter_basis, "basis"),
    FORCE(LAB_REAL, placement_rel, "placement_rel"),
    FORCE(LAB_REAL, placement_dof, "placement_dof"),
};
#define LOTS(kind, member, key) LAB_KEY(kind, fit_lots, member, key)
static const lab_field lots_fields[] = {
    LOTS(LAB_COUNT, n, "n"),
    LOTS(LAB_REAL, sd_rel, "sd_rel"),
    LOTS(LAB_REAL, dof, "dof"),
};
static const lab_field basis_fields[] = {BASIS(direction_basis, "direction_basis"),
                                         BASIS(exponent_basis, "exponent_basis")};

#define ANGLE(kind, member, key) LAB_KEY(kind, fit_angle, member, key)
static const lab_field power_fields[] = {
    ANGLE(LAB_REAL, power_N, "force_N"),
    ANGLE(LAB_REAL, exponent, "exponent"),
    ANGLE(LAB_REAL, r2, "r2"),
    ANGLE(LAB_COUNT, n_sweep, "n"),
    ANGLE(LAB_ID, sweep_campaign_id, "campaign_id"), /* null: of several campaigns */
    ANGLE(LAB_COUNT, n_sweep_elsewhere, "n_elsewhere"),
};
static const lab_field mean_fields[] = {
    ANGLE(LAB_REAL, mean_mu, "mean"),
    ANGLE(LAB_REAL, sd_mu, "sd"),
    ANGLE(LAB_COUNT, n, "n"),
    ANGLE(LAB_ID, campaign_id, "campaign_id"),
    ANGLE(LAB_COUNT, n_elsewhere, "n_elsewhere"),
};

#define CURVE(member) LAB_KEY(LAB_REAL, fit_stribeck_curve, member, #member)
static const lab_field curve_fields[] = {CURVE(coulomb), CURVE(breakaway), CURVE(viscous_s_per_m),
                                         CURVE(speed_m_per_s)};

#define SPEED(kind, member, key) LAB_KEY(kind, fit_speed, member, key)
static const lab_field speed_fields[] = {
    SPEED(LAB_COUNT, n_speeds, "speeds"),
    SPEED(LAB_REAL, law_m_per_s, "law_m_per_s"),
    SPEED(LAB_REAL, slowest_m_per_s, "slowest_m_per_s"),
    SPEED(LAB_REAL, fastest_m_per_s, "fastest_m_per_s"),
};

/* ---- tests ---- */

static json_t *test_json(const fit_test *t, const char *effect) {
  if (!t->done) return json_pack("{s:n, s:n, s:n, s:n, s:n}", "statistic", "dof1", "dof2", "p_value", effect);
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "statistic", cb_json_real(t->statistic), "dof1",
                   t->dof1 > 0 ? cb_json_real(t->dof1) : json_null(), "dof2", cb_json_real(t->dof2),
                   "p_value", cb_json_real(t->p_value), effect, cb_json_real(t->effect));
}

/* A test without degrees of freedom was not done. */
static cb_status read_test(const json_t *o, const char *key, const char *effect, fit_test *t, cb_err *err) {
  const json_t *test;
  const lab_field fields[] = {
      LAB_KEY(LAB_REAL, fit_test, statistic, "statistic"), LAB_KEY(LAB_REAL, fit_test, dof1, "dof1"),
      LAB_KEY(LAB_REAL, fit_test, dof2, "dof2"),           LAB_KEY(LAB_REAL, fit_test, p_value, "p_value"),
      LAB_KEY(LAB_REAL, fit_test, effect, effect),
  };
  CB_TRY(lab_fields_object(o, key, &test, err));
  CB_TRY(lab_fields_read(fields, LAB_N(fields), test, t, err));
  t->done = !isnan(t->dof2) || !isnan(t->p_value);
  if (!t->done) *t = (fit_test){.done = false};
  if (isnan(t->dof1)) t->dof1 = 0;
  return CB_OK;
}

static json_t *tests_json(const fit_verdict *v) {
  json_t *o = json_object();
  for (int i = 0; i < LAB_FRICTION_TESTS; i++)
    (void)json_object_set_new(o, lab_friction_tests[i].name,
                              test_json(lab_friction_test_of(v, i), lab_friction_tests[i].effect));
  return o;
}

static cb_status read_tests(const json_t *doc, lab_friction *f, cb_err *err) {
  const json_t *tests;
  CB_TRY(lab_fields_object(doc, "tests", &tests, err));
  f->has_tests = json_object_size(tests) > 0;
  for (int i = 0; i < LAB_FRICTION_TESTS; i++)
    CB_TRY(read_test(tests, lab_friction_tests[i].name, lab_friction_tests[i].effect,
                     test_to_read(&f->verdict, i), err));
  return CB_OK;
}

/* ---- speed ---- */

static json_t *curve_json(const fit_stribeck_curve *c) {
  if (!c->test.done) return json_null();
  json_t *o = lab_fields_json(curve_fields, LAB_N(curve_fields), c);
  if (o) (void)json_object_set_new(o, "test", test_json(&c->test, "weakening"));
  return o;
}

static json_t *speed_json(const fit_speed *s) {
  json_t *o = lab_fields_json(speed_fields, LAB_N(speed_fields), s);
  if (o)
    (void)lab_fields_join(
        o, json_pack("{s:o, s:o, s:o}", "u_percent_per_decade",
                     s->test.done ? cb_json_real(s->u_percent_per_decade) : json_null(), "test",
                     test_json(&s->test, "percent_per_decade"), "stribeck", curve_json(&s->stribeck)));
  return o;
}

static cb_status read_speed(const json_t *doc, fit_speed *s, cb_err *err) {
  static const lab_field u = LAB_KEY(LAB_REAL, fit_speed, u_percent_per_decade, "u_percent_per_decade");
  const json_t *o, *curve;
  CB_TRY(lab_fields_object(doc, "speed", &o, err));
  CB_TRY(lab_fields_read(speed_fields, LAB_N(speed_fields), o, s, err));
  CB_TRY(lab_fields_read(&u, 1, o, s, err));
  CB_TRY(read_test(o, "test", "percent_per_decade", &s->test, err));
  s->percent_per_decade = s->test.effect;
  CB_TRY(lab_fields_object(o, "stribeck", &curve, err));
  CB_TRY(lab_fields_read(curve_fields, LAB_N(curve_fields), curve, &s->stribeck, err));
  return read_test(curve, "test", "weakening", &s->stribeck.test, err);
}

/* ---- angles: three objects whose keys are angles ---- */

static void name_angle(double angle_deg, char out[32]) {
  (void)snprintf(out, 32, "%g", angle_deg == 0 ? 0.0 : angle_deg);
}

static json_t *nonlinearity_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    if (isnan(v->angles[i].nonlinearity_percent)) continue;
    name_angle(v->angles[i].angle_deg, key);
    (void)json_object_set_new(o, key, cb_json_real(v->angles[i].nonlinearity_percent));
  }
  return o;
}

static json_t *power_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    if (isnan(v->angles[i].power_N)) continue;
    name_angle(v->angles[i].angle_deg, key);
    (void)json_object_set_new(o, key, lab_fields_json(power_fields, LAB_N(power_fields), &v->angles[i]));
  }
  return o;
}

static json_t *mean_mu_json(const fit_verdict *v) {
  json_t *o = json_object();
  char key[32];
  for (size_t i = 0; i < v->n_angles; i++) {
    if (v->angles[i].n == 0) continue;
    name_angle(v->angles[i].angle_deg, key);
    (void)json_object_set_new(o, key, lab_fields_json(mean_fields, LAB_N(mean_fields), &v->angles[i]));
  }
  return o;
}

/* The angle of that name, in its place among those that were met before. */
static cb_status find_angle(const char *name, fit_verdict *v, fit_angle **out, cb_err *err) {
  double angle_deg;
  size_t i = 0;
  if (cb_parse_double(name, "", &angle_deg, NULL) != CB_OK)
    return cb_fail(err, CB_E_DB, "'%s': an angle was wanted", name);
  while (i < v->n_angles && v->angles[i].angle_deg < angle_deg) i++;
  *out = &v->angles[i];
  if (i < v->n_angles && v->angles[i].angle_deg == angle_deg) return CB_OK;
  if (v->n_angles == FIT_MAX_ANGLES)
    return cb_fail(err, CB_E_DB, "'%s': %d angles at most were wanted", name, FIT_MAX_ANGLES);
  memmove(*out + 1, *out, (v->n_angles - i) * sizeof **out);
  **out = (fit_angle){.angle_deg = angle_deg,
                      .sd_mu = NAN,
                      .nonlinearity_percent = NAN,
                      .power_N = NAN,
                      .exponent = NAN,
                      .r2 = NAN};
  v->n_angles++;
  return CB_OK;
}

/* The row of every angle into the members that its fields name. */
static cb_status read_angle_rows(const json_t *doc, const char *key, const lab_field *fields, size_t n,
                                 fit_verdict *v, cb_err *err) {
  const json_t *rows;
  const char *name;
  json_t *row;
  fit_angle *a;
  CB_TRY(lab_fields_object(doc, key, &rows, err));
  json_object_foreach((json_t *)(uintptr_t)rows, name, row) {
    CB_TRY(find_angle(name, v, &a, err));
    CB_TRY(lab_fields_read(fields, n, row, a, err));
  }
  return CB_OK;
}

static cb_status read_nonlinearity(const json_t *doc, fit_verdict *v, cb_err *err) {
  const json_t *rows;
  const char *name;
  json_t *percent;
  fit_angle *a;
  CB_TRY(lab_fields_object(doc, "nonlinearity_percent", &rows, err));
  v->nonlinearity_percent = NAN;
  json_object_foreach((json_t *)(uintptr_t)rows, name, percent) {
    CB_TRY(find_angle(name, v, &a, err));
    a->nonlinearity_percent = cb_json_number(rows, name);
    v->nonlinearity_percent = fmax(v->nonlinearity_percent, a->nonlinearity_percent);
  }
  return CB_OK;
}

static cb_status read_angles(const json_t *doc, fit_verdict *v, cb_err *err) {
  v->n_angles = 0;
  CB_TRY(read_angle_rows(doc, "mean_mu", mean_fields, LAB_N(mean_fields), v, err));
  CB_TRY(read_angle_rows(doc, "power_law", power_fields, LAB_N(power_fields), v, err));
  return read_nonlinearity(doc, v, err);
}

/* ---- one kind of force ---- */

static json_t *candidates_json(const fit_friction_law *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->n_candidates; i++)
    (void)json_array_append_new(
        list, lab_fields_json(candidate_fields, LAB_N(candidate_fields), &f->candidates[i]));
  return list;
}

static cb_status read_candidates(const json_t *doc, fit_friction_law *f, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, "candidates", FIT_MAX_CANDIDATES, &list, err));
  f->n_candidates = json_array_size(list);
  for (size_t i = 0; i < f->n_candidates; i++)
    CB_TRY(lab_fields_read(candidate_fields, LAB_N(candidate_fields), json_array_get(list, i),
                           &f->candidates[i], err));
  return CB_OK;
}

/* Documents of before 2026-11-29 name no faults, and far runs have none. */
static json_t *outlier_json(const lab_outlier *x) {
  json_t *o = lab_fields_json(outlier_fields, LAB_N(outlier_fields), x);
  if (x->found.fault < FIT_N_FAULTS)
    (void)lab_fields_join(o, json_pack("{s:s, s:o}", "fault", fit_fault_kinds[x->found.fault].code,
                                       "mass_off_kg", cb_json_real(x->found.mass_off_kg)));
  return o;
}

static json_t *outliers_json(const lab_outlier *outliers, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, outlier_json(&outliers[i]));
  return list;
}

static cb_status read_outlier(const json_t *o, lab_outlier *out, cb_err *err) {
  static const lab_field mass = OUTLIER(LAB_REAL, found.mass_off_kg, "mass_off_kg");
  const char *code = json_string_value(json_object_get(o, "fault"));
  const fit_fault_kind *kind = code ? fit_fault_find(code) : NULL;
  out->found.fault = kind ? (fit_fault)(kind - fit_fault_kinds) : FIT_N_FAULTS;
  CB_TRY(lab_fields_read(&mass, 1, o, out, err));
  return lab_fields_read(outlier_fields, LAB_N(outlier_fields), o, out, err);
}

static cb_status read_outliers(const json_t *doc, const char *key, size_t most, lab_outlier *out,
                               fit_outlier *found, size_t *n, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, key, most, &list, err));
  *n = json_array_size(list);
  for (size_t i = 0; i < *n; i++) {
    CB_TRY(read_outlier(json_array_get(list, i), &out[i], err));
    found[i] = out[i].found;
  }
  return CB_OK;
}

/* Only where there are several lots. False: no memory. */
static bool add_lots(json_t *o, const fit_lots *lots) {
  if (lots->n < 2) return true;
  json_t *doc = lab_fields_json(lots_fields, LAB_N(lots_fields), lots);
  if (doc) (void)json_object_set_new(doc, "test", test_json(&lots->test, "largest_difference_percent"));
  return json_object_set_new(o, "lots", doc) == 0;
}

static cb_status read_lots(const json_t *doc, fit_lots *lots, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(doc, "lots", &o, err));
  if (json_object_size(o) == 0) return CB_OK;
  CB_TRY(lab_fields_read(lots_fields, LAB_N(lots_fields), o, lots, err));
  return read_test(o, "test", "largest_difference_percent", &lots->test, err);
}

/* Documents of earlier versions stay as they are. False: no memory. */
static bool add_far(json_t *o, const lab_friction_force *force) {
  const fit_friction_law *f = &force->fit;
  const size_t listed = f->n_far < FIT_MAX_OUTLIERS ? f->n_far : FIT_MAX_OUTLIERS;
  return !force->has_far ||
         lab_fields_join(
             o, json_pack("{s:o, s:o, s:I}", "lack_of_fit", test_json(&f->lack, "misfit_percent"), "far",
                          outliers_json(force->far, listed), "runs_far", (json_int_t)f->n_far));
}

/* Steals nothing; false: no memory. */
static bool add_force(json_t *o, const lab_friction_force *force) {
  const fit_friction_law *f = &force->fit;
  return lab_fields_join(o, json_pack("{s:o, s:o, s:o, s:o}", "candidates", candidates_json(f), "outliers",
                                      outliers_json(force->outliers, f->n_outliers), "doubtful",
                                      outliers_json(force->doubtful, f->n_doubtful), "falling",
                                      test_json(&f->falling, "fall_percent"))) &&
         add_far(o, force) && lab_fields_join(o, lab_fields_json(misfit_fields, LAB_N(misfit_fields), f)) &&
         json_object_set_new(o, "scatter", lab_fields_json(scatter_fields, LAB_N(scatter_fields), f)) == 0 &&
         lab_fields_join(o, lab_fields_json(basis_fields, LAB_N(basis_fields), f)) && add_lots(o, &f->lots);
}

static cb_status read_far(const json_t *doc, lab_friction_force *force, cb_err *err) {
  static const lab_field count = FORCE(LAB_COUNT, n_far, "runs_far");
  size_t listed;
  force->has_far = json_object_get(doc, "runs_far") != NULL;
  CB_TRY(read_test(doc, "lack_of_fit", "misfit_percent", &force->fit.lack, err));
  CB_TRY(read_outliers(doc, "far", FIT_MAX_OUTLIERS, force->far, force->fit.far, &listed, err));
  CB_TRY(lab_fields_read(&count, 1, doc, &force->fit, err));
  if (force->fit.n_far < listed) force->fit.n_far = listed;
  return CB_OK;
}

static cb_status read_force(const json_t *doc, lab_friction_force *force, cb_err *err) {
  fit_friction_law *f = &force->fit;
  const json_t *scatter;
  f->outcome = FIT_FRICTION_OK;
  f->scatter_basis = f->direction_basis = f->exponent_basis = FIT_ASSUMED;
  CB_TRY(read_candidates(doc, f, err));
  CB_TRY(read_outliers(doc, "outliers", FIT_MAX_OUTLIERS, force->outliers, f->outliers, &f->n_outliers, err));
  CB_TRY(read_outliers(doc, "doubtful", FIT_MAX_DOUBTFUL, force->doubtful, f->doubtful, &f->n_doubtful, err));
  CB_TRY(read_far(doc, force, err));
  CB_TRY(read_test(doc, "falling", "fall_percent", &f->falling, err));
  CB_TRY(lab_fields_read(misfit_fields, LAB_N(misfit_fields), doc, f, err));
  CB_TRY(lab_fields_read(basis_fields, LAB_N(basis_fields), doc, f, err));
  CB_TRY(read_lots(doc, &f->lots, err));
  CB_TRY(lab_fields_object(doc, "scatter", &scatter, err));
  return lab_fields_read(scatter_fields, LAB_N(scatter_fields), scatter, f, err);
}

/* ---- the verdicts ---- */

static const lab_field said_fields[] = {
    LAB_KEY_CHOICE(fit_verdict, direction, "direction", fit_said_of_direction, FIT_DIFFERENT),
    LAB_KEY(LAB_REAL, fit_verdict, found_anisotropy_percent, "would_find_anisotropy_percent"),
    LAB_KEY_CHOICE(fit_verdict, load, "load", fit_said_of_load, FIT_DIFFERENT),
    LAB_KEY(LAB_REAL, fit_verdict, found_exponent, "would_find_exponent"),
    LAB_KEY(LAB_REAL, fit_verdict, u95_exponent, "u95_exponent"),
    LAB_KEY(LAB_REAL, fit_verdict, wear.found_percent, "would_find_wear_percent"),
};

static cb_status read_said(const json_t *doc, fit_verdict *v, cb_err *err) {
  const json_t *said;
  v->direction = v->load = FIT_NOT_KNOWN;
  CB_TRY(lab_fields_object(doc, "verdict", &said, err));
  CB_TRY(read_test(said, "wear", "percent_over_runs", &v->wear.test, err));
  return lab_fields_read(said_fields, LAB_N(said_fields), said, v, err);
}

/* What the authors' rules and the tests find in the kinetic forces. */
static json_t *kinetic_json(const lab_friction *f) {
  const fit_verdict *v = &f->verdict;
  json_t *linear = isnan(v->nonlinearity_percent) ? json_null() : json_boolean(v->linear);
  json_t *o = json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "isotropic", v->isotropic,
                        "anisotropy_percent", cb_json_real(v->anisotropy_percent), "linear", linear,
                        "nonlinearity_percent", nonlinearity_json(v), "power_law", power_json(v), "mean_mu",
                        mean_mu_json(v), "mean_mu_normal_force_N", cb_json_real(v->fixed_load_N), "tests",
                        tests_json(v), "speed", speed_json(&f->speed));
  if (!o || !f->kinetic.has_far) return o;
  json_t *said = lab_fields_json(said_fields, LAB_N(said_fields), v);
  if (said && json_object_set_new(said, "wear", test_json(&v->wear.test, "percent_over_runs")) == 0 &&
      json_object_set(o, "verdict", said) == 0) {
    json_decref(said);
    return o;
  }
  json_decref(said);
  json_decref(o);
  return NULL;
}

static const lab_field rule_fields[] = {
    LAB_KEY(LAB_TRUTH, fit_verdict, isotropic, "isotropic"),
    LAB_KEY(LAB_REAL, fit_verdict, anisotropy_percent, "anisotropy_percent"),
    LAB_KEY(LAB_TRUTH, fit_verdict, linear, "linear"),
    LAB_KEY(LAB_REAL, fit_verdict, fixed_load_N, "mean_mu_normal_force_N"),
};
static const lab_field body_field = LAB_KEY(LAB_REAL, lab_friction, body_angle_deg, "body_angle_deg");

static cb_status read_kinetic(const json_t *doc, lab_friction *f, cb_err *err) {
  CB_TRY(lab_fields_read(rule_fields, LAB_N(rule_fields), doc, &f->verdict, err));
  CB_TRY(read_angles(doc, &f->verdict, err));
  CB_TRY(read_tests(doc, f, err));
  CB_TRY(read_said(doc, &f->verdict, err));
  CB_TRY(read_speed(doc, &f->speed, err));
  CB_TRY(lab_fields_read(&body_field, 1, doc, f, err));
  return lab_pooled_read(doc, &f->pooled, err);
}

json_t *lab_friction_verdicts_json(const lab_friction *f, cb_friction_kind kind) {
  bool kinetic = kind == CB_FRICTION_KINETIC;
  json_t *o = kinetic ? kinetic_json(f) : json_object();
  bool made = o && add_force(o, kinetic ? &f->kinetic : &f->stat);
  if (made && kinetic && !isnan(f->body_angle_deg))
    made = json_object_set_new(o, "body_angle_deg", cb_json_real(f->body_angle_deg)) == 0;
  if (made && kinetic) made = lab_fields_join(o, lab_pooled_json(&f->pooled));
  if (made) return o;
  json_decref(o);
  return NULL;
}

/* All but the law. */
static void forget_verdicts(lab_friction *f, cb_friction_kind kind) {
  lab_friction_force *force = kind == CB_FRICTION_KINETIC ? &f->kinetic : &f->stat;
  *force = (lab_friction_force){.fit.law = force->fit.law};
  force->fit.law.kind = kind; /* the words name it */
  if (kind != CB_FRICTION_KINETIC) return;
  lab_pooled_clear(&f->pooled);
  f->verdict = (fit_verdict){.fixed_load_N = NAN,
                             .anisotropy_percent = NAN,
                             .nonlinearity_percent = NAN,
                             .found_anisotropy_percent = NAN,
                             .found_exponent = NAN,
                             .u95_exponent = NAN,
                             .wear.found_percent = NAN};
  f->speed = (fit_speed){.n_speeds = 0};
  f->has_tests = false;
}

cb_status lab_friction_verdicts_read(const char *text, cb_friction_kind kind, lab_friction *f, cb_err *err) {
  json_t *doc;
  forget_verdicts(f, kind);
  cb_status st = lab_fields_document(text, &doc, err);
  if (st == CB_OK) st = read_force(doc, kind == CB_FRICTION_KINETIC ? &f->kinetic : &f->stat, err);
  if (st == CB_OK && kind == CB_FRICTION_KINETIC) st = read_kinetic(doc, f, err);
  json_decref(doc);
  if (st == CB_OK) return CB_OK;
  forget_verdicts(f, kind);
  return cb_fail_in(err, st, "verdicts of a friction law");
}
