/* Tests out of the store -> law into the store. */
#include "cb_store_material_test.h"
#include "lab_stretch_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_material_parts.h"
#include "lab_law.h"

/* ---- tests ---- */

void lab_stretch_tests_clear(lab_stretch_tests *g) {
  for (size_t i = 0; g->points && i < g->n; i++) free(g->points[i]);
  free(g->points);
  free(g->inputs);
  free(g->tests);
  *g = (lab_stretch_tests){.n = 0};
}

static size_t keep_origin(cb_material_test *t, size_t n, int origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (origin < 0 || (int)t[i].origin == origin) t[kept++] = t[i];
  return kept;
}

cb_status lab_stretch_gather(const lab_stretch_request *q, cb_store *s, int64_t material_id,
                             lab_stretch_tests *g, cb_err *err) {
  CB_TRY(cb_store_tests(s, material_id, CB_TEST_STRETCH, &g->tests, &g->n, err));
  g->n = keep_origin(g->tests, g->n, q->origin);
  if (g->n == 0)
    return lab_law_no_tests(s, q->origin, "stretch tests", q->cloth, "'clothbench import stretch'", err);
  g->points = calloc(g->n, sizeof *g->points);
  g->inputs = calloc(g->n, sizeof *g->inputs);
  if (!g->points || !g->inputs) return cb_no_memory(err, "%zu stretch tests", g->n);
  for (size_t i = 0; i < g->n; i++) {
    CB_TRY(cb_store_test_points(s, &g->tests[i], &g->points[i], &g->inputs[i].n, err));
    g->inputs[i].test = &g->tests[i];
    g->inputs[i].points = g->points[i];
  }
  return CB_OK;
}

/* ---- the result ---- */

static void tell_test(const cb_material_test *t, const fit_stretch_part *part, lab_stretch_test *out) {
  *out = (lab_stretch_test){
      .test_id = t->id, .direction_deg = t->direction_deg, .repeat = t->repeat, .part = *part};
  memcpy(out->specimen, t->specimen, sizeof out->specimen);
}

static cb_status tell_tests(const lab_stretch_tests *g, const fit_stretch_result *r, lab_stretch *out,
                            cb_err *err) {
  out->tests = calloc(g->n + 1, sizeof *out->tests);
  out->outliers = calloc(r->n_outliers + 1, sizeof *out->outliers);
  if (!out->tests || !out->outliers) return cb_no_memory(err, "the tests of '%s'", out->law.cloth);
  out->n_tests = g->n;
  out->n_outliers = r->n_outliers;
  for (size_t i = 0; i < g->n; i++) tell_test(&g->tests[i], &r->parts[i], &out->tests[i]);
  for (size_t i = 0; i < r->n_outliers; i++) {
    const fit_stretch_outlier *o = &r->outliers[i];
    out->outliers[i] = (lab_stretch_outlier){g->tests[o->test].id, o->point + 1,  o->displacement_m,
                                             o->force_N,           o->residual_N, o->times};
  }
  return CB_OK;
}

bool lab_stretch_pulled_before(const lab_stretch *r) {
  bool fresh = r->n_tests == 0;
  for (size_t i = 0; i < r->n_tests; i++)
    fresh = fresh || (r->tests[i].part.outcome == FIT_STRETCH_PART_OK && r->tests[i].repeat < 2);
  return !fresh;
}

static bool lies_in(const lab_stretch_test *t, double angle_deg) {
  return t->part.outcome == FIT_STRETCH_PART_OK &&
         fabs(cb_stretch_fold_deg(t->direction_deg) - angle_deg) < CB_STRETCH_SAME_DEG;
}

size_t lab_stretch_pieces(const lab_stretch *r, double angle_deg) {
  size_t pieces = 0;
  for (size_t i = 0; i < r->n_tests; i++) {
    const lab_stretch_test *t = &r->tests[i];
    bool seen = !lies_in(t, angle_deg);
    for (size_t k = 0; k < i && !seen && t->specimen[0]; k++)
      seen = lies_in(&r->tests[k], angle_deg) && strcmp(t->specimen, r->tests[k].specimen) == 0;
    pieces += !seen;
  }
  return pieces;
}

void lab_stretch_derive(lab_stretch *r) {
  cb_stretch_moduli_at(&r->law, CB_STRETCH_TENSOR, r->moduli_strain, &r->tensor);
  cb_stretch_moduli_at(&r->law, CB_STRETCH_STRIP, r->moduli_strain, &r->strip);
}

static cb_status tell_result(const lab_stretch_tests *g, const fit_stretch_options *opt,
                             const fit_stretch_result *r, lab_stretch *out, cb_err *err) {
  out->fitted = true;
  out->law = r->law;
  out->moduli_strain = r->tensor.strain;
  out->first = r->first;
  if (r->shear_used) {
    out->shear_tests = opt->shear_tests;
    out->shear_N_per_m = opt->shear_N_per_m;
    out->u_shear_N_per_m = opt->u_shear_N_per_m;
  }
  lab_stretch_derive(out);
  return tell_tests(g, r, out, err);
}

void lab_stretch_clear(lab_stretch *r) {
  free(r->tests);
  free(r->outliers);
  r->tests = NULL;
  r->outliers = NULL;
  r->n_tests = r->n_outliers = 0;
}

/* ---- shear tests ---- */

/* Their mean G goes into the options of the fit. */
static cb_status take_shear(const lab_stretch_request *q, cb_store *s, int64_t material_id,
                            lab_curve_figures *c, fit_stretch_options *opt, cb_err *err) {
  fit_figure_mean G;
  *opt = q->opt;
  CB_TRY(lab_curve_figures_load(s, material_id, CB_TEST_SHEAR, q->origin, c, err));
  CB_TRY(lab_curve_figures_mean(c, NULL, FIT_SHEAR_G, &G, err));
  if (G.n == 0) return CB_OK;
  opt->shear_N_per_m = G.value;
  opt->u_shear_N_per_m = G.u;
  opt->shear_dof = G.n > 1 ? G.dof : 0;
  opt->shear_tests = G.n;
  return CB_OK;
}

/* A law is as real as the least real of its tests. */
static cb_status join_origins(const lab_curve_figures *c, cb_origin *origin, cb_err *err) {
  for (size_t i = 0; i < c->n; i++) {
    if (c->figures[i].defect != FIT_FIGURES_USED) continue;
    const cb_status st = cb_origin_join(origin, c->tests[i].origin, err);
    if (st != CB_OK) return cb_fail_in(err, st, "shear test %lld", (long long)c->tests[i].id);
  }
  return CB_OK;
}

/* ---- fit and store ---- */

#define METHOD_BEFORE "first loading branch; pre-tension "

/* Writes the method text of a fit, and returns the pre-tension [N/m] in one; 0 if the text has none. */
static void method_of(const fit_stretch_options *opt, const lab_stretch *r, char out[160]) {
  (void)snprintf(out, 160, METHOD_BEFORE "%.4g N/m%s; local lines at %d knots, monotone%s",
                 opt->pretension_N_per_m, opt->raw_origin ? "; strain from the first reading" : "",
                 CB_STRETCH_MAX_KNOTS, lab_stretch_pulled_before(r) ? "; cloth that was pulled before" : "");
}

double lab_stretch_pretension(const char *method) {
  const size_t n = strlen(METHOD_BEFORE);
  const double v = strncmp(method, METHOD_BEFORE, n) == 0 ? strtod(method + n, NULL) : 0;
  return v > 0 && v < INFINITY ? v : 0;
}

static cb_status put_law(const lab_stretch_request *q, cb_store *s, int64_t material_id,
                         const lab_curve_figures *shear, lab_stretch *r, cb_err *err) {
  cb_material_law row = {.material_id = material_id, .kind = CB_LAW_STRETCH, .origin = r->law.origin};
  int64_t *ids = calloc(r->n_tests + shear->n + 1, sizeof *ids);
  size_t n = 0;
  if (!ids) return cb_no_memory(err, "the law of '%s'", q->cloth);
  for (size_t i = 0; i < r->n_tests; i++)
    if (r->tests[i].part.outcome == FIT_STRETCH_PART_OK) ids[n++] = r->tests[i].test_id;
  for (size_t i = 0; i < shear->n && r->shear_tests > 0; i++)
    if (shear->figures[i].defect == FIT_FIGURES_USED) ids[n++] = shear->tests[i].id;
  (void)snprintf(row.form, sizeof row.form, "curves, %s", cb_stretch_form_names[r->law.form]);
  method_of(&q->opt, r, row.method);
  cb_status st = lab_law_put(s, &row, q->cloth, lab_stretch_json(r), ids, n, err);
  r->law_id = row.id;
  free(ids);
  return st;
}

/* The law of gathered tests. */
static cb_status fit_gathered(cb_store *s, const lab_stretch_request *q, int64_t material_id,
                              const lab_stretch_tests *g, const fit_stretch_options *opt,
                              const lab_curve_figures *shear, lab_stretch *out, cb_err *err) {
  fit_stretch_result r = {.outcome = FIT_STRETCH_NO_CURVE};
  cb_status st = fit_stretch(g->inputs, g->n, opt, &r, err);
  out->outcome = r.outcome;
  (void)snprintf(r.law.cloth, sizeof r.law.cloth, "%s", q->cloth);
  if (st == CB_OK && r.shear_used) st = join_origins(shear, &r.law.origin, err);
  if (st == CB_OK && r.outcome == FIT_STRETCH_OK) {
    st = tell_result(g, opt, &r, out, err);
    if (st == CB_OK) st = put_law(q, s, material_id, shear, out, err);
  }
  fit_stretch_clear(&r);
  return st;
}

cb_status lab_stretch_fit(cb_store *s, const lab_stretch_request *q, lab_stretch *out, cb_err *err) {
  cb_material m;
  lab_stretch_tests g = {.n = 0};
  lab_curve_figures shear = {.n = 0};
  fit_stretch_options opt;
  *out = (lab_stretch){.outcome = FIT_STRETCH_NO_CURVE};
  (void)snprintf(out->law.cloth, sizeof out->law.cloth, "%s", q->cloth);
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  cb_status st = lab_stretch_gather(q, s, m.id, &g, err);
  if (st == CB_OK) st = take_shear(q, s, m.id, &shear, &opt, err);
  if (st == CB_OK) st = fit_gathered(s, q, m.id, &g, &opt, &shear, out, err);
  lab_curve_figures_clear(&shear);
  lab_stretch_tests_clear(&g);
  return st;
}

cb_status lab_stretch_stored(cb_store *s, const char *cloth, lab_stretch *out, cb_err *err) {
  cb_material_law row;
  *out = (lab_stretch){.law_id = 0};
  CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, cloth, &out->law, &row, err));
  cb_status st = lab_stretch_read(row.result_json, out, err);
  free(row.result_json);
  out->law.id = row.id;
  return st == CB_OK ? st : cb_fail_in(err, st, "%s: law S%lld", cb_store_path(s), (long long)row.id);
}
