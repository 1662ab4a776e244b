/* Inside the reduction of curves of shear and compression: one file for each. */
#ifndef FIT_FIGURES_IMPL_H
#define FIT_FIGURES_IMPL_H

#include "fit_figures.h"

/* out: all figures NAN. The points are finite. */
CB_CHECKED cb_status fit_shear_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                                      fit_figures *out, cb_err *err);
void fit_compression_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                            fit_figures *out);

#endif
