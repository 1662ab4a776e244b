/* clothbench fit stretch: load-extension tests of a cloth -> its law of stretch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_test.h"
#include "cli_kind.h"
#include "cli_stretch.h"
#include "fit_stretch.h"

typedef struct request {
  const char *cloth, *db, *origin;
  fit_stretch_options opt;
  bool json;
} request;

/* ---- tests out of the store ---- */

typedef struct gathered {
  cb_material_test *tests;
  cb_test_point **points; /* one list per test */
  fit_stretch_input *inputs;
  size_t n;
} gathered;

static void gathered_clear(gathered *g) {
  for (size_t i = 0; g->points && i < g->n; i++) free(g->points[i]);
  free(g->points);
  free(g->inputs);
  free(g->tests);
}

static size_t keep_origin(cb_material_test *t, size_t n, const char *origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!origin || strcmp(cb_origin_names[t[i].origin], origin) == 0) t[kept++] = t[i];
  return kept;
}

static cb_status gather(const request *q, cb_store *s, int64_t material_id, gathered *g, cb_err *err) {
  *g = (gathered){.n = 0};
  CB_TRY(cb_store_tests(s, material_id, CB_TEST_STRETCH, &g->tests, &g->n, err));
  g->n = keep_origin(g->tests, g->n, q->origin);
  if (g->n == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: there are no %s%sstretch tests of '%s': 'clothbench import stretch' adds some",
                   cb_store_path(s), q->origin ? q->origin : "", q->origin ? " " : "", q->cloth);
  g->points = calloc(g->n, sizeof *g->points);
  g->inputs = calloc(g->n, sizeof *g->inputs);
  if (!g->points || !g->inputs) return cb_fail(err, CB_E_NOMEM, "no memory for %zu stretch tests", g->n);
  for (size_t i = 0; i < g->n; i++) {
    CB_TRY(cb_store_test_points(s, &g->tests[i], &g->points[i], &g->inputs[i].n, err));
    g->inputs[i].test = &g->tests[i];
    g->inputs[i].points = g->points[i];
  }
  return CB_OK;
}

/* ---- the document ---- */

static json_t *tests_json(const gathered *g, const fit_stretch_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < g->n; i++) {
    const cb_material_test *t = &g->tests[i];
    const fit_stretch_part *p = &r->parts[i];
    (void)json_array_append_new(
        list, json_pack("{s:I, s:s, s:o, s:i, s:s, s:I, s:f, s:f, s:I, s:I, s:f, s:f, s:f, s:I}", "test_id", (json_int_t)t->id, "specimen",
                        t->specimen, "direction_deg", cb_json_real(t->direction_deg), "repeat", t->repeat, "outcome",
                        fit_stretch_part_outcome_text[p->outcome], "cycles", (json_int_t)p->cycles, "slack_m", p->slack_m, "length_m",
                        p->length_m, "points_loading", (json_int_t)p->n_loading, "points_unloading", (json_int_t)p->n_unloading,
                        "strain_max", p->strain_max, "force_max_N_per_m", p->force_max_N_per_m, "scatter_N_per_m", p->scatter_N_per_m,
                        "outliers", (json_int_t)p->n_outliers));
  }
  return list;
}

static json_t *outliers_json(const gathered *g, const fit_stretch_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_outliers; i++) {
    const fit_stretch_outlier *o = &r->outliers[i];
    (void)json_array_append_new(list, json_pack("{s:I, s:I, s:f, s:f, s:f, s:f}", "test_id", (json_int_t)g->tests[o->test].id, "point",
                                                (json_int_t)o->point + 1, "displacement_m", o->displacement_m, "force_N", o->force_N,
                                                "residual_N", o->residual_N, "times_scatter", o->times));
  }
  return list;
}

static cb_status document(const gathered *g, const fit_stretch_result *r, json_t **doc, cb_err *err) {
  *doc = cb_stretch_json(&r->law);
  if (!*doc) return cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", r->law.cloth);
  CB_TRY(cli_stretch_derive(*doc, &r->law, r->tensor.strain, err));
  if (json_object_set_new(*doc, "tests", tests_json(g, r)) != 0 || json_object_set_new(*doc, "outliers", outliers_json(g, r)) != 0)
    return cb_fail(err, CB_E_NOMEM, "no memory for the tests of '%s'", r->law.cloth);
  return CB_OK;
}

/* ---- the readable table ---- */

static void print_kes(const json_t *kes) {
  printf("    at %.4g N/m: EMT %.2f %%, WT %.4g N m/m2, LT %.3f", cb_json_number(kes, "load_N_per_m"), 100 * cb_json_number(kes, "emt"),
         cb_json_number(kes, "wt_J_per_m2"), cb_json_number(kes, "lt"));
  if (!isnan(cb_json_number(kes, "rt")))
    printf(", RT %.1f %% (cycle to %.4g N/m)", 100 * cb_json_number(kes, "rt"), cb_json_number(kes, "rt_load_N_per_m"));
  printf("\n");
}

static void print_direction(const json_t *d) {
  const json_t *knots = json_object_get(d, "knots");
  size_t last = json_array_size(knots) - 1;
  double tests = cb_json_number(d, "n_tests");
  char count[64] = "one test (how another would differ is not known)";
  if (tests > 1) (void)snprintf(count, sizeof count, "%g tests", tests);
  printf("  %g deg, %s, to %.1f %%\n", cb_json_number(d, "angle_deg"), count, 100 * cb_json_number(json_array_get(knots, last), "strain"));
  printf("    %10s  %12s  %9s  %9s\n", "strain %", "force N/m", "u", "sd");
  for (size_t i = last / 4; i <= last && i > 0; i += last / 4) {
    const json_t *k = json_array_get(knots, i);
    printf("    %10.3f  %12.5g  %9.3g", 100 * cb_json_number(k, "strain"), cb_json_number(k, "force_N_per_m"),
           cb_json_number(k, "u_N_per_m"));
    if (!isnan(cb_json_number(k, "sd_N_per_m"))) printf("  %9.3g", cb_json_number(k, "sd_N_per_m"));
    printf("\n");
  }
  print_kes(json_object_get(d, "kes"));
  printf("    k1 e + k3 e^3: k1 = %.4g +- %.2g N/m, k3 = %.4g +- %.2g N/m, misfit %.1f %%\n", cb_json_number(d, "k1_N_per_m"),
         cb_json_number(d, "u_k1_N_per_m"), cb_json_number(d, "k3_N_per_m"), cb_json_number(d, "u_k3_N_per_m"),
         100 * cb_json_number(d, "cubic_misfit_rel"));
}

static void print_form(const char *name, const json_t *m) {
  if (!json_is_object(m)) return;
  printf("    %-6s  E1 = %.4g +- %.2g, E2 = %.4g +- %.2g N/m, cross term %.4g +- %.2g m/N", name, cb_json_number(m, "e1_N_per_m"),
         cb_json_number(m, "u_e1_N_per_m"), cb_json_number(m, "e2_N_per_m"), cb_json_number(m, "u_e2_N_per_m"),
         cb_json_number(m, "cross_m_per_N"), cb_json_number(m, "u_cross_m_per_N"));
  if (!isnan(cb_json_number(m, "rms_misfit_rel"))) printf(", misfit %.1f %%", 100 * cb_json_number(m, "rms_misfit_rel"));
  printf("\n");
}

static void print_moduli(json_t *doc) {
  const json_t *m = json_object_get(doc, "moduli"), *tensor = json_object_get(m, "tensor");
  if (!json_is_object(tensor)) {
    printf("  other directions: not known (0, 90 and one between them would tell)\n");
    return;
  }
  printf("  secant moduli at %.3g %%%s; other directions by the form '%s' (%s)\n", 100 * cb_json_number(m, "strain"),
         json_is_true(json_object_get(tensor, "inside_measured_range")) ? "" : ", outside the measured strains",
         json_string_value(json_object_get(doc, "form")),
         json_is_true(json_object_get(doc, "form_tested")) ? "it fits better" : "from the strips' shape");
  print_form("tensor", tensor);
  print_form("strip", json_object_get(m, "strip"));
  printf("    G12 = %.4g N/m if nu12 = 0, %.4g N/m if nu12 = 0.5\n", cb_json_number(tensor, "g12_N_per_m_if_nu12_0"),
         cb_json_number(tensor, "g12_N_per_m_if_nu12_0.5"));
}

static void print_tests(json_t *doc) {
  size_t i;
  json_t *t;
  json_array_foreach(json_object_get(doc, "tests"), i, t) {
    const char *outcome = json_string_value(json_object_get(t, "outcome")), *specimen = json_string_value(json_object_get(t, "specimen"));
    double outliers = cb_json_number(t, "outliers");
    if (strcmp(outcome, fit_stretch_part_outcome_text[FIT_STRETCH_PART_OK]) != 0)
      printf("  test %g%s%s left out: %s\n", cb_json_number(t, "test_id"), specimen[0] ? " of " : "", specimen, outcome);
    else if (outliers > 0)
      printf("  test %g: %g reading%s left out\n", cb_json_number(t, "test_id"), outliers, outliers > 1 ? "s" : "");
  }
}

static int show(const request *q, json_t *doc) {
  size_t i;
  json_t *d;
  if (q->json) return cli_print_json("fit", doc);
  printf("%s, stretch, %s\n", json_string_value(json_object_get(doc, "cloth")), json_string_value(json_object_get(doc, "origin")));
  json_array_foreach(json_object_get(doc, "directions"), i, d) print_direction(d);
  print_moduli(doc);
  print_tests(doc);
  json_decref(doc);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

/* ---- fit and store ---- */

static cb_status put_law(const request *q, cb_store *s, int64_t material_id, const gathered *g, const fit_stretch_result *r, json_t *doc,
                         cb_err *err) {
  cb_material_law row = {.material_id = material_id, .kind = CB_LAW_STRETCH, .origin = r->law.origin};
  int64_t *ids = calloc(g->n, sizeof *ids);
  size_t n = 0;
  row.result_json = cb_json_text(doc);
  cb_status st = ids && row.result_json ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", q->cloth);
  for (size_t i = 0; st == CB_OK && i < g->n; i++)
    if (r->parts[i].outcome == FIT_STRETCH_PART_OK) ids[n++] = g->tests[i].id;
  (void)snprintf(row.form, sizeof row.form, "curves, %s", cb_stretch_form_names[r->law.form]);
  (void)snprintf(row.method, sizeof row.method, "first loading branch; pre-tension %.4g N/m; local lines at %d knots, monotone",
                 q->opt.pretension_N_per_m, CB_STRETCH_MAX_KNOTS);
  if (st == CB_OK) st = cb_store_material_law_put(s, &row, ids, n, err);
  if (st == CB_OK && json_object_set_new(doc, "law_id", json_integer((json_int_t)row.id)) != 0)
    st = cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", q->cloth);
  free(row.result_json);
  free(ids);
  return st;
}

static int show_outcome(const request *q, fit_stretch_outcome outcome) {
  cli_say("fit", "%s: %s; no law was stored", q->cloth, fit_stretch_outcome_text[outcome]);
  if (q->json) (void)cli_print_json("fit", json_pack("{s:s, s:s}", "cloth", q->cloth, "outcome", fit_stretch_outcome_text[outcome]));
  return CLI_NEGATIVE;
}

static cb_status fit_all(const request *q, cb_store *s, fit_stretch_outcome *outcome, json_t **doc, cb_err *err) {
  cb_material m;
  gathered g;
  fit_stretch_result r = {.outcome = FIT_STRETCH_NO_CURVE};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  cb_status st = gather(q, s, m.id, &g, err);
  if (st == CB_OK) st = fit_stretch(g.inputs, g.n, &q->opt, &r, err);
  *outcome = r.outcome;
  (void)snprintf(r.law.cloth, sizeof r.law.cloth, "%s", q->cloth);
  if (st == CB_OK && r.outcome == FIT_STRETCH_OK) {
    st = document(&g, &r, doc, err);
    if (st == CB_OK) st = put_law(q, s, m.id, &g, &r, *doc, err);
  }
  fit_stretch_clear(&r);
  gathered_clear(&g);
  return st;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  json_t *doc = NULL;
  fit_stretch_outcome outcome = FIT_STRETCH_NO_CURVE;
  cb_status st = fit_all(q, s, &outcome, &doc, &err);
  if (st == CB_OK) return outcome == FIT_STRETCH_OK ? show(q, doc) : show_outcome(q, outcome);
  json_decref(doc);
  int code = cli_fail("fit", st, &err);
  if (st == CB_E_RANGE && !q->origin) cli_say("fit", "--origin measured, imported or virtual chooses one");
  return code;
}

/* A database that only holds laws. */
static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  cb_stretch_law law;
  char *text;
  cb_status st = cb_store_stretch(s, q->cloth, &law, &text, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  json_t *doc = cb_json_read(text);
  free(text);
  return show(q, doc);
}

int cli_fit_stretch(int argc, char **argv) {
  request q = {.opt = fit_stretch_options_default()};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "pretension-N-per-m",
       .kind = CLI_NUMBER,
       .value = &q.opt.pretension_N_per_m,
       .max = 1e5,
       .help = "strain and force count from there; else from no force"},
      {.name = "load-N-per-m",
       .kind = CLI_NUMBER,
       .value = &q.opt.load_N_per_m,
       .max = 1e6,
       .help = "of WT, LT, EMT; else 490 N/m or the tests' own peak"},
      {.name = "strain", .kind = CLI_NUMBER, .value = &q.opt.moduli_strain, .max = 10, .help = "of the moduli; else 0.02"},
      {.name = "origin", .kind = CLI_TEXT, .value = &q.origin, .help = "only tests that are measured, imported, virtual or simulated"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit stretch --cloth NAME [--pretension-N-per-m P] [--load-N-per-m L] [--strain E] [--origin ORIGIN] [--db FILE] "
                       "[--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  return cli_fit_origin_known(q.origin) ? cli_fit_run(q.db, show_stored, fit_and_store, &q) : CLI_USAGE;
}
