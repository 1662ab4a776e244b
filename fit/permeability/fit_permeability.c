#include "fit_permeability.h"

#include <math.h>
#include <stdlib.h>

#include "fit_permeability_air.h"

const char *const fit_permeability_outcome_text[] = {
    "fitted", "there is no point with a pressure and a velocity", "no flow at any pressure",
    "the velocity does not rise with the pressure"};

/* ---- the level: what specimens say of the cloth ---- */

typedef struct level {
  double ln_velocity, var, by_shape, specimen_var, dof;
} level;

/* Each specimen's own level along the curve; d: its derivative by the shape. */
static void find_specimens(const fit_air *a, cb_permeability_form form, double shape,
                           fit_permeability_specimen *s, double *d) {
  for (size_t g = 0; g < a->n_specimens; g++) {
    const fit_specimen *one = &a->specimens[g];
    double y, h, w = 0, ln_q = 0;
    fit_air_means(a, one, form, shape, &y, &h, &d[g]);
    for (size_t i = one->first; i < one->first + one->n; i++)
      w += a->points[i].w, ln_q += log(a->points[i].q);
    s[g] =
        (fit_permeability_specimen){y - h, sqrt(1 / w), a->reference_Pa * exp(ln_q / (double)one->n), one->n};
  }
}

/* Random effects: the variance between specimens moves the weights, and they the mean, from equal weights
 * on. */
static double between(const fit_permeability_specimen *s, size_t m, double *e, double *v) {
  double found = 0, mean = 0;
  for (size_t g = 0; g < m; g++) mean += s[g].ln_velocity / (double)m;
  for (int round = 0; round < 20 && m > 1; round++) {
    for (size_t g = 0; g < m; g++) e[g] = s[g].ln_velocity - mean, v[g] = s[g].u * s[g].u;
    found = fit_air_excess(e, v, m, (double)m - 1);
    double sum = 0, sum_w = 0;
    for (size_t g = 0; g < m; g++) sum += s[g].ln_velocity / (found + v[g]), sum_w += 1 / (found + v[g]);
    mean = sum / sum_w;
  }
  return found;
}

static cb_status find_level(const fit_air *a, cb_permeability_form form, double shape,
                            fit_permeability_result *out, level *l, cb_err *err) {
  size_t m = a->n_specimens;
  double *e = malloc(m * sizeof *e), *v = malloc(m * sizeof *v), *d = malloc(m * sizeof *d), sum_w = 0;
  cb_status st = e && v && d ? CB_OK : cb_no_memory(err, "%zu specimens", m);
  if (st == CB_OK) {
    find_specimens(a, form, shape, out->specimens, d);
    *l = (level){.dof = (double)m - 1};
    l->specimen_var = fit_air_joined(between(out->specimens, m, e, v), FIT_AIR_SPECIMEN_SD,
                                     FIT_AIR_SPECIMEN_DOF, &l->dof, &out->specimen_sd_assumed);
    for (size_t g = 0; g < m; g++) {
      double w = 1 / (l->specimen_var + out->specimens[g].u * out->specimens[g].u);
      sum_w += w, l->ln_velocity += w * out->specimens[g].ln_velocity, l->by_shape -= w * d[g];
    }
    l->ln_velocity /= sum_w, l->by_shape /= sum_w, l->var = 1 / sum_w;
  }
  free(e);
  free(v);
  free(d);
  return st;
}

/* ---- the law ---- */

static cb_status build_law(const fit_air *a, cb_permeability_form best, cb_permeability_form second,
                           double dof_shape, fit_permeability_result *out, cb_err *err) {
  cb_permeability_law *law = &out->law;
  const fit_permeability_form *f = &out->forms[best], *other = &out->forms[second];
  level l;
  if (second != best) {
    CB_TRY(find_level(a, second, other->shape, out, &l, err));
    law->other = (cb_permeability_curve){second, exp(l.ln_velocity), other->shape};
    double likelihood = isnan(f->aicc) ? 1 : exp(-0.5 * (other->aicc - f->aicc));
    law->other_weight = likelihood / (1 + likelihood);
  }
  CB_TRY(find_level(a, best, f->shape, out, &l, err));
  law->curve = (cb_permeability_curve){best, exp(l.ln_velocity), f->shape};
  law->reference_Pa = a->reference_Pa;
  law->u_shape = f->u_shape;
  out->misfit_ln = sqrt(fit_air_misfit_var(a, best, f->shape));
  law->u_ln_level =
      sqrt(l.var + l.by_shape * l.by_shape * f->u_shape * f->u_shape + out->misfit_ln * out->misfit_ln);
  law->cov_level_shape = l.by_shape * f->u_shape * f->u_shape;
  law->dof_level = l.dof;
  law->dof_shape = fmax(dof_shape, 1);
  law->specimen_sd = sqrt(l.specimen_var);
  law->one_pressure = a->n_curves == 0;
  law->min_Pa = law->one_pressure ? a->reference_Pa : a->min_Pa;
  law->max_Pa = law->one_pressure ? a->reference_Pa : a->max_Pa;
  return CB_OK;
}

static cb_status fit_cloth(fit_air *a, fit_permeability_result *out, cb_err *err) {
  cb_permeability_form best = CB_PERMEABILITY_DARCY, second = best;
  double dof = FIT_AIR_ASSUMED_DOF;
  out->n_specimens = a->n_specimens;
  out->specimens = calloc(a->n_specimens, sizeof *out->specimens);
  if (!out->specimens) return cb_no_memory(err, "%zu specimens", a->n_specimens);
  if (a->n_curves > 0) {
    CB_TRY(fit_air_form(a, out, &best, &second, &dof, err));
    if (!out->forms[CB_PERMEABILITY_POWER].fitted) {
      out->outcome = FIT_PERMEABILITY_FALLING;
      return CB_OK;
    }
  } else {
    out->forms[CB_PERMEABILITY_DARCY].fitted = out->scatter_assumed = true;
    out->scatter_sd = FIT_AIR_SCATTER_SD;
    fit_air_weigh(a, FIT_AIR_SCATTER_SD * FIT_AIR_SCATTER_SD);
  }
  return build_law(a, best, second, dof, out, err);
}

cb_status fit_permeability(const fit_permeability_point *points, size_t n, double u_pressure_rel,
                           double u_velocity_rel, fit_permeability_result *out, cb_err *err) {
  *out = (fit_permeability_result){.outcome = FIT_PERMEABILITY_OK, .darcy_p = NAN};
  for (int i = 0; i < 3; i++) out->forms[i].aicc = NAN;
  fit_air a = {.points = NULL};
  cb_status st = fit_air_gather(&a, points, n, err);
  if (st == CB_OK) {
    out->n_points = a.n;
    out->n_zero = n - a.n;
    out->law.u_pressure_rel = u_pressure_rel;
    out->law.u_velocity_rel = u_velocity_rel;
    if (a.n == 0)
      out->outcome = n > 0 ? FIT_PERMEABILITY_NO_FLOW : FIT_PERMEABILITY_NO_POINTS;
    else
      st = fit_cloth(&a, out, err);
  }
  fit_air_clear(&a);
  return st;
}

cb_permeability_law fit_permeability_specimen_law(const fit_permeability_result *r, size_t i) {
  const fit_permeability_specimen *s = &r->specimens[i];
  cb_permeability_law law = r->law;
  law.u_ln_level = hypot(s->u, r->misfit_ln);
  law.cov_level_shape = 0;
  law.specimen_sd = 0;
  law.dof_level = law.dof_shape; /* both rest on the scatter of readings */
  law.curve.velocity_m_per_s = exp(s->ln_velocity);
  if (law.one_pressure) { /* Darcy's line through what was measured */
    law.curve.velocity_m_per_s *= s->pressure_Pa / law.reference_Pa;
    law.reference_Pa = law.min_Pa = law.max_Pa = s->pressure_Pa;
  }
  law.other.velocity_m_per_s *= exp(s->ln_velocity) / r->law.curve.velocity_m_per_s;
  return law;
}

void fit_permeability_clear(fit_permeability_result *r) {
  free(r->specimens);
  r->specimens = NULL;
}
