#include "fit_permeability_air.h"

#include <math.h>
#include <stdlib.h>

#define ENOUGH_DOF 3
/* Pressures, or velocities, that differ by less are one setting. */
#define ONE_SETTING 1.02

void fit_air_clear(fit_air *a) {
  free(a->points);
  free(a->specimens);
  free(a->y);
  free(a->w);
}

/* ---- points -> specimens ---- */

static cb_status check_point(const fit_permeability_point *p, size_t i, cb_err *err) {
  if (p->pressure_Pa > 0 && isfinite(p->pressure_Pa) && p->velocity_m_per_s >= 0 &&
      isfinite(p->velocity_m_per_s) && p->u_ln_pressure >= 0 && isfinite(p->u_ln_pressure) &&
      p->u_ln_velocity >= 0 && isfinite(p->u_ln_velocity))
    return CB_OK;
  return cb_fail(err, CB_E_NUM,
                 "point %zu: %g Pa, %g m/s, u %g and %g: a pressure above 0 and finite numbers of at least 0 "
                 "were wanted",
                 i, p->pressure_Pa, p->velocity_m_per_s, p->u_ln_pressure, p->u_ln_velocity);
}

static bool several_settings(const fit_permeability_point *p, size_t n) {
  double low_Pa = HUGE_VAL, high_Pa = 0, low = HUGE_VAL, high = 0;
  for (size_t i = 0; i < n; i++) {
    if (p[i].velocity_m_per_s == 0) continue;
    low_Pa = fmin(low_Pa, p[i].pressure_Pa), high_Pa = fmax(high_Pa, p[i].pressure_Pa);
    low = fmin(low, p[i].velocity_m_per_s), high = fmax(high, p[i].velocity_m_per_s);
  }
  return high_Pa > ONE_SETTING * low_Pa && high > ONE_SETTING * low;
}

static void take_test(fit_air *a, const fit_permeability_point *p, size_t n) {
  bool curve = several_settings(p, n), begun = false;
  for (size_t i = 0; i < n; i++) {
    if (p[i].velocity_m_per_s == 0) continue;
    if (!begun || !curve) a->specimens[a->n_specimens++] = (fit_specimen){.first = a->n, .curve = curve};
    begun = true;
    a->specimens[a->n_specimens - 1].n++;
    a->points[a->n++] = (fit_air_point){
        .q = p[i].pressure_Pa,
        .y = log(p[i].velocity_m_per_s),
        .digits = p[i].u_ln_velocity * p[i].u_ln_velocity + p[i].u_ln_pressure * p[i].u_ln_pressure};
  }
  if (begun && curve) a->n_curves++, a->n_curve += a->specimens[a->n_specimens - 1].n;
}

static void scale_pressures(fit_air *a) {
  double sum = 0;
  a->min_Pa = HUGE_VAL;
  for (size_t i = 0; i < a->n; i++) {
    sum += log(a->points[i].q);
    a->min_Pa = fmin(a->min_Pa, a->points[i].q), a->max_Pa = fmax(a->max_Pa, a->points[i].q);
  }
  a->reference_Pa = exp(sum / (double)a->n);
  for (size_t i = 0; i < a->n; i++) a->points[i].q /= a->reference_Pa;
}

cb_status fit_air_gather(fit_air *a, const fit_permeability_point *p, size_t n, cb_err *err) {
  for (size_t i = 0; i < n; i++) CB_TRY(check_point(&p[i], i, err));
  a->points = calloc(n + 1, sizeof *a->points);
  a->specimens = calloc(n + 1, sizeof *a->specimens);
  a->y = calloc(n + 1, sizeof *a->y);
  a->w = calloc(n + 1, sizeof *a->w);
  if (!a->points || !a->specimens || !a->y || !a->w) return cb_no_memory(err, "%zu points", n);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && p[end].test == p[i].test; end++) continue;
    take_test(a, p + i, end - i);
  }
  if (a->n > 0) scale_pressures(a);
  return CB_OK;
}

/* ---- one curve and its points ---- */

double fit_air_curve(cb_permeability_form form, double shape, double q, double *by_shape) {
  cb_permeability_curve c = {form, 1, shape};
  double w = cb_permeability_curve_velocity(&c, 1, q);
  *by_shape = form == CB_PERMEABILITY_DARCY ? 0 : cb_permeability_curve_by_shape(&c, w);
  return log(w);
}

void fit_air_means(const fit_air *a, const fit_specimen *one, cb_permeability_form form, double shape,
                   double *y, double *h, double *by_shape) {
  double sum = 0;
  *y = *h = *by_shape = 0;
  for (size_t i = one->first; i < one->first + one->n; i++) {
    const fit_air_point *p = &a->points[i];
    double d;
    *h += p->w * fit_air_curve(form, shape, p->q, &d);
    *by_shape += p->w * d;
    *y += p->w * p->y;
    sum += p->w;
  }
  *y /= sum, *h /= sum, *by_shape /= sum;
}

void fit_air_weigh(fit_air *a, double scatter_var) {
  size_t k = 0;
  for (size_t i = 0; i < a->n; i++) a->points[i].w = 1 / (scatter_var + a->points[i].digits + 1e-18);
  for (size_t g = 0; g < a->n_specimens; g++) {
    const fit_specimen *one = &a->specimens[g];
    if (!one->curve) continue;
    double y, h, by_shape;
    fit_air_means(a, one, CB_PERMEABILITY_DARCY, 0, &y, &h, &by_shape);
    for (size_t i = one->first; i < one->first + one->n; i++, k++) {
      a->y[k] = a->points[i].y - y;
      a->w[k] = a->points[i].w;
    }
  }
}

/* ---- scatter ---- */

double fit_air_excess(const double *e, const double *v, size_t n, double dof) {
  double low = 0, high = 0;
  for (size_t i = 0; i < n; i++) high += e[i] * e[i] / dof;
  for (int k = 0; k < 200 && high - low > 1e-12 * high; k++) {
    double middle = k == 0 ? 0 : 0.5 * (low + high), sum = 0;
    for (size_t i = 0; i < n; i++) sum += e[i] * e[i] / (middle + v[i] + 1e-18);
    if (sum > dof)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double fit_air_joined(double found, double assumed_sd, double assumed_dof, double *dof, bool *assumed) {
  *assumed = *dof < ENOUGH_DOF;
  if (!*assumed) return found;
  double var = (*dof * found + assumed_dof * assumed_sd * assumed_sd) / (*dof + assumed_dof);
  *dof += assumed_dof;
  return var;
}
