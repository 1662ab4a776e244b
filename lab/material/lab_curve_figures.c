#include "cb_store_material_test.h"
#include "lab_material_parts.h"

#include <math.h>
#include <stdlib.h>

static cb_status reduce_test(cb_store *s, const cb_material_test *t, fit_figures *out, cb_err *err) {
  cb_test_point *points;
  size_t n;
  CB_TRY(cb_store_test_points(s, t, &points, &n, err));
  const cb_status st = fit_figures_reduce(t, points, n, out, err);
  free(points);
  return st;
}

cb_status lab_curve_figures_load(cb_store *s, int64_t material_id, cb_test_kind kind, int origin,
                                 lab_curve_figures *out, cb_err *err) {
  size_t n;
  *out = (lab_curve_figures){.n = 0};
  CB_TRY(cb_store_tests(s, material_id, kind, &out->tests, &n, err));
  out->figures = calloc(n + 1, sizeof *out->figures);
  if (!out->figures) return cb_no_memory(err, "%zu %s tests", n, cb_test_kind_names[kind]);
  for (size_t i = 0; i < n; i++) {
    if (origin >= 0 && (int)out->tests[i].origin != origin) continue;
    out->tests[out->n] = out->tests[i];
    CB_TRY(reduce_test(s, &out->tests[out->n], &out->figures[out->n], err));
    out->n++;
  }
  return CB_OK;
}

void lab_curve_figures_clear(lab_curve_figures *c) {
  free(c->tests);
  free(c->figures);
  *c = (lab_curve_figures){.n = 0};
}

bool lab_curve_figures_alike(const cb_material_test *a, const cb_material_test *b) {
  const bool unknown = isnan(a->direction_deg) && isnan(b->direction_deg);
  return a->origin == b->origin && (unknown || a->direction_deg == b->direction_deg);
}

cb_status lab_curve_figures_mean(const lab_curve_figures *c, const cb_material_test *like, size_t figure,
                                 fit_figure_mean *out, cb_err *err) {
  fit_figure *list = calloc(c->n + 1, sizeof *list);
  size_t n = 0;
  if (!list) return cb_no_memory(err, "figures of %zu tests", c->n);
  for (size_t i = 0; i < c->n; i++)
    if (!like || lab_curve_figures_alike(&c->tests[i], like)) list[n++] = c->figures[i].of[figure];
  *out = fit_figures_mean(list, n);
  free(list);
  return CB_OK;
}
