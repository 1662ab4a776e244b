/* clothbench fit bending: bending tests of a cloth -> its law of bending. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_law_json.h"
#include "cli_kind.h"
#include "fit_bending.h"

typedef struct request {
  const char *cloth, *db, *origin, *test;
  double areal_density_g_per_m2, u_rel_areal_density;
  bool json;
} request;

/* ---- tests out of the store ---- */

typedef struct gathered {
  cb_material_test *tests;   /* owned */
  fit_bending_input *inputs; /* owned, and their points */
  fit_bending_defect *why;   /* owned; of each test */
  size_t n;
} gathered;

static void gathered_clear(gathered *g) {
  for (size_t i = 0; g->inputs && i < g->n; i++) free((void *)(uintptr_t)g->inputs[i].points);
  free(g->inputs);
  free(g->why);
  free(g->tests);
}

static bool wanted(const request *q, const cb_material_test *t) {
  bool bends = t->kind == CB_TEST_CANTILEVER || t->kind == CB_TEST_BENDING_MOMENT;
  return bends && (!q->origin || strcmp(cb_origin_names[t->origin], q->origin) == 0) &&
         (!q->test || strcmp(cb_test_kind_names[t->kind], q->test) == 0);
}

static cb_status gather(const request *q, cb_store *s, const cb_material *m, gathered *g, cb_err *err) {
  size_t all;
  CB_TRY(cb_store_tests(s, m->id, -1, &g->tests, &all, err));
  for (size_t i = 0; i < all; i++)
    if (wanted(q, &g->tests[i])) g->tests[g->n++] = g->tests[i];
  if (g->n == 0)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: there are no %s%s%s tests of '%s': 'clothbench import cantilever' or 'bending-moment' adds some", cb_store_path(s),
                   q->origin ? q->origin : "", q->origin ? " " : "", q->test ? q->test : "bending", q->cloth);
  g->inputs = calloc(g->n, sizeof *g->inputs);
  g->why = calloc(g->n, sizeof *g->why);
  if (!g->inputs || !g->why) return cb_fail(err, CB_E_NOMEM, "no memory for %zu bending tests", g->n);
  for (size_t i = 0; i < g->n; i++) {
    cb_test_point *points;
    g->inputs[i].test = &g->tests[i];
    CB_TRY(cb_store_test_points(s, &g->tests[i], &points, &g->inputs[i].n, err));
    g->inputs[i].points = points;
  }
  return CB_OK;
}

/* ---- the document ---- */

static const char *basis(fit_basis b) { return fit_basis_names[b]; }

static json_t *test_json(const fit_test *t, const char *effect) {
  if (!t->done) return json_null();
  return json_pack("{s:f, s:o, s:f, s:f, s:f}", "statistic", t->statistic, "dof1", t->dof1 > 0 ? json_real(t->dof1) : json_null(), "dof2",
                   t->dof2, "p_value", t->p_value, effect, t->effect);
}

static json_t *directions_json(const fit_bending_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_directions; i++) {
    const fit_bending_direction *d = &r->directions[i];
    (void)json_array_append_new(
        list, json_pack("{s:o, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "angle_deg", cb_json_real(d->angle_deg), "specimens",
                        (json_int_t)d->n, "B_Nm", d->B_Nm, "u_B_Nm", d->u_B_Nm, "sd_Nm", cb_json_real(d->sd_Nm), "face_Nm",
                        cb_json_real(d->face_Nm), "back_Nm", cb_json_real(d->back_Nm), "peirce_Nm", cb_json_real(d->peirce_Nm),
                        "bending_length_m", cb_json_real(d->length_m), "width_N", cb_json_real(d->width_N), "u_width_N",
                        cb_json_real(d->u_width_N)));
  }
  return list;
}

static json_t *budget_json(const fit_bending_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_entries; i++) {
    const fit_bending_entry *e = &r->entries[i];
    char type[2] = {e->type, '\0'};
    (void)json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:o, s:b}", "name", e->name, "type", type, "u_rel", e->u_rel, "dof",
                                                cb_json_real(e->dof), "common", e->common));
  }
  return list;
}

static json_t *left_out_json(const fit_bending_result *r) {
  json_t *o = json_object();
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++)
    if (r->defects[d]) (void)json_object_set_new(o, fit_bending_defect_text[d], json_integer((json_int_t)r->defects[d]));
  return o;
}

/* What a simulator takes. */
static json_t *simulator_json(const cb_bending_law *law) {
  double D[3][3];
  cb_bending_wang w;
  cb_bending_shell(law, D);
  cb_bending_wang_of(law, &w);
  json_t *rows = json_array();
  for (int r = 0; r < CB_BENDING_WANG_ROWS; r++) {
    json_t *row = json_array();
    for (int k = 0; k < CB_BENDING_WANG_SAMPLES; k++) (void)json_array_append_new(row, json_real(w.ke_Nm[r][k]));
    (void)json_array_append_new(rows, row);
  }
  return json_pack("{s:{s:f, s:f, s:f, s:f}, s:o}", "shell", "D11_Nm", D[0][0], "D12_Nm", D[0][1], "D22_Nm", D[1][1], "D33_Nm", D[2][2],
                   "arcsim_bending_Nm", rows);
}

static json_t *document(const request *q, const gathered *g, const fit_bending_result *r) {
  json_t *aicc = json_object(), *law = cb_bending_json(&r->law);
  for (int f = 0; f < CB_BENDING_TABLE; f++) (void)json_object_set_new(aicc, cb_bending_form_names[f], cb_json_real(r->aicc[f]));
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:o, s:{s:f, s:f, s:s}, s:s, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o}", "cloth", q->cloth,
                   "test", cb_test_kind_names[g->tests[0].kind], "origin", cb_origin_names[r->origin], "law", law, "directions",
                   directions_json(r), "specimens", (json_int_t)r->n_specimens, "left_out", left_out_json(r), "scatter", "sd_rel",
                   r->scatter_rel, "dof", r->scatter_dof, "basis", basis(r->scatter_basis), "direction_basis", basis(r->direction_basis),
                   "aicc", aicc, "tests", "isotropy", test_json(&r->isotropy, "anisotropy_percent"), "sides",
                   test_json(&r->sides, "face_minus_back_percent"), "constancy", test_json(&r->constancy, "exponent"), "shape",
                   test_json(&r->shape, "variance_ratio"), "budget", budget_json(r), "simulator", simulator_json(&r->law));
}

/* ---- the readable table ---- */

/* Cloth bends with some 1e-7 to 1e-4 N m. */
static double micro(const json_t *o, const char *key) { return 1e6 * cb_json_number(o, key); }

static void print_direction(const json_t *d) {
  if (isnan(cb_json_number(d, "angle_deg")))
    printf("  direction not known: ");
  else
    printf("  %g deg: ", cb_json_number(d, "angle_deg"));
  printf("B = %.4g +- %.2g uN m, %g specimen%s", micro(d, "B_Nm"), micro(d, "u_B_Nm"), cb_json_number(d, "specimens"),
         cb_json_number(d, "specimens") > 1 ? "s" : "");
  if (!isnan(cb_json_number(d, "face_Nm")) && !isnan(cb_json_number(d, "back_Nm")))
    printf(", face %.4g, back %.4g", micro(d, "face_Nm"), micro(d, "back_Nm"));
  if (!isnan(cb_json_number(d, "bending_length_m")))
    printf(", bending length %.2f mm; by Peirce's formula %.4g", 1e3 * cb_json_number(d, "bending_length_m"), micro(d, "peirce_Nm"));
  if (!isnan(cb_json_number(d, "width_N")))
    printf(", 2HB = %.3g +- %.2g mN", 1e3 * cb_json_number(d, "width_N"), 1e3 * cb_json_number(d, "u_width_N"));
  printf("\n");
}

static void print_test(const json_t *doc, const char *name, const char *effect) {
  const json_t *t = json_object_get(json_object_get(doc, "tests"), name);
  if (!json_is_object(t))
    printf("  test of %-10s  not enough data\n", name);
  else
    printf("  test of %-10s  p = %.3g, %s = %.4g\n", name, cb_json_number(t, "p_value"), effect, cb_json_number(t, effect));
}

static void print_law(const json_t *doc) {
  const json_t *law = json_object_get(doc, "law"), *cov = json_object_get(law, "covariance_N2m2");
  double u[3];
  for (size_t i = 0; i < 3; i++) u[i] = 1e6 * sqrt(json_number_value(json_array_get(json_array_get(cov, i), i)));
  printf("  form %s: B1 = %.4g +- %.2g, H = %.4g +- %.2g, B2 = %.4g +- %.2g uN m, and %.2g %% that all share (%s for the direction)\n",
         json_string_value(json_object_get(law, "form")), micro(law, "B1_Nm"), u[0], micro(law, "H_Nm"), u[1], micro(law, "B2_Nm"), u[2],
         100 * cb_json_number(law, "u_rel_common"), json_string_value(json_object_get(doc, "direction_basis")));
  printf("  at a curvature of %.3g 1/m (%.3g to %.3g measured)", cb_json_number(law, "curvature_per_m"),
         cb_json_number(law, "curvature_min_per_m"), cb_json_number(law, "curvature_max_per_m"));
  if (cb_json_number(law, "exponent") != 0)
    printf(", B ~ curvature^%.2f +- %.2f", cb_json_number(law, "exponent"), cb_json_number(law, "u_exponent"));
  printf("\n");
}

static void print_table(json_t *doc) {
  size_t i;
  json_t *item, *count;
  const char *why;
  printf("%s, bending, %s, %s\n", json_string_value(json_object_get(doc, "cloth")), json_string_value(json_object_get(doc, "test")),
         json_string_value(json_object_get(doc, "origin")));
  json_array_foreach(json_object_get(doc, "directions"), i, item) print_direction(item);
  print_law(doc);
  print_test(doc, "isotropy", "anisotropy_percent");
  print_test(doc, "sides", "face_minus_back_percent");
  print_test(doc, "constancy", "exponent");
  print_test(doc, "shape", "variance_ratio");
  json_array_foreach(json_object_get(doc, "budget"), i, item)
      printf("  budget: %-13s  type %s  %.2f %%\n", json_string_value(json_object_get(item, "name")),
             json_string_value(json_object_get(item, "type")), 100 * cb_json_number(item, "u_rel"));
  json_object_foreach(json_object_get(doc, "left_out"), why, count) printf("  left out, %g: %s\n", json_number_value(count), why);
}

/* A table that was imported whole has none of a fit's figures. */
static int show(const request *q, json_t *doc) {
  if (q->json || !doc) return cli_print_json("fit", doc);
  if (json_is_array(json_object_get(doc, "directions")))
    print_table(doc);
  else
    printf("%s, bending: a law that was imported; 'clothbench predict bending' reads it\n", q->cloth);
  json_decref(doc);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

/* ---- fit and store ---- */

static cb_status put_law(const cb_material *m, const gathered *g, const fit_bending_options *opt, cb_store *s, json_t *doc,
                         const fit_bending_result *r, cb_err *err) {
  cb_material_law row = {.material_id = m->id, .kind = CB_LAW_BENDING, .origin = r->origin};
  int64_t *ids = calloc(g->n, sizeof *ids);
  size_t n = 0;
  row.result_json = cb_json_text(doc);
  cb_status st = ids && row.result_json ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", m->name);
  for (size_t i = 0; st == CB_OK && i < g->n; i++)
    if (g->why[i] == FIT_BENDING_USED) ids[n++] = g->tests[i].id;
  (void)snprintf(row.form, sizeof row.form, "%s", cb_bending_form_names[r->law.form]);
  fit_bending_method(g->tests[0].kind, opt, row.method);
  if (st == CB_OK) st = cb_store_material_law_put(s, &row, ids, n, err);
  if (st == CB_OK && json_object_set_new(doc, "law_id", json_integer((json_int_t)row.id)) != 0)
    st = cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", m->name);
  free(row.result_json);
  free(ids);
  return st;
}

/* Ran, but nothing could be fitted: an outcome, not an error. */
static int show_outcome(const request *q, const fit_bending_result *r) {
  cli_say("fit", "%s: %s; no law was stored", q->cloth, fit_bending_outcome_text[r->outcome]);
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++)
    if (r->defects[d]) cli_say("fit", "%zu test%s: %s", r->defects[d], r->defects[d] > 1 ? "s" : "", fit_bending_defect_text[d]);
  if (r->defects[FIT_BENDING_NO_DENSITY]) cli_say("fit", "--areal-density-g-per-m2 tells it");
  if (q->json)
    (void)cli_print_json("fit", json_pack("{s:s, s:s, s:o}", "cloth", q->cloth, "outcome", fit_bending_outcome_text[r->outcome], "left_out",
                                          left_out_json(r)));
  return CLI_NEGATIVE;
}

static cb_status fit_all(const request *q, cb_store *s, fit_bending_result *r, json_t **doc, cb_err *err) {
  cb_material m;
  gathered g = {.n = 0};
  fit_bending_options opt = fit_bending_options_default();
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  opt.areal_density_kg_per_m2 = q->areal_density_g_per_m2 > 0 ? 1e-3 * q->areal_density_g_per_m2 : m.areal_density_kg_per_m2;
  opt.u_rel_areal_density = q->u_rel_areal_density;
  cb_status st = gather(q, s, &m, &g, err);
  if (st == CB_OK) st = fit_bending(g.inputs, g.n, &opt, r, g.why, err);
  if (st == CB_OK && r->outcome == FIT_BENDING_OK) {
    *doc = document(q, &g, r);
    st = *doc ? put_law(&m, &g, &opt, s, *doc, r, err) : cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", q->cloth);
  }
  gathered_clear(&g);
  return st;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  json_t *doc = NULL;
  fit_bending_result r = {.outcome = FIT_BENDING_NO_DATA};
  cb_status st = fit_all(q, s, &r, &doc, &err);
  if (st == CB_OK) return r.outcome == FIT_BENDING_OK ? show(q, doc) : show_outcome(q, &r);
  json_decref(doc);
  int code = cli_fail("fit", st, &err);
  if (st == CB_E_RANGE) cli_say("fit", "--test cantilever or bending-moment and --origin measured, imported or virtual choose");
  return code;
}

/* A database that only holds laws. */
static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  cb_bending_law law;
  cb_material_law row;
  cb_status st = cb_store_bending(s, q->cloth, &law, &row, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  json_t *doc = cb_json_read(row.result_json);
  if (doc) (void)json_object_set_new(doc, "law_id", json_integer((json_int_t)row.id));
  free(row.result_json);
  return show(q, doc);
}

static bool known(const char *word, const char *const *names) {
  for (int i = 0; word && names[i]; i++)
    if (strcmp(word, names[i]) == 0) return true;
  return !word;
}

int cli_fit_bending(int argc, char **argv) {
  static const char *const kinds[] = {"cantilever", "bending-moment", NULL};
  request q = {.u_rel_areal_density = fit_bending_options_default().u_rel_areal_density};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "test", .kind = CLI_TEXT, .value = &q.test, .help = "only cantilever or only bending-moment tests"},
      {.name = "areal-density-g-per-m2",
       .kind = CLI_NUMBER,
       .value = &q.areal_density_g_per_m2,
       .min = 0.1,
       .max = 1e5,
       .help = "for cantilevers whose table does not tell it"},
      {.name = "u-rel-areal-density",
       .kind = CLI_NUMBER,
       .value = &q.u_rel_areal_density,
       .max = 1,
       .help = "its relative standard uncertainty; else 0.01"},
      {.name = "origin", .kind = CLI_TEXT, .value = &q.origin, .help = "only tests that are measured, imported, virtual or simulated"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit bending --cloth NAME [--test KIND] [--areal-density-g-per-m2 W] [--u-rel-areal-density U] [--origin ORIGIN] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (!cli_fit_origin_known(q.origin)) return CLI_USAGE;
  if (!known(q.test, kinds)) {
    cli_say("fit", "--test = '%s': cantilever or bending-moment was wanted", q.test);
    return CLI_USAGE;
  }
  return cli_fit_run(q.db, show_stored, fit_and_store, &q);
}
