/* Inside the reduction of curves of shear and compression: one file for each. */
#ifndef FIT_FIGURES_IMPL_H
#define FIT_FIGURES_IMPL_H

#include "fit_branch.h"
#include "fit_figures.h"

/* out: all figures NAN. The points are finite. */
CB_CHECKED cb_status fit_shear_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                                      fit_figures *out, cb_err *err);
void fit_compression_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                            fit_figures *out);

/* Finds the first way up, and the way down behind it; its to is its from if there is none. Returns false
 * without a way up. */
bool fit_compression_branches(const cb_test_point *points, size_t n, fit_branch *up, fit_branch *down);

#endif
