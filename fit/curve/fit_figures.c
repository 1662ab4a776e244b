#include "fit_figures.h"

#include <math.h>

#include "fit_figures_impl.h"

const char *const fit_figures_defect_text[] = {
    [FIT_FIGURES_USED] = "used",
    [FIT_FIGURES_NO_WINDOW] = "the curve does not reach over 0.5 to 2.5 degrees, or 0.5 to 50 gf/cm2",
    [FIT_FIGURES_NOT_POSITIVE] = "the force does not grow with the angle, or the thickness does not fall",
};

const fit_figure_name *fit_figure_names(cb_test_kind kind) {
  static const fit_figure_name shear[] = {[FIT_SHEAR_G] = {"G", "N/m", "0.5 to 2.5 deg"},
                                          [FIT_SHEAR_2HG] = {"2HG", "N/m", "at 0.5 deg"},
                                          [FIT_SHEAR_2HG5] = {"2HG5", "N/m", "at 5 deg"},
                                          [FIT_SHEAR_FIGURES] = {NULL, NULL, NULL}},
                               compression[] = {[FIT_COMPRESSION_T0] = {"T0", "m", "at 0.5 gf/cm2"},
                                                [FIT_COMPRESSION_TM] = {"TM", "m", "at 50 gf/cm2"},
                                                [FIT_COMPRESSION_LC] = {"LC", "1", "to 50 gf/cm2"},
                                                [FIT_COMPRESSION_WC] = {"WC", "J/m2", "to 50 gf/cm2"},
                                                [FIT_COMPRESSION_RC] = {"RC", "1", "from 50 gf/cm2"},
                                                [FIT_COMPRESSION_FIGURES] = {NULL, NULL, NULL}};
  if (kind == CB_TEST_SHEAR) return shear;
  return kind == CB_TEST_COMPRESSION ? compression : NULL;
}

cb_status fit_figures_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                             fit_figures *out, cb_err *err) {
  *out = (fit_figures){.defect = FIT_FIGURES_NO_WINDOW};
  for (size_t i = 0; i < FIT_FIGURES_MAX; i++) out->of[i] = (fit_figure){NAN, NAN, 0};
  if (!fit_figure_names(t->kind))
    return cb_fail(err, CB_E_ARG, "a %s test: one of shear or compression was wanted",
                   cb_test_kind_names[t->kind]);
  for (size_t i = 0; i < n; i++)
    if (!isfinite(points[i].x) || !isfinite(points[i].y))
      return cb_fail(err, CB_E_NUM, "%s test '%s': point %zu is (%g, %g): finite numbers were wanted",
                     cb_test_kind_names[t->kind], t->specimen, i + 1, points[i].x, points[i].y);
  if (n < 3) return CB_OK;
  if (t->kind == CB_TEST_SHEAR) return fit_shear_reduce(t, points, n, out, err);
  fit_compression_reduce(t, points, n, out);
  return CB_OK;
}

static double square(double x) { return x * x; }

fit_figure_mean fit_figures_mean(const fit_figure *list, size_t n) {
  fit_figure_mean m = {0, 0, 0, NAN, NAN};
  double var = 0, own = 0, common = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(list[i].value)) continue;
    m.n++;
    m.value += list[i].value;
    own += square(list[i].u);
    common = fmax(common, list[i].u_rel_common);
  }
  const double count = (double)m.n;
  if (m.n == 0) return (fit_figure_mean){0, NAN, NAN, NAN, NAN};
  m.value /= count;
  own /= count * count;
  for (size_t i = 0; i < n; i++)
    if (!isnan(list[i].value)) var += square(list[i].value - m.value);
  if (m.n > 1) {
    m.dof = count - 1;
    m.sd = sqrt(var / m.dof);
    own = fmax(own, square(m.sd) / count);
  }
  m.u = hypot(sqrt(own), common * m.value);
  return m;
}
