#include "lab_friction_words.h"

#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"

/* The authors' figure where there is one, else the fitted one. */
static double anisotropy_percent(const fit_verdict *v) {
  return isnan(v->anisotropy_percent) ? v->isotropy.effect : v->anisotropy_percent;
}

char *lab_friction_direction_words(const fit_verdict *v, char out[LAB_WORDS]) {
  const double found = v->found_anisotropy_percent, percent = anisotropy_percent(v);
  if (v->direction == FIT_DIFFERENT)
    (void)snprintf(out, LAB_WORDS, "anisotropic: %.1f %% between directions", percent);
  else if (v->direction == FIT_ALIKE)
    (void)snprintf(out, LAB_WORDS,
                   "isotropic: %.1f %% between directions; more than %.1f %% would have been found", percent,
                   found);
  else if (!v->isotropy.done)
    (void)snprintf(out, LAB_WORDS, "not known whether isotropic: %s",
                   isnan(v->anisotropy_percent) ? "one direction only" : "no repeats");
  else if (isnan(found))
    (void)snprintf(out, LAB_WORDS, "not known whether isotropic: %.1f %% between directions may be chance",
                   percent);
  else
    (void)snprintf(
        out, LAB_WORDS,
        "not known whether isotropic: %.1f %% between directions may be chance; only more than %.1f %% "
        "would have been found",
        percent, found);
  return out;
}

char *lab_friction_load_words(const fit_verdict *v, char out[LAB_WORDS]) {
  const double n = v->linearity.effect, found = v->found_exponent;
  char text[CB_PLUS_MINUS];
  if (!v->linearity.done)
    (void)snprintf(out, LAB_WORDS, "not known whether linear in load: too few loads");
  else if (v->load == FIT_DIFFERENT && v->linearity.p_value < FIT_SAID_P)
    (void)snprintf(out, LAB_WORDS, "nonlinear in load: force ~ load^n, n = %s at 95 %%",
                   cb_plus_minus(n, v->u95_exponent, " +- ", text));
  else if (v->load == FIT_DIFFERENT)
    (void)snprintf(out, LAB_WORDS, "nonlinear in load: the coefficient changes from load to load");
  else if (isnan(found))
    (void)snprintf(out, LAB_WORDS, "not known whether linear in load");
  else
    (void)snprintf(
        out, LAB_WORDS,
        v->load == FIT_ALIKE
            ? "linear in load: an exponent below %.3f or above %.3f would have been found"
            : "not known whether linear in load: only an exponent below %.3f or above %.3f would have "
              "been found",
        1 - found, 1 + found);
  return out;
}

char *lab_friction_senses_words(const fit_verdict *v, char out[LAB_WORDS]) {
  const fit_test *t = &v->symmetry;
  out[0] = '\0';
  if (t->done && t->p_value < FIT_SAID_P)
    (void)snprintf(out, LAB_WORDS, "backward pulls differ from forward ones by %+.2g %%: the band holds both",
                   -t->effect);
  return out;
}

char *lab_friction_first_words(const fit_verdict *v, char out[LAB_WORDS]) {
  const fit_test *t = &v->first;
  out[0] = '\0';
  if (t->done && t->p_value < FIT_FIRST_P)
    (void)snprintf(
        out, LAB_WORDS,
        "the first pull of a cell is %.2g %% %s than the rest (p = %.1g): the law is between fresh "
        "cloth and cloth that was pulled before, and the band holds both; void the first pulls, or "
        "pull once before each cell",
        fabs(t->effect), t->effect > 0 ? "higher" : "lower", t->p_value);
  return out;
}

char *lab_friction_wear_words(const fit_verdict *v, char out[LAB_WORDS]) {
  const fit_test *t = &v->wear.test;
  out[0] = '\0';
  if (t->done && t->p_value < FIT_WEAR_P)
    (void)snprintf(out, LAB_WORDS,
                   "the force changes from run to run, by %+.2g %% over all runs: the band has it",
                   t->effect);
  else if (t->done)
    (void)snprintf(out, LAB_WORDS,
                   "no change from run to run is seen; more than %.2g %% over all runs would have been "
                   "found",
                   v->wear.found_percent);
  return out;
}

char *lab_friction_lack_words(const lab_friction_force *f, char out[LAB_WORDS]) {
  const fit_test *t = &f->fit.lack;
  out[0] = '\0';
  if (t->done && t->p_value < FIT_SAID_P)
    (void)snprintf(
        out, LAB_WORDS,
        "the %s law misses directions and loads by %.2g %% beyond their scatter (p = %.2g): the band has it",
        cb_friction_kind_names[f->fit.law.kind], t->effect, t->p_value);
  return out;
}

char *lab_friction_fault_words(const fit_outlier *o, char out[LAB_WORDS]) {
  out[0] = '\0';
  if (o->fault >= FIT_N_FAULTS) return out;
  const fit_fault_kind *kind = &fit_fault_kinds[o->fault];
  if (isnan(o->mass_off_kg))
    (void)snprintf(out, LAB_WORDS, "%s", kind->code);
  else
    (void)snprintf(out, LAB_WORDS,
                   o->mass_off_kg < 0 ? "%s: as if %.4g g were missing" : "%s: as if %.4g g more lay on it",
                   kind->code, 1e3 * fabs(o->mass_off_kg));
  return out;
}

char *lab_friction_far_words(const lab_friction_force *f, char out[LAB_FAR_WORDS]) {
  const size_t n = f->fit.n_far, listed = n < FIT_MAX_OUTLIERS ? n : FIT_MAX_OUTLIERS;
  out[0] = '\0';
  if (n == 0) return out;
  size_t used =
      (size_t)snprintf(out, LAB_FAR_WORDS, "%zu run%s beyond %g u of a single pull from the %s law: ", n,
                       n == 1 ? " lies" : "s lie", FIT_FAR_SIGMA, cb_friction_kind_names[f->fit.law.kind]);
  for (size_t i = 0; i < listed; i++) {
    const lab_outlier *o = &f->far[i];
    used += (size_t)snprintf(
        out + used, LAB_FAR_WORDS - used, "%srun %lld (%g deg, %.4g N: %+.1f u, %+.1f %%)", i ? ", " : "",
        (long long)o->run_id, o->angle_deg, o->normal_force_N, o->found.sigma, o->found.departure_percent);
  }
  if (n > listed) (void)snprintf(out + used, LAB_FAR_WORDS - used, " and %zu more", n - listed);
  return out;
}
