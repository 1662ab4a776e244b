#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_permeability_air.h"
#include "fit_nls.h"

/* ---- the shape: what the points of one specimen say of each other ---- */

typedef struct shape_fit {
  const fit_air *air;
  cb_permeability_form form;
} shape_fit;

/* Takes the weighted mean off. */
static void centre(double *x, const double *w, size_t n) {
  double sum = 0, sum_w = 0;
  for (size_t i = 0; i < n; i++) sum += w[i] * x[i], sum_w += w[i];
  for (size_t i = 0; i < n; i++) x[i] -= sum / sum_w;
}

static void shape_model(const void *context, const double *b, double *predicted, double *jacobian) {
  const shape_fit *s = context;
  const fit_air *a = s->air;
  for (size_t g = 0, k = 0; g < a->n_specimens; g++) {
    const fit_specimen *one = &a->specimens[g];
    if (!one->curve) continue;
    for (size_t i = 0; i < one->n; i++) {
      double d;
      predicted[k + i] = fit_air_curve(s->form, b[0], a->points[one->first + i].q, &d);
      if (jacobian) jacobian[k + i] = d;
    }
    centre(predicted + k, a->w + k, one->n);
    if (jacobian) centre(jacobian + k, a->w + k, one->n);
    k += one->n;
  }
}

static cb_status fit_shape(fit_air *a, cb_permeability_form form, fit_permeability_form *f, double *chi2,
                           cb_err *err) {
  static const double starts[] = {0, 0.3, 0.8};
  double start = f->fitted ? f->shape : starts[form];
  shape_fit s = {a, form};
  *f = (fit_permeability_form){.fitted = true, .aicc = NAN};
  if (form == CB_PERMEABILITY_DARCY) {
    double *h = calloc(a->n_curve, sizeof *h), none = 0;
    if (!h) return cb_no_memory(err, "%zu points", a->n_curve);
    shape_model(&s, &none, h, NULL);
    *chi2 = 0;
    for (size_t k = 0; k < a->n_curve; k++) *chi2 += a->w[k] * (a->y[k] - h[k]) * (a->y[k] - h[k]);
    free(h);
    return CB_OK;
  }
  fit_nls_problem q = {.n = a->n_curve,
                       .p = 1,
                       .model = shape_model,
                       .context = &s,
                       .y = a->y,
                       .w = a->w,
                       .w_is_1_over_u2 = true,
                       .start = &start};
  fit_nls_result r;
  CB_TRY(fit_nls(&q, &r, err));
  *chi2 = r.chi2;
  f->shape = r.b[0];
  f->u_shape = fit_nls_u(&r, 0);
  f->fitted =
      r.outcome == FIT_NLS_CONVERGED && f->shape > 0 && (form == CB_PERMEABILITY_POWER || f->shape <= 1);
  return CB_OK;
}

/* ---- scatter ---- */

/* Of one reading about the curve of its specimen; sets every weight. */
static cb_status find_scatter(fit_air *a, const fit_permeability_form *f, cb_permeability_form form,
                              fit_permeability_result *out, double *dof, cb_err *err) {
  double *e = malloc((a->n_curve + 1) * sizeof *e), *v = malloc((a->n_curve + 1) * sizeof *v), found = 0;
  cb_status st = e && v ? CB_OK : cb_no_memory(err, "%zu points", a->n_curve);
  *dof = (double)a->n_curve - (double)a->n_curves - (form != CB_PERMEABILITY_DARCY);
  if (st == CB_OK && *dof > 0) {
    shape_fit s = {a, form};
    size_t k = 0;
    shape_model(&s, &f->shape, e, NULL);
    for (size_t g = 0; g < a->n_specimens; g++)
      for (size_t i = a->specimens[g].first;
           a->specimens[g].curve && i < a->specimens[g].first + a->specimens[g].n; i++, k++)
        e[k] -= a->y[k], v[k] = a->points[i].digits;
    found = fit_air_excess(e, v, a->n_curve, *dof);
  }
  free(e);
  free(v);
  if (st != CB_OK) return st;
  *dof = fmax(*dof, 0);
  double var = fit_air_joined(found, FIT_AIR_SCATTER_SD, FIT_AIR_ASSUMED_DOF, dof, &out->scatter_assumed);
  out->scatter_sd = sqrt(var);
  fit_air_weigh(a, var);
  return CB_OK;
}

/* ---- what the form cannot say ---- */

#define BINS 32
#define BIN_LN 0.2 /* of the pressure, at least */

/* Departures of all curves from the form, by pressure, count as docs/method/misfit.md says. */
double fit_air_misfit_var(const fit_air *a, cb_permeability_form form, double shape) {
  const double width = fmax(BIN_LN, log(a->max_Pa / a->min_Pa) / (BINS - 1));
  double sum[BINS] = {0}, weight[BINS] = {0}, most = 0, n = 0,
         constants = 1 + (form != CB_PERMEABILITY_DARCY);
  for (size_t g = 0; g < a->n_specimens; g++) {
    const fit_specimen *one = &a->specimens[g];
    double y, h, d;
    if (!one->curve) continue;
    fit_air_means(a, one, form, shape, &y, &h, &d);
    for (size_t i = one->first; i < one->first + one->n; i++) {
      const fit_air_point *p = &a->points[i];
      const int bin = (int)(log(p->q * a->reference_Pa / a->min_Pa) / width + 1e-9);
      sum[bin] += p->w * (p->y - y - fit_air_curve(form, shape, p->q, &d) + h), weight[bin] += p->w;
    }
  }
  for (int i = 0; i < BINS; i++) {
    if (!(weight[i] > 0)) continue;
    n++, most = fmax(most, pow(sum[i] / weight[i], 2) - 1 / weight[i]);
  }
  return n > constants ? most / 3 * n / (n - constants) : 0;
}

/* ---- which form ---- */

static void compare_forms(const fit_air *a, const double chi2[3], fit_permeability_result *out) {
  double n = (double)a->n_curve;
  for (int i = 0; i < 3; i++) {
    fit_permeability_form *f = &out->forms[i];
    double k = (double)a->n_curves + (i != CB_PERMEABILITY_DARCY) + 1, most = (double)a->n_curves + 2;
    double sum_w = 0;
    for (size_t j = 0; j < a->n_curve; j++) sum_w += a->w[j];
    f->rms = sqrt(chi2[i] / sum_w);
    if (f->fitted && n - most - 1 > 0)
      f->aicc = n * log((chi2[i] + 1e-12) / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
  }
}

/* Best and second best; equal where there is no second. Too few points to compare: the power law, which holds
 * Darcy's as n = 1. */
static void choose_forms(const fit_permeability_form forms[3], cb_permeability_form *best,
                         cb_permeability_form *second) {
  *best = CB_PERMEABILITY_POWER;
  *second = forms[CB_PERMEABILITY_FORCHHEIMER].fitted ? CB_PERMEABILITY_FORCHHEIMER : CB_PERMEABILITY_DARCY;
  if (isnan(forms[CB_PERMEABILITY_POWER].aicc)) return;
  *best = CB_PERMEABILITY_DARCY;
  for (int i = 1; i < 3; i++)
    if (forms[i].fitted && forms[i].aicc < forms[*best].aicc) *best = (cb_permeability_form)i;
  *second = *best;
  for (int i = 0; i < 3; i++)
    if (i != (int)*best && forms[i].fitted && (*second == *best || forms[i].aicc < forms[*second].aicc))
      *second = (cb_permeability_form)i;
}

static cb_status fit_forms(fit_air *a, fit_permeability_result *out, double chi2[3], cb_err *err) {
  for (int i = 0; i < 3; i++) CB_TRY(fit_shape(a, (cb_permeability_form)i, &out->forms[i], &chi2[i], err));
  return CB_OK;
}

/* The weights need the scatter, the scatter a curve, the curve weights: three rounds settle them. All forms
 * are compared under the same. */
cb_status fit_air_form(fit_air *a, fit_permeability_result *out, cb_permeability_form *best,
                       cb_permeability_form *second, double *dof, cb_err *err) {
  double chi2[3];
  fit_air_weigh(a, FIT_AIR_SCATTER_SD * FIT_AIR_SCATTER_SD);
  for (int round = 0; round < 3; round++) {
    CB_TRY(fit_forms(a, out, chi2, err));
    if (!out->forms[CB_PERMEABILITY_POWER].fitted) return CB_OK;
    compare_forms(a, chi2, out);
    choose_forms(out->forms, best, second);
    CB_TRY(find_scatter(a, &out->forms[*best], *best, out, dof, err));
  }
  double aicc[3];
  for (int i = 0; i < 3; i++) aicc[i] = out->forms[i].aicc;
  CB_TRY(fit_forms(a, out, chi2, err));
  compare_forms(a, chi2, out);
  for (int i = 0; i < 3; i++) out->forms[i].aicc = aicc[i];
  const fit_permeability_form *power = &out->forms[CB_PERMEABILITY_POWER];
  out->darcy_p = cb_t_p_two_sided(fabs(power->shape - 1) / power->u_shape, *dof);
  return CB_OK;
}
