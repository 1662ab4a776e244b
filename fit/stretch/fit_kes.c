#include "fit_kes.h"

#include <math.h>
#include <stdio.h>

#include "fit_bending.h"
#include "fit_stretch_impl.h"

#define KNOTS FIT_STRETCH_DIAGONAL_KNOTS
#define DOF 1e9 /* the uncertainty is told, not estimated */

static const fit_kes_number nothing = {NAN, 0};

fit_kes fit_kes_unknown(void) {
  fit_kes k = {.load_N_per_m = FIT_KES_LOAD_N_PER_M, .strain_max = FIT_KES_STRAIN, .shear_N_per_m = nothing};
  for (int d = 0; d < 2; d++) {
    k.tensile[d] = (fit_kes_tensile){nothing, nothing, nothing, nothing, nothing};
    k.bending_Nm[d] = k.hysteresis_N[d] = nothing;
  }
  return k;
}

static bool has_tensile(const fit_kes_tensile *t) {
  const bool worked = isfinite(t->wt.value) && isfinite(t->lt.value);
  return isfinite(t->em.value) || isfinite(t->stiffness_N_per_m.value) || worked;
}

bool fit_kes_has_stretch(const fit_kes *k) {
  return has_tensile(&k->tensile[0]) && has_tensile(&k->tensile[1]);
}
bool fit_kes_has_bending(const fit_kes *k) {
  return isfinite(k->bending_Nm[0].value) && isfinite(k->bending_Nm[1].value);
}

/* ---- WT = LT Fm EM / 2 ---- */

#define AGREE 2 /* as many standard uncertainties of the difference */

static cb_status compare_work(const fit_kes *k, const fit_kes_tensile *t, cb_err *err) {
  const double told = t->wt.value, follows = t->lt.value * k->load_N_per_m * t->em.value / 2,
               u_told = told * t->wt.u_rel, u_follows = follows * hypot(t->lt.u_rel, t->em.u_rel);
  if (fabs(told - follows) <= AGREE * hypot(u_told, u_follows)) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "%s: WT = %.4g J/m2, u = %.2g, but LT Fm EM / 2 = %.4g J/m2, u = %.2g: agreement within "
                 "twice the uncertainty was wanted",
                 k->cloth, told, u_told, follows, u_follows);
}

/* The missing one of EM and LT. */
static cb_status replace(const fit_kes *k, const fit_kes_number *wt, const fit_kes_number *other,
                         const char *name, double min, double max, fit_kes_number *out, cb_err *err) {
  *out = (fit_kes_number){2 * wt->value / (k->load_N_per_m * other->value), hypot(wt->u_rel, other->u_rel)};
  if (out->value >= min && out->value <= max) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: WT = %.4g J/m2 makes %s = %.4g: %g to %g was wanted", k->cloth,
                 wt->value, name, out->value, min, max);
}

static cb_status complete(const fit_kes *k, fit_kes_tensile *t, cb_err *err) {
  const bool em = isfinite(t->em.value), lt = isfinite(t->lt.value);
  if (!isfinite(t->wt.value) || !(em || lt)) return CB_OK;
  if (em && lt) return compare_work(k, t, err);
  return em ? replace(k, &t->wt, &t->em, "LT", 0.05, 1.95, &t->lt, err)
            : replace(k, &t->wt, &t->lt, "EM", 1e-4, 10, &t->em, err);
}

/* ---- stretch ---- */

/* F = load (e / strain)^p to `strain`; u_rel of the force. */
typedef struct curve {
  double strain, load_N_per_m, p, u_rel;
} curve;

/* Without LT the curve is straight. A curve is off by its strain's uncertainty times its slope. */
static cb_status curve_of(const fit_kes *k, const fit_kes_tensile *t, curve *out, cb_err *err) {
  const double stiffness = t->stiffness_N_per_m.value, lt = isfinite(t->lt.value) ? t->lt.value : 1;
  if (!isfinite(t->em.value)) {
    *out = (curve){k->strain_max, stiffness * k->strain_max, 1, t->stiffness_N_per_m.u_rel};
    return CB_OK;
  }
  if (!(lt > 0 && lt < 2))
    return cb_fail(err, CB_E_RANGE, "%s: LT = %g: between 0 and 2 was wanted", k->cloth, lt);
  const double p = 2 / lt - 1;
  *out = (curve){t->em.value, k->load_N_per_m, p, p * t->em.u_rel};
  return CB_OK;
}

static double force_at(const curve *c, double e) { return c->load_N_per_m * pow(e / c->strain, c->p); }

static void fill_kes(const fit_kes *k, const fit_kes_tensile *t, cb_stretch_kes *out) {
  const double em = t->em.value, lt = t->lt.value, rt = t->rt.value;
  *out = (cb_stretch_kes){.load_N_per_m = isfinite(em) ? k->load_N_per_m : NAN,
                          .emt = em,
                          .u_emt = em * t->em.u_rel,
                          .wt_J_per_m2 = k->load_N_per_m * em * lt / 2,
                          .u_wt_J_per_m2 = NAN,
                          .lt = lt,
                          .u_lt = lt * t->lt.u_rel,
                          .rt = rt,
                          .u_rt = rt * t->rt.u_rel,
                          .rt_load_N_per_m = isfinite(rt) ? k->load_N_per_m : NAN};
  if (!isfinite(em) || !isfinite(t->wt.value)) return;
  out->wt_J_per_m2 = t->wt.value;
  out->u_wt_J_per_m2 = t->wt.value * t->wt.u_rel;
}

static void add_knot(cb_stretch_direction *d, double strain, double force, double u_rel) {
  d->knots[d->n_knots++] = (cb_stretch_knot){strain, force, u_rel * force, NAN};
}

static cb_stretch_direction tested(const fit_kes *k, double angle_deg, const fit_kes_tensile *t,
                                   const curve *c) {
  cb_stretch_direction d = {.angle_deg = angle_deg, .n_tests = 1, .dof = DOF};
  for (int i = 0; i < KNOTS; i++) {
    const double e = c->strain * i / (KNOTS - 1);
    add_knot(&d, e, force_at(c, e), c->u_rel);
  }
  fill_kes(k, t, &d.kes);
  fit_stretch_cubic_of(&d);
  return d;
}

/* As far as both directions reach. */
static cb_stretch_direction diagonal(const fit_kes *k, const curve c[2]) {
  cb_stretch_direction d = {.angle_deg = 45, .n_tests = 1, .dof = DOF};
  const double most = fmin(c[0].strain, c[1].strain);
  const fit_kes_tensile none = fit_kes_unknown().tensile[0];
  const fit_stretch_told shear = {k->shear_N_per_m.value, k->shear_N_per_m.u_rel};
  add_knot(&d, 0, 0, 0);
  for (int i = 1; i < KNOTS; i++) {
    const double e = most * i / (KNOTS - 1);
    d.knots[d.n_knots++] =
        fit_stretch_diagonal_knot(e, (fit_stretch_told){force_at(&c[0], e), c[0].u_rel},
                                  (fit_stretch_told){force_at(&c[1], e), c[1].u_rel}, shear);
  }
  fill_kes(k, &none, &d.kes);
  fit_stretch_cubic_of(&d);
  return d;
}

cb_status fit_kes_stretch(const fit_kes *sheet, cb_stretch_law *out, cb_err *err) {
  curve c[2];
  fit_kes whole = *sheet, *k = &whole;
  *out = (cb_stretch_law){.origin = CB_IMPORTED, .form = CB_STRETCH_TENSOR};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", k->cloth);
  for (int d = 0; d < 2; d++) CB_TRY(complete(k, &k->tensile[d], err));
  for (int d = 0; d < 2; d++) CB_TRY(curve_of(k, &k->tensile[d], &c[d], err));
  out->directions[out->n++] = tested(k, 0, &k->tensile[0], &c[0]);
  if (isfinite(k->shear_N_per_m.value)) out->directions[out->n++] = diagonal(k, c);
  out->directions[out->n++] = tested(k, 90, &k->tensile[1], &c[1]);
  return cb_stretch_law_check(out, err);
}

/* ---- bending ---- */

cb_status fit_kes_bending(const fit_kes *k, cb_bending_law *out, cb_err *err) {
  const double b[2] = {k->bending_Nm[0].value, k->bending_Nm[1].value}, mean = sqrt(b[0] * b[1]),
               H = mean * cb_bending_peirce_twist((log(b[0]) - log(b[1])) / 2);
  *out = (cb_bending_law){.form = CB_BENDING_ORTHOTROPIC,
                          .B_is = CB_BENDING_SLOPE,
                          .B_Nm = {b[0], H, b[1]},
                          .dof = DOF,
                          .curvature_per_m = 100,
                          .curvature_min_per_m = FIT_BENDING_KES_FROM_PER_M,
                          .curvature_max_per_m = FIT_BENDING_KES_TO_PER_M};
  out->cov_N2m2[1][1] = pow(CB_BENDING_U_TWIST * mean, 2);
  for (size_t d = 0; d < 2; d++) {
    const double u = b[d] * k->bending_Nm[d].u_rel;
    out->cov_N2m2[2 * d][2 * d] = u * u;
    out->width_N[d] = k->hysteresis_N[d].value;
    out->u_width_N[d] = k->hysteresis_N[d].value * k->hysteresis_N[d].u_rel;
  }
  return cb_bending_law_check(out, err);
}
