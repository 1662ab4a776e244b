/* Any numbers as a curve of shear or of compression: figures that are finite, with an uncertainty, or none.
 * First byte: the kind and the layers; then points as floats. */
#include <math.h>
#include <stdint.h>

#include "fit_figures.h"
#include "points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_POINTS = 512 };

static void check(const cb_material_test *t, const fit_figures *f) {
  const fit_figure_name *names = fit_figure_names(t->kind);
  if ((f->defect == FIT_FIGURES_USED) != (f->of[0].value > 0)) __builtin_trap();
  for (size_t i = 0; names[i].name; i++) {
    const fit_figure_mean m = fit_figures_mean(&f->of[i], 1);
    if (m.n == 0 && isnan(m.value)) continue;
    if (!isfinite(m.value) || !(m.u >= 0) || f->defect != FIT_FIGURES_USED) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_test_point points[MAX_POINTS];
  fit_figures f;
  cb_err err = {""};
  if (size < 1) return 0;
  const cb_material_test t = {.kind = data[0] & 1 ? CB_TEST_COMPRESSION : CB_TEST_SHEAR,
                              .layers = 1 + data[0] / 64,
                              .u_x_rel = 0.01,
                              .u_y_rel = 0.02,
                              .x_digit = 1e-3,
                              .y_digit = 1e-3};
  const size_t n = fuzz_points(data + 1, size - 1, points, MAX_POINTS);
  const cb_status st = fit_figures_reduce(&t, points, n, &f, &err);
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  if (st == CB_OK) check(&t, &f);
  return 0;
}
