/* Tests out of the store -> law into the store. */
#include "cb_store_material_test.h"
#include "lab_bending_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_drape.h"
#include "lab_law.h"

/* ---- tests ---- */

typedef struct gathered {
  cb_material_test *tests;   /* owned */
  fit_bending_input *inputs; /* owned, and their points */
  fit_bending_defect *why;   /* owned; of each test */
  size_t n;
} gathered;

static void clear_gathered(gathered *g) {
  for (size_t i = 0; g->inputs && i < g->n; i++) free((void *)(uintptr_t)g->inputs[i].points);
  free(g->inputs);
  free(g->why);
  free(g->tests);
}

static bool wants_test(const lab_bending_request *q, const cb_material_test *t) {
  bool bends =
      t->kind == CB_TEST_CANTILEVER || t->kind == CB_TEST_BENDING_MOMENT || t->kind == CB_TEST_BUCKLING;
  return bends && (q->origin < 0 || (int)t->origin == q->origin) && (q->test < 0 || (int)t->kind == q->test);
}

static cb_status load_points(cb_store *s, gathered *g, cb_err *err) {
  for (size_t i = 0; i < g->n; i++) {
    cb_test_point *points;
    g->inputs[i].test = &g->tests[i];
    CB_TRY(cb_store_test_points(s, &g->tests[i], &points, &g->inputs[i].n, err));
    g->inputs[i].points = points;
  }
  return CB_OK;
}

static cb_status gather_tests(const lab_bending_request *q, cb_store *s, const cb_material *m, gathered *g,
                              cb_err *err) {
  size_t all;
  CB_TRY(cb_store_tests(s, m->id, -1, &g->tests, &all, err));
  for (size_t i = 0; i < all; i++)
    if (wants_test(q, &g->tests[i])) g->tests[g->n++] = g->tests[i];
  if (g->n == 0) {
    char tests[64];
    (void)snprintf(tests, sizeof tests, "%s tests", q->test >= 0 ? cb_test_kind_names[q->test] : "bending");
    return lab_law_no_tests(s, q->origin, tests, q->cloth,
                            "'clothbench import cantilever', 'bending-moment' or 'buckling'", err);
  }
  g->inputs = calloc(g->n, sizeof *g->inputs);
  g->why = calloc(g->n, sizeof *g->why);
  if (!g->inputs || !g->why) return cb_no_memory(err, "%zu bending tests", g->n);
  return load_points(s, g, err);
}

/* ---- fit and store ---- */

static cb_status put_law(cb_store *s, const cb_material *m, const gathered *g, const fit_bending_options *opt,
                         lab_bending *b, cb_err *err) {
  cb_material_law row = {.material_id = m->id, .kind = CB_LAW_BENDING, .origin = b->fit.origin};
  int64_t *ids = calloc(g->n, sizeof *ids);
  size_t n = 0;
  if (!ids) return cb_no_memory(err, "the law of '%s'", m->name);
  for (size_t i = 0; i < g->n; i++)
    if (g->why[i] == FIT_BENDING_USED) ids[n++] = g->tests[i].id;
  (void)snprintf(row.form, sizeof row.form, "%s", cb_bending_form_names[b->fit.law.form]);
  fit_bending_method(b->test, opt, row.method);
  cb_status st = lab_law_put(s, &row, m->name, lab_bending_json(b), ids, n, err);
  b->law_id = row.id;
  free(ids);
  return st;
}

cb_status lab_bending_fit(cb_store *s, const lab_bending_request *q, lab_bending *out, cb_err *err) {
  cb_material m;
  gathered g = {.n = 0};
  fit_bending_options opt = fit_bending_options_default();
  *out = (lab_bending){.fit = {.outcome = FIT_BENDING_NO_DATA}};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  memcpy(out->cloth, m.name, sizeof out->cloth);
  opt.areal_density_kg_per_m2 =
      q->areal_density_kg_per_m2 > 0 ? q->areal_density_kg_per_m2 : m.areal_density_kg_per_m2;
  opt.u_rel_areal_density = q->u_rel_areal_density;
  cb_status st = gather_tests(q, s, &m, &g, err);
  if (st == CB_OK) st = fit_bending(g.inputs, g.n, &opt, &out->fit, g.why, err);
  if (st == CB_OK) out->test = g.tests[0].kind;
  if (st == CB_OK && out->fit.outcome == FIT_BENDING_OK) st = put_law(s, &m, &g, &opt, out, err);
  clear_gathered(&g);
  return st;
}

cb_status lab_bending_stored(cb_store *s, const char *cloth, lab_bending *out, cb_err *err) {
  cb_bending_law law;
  cb_material_law row;
  *out = (lab_bending){.law_id = 0};
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, cloth, &law, &row, err));
  cb_status st = lab_bending_read(row.result_json, out, err);
  if (st != CB_OK) (void)cb_fail_in(err, st, "%s: law B%lld", cb_store_path(s), (long long)row.id);
  free(row.result_json);
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth);
  if (strncmp(row.method, LAB_DRAPE_METHOD, strlen(LAB_DRAPE_METHOD)) == 0) out->source = LAB_BENDING_DRAPES;
  out->law_id = row.id;
  return st;
}
