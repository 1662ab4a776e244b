/* What the runs tell in words. "Alike" is said only where the test would have found what matters: by the
 * authors' limits, 5 % between directions and 12.5 % over the loads. */
#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

const char *const fit_said_of_direction[] = {"not known", "isotropic", "anisotropic", NULL};
const char *const fit_said_of_load[] = {"not known", "linear", "nonlinear", NULL};

static bool rejects(const fit_test *t) { return t->done && t->p_value < FIT_SAID_P; }

/* ---- direction ---- */

static fit_said say_direction(const fit_verdict *v) {
  if (!v->isotropy.done) return FIT_NOT_KNOWN;
  if (rejects(&v->isotropy) || rejects(&v->fourth)) return FIT_DIFFERENT;
  const bool small =
      !(v->anisotropy_percent > FIT_ISOTROPIC_PERCENT) && v->isotropy.effect <= FIT_ISOTROPIC_PERCENT;
  return small && v->found_anisotropy_percent <= FIT_ISOTROPIC_PERCENT ? FIT_ALIKE : FIT_NOT_KNOWN;
}

/* ---- load ---- */

/* The best law that is proportional to the load leaves more of the cells than they scatter. */
static bool is_no_proportion(const fit_data *d, const fit_scatter *s, const fit_friction_law *f) {
  for (size_t i = 0; i < f->n_candidates; i++) {
    const fit_candidate *c = &f->candidates[i];
    if (c->model != CB_MODEL_COULOMB || c->n_parameters >= d->n_cells) continue;
    const double dof = (double)(d->n_cells - c->n_parameters);
    return cb_f_p_upper(c->chi2 / dof, dof, fit_scatter_dof(s)) < FIT_SAID_P;
  }
  return false;
}

/* The exponent's distance from 1 that changes mu so much from the least load to the largest. */
static double exponent_of(double percent, double load_ratio) {
  return log1p(percent / 100) / log(load_ratio);
}

static fit_said say_load(const fit_verdict *v, double load_ratio, bool proportional) {
  if (!v->linearity.done) return FIT_NOT_KNOWN;
  if (rejects(&v->linearity) || !proportional) return FIT_DIFFERENT;
  const double limit = exponent_of(FIT_LINEAR_PERCENT, load_ratio);
  const bool small =
      !(v->nonlinearity_percent > FIT_LINEAR_PERCENT) && fabs(v->linearity.effect - 1) <= limit;
  return small && v->found_exponent <= limit ? FIT_ALIKE : FIT_NOT_KNOWN;
}

void fit_verdict_say(fit_verdict *v, double load_ratio, bool proportional) {
  const fit_test *t = &v->linearity;
  v->found_exponent = v->u95_exponent = NAN;
  if (t->done && t->statistic != 0) {
    const double u = fabs((t->effect - 1) / t->statistic);
    v->u95_exponent = cb_student_t(0.95, t->dof2) * u;
    v->found_exponent = sqrt(cb_f_noncentrality(FIT_SAID_P, FIT_SAID_POWER, 1, t->dof2)) * u;
  }
  v->direction = say_direction(v);
  v->load = say_load(v, load_ratio, proportional);
}

void fit_say(const fit_data *d, const fit_scatter *s, const fit_friction_law *f, fit_verdict *v) {
  const double ratio = d->levels[d->n_levels - 1].normal_force_N / d->levels[0].normal_force_N;
  fit_verdict_say(v, ratio, !is_no_proportion(d, s, f));
}

/* ---- runs far from the law ---- */

/* Takes its place among those that are listed. */
static void list_far(fit_friction_law *f, fit_outlier far) {
  size_t at = f->n_far < FIT_MAX_OUTLIERS ? f->n_far : FIT_MAX_OUTLIERS;
  f->n_far++;
  while (at > 0 && fabs(f->far[at - 1].sigma) < fabs(far.sigma)) {
    if (at < FIT_MAX_OUTLIERS) f->far[at] = f->far[at - 1];
    at--;
  }
  if (at < FIT_MAX_OUTLIERS) f->far[at] = far;
}

void fit_far_of(const fit_data *d, const fit_scatter *s, fit_friction_law *f) {
  f->n_far = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    cb_friction_value v;
    cb_friction_law_eval(&f->law, c->angle_rad, d->levels[c->level].normal_force_N, &v);
    for (size_t i = c->first; i < c->first + c->n; i++) {
      const fit_datum *x = &d->data[i];
      const double off = x->force_N - v.force_N, u = hypot(x->u_force_N, s->rel * v.force_N);
      if (u > 0 && fabs(off) > FIT_FAR_SIGMA * u)
        list_far(f, (fit_outlier){.index = x->index,
                                  .sigma = off / u,
                                  .departure_percent = 100 * off / v.force_N,
                                  .p_value = NAN,
                                  .fault = FIT_N_FAULTS,
                                  .mass_off_kg = NAN});
    }
  }
}
