/* Curves of shear and of compression -> the figures that a KES-F sheet states of them.
 *
 * Shear (KES-FB1), both signs of the shear angle: G, slope of the loading branches over 0.5 to 2.5 degrees;
 * 2HG and 2HG5, distance of loading and unloading at 0.5 and 5 degrees. Compression (KES-FB3): T0 and TM,
 * thickness at 0.5 and 50 gf/cm2 on the way up; WC, work between them; LC = WC / (Pm (T0 - TM) / 2); RC, work
 * given back on the way down / WC. All of one layer.
 * Kawabata, The Standardization and Analysis of Hand Evaluation, 2nd ed., Textile Machinery Society of Japan,
 * Osaka 1980. docs/guide/import.md, "Shear and compression". SI units; G per radian. */
#ifndef FIT_FIGURES_H
#define FIT_FIGURES_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_material_test.h"

enum { FIT_SHEAR_G, FIT_SHEAR_2HG, FIT_SHEAR_2HG5, FIT_SHEAR_FIGURES };
enum {
  FIT_COMPRESSION_T0,
  FIT_COMPRESSION_TM,
  FIT_COMPRESSION_LC,
  FIT_COMPRESSION_WC,
  FIT_COMPRESSION_RC,
  FIT_COMPRESSION_FIGURES
};
#define FIT_FIGURES_MAX 5

typedef struct fit_figure_name {
  const char *name, *unit, *conditions;
} fit_figure_name;
/* Returns the names of the figures of a kind of test, ended by a name that is NULL; NULL for a kind without
 * figures. */
const fit_figure_name *fit_figure_names(cb_test_kind kind);

/* Why a test says nothing. */
typedef enum fit_figures_defect {
  FIT_FIGURES_USED,
  FIT_FIGURES_NO_WINDOW,   /* the curve does not cover what the first figure is read from */
  FIT_FIGURES_NOT_POSITIVE /* the force does not grow, or the thickness does not fall */
} fit_figures_defect;
extern const char *const fit_figures_defect_text[]; /* by fit_figures_defect */

typedef struct fit_figure {
  double value;        /* NAN: the curve does not show it */
  double u;            /* standard uncertainty of this test alone: scatter about the curve, last digit */
  double u_rel_common; /* relative, that all tests of the instrument share: calibration */
} fit_figure;

typedef struct fit_figures {
  fit_figures_defect defect;
  fit_figure of[FIT_FIGURES_MAX]; /* in the order of fit_figure_names; NAN with a defect */
} fit_figures;

/* Reduces one test of kind CB_TEST_SHEAR or CB_TEST_COMPRESSION. The same points give the same bits.
 * CB_E_NUM: a point is not finite. CB_E_ARG: another kind. CB_E_NOMEM. */
CB_CHECKED cb_status fit_figures_reduce(const cb_material_test *t, const cb_test_point *points, size_t n,
                                        fit_figures *out, cb_err *err);

typedef struct fit_figure_mean {
  size_t n;        /* tests that show the figure; 0: value is NAN */
  double value, u; /* standard uncertainty of the mean, all parts */
  double sd;       /* between the tests; NAN: one test */
  double dof;      /* n - 1; NAN: one test */
} fit_figure_mean;

/* The mean over tests that show the figure. Equal tests keep the uncertainty of a single one, by the square
 * root of their number. */
fit_figure_mean fit_figures_mean(const fit_figure *list, size_t n);

#endif
