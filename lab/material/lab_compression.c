/* Tests of compression out of the store -> laws into the store. */
#include "lab_compression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_array.h"
#include "cb_stats.h"
#include "cb_store_material_test.h"
#include "fit_figures.h"
#include "lab_law.h"

/* ---- the tests of one cloth ---- */

typedef struct gathered {
  cb_material_test *list; /* owned, as all */
  size_t n;
  fit_compression_test *tests; /* points owned */
  fit_figure *figures;         /* by figure, then by test */
  int64_t *ids;
  cb_origin origin; /* the weakest of them */
} gathered;

static void clear_gathered(gathered *g) {
  for (size_t i = 0; g->tests && i < g->n; i++) free((void *)g->tests[i].points);
  free(g->list);
  free(g->tests);
  free(g->figures);
  free(g->ids);
}

static cb_status load_test(cb_store *s, gathered *g, size_t i, cb_err *err) {
  cb_test_point *points;
  fit_compression_test *t = &g->tests[i];
  fit_figures f;
  t->test = &g->list[i];
  t->piece = lab_law_piece(g->list, i);
  g->ids[i] = g->list[i].id;
  CB_TRY(cb_store_test_points(s, t->test, &points, &t->n, err));
  t->points = points;
  CB_TRY(fit_figures_reduce(t->test, points, t->n, &f, err));
  for (size_t k = 0; k < FIT_COMPRESSION_FIGURES; k++) g->figures[k * g->n + i] = f.of[k];
  if (i == 0) g->origin = g->list[0].origin;
  return cb_origin_join(&g->origin, g->list[i].origin, err);
}

static cb_status gather_tests(cb_store *s, const cb_material *m, gathered *g, cb_err *err) {
  CB_TRY(cb_store_tests(s, m->id, CB_TEST_COMPRESSION, &g->list, &g->n, err));
  g->tests = calloc(g->n + 1, sizeof *g->tests);
  g->figures = calloc(FIT_COMPRESSION_FIGURES * g->n + 1, sizeof *g->figures);
  g->ids = calloc(g->n + 1, sizeof *g->ids);
  if (!g->tests || !g->figures || !g->ids) return cb_no_memory(err, "%zu tests", g->n);
  cb_status st = CB_OK;
  for (size_t i = 0; i < g->n && st == CB_OK; i++) st = load_test(s, g, i, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s: compression of '%s'", cb_store_path(s), m->name);
}

/* ---- fit and store ---- */

static fit_figure_mean mean_of(const gathered *g, size_t figure) {
  return fit_figures_mean(g->figures + figure * g->n, g->n);
}

static void set_law(const cb_material *m, const gathered *g, cb_compression_law *law) {
  const fit_figure_mean lc = mean_of(g, FIT_COMPRESSION_LC), wc = mean_of(g, FIT_COMPRESSION_WC),
                        rc = mean_of(g, FIT_COMPRESSION_RC);
  law->kes = (cb_compression_kes){lc.value, lc.u, wc.value, wc.u, rc.value, rc.u};
  law->origin = g->origin;
  (void)snprintf(law->material, sizeof law->material, "%s", m->name);
}

static cb_status put_law(cb_store *s, const cb_material *m, const gathered *g, const lab_compression *r,
                         cb_err *err) {
  cb_material_law row = {.material_id = m->id, .kind = CB_LAW_COMPRESSION, .origin = r->fit.law.origin};
  (void)snprintf(row.form, sizeof row.form, "knots");
  (void)snprintf(row.method, sizeof row.method, "ln T at common pressures, mean over pieces");
  return lab_law_put(s, &row, m->name, lab_compression_json(r), g->ids, g->n, err);
}

static cb_status fit_gathered(cb_store *s, const cb_material *m, const gathered *g, lab_compression *out,
                              cb_err *err) {
  CB_TRY(fit_compression(g->tests, g->n, &out->fit, err));
  if (out->fit.outcome != FIT_COMPRESSION_OK) return CB_OK;
  set_law(m, g, &out->fit.law);
  CB_TRY(cb_compression_law_check(&out->fit.law, err));
  return put_law(s, m, g, out, err);
}

typedef struct laws {
  lab_compression *list; /* owned */
  size_t n, capacity;
} laws;

static cb_status fit_tests(cb_store *s, const cb_material *m, const gathered *g, laws *q, cb_err *err) {
  lab_compression *grown = cb_array_grow(q->list, &q->capacity, q->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "the laws of %zu cloths", q->n + 1);
  q->list = grown;
  grown[q->n] = (lab_compression){.fit = {.n_tests = 0}};
  (void)snprintf(grown[q->n].material, sizeof grown->material, "%s", m->name);
  return fit_gathered(s, m, g, &grown[q->n++], err);
}

static cb_status fit_cloth(cb_store *s, const cb_material *m, void *context, cb_err *err) {
  gathered g = {.n = 0};
  cb_status st = gather_tests(s, m, &g, err);
  if (st == CB_OK && g.n > 0) st = fit_tests(s, m, &g, context, err);
  clear_gathered(&g);
  return st;
}

cb_status lab_compression_fit_all(cb_store *s, const char *cloth, lab_compression **list, size_t *n,
                                  cb_err *err) {
  laws q = {.list = NULL};
  cb_status st = lab_law_fit_cloths(s, cloth, fit_cloth, &q, err);
  if (st == CB_OK && q.n == 0)
    st = cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no tests of compression: 'clothbench import compression' adds some",
                 cb_store_path(s));
  if (st != CB_OK) {
    free(q.list);
    q = (laws){.list = NULL};
  }
  *list = q.list;
  *n = q.n;
  return st;
}

/* ---- what a law says ---- */

lab_compression_answer lab_compression_at(const cb_compression_law *law, double pressure_Pa, int layers) {
  cb_compression_value v;
  cb_compression_at_pressure(law, pressure_Pa, &v);
  const double thickness_m = layers * v.thickness_m, t = cb_student_t(0.95, v.dof), factor = exp(t * v.u_ln),
               piece = exp(t * v.u_ln_piece);
  return (lab_compression_answer){.layers = layers,
                                  .pressure_Pa = pressure_Pa,
                                  .thickness_m = thickness_m,
                                  .u_thickness_m = thickness_m * v.u_ln,
                                  .low_m = thickness_m / factor,
                                  .high_m = thickness_m * factor,
                                  .piece_low_m = thickness_m / piece,
                                  .piece_high_m = thickness_m * piece,
                                  .steepness = v.steepness,
                                  .dof = v.dof,
                                  .inside_measured_range = v.inside_measured_range};
}

/* ---- documents ---- */

static const lab_field answer_fields[] = {
    LAB_KEY(LAB_REAL, lab_compression_answer, pressure_Pa, "pressure_Pa"),
    LAB_KEY(LAB_REAL, lab_compression_answer, thickness_m, "thickness_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, u_thickness_m, "u_thickness_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, low_m, "low_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, high_m, "high_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, piece_low_m, "piece_low_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, piece_high_m, "piece_high_m"),
    LAB_KEY(LAB_REAL, lab_compression_answer, steepness, "steepness"),
    LAB_KEY(LAB_REAL, lab_compression_answer, dof, "dof"),
    LAB_KEY(LAB_TRUTH, lab_compression_answer, inside_measured_range, "inside_measured_range"),
};

json_t *lab_compression_answer_json(const cb_compression_law *law, const lab_compression_answer *a) {
  json_t *o = json_pack("{s:s, s:s, s:i}", "material", law->material, "origin", cb_origin_names[law->origin],
                        "layers", a->layers);
  return lab_whole(o, !lab_fields_join(o, lab_fields_json(answer_fields, LAB_N(answer_fields), a)));
}

static const lab_field fit_fields[] = {
    LAB_KEY(LAB_COUNT, lab_compression, fit.n_tests, "tests"),
    LAB_KEY(LAB_COUNT, lab_compression, fit.n_pieces, "pieces"),
    LAB_KEY(LAB_COUNT, lab_compression, fit.n_points, "points"),
    LAB_KEY(LAB_REAL, lab_compression, fit.misfit, "misfit_ln"),
    LAB_KEY(LAB_TRUTH, lab_compression, fit.sd_assumed, "specimen_sd_assumed"),
};

json_t *lab_compression_json(const lab_compression *r) {
  json_t *o = json_pack("{s:s, s:s}", "material", r->material, "outcome",
                        fit_compression_outcome_text[r->fit.outcome]);
  if (r->fit.outcome != FIT_COMPRESSION_OK) return o;
  int failed = LAB_SET(o, "origin", json_string(cb_origin_names[r->fit.law.origin]));
  failed |= !lab_fields_join(o, lab_fields_json(fit_fields, LAB_N(fit_fields), r));
  failed |= LAB_SET(o, "law", cb_compression_json(&r->fit.law));
  return lab_whole(o, failed);
}
