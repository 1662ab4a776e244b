/* Figures of the shear and compression tests of a cloth, out of their points; private to lab/. */
#ifndef LAB_CURVE_FIGURES_PARTS_H
#define LAB_CURVE_FIGURES_PARTS_H

#include "cb_store_material_test.h"
#include "fit_figures.h"

typedef struct lab_curve_figures {
  cb_material_test *tests; /* owned; by id */
  fit_figures *figures;    /* owned; one per test */
  size_t n;
} lab_curve_figures;

/* Reads and reduces the tests of a cloth of that kind; origin: a cb_origin, to take only its tests, or -1.
 * Without tests n is 0. The caller calls lab_curve_figures_clear, even after an error. */
CB_CHECKED cb_status lab_curve_figures_load(cb_store *s, int64_t material_id, cb_test_kind kind, int origin,
                                            lab_curve_figures *out, cb_err *err);
void lab_curve_figures_clear(lab_curve_figures *c);

/* The mean of a figure (index in fit_figure_names) over the tests that are like one of them in direction and
 * origin; over all tests if like is NULL. */
CB_CHECKED cb_status lab_curve_figures_mean(const lab_curve_figures *c, const cb_material_test *like,
                                            size_t figure, fit_figure_mean *out, cb_err *err);
bool lab_curve_figures_alike(const cb_material_test *a, const cb_material_test *b);

#endif
