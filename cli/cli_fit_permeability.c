/* clothbench fit permeability: flow-against-pressure tests -> laws, of one cloth or of all that were tested. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_test.h"
#include "cli_kind.h"
#include "cb_law_json.h"
#include "fit_permeability.h"

typedef struct request {
  const char *cloth, *specimen, *db; /* NULL: all */
  bool json;
} request;

/* ---- the tests of one cloth ---- */

typedef struct tests {
  cb_material_test *list; /* owned */
  size_t n;
  cb_origin origin; /* the weakest of them */
  size_t *piece;    /* owned: see find_pieces */
  int64_t *ids;     /* owned: of the tests that are used */
  size_t n_ids;
  fit_permeability_point *points; /* owned */
  size_t n_points;
  double u_pressure_rel, u_velocity_rel;
} tests;

static void tests_clear(tests *t) {
  free(t->list);
  free(t->piece);
  free(t->ids);
  free(t->points);
}

static double u_digit(double digit, double value) { return value > 0 ? digit / sqrt(12) / value : 0; }

static cb_status add_points(cb_store *s, tests *t, size_t piece, size_t i, cb_err *err) {
  const cb_material_test *test = &t->list[i];
  cb_test_point *p = NULL;
  size_t n = 0;
  CB_TRY(cb_store_test_points(s, test, &p, &n, err));
  fit_permeability_point *grown = realloc(t->points, (t->n_points + n + 1) * sizeof *grown);
  if (!grown) {
    free(p);
    return cb_fail(err, CB_E_NOMEM, "no memory for %zu points", t->n_points + n);
  }
  t->points = grown;
  for (size_t k = 0; k < n; k++)
    t->points[t->n_points++] = (fit_permeability_point){.test = piece,
                                                        .pressure_Pa = p[k].x / test->layers,
                                                        .velocity_m_per_s = p[k].y,
                                                        .u_ln_pressure = u_digit(test->x_digit, p[k].x),
                                                        .u_ln_velocity = u_digit(test->y_digit, p[k].y)};
  free(p);
  t->ids[t->n_ids++] = test->id;
  t->u_pressure_rel = fmax(t->u_pressure_rel, test->u_x_rel);
  t->u_velocity_rel = fmax(t->u_velocity_rel, test->u_y_rel);
  return CB_OK;
}

/* Where the piece that each test is of was tested first: one piece stays one piece, however often it was tested. */
static void find_pieces(tests *t) {
  for (size_t i = 0; i < t->n; i++) {
    t->piece[i] = i;
    for (size_t k = 0; k < i && t->list[i].specimen[0] && t->piece[i] == i; k++)
      if (strcmp(t->list[k].specimen, t->list[i].specimen) == 0) t->piece[i] = k;
  }
}

static void keep_specimen(tests *t, const char *specimen) {
  size_t kept = 0;
  for (size_t i = 0; i < t->n; i++)
    if (!specimen || strcmp(specimen, t->list[i].specimen) == 0) t->list[kept++] = t->list[i];
  t->n = kept;
}

static cb_status gather(cb_store *s, const request *q, const cb_material *m, tests *t, cb_err *err) {
  *t = (tests){.n = 0};
  CB_TRY(cb_store_tests(s, m->id, CB_TEST_PERMEABILITY, &t->list, &t->n, err));
  keep_specimen(t, q->specimen);
  t->ids = malloc((t->n + 1) * sizeof *t->ids);
  t->piece = malloc((t->n + 1) * sizeof *t->piece);
  if (!t->ids || !t->piece) return cb_fail(err, CB_E_NOMEM, "no memory for %zu tests", t->n);
  if (t->n > 0) t->origin = t->list[0].origin;
  for (size_t i = 0; i < t->n; i++) {
    cb_status st = cb_origin_join(&t->origin, t->list[i].origin, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s: permeability of '%s'", cb_store_path(s), m->name);
  }
  find_pieces(t);
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = i; k < t->n && t->piece[i] == i; k++)
      if (t->piece[k] == i) CB_TRY(add_points(s, t, i, k, err));
  return CB_OK;
}

/* ---- the document ---- */

static cb_permeability_value at(const cb_permeability_law *law, double pressure_Pa) {
  cb_permeability_layer one = {law, 1};
  cb_permeability_value v;
  cb_permeability_at_pressure(&one, 1, pressure_Pa, &v);
  return v;
}

static json_t *kappa_json(const cb_permeability_law *law, double pressure_Pa) {
  cb_permeability_value v = at(law, pressure_Pa);
  double factor = cb_permeability_factor(v.u_ln_velocity, v.dof);
  return json_pack("{s:f, s:f, s:f, s:o, s:o, s:b}", "pressure_Pa", pressure_Pa, "kappa_m_per_s", v.velocity_m_per_s, "u_m_per_s",
                   v.velocity_m_per_s * v.u_ln_velocity, "low_m_per_s", cb_json_real(v.velocity_m_per_s / factor), "high_m_per_s",
                   cb_json_real(v.velocity_m_per_s * factor), "inside_measured_range", v.inside_measured_range);
}

/* The pressure at which a standard has cloth for clothing tested: ISO 9237:1995 (100 Pa; 200 Pa for industrial fabrics), ASTM D737-18
 * (125 Pa), BS 5636:1990 (10 mm of water, 98 Pa). */
static const struct standard {
  const char *name;
  double pressure_Pa;
} standards[] = {{"ISO 9237", 100}, {"ASTM D737", 125}, {"BS 5636", 98}};

static json_t *kappas_json(const cb_permeability_law *law, const char *method) {
  json_t *list = json_array();
  static const double usual[] = {100, 125, 200};
  for (size_t i = 0; i < 3; i++) (void)json_array_append_new(list, kappa_json(law, usual[i]));
  double own = law->one_pressure ? law->reference_Pa : 0;
  for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++)
    if (strncmp(method, standards[i].name, strlen(standards[i].name)) == 0) own = standards[i].pressure_Pa;
  if (own > 0 && own != 100 && own != 125 && own != 200) (void)json_array_append_new(list, kappa_json(law, own));
  return list;
}

static json_t *specimens_json(const fit_permeability_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_specimens; i++) {
    cb_permeability_law law = fit_permeability_specimen_law(r, i);
    json_t *one = json_pack("{s:I, s:f, s:o}", "points", (json_int_t)r->specimens[i].points, "pressure_Pa", r->specimens[i].pressure_Pa,
                            "at_100_Pa", kappa_json(&law, 100));
    (void)json_array_append_new(list, one);
  }
  return list;
}

static json_t *forms_json(const fit_permeability_result *r) {
  json_t *list = json_array();
  for (int i = 0; i < 3; i++)
    if (r->forms[i].fitted)
      (void)json_array_append_new(
          list, json_pack("{s:s, s:f, s:f, s:f, s:o}", "form", cb_permeability_form_names[i], "shape", r->forms[i].shape, "u_shape",
                          r->forms[i].u_shape, "rms_ln", r->forms[i].rms, "aicc", cb_json_real(r->forms[i].aicc)));
  return list;
}

/* R, S, c and n as textbooks write them; null where the form has none. */
static void put_parameters(json_t *doc, const cb_permeability_law *law) {
  const cb_permeability_curve *c = &law->curve;
  bool power = c->form == CB_PERMEABILITY_POWER, inertial = c->form == CB_PERMEABILITY_FORCHHEIMER;
  double v = c->velocity_m_per_s, p = law->reference_Pa;
  (void)json_object_set_new(doc, "R_Pa_s_per_m", cb_json_real(power ? NAN : (1 - c->shape) * p / v));
  (void)json_object_set_new(doc, "S_Pa_s2_per_m2", cb_json_real(inertial ? c->shape * p / (v * v) : NAN));
  (void)json_object_set_new(doc, "c_m_per_s", cb_json_real(power ? v * pow(p, -c->shape) : NAN));
  (void)json_object_set_new(doc, "n", cb_json_real(power ? c->shape : NAN));
}

static json_t *document(const cb_material *m, const tests *t, const fit_permeability_result *r) {
  const cb_permeability_law *law = &r->law;
  json_t *doc = json_pack("{s:s, s:s, s:s, s:s, s:o}", "material", m->name, "origin", cb_origin_names[law->origin], "outcome",
                          fit_permeability_outcome_text[r->outcome], "form", cb_permeability_form_names[law->curve.form], "runner_up",
                          law->other_weight > 0 ? json_string(cb_permeability_form_names[law->other.form]) : json_null());
  if (!doc) return NULL;
  put_parameters(doc, law);
  json_t *rest = json_pack("{s:b, s:o, s:I, s:I, s:I, s:I, s:f, s:b, s:f, s:b, s:o, s:o, s:o, s:o}", "assumed_form", law->one_pressure,
                           "darcy_p", cb_json_real(r->darcy_p), "tests", (json_int_t)t->n_ids, "points", (json_int_t)r->n_points,
                           "points_without_flow", (json_int_t)r->n_zero, "specimens_n", (json_int_t)r->n_specimens, "specimen_sd_rel",
                           law->specimen_sd, "specimen_sd_assumed", r->specimen_sd_assumed, "scatter_sd_rel", r->scatter_sd,
                           "scatter_assumed", r->scatter_assumed, "forms", forms_json(r), "kappa", kappas_json(law, t->list[0].method),
                           "specimens", specimens_json(r), "law", cb_permeability_json(law));
  (void)json_object_update(doc, rest);
  json_decref(rest);
  return doc;
}

static json_t *outcome_document(const cb_material *m, const fit_permeability_result *r) {
  return json_pack("{s:s, s:s}", "material", m->name, "outcome", fit_permeability_outcome_text[r->outcome]);
}

/* ---- one cloth ---- */

static cb_status put_law(cb_store *s, const cb_material *m, const tests *t, const fit_permeability_result *r, json_t *doc, cb_err *err) {
  cb_material_law law = {.material_id = m->id, .kind = CB_LAW_PERMEABILITY, .origin = r->law.origin};
  (void)snprintf(law.form, sizeof law.form, "%s", cb_permeability_form_names[r->law.curve.form]);
  (void)snprintf(law.method, sizeof law.method, "ln v: random effects of specimens; forms by AICc%s",
                 r->law.one_pressure ? "; one pressure: Darcy assumed" : "");
  law.result_json = cb_json_text(doc);
  if (!law.result_json) return cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", m->name);
  cb_status st = cb_store_material_law_put(s, &law, t->ids, t->n_ids, err);
  free(law.result_json);
  return st;
}

static cb_status fit_one(cb_store *s, const request *q, const cb_material *m, json_t *laws, bool *all_fitted, cb_err *err) {
  tests t;
  fit_permeability_result r = {.specimens = NULL};
  json_t *doc = NULL;
  cb_status st = gather(s, q, m, &t, err);
  if (st != CB_OK || (t.n_ids == 0 && !q->cloth)) goto done; /* of all cloths, those without a test are passed over */
  CB_GOTO(fit_permeability(t.points, t.n_points, t.u_pressure_rel, t.u_velocity_rel, &r, err));
  if (r.outcome == FIT_PERMEABILITY_OK) {
    (void)snprintf(r.law.material, sizeof r.law.material, "%s", m->name);
    r.law.origin = t.origin;
    CB_GOTO(cb_permeability_law_check(&r.law, err));
    doc = document(m, &t, &r);
    st = doc ? put_law(s, m, &t, &r, doc, err) : cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", m->name);
  } else {
    *all_fitted = false;
    doc = outcome_document(m, &r);
  }
  if (st == CB_OK) (void)json_array_append(laws, doc);
done:
  json_decref(doc);
  fit_permeability_clear(&r);
  tests_clear(&t);
  return st;
}

static cb_status fit_all(cb_store *s, const request *q, json_t *laws, bool *all_fitted, cb_err *err) {
  cb_material one, *list = &one;
  size_t n = 1;
  CB_TRY(q->cloth ? cb_store_material_find(s, CB_CLOTH, q->cloth, &one, err) : cb_store_materials(s, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    if (list[i].kind == CB_CLOTH) st = fit_one(s, q, &list[i], laws, all_fitted, err);
  if (list != &one) free(list);
  if (st == CB_OK && json_array_size(laws) == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: there are no tests of permeability%s%s%s: 'clothbench import permeability' adds some",
                   cb_store_path(s), q->specimen ? " of specimen '" : "", q->specimen ? q->specimen : "", q->specimen ? "'" : "");
  return st;
}

static cb_status fit_and_store(const request *q, json_t *laws, bool *all_fitted, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = fit_all(s, q, laws, all_fitted, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

/* ---- the readable table ---- */

static const char *text(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

static void print_kappa(const json_t *k) {
  printf("  %8.6g Pa  %10.4g mm/s  %9.4g  %9.4g ... %.4g%s\n", cb_json_number(k, "pressure_Pa"), 1e3 * cb_json_number(k, "kappa_m_per_s"),
         1e3 * cb_json_number(k, "u_m_per_s"), 1e3 * cb_json_number(k, "low_m_per_s"), 1e3 * cb_json_number(k, "high_m_per_s"),
         json_is_true(json_object_get(k, "inside_measured_range")) ? "" : "   extrapolated");
}

static void print_form(const json_t *doc) {
  const char *form = text(doc, "form"), *other = text(doc, "runner_up");
  if (strcmp(form, "power") == 0)
    printf("  power law: v = %.4g m/s (p / Pa)^%.4f\n", cb_json_number(doc, "c_m_per_s"), cb_json_number(doc, "n"));
  else
    printf("  %s: R = %.5g Pa s/m%s", strcmp(form, "darcy") == 0 ? "Darcy" : "Darcy-Forchheimer", cb_json_number(doc, "R_Pa_s_per_m"),
           json_is_null(json_object_get(doc, "S_Pa_s2_per_m2")) ? "\n" : "");
  if (!json_is_null(json_object_get(doc, "S_Pa_s2_per_m2"))) printf(", S = %.5g Pa s2/m2\n", cb_json_number(doc, "S_Pa_s2_per_m2"));
  if (json_is_true(json_object_get(doc, "assumed_form")))
    printf("  one pressure only: Darcy's line is assumed; the exponent may be anything from 0.5 to 1, and the uncertainty says so\n");
  else
    printf("  runner-up: %s; p of Darcy's line (n = 1): %.2g\n", other ? other : "none", cb_json_number(doc, "darcy_p"));
}

static void print_law(const json_t *doc) {
  printf("%s: ", text(doc, "material"));
  if (!json_object_get(doc, "law")) {
    printf("%s; no law was stored\n", text(doc, "outcome"));
    return;
  }
  printf("%g specimen%s, %g points (%s)\n", cb_json_number(doc, "specimens_n"), cb_json_number(doc, "specimens_n") == 1 ? "" : "s",
         cb_json_number(doc, "points"), text(doc, "origin"));
  print_form(doc);
  printf("  between specimens %.1f %%%s\n", 100 * cb_json_number(doc, "specimen_sd_rel"),
         json_is_true(json_object_get(doc, "specimen_sd_assumed")) ? " (partly assumed: too few of them)" : "");
  printf("  %8s     %15s  %9s  %s\n", "pressure", "kappa", "u", "95 %");
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(doc, "kappa"), i, item) print_kappa(item);
  if (cb_json_number(doc, "specimens_n") < 2) return;
  printf("  each specimen alone:\n");
  json_array_foreach(json_object_get(doc, "specimens"), i, item) print_kappa(json_object_get(item, "at_100_Pa"));
}

static int show(const request *q, json_t *laws, bool all_fitted) {
  int code = CLI_DONE;
  if (q->json) {
    code = cli_print_json("fit", json_pack("{s:O}", "laws", laws));
  } else {
    size_t i;
    json_t *doc;
    json_array_foreach(laws, i, doc) print_law(doc);
    if (fflush(stdout) != 0) code = CLI_FAILED;
  }
  return code == CLI_DONE && !all_fitted ? CLI_NEGATIVE : code;
}

int cli_fit_permeability(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name; else every cloth that was tested"},
      {.name = "specimen", .kind = CLI_TEXT, .value = &q.specimen, .help = "only tests whose specimen has this name"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit permeability [--cloth NAME] [--specimen NAME] [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  cb_err err = {""};
  bool all_fitted = true;
  json_t *laws = json_array();
  cb_status st = fit_and_store(&q, laws, &all_fitted, &err);
  int code = st == CB_OK ? show(&q, laws, all_fitted) : cli_fail("fit", st, &err);
  json_decref(laws);
  return code;
}
