#include "cb_plural.h"
#include "cb_stretch_law.h"

#include <math.h>

#include "cb_stretch_form.h"
#include "cb_stretch_impl.h"
#include "cb_uncertainty.h"

const char *const cb_stretch_form_names[] = {"tensor", "strip", NULL};
const char *const cb_stretch_basis_names[] = {"curve", "form", "table", "nothing", NULL};

/* ---- check ---- */

static cb_status check_knots(const cb_stretch_law *law, const cb_stretch_direction *d, cb_err *err) {
  if (d->n_knots < 2 || d->n_knots > CB_STRETCH_MAX_KNOTS)
    return cb_fail(err, CB_E_RANGE, "stretch law of %s at %g deg: %zu knot%s, 2 to %d are allowed",
                   law->cloth, d->angle_deg, d->n_knots, CB_S(d->n_knots), CB_STRETCH_MAX_KNOTS);
  if (d->knots[0].strain != 0 || d->knots[0].force_N_per_m != 0)
    return cb_fail(err, CB_E_RANGE,
                   "stretch law of %s at %g deg: the first knot is (%g, %g N/m): must be (0, 0)", law->cloth,
                   d->angle_deg, d->knots[0].strain, d->knots[0].force_N_per_m);
  for (size_t i = 1; i < d->n_knots; i++) {
    const cb_stretch_knot *a = &d->knots[i - 1], *b = &d->knots[i];
    bool rises = b->strain > a->strain && b->force_N_per_m >= a->force_N_per_m;
    if (!rises || !isfinite(b->strain) || !isfinite(b->force_N_per_m))
      return cb_fail(
          err, CB_E_RANGE,
          "stretch law of %s at %g deg: knot %zu (%g, %g N/m): strain must ascend, force must not fall",
          law->cloth, d->angle_deg, i, b->strain, b->force_N_per_m);
  }
  for (size_t i = 0; i < d->n_knots; i++) {
    const cb_stretch_knot *k = &d->knots[i];
    if (!(k->u_N_per_m >= 0) || k->sd_N_per_m < 0 || isinf(k->u_N_per_m) || isinf(k->sd_N_per_m))
      return cb_fail(err, CB_E_RANGE,
                     "stretch law of %s at %g deg: knot %zu: u = %g, sd = %g N/m: must be >= 0", law->cloth,
                     d->angle_deg, i, k->u_N_per_m, k->sd_N_per_m);
  }
  return d->knots[d->n_knots - 1].force_N_per_m > 0
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "stretch law of %s at %g deg: no force at any strain", law->cloth,
                       d->angle_deg);
}

static cb_status check_direction(const cb_stretch_law *law, size_t i, cb_err *err) {
  const cb_stretch_direction *d = &law->directions[i];
  if (!(d->angle_deg >= 0 && d->angle_deg <= 90) || (i > 0 && !(d->angle_deg > d[-1].angle_deg)))
    return cb_fail(err, CB_E_RANGE, "stretch law of %s: direction %g deg: must lie in 0 to 90 and ascend",
                   law->cloth, d->angle_deg);
  if (!(d->dof >= CB_DOF_MIN))
    return cb_fail(err, CB_E_RANGE, "stretch law of %s at %g deg: dof = %g: must be at least %g", law->cloth,
                   d->angle_deg, d->dof, CB_DOF_MIN);
  return check_knots(law, d, err);
}

cb_status cb_stretch_law_check(const cb_stretch_law *law, cb_err *err) {
  if (law->n > CB_STRETCH_MAX_DIRECTIONS || (law->n == 0 && !law->has_wang))
    return cb_fail(err, CB_E_RANGE, "stretch law of %s: %zu direction%s, 1 to %d are allowed", law->cloth,
                   law->n, CB_S(law->n), CB_STRETCH_MAX_DIRECTIONS);
  for (size_t i = 0; i < law->n; i++) CB_TRY(check_direction(law, i, err));
  if (!(law->u_force_rel >= 0) || !(law->u_strain_rel >= 0) || isinf(law->u_force_rel) ||
      isinf(law->u_strain_rel))
    return cb_fail(err, CB_E_RANGE, "stretch law of %s: u_rel of force %g, of strain %g: must be >= 0",
                   law->cloth, law->u_force_rel, law->u_strain_rel);
  return CB_OK;
}

/* ---- one direction ---- */

double cb_stretch_strain_max(const cb_stretch_direction *d) { return d->knots[d->n_knots - 1].strain; }

typedef struct span {
  double h, rise; /* length of a piece, and its slope */
} span;

static span span_of(const cb_stretch_direction *d, size_t i) {
  double h = d->knots[i + 1].strain - d->knots[i].strain;
  return (span){h, (d->knots[i + 1].force_N_per_m - d->knots[i].force_N_per_m) / h};
}

/* At an end: of the parabola through three knots, held within what keeps the piece monotone. */
static double end_slope(span at, span next) {
  double s = ((2 * at.h + next.h) * at.rise - at.h * next.rise) / (at.h + next.h);
  return fmin(fmax(s, 0), 3 * at.rise);
}

static double knot_slope(const cb_stretch_direction *d, size_t i) {
  size_t last = d->n_knots - 1;
  if (last == 1) return span_of(d, 0).rise;
  if (i == 0) return end_slope(span_of(d, 0), span_of(d, 1));
  if (i == last) return end_slope(span_of(d, last - 1), span_of(d, last - 2));
  span a = span_of(d, i - 1), b = span_of(d, i);
  if (!(a.rise > 0) || !(b.rise > 0)) return 0;
  return 3 * (a.h + b.h) / ((2 * b.h + a.h) / a.rise + (b.h + 2 * a.h) / b.rise);
}

static size_t piece_of(const cb_stretch_direction *d, double strain) {
  size_t i = 0;
  while (i + 2 < d->n_knots && d->knots[i + 1].strain <= strain) i++;
  return i;
}

double cb_stretch_curve(const cb_stretch_direction *d, double strain, double *slope_N_per_m) {
  double max = cb_stretch_strain_max(d), beyond = fmax(strain - max, 0);
  size_t i = piece_of(d, strain);
  span p = span_of(d, i);
  double m0 = knot_slope(d, i), m1 = knot_slope(d, i + 1);
  double x = fmin(strain, max) - d->knots[i].strain, t = x / p.h;
  double c2 = (3 * p.rise - 2 * m0 - m1), c3 = (m0 + m1 - 2 * p.rise);
  double slope = m0 + t * (2 * c2 + t * 3 * c3);
  if (slope_N_per_m) *slope_N_per_m = slope;
  return d->knots[i].force_N_per_m + x * (m0 + t * (c2 + t * c3)) + beyond * slope;
}

static double between(const cb_stretch_direction *d, double strain, bool sd) {
  size_t i = piece_of(d, strain);
  const cb_stretch_knot *a = &d->knots[i], *b = &d->knots[i + 1];
  double t = fmin((strain - a->strain) / (b->strain - a->strain), 1);
  return sd ? (1 - t) * a->sd_N_per_m + t * b->sd_N_per_m : (1 - t) * a->u_N_per_m + t * b->u_N_per_m;
}

/* Beyond the last knot the curve may go on with anything between no further rise and twice the last slope: a
 * rectangle. */
double cb_stretch_curve_u(const cb_stretch_direction *d, double strain) {
  double slope, beyond = fmax(strain - cb_stretch_strain_max(d), 0);
  (void)cb_stretch_curve(d, strain, &slope);
  return hypot(between(d, strain, false), slope * beyond / sqrt(3));
}

/* Beyond the last knot specimens go on to differ by the same part of the force. */
static double sd_of_curve(const cb_stretch_direction *d, double strain) {
  double last = cb_stretch_strain_max(d), sd = between(d, strain, true);
  return strain > last ? sd * cb_stretch_curve(d, strain, NULL) / cb_stretch_curve(d, last, NULL) : sd;
}

/* ---- any direction ---- */

double cb_stretch_fold_deg(double angle_deg) {
  double a = fabs(remainder(angle_deg, 180));
  return a > 90 ? 180 - a : a;
}

const cb_stretch_direction *cb_stretch_find(const cb_stretch_law *law, double angle_deg) {
  double a = cb_stretch_fold_deg(angle_deg);
  for (size_t i = 0; i < law->n; i++)
    if (fabs(law->directions[i].angle_deg - a) < CB_STRETCH_SAME_DEG) return &law->directions[i];
  return NULL;
}

/* Calibrations: force and strain scales err alike everywhere. */
static double u_common(const cb_stretch_law *law, double force, double slope, double strain) {
  return hypot(law->u_force_rel * force, law->u_strain_rel * slope * strain);
}

static void by_curve(const cb_stretch_law *law, const cb_stretch_direction *d, double strain,
                     cb_stretch_value *v) {
  v->basis = CB_STRETCH_BY_CURVE;
  v->force_N_per_m = cb_stretch_curve(d, strain, &v->slope_N_per_m);
  v->u_form_N_per_m = 0;
  v->u_N_per_m =
      hypot(cb_stretch_curve_u(d, strain), u_common(law, v->force_N_per_m, v->slope_N_per_m, strain));
  v->sd_N_per_m = sd_of_curve(d, strain);
  v->dof = d->dof;
  v->inside_measured_range = strain <= cb_stretch_strain_max(d);
}

/* Relative scatter of specimens, pooled over the directions that had several; NAN: none. */
static double pooled_sd_rel(const cb_stretch_law *law, double strain) {
  double sum = 0, dof = 0;
  for (size_t i = 0; i < law->n; i++) {
    const cb_stretch_direction *d = &law->directions[i];
    double f = cb_stretch_curve(d, strain, NULL), sd = sd_of_curve(d, strain);
    if (!(f > 0) || isnan(sd)) continue;
    sum += d->dof * (sd / f) * (sd / f);
    dof += d->dof;
  }
  return dof > 0 ? sqrt(sum / dof) : NAN;
}

static double least_dof(const cb_stretch_law *law) {
  double dof = INFINITY;
  for (size_t i = 0; i < law->n; i++) dof = fmin(dof, law->directions[i].dof);
  return dof;
}

/* How far the other form is away, times how likely it is that it is the nearer one, by the misfits of both.
 * The truth is as likely as not to lie any part of the way: a rectangle. */
static double u_of_other(const cb_stretch_law *law, const cb_stretch_place *here, double angle_deg,
                         double strain) {
  cb_stretch_moduli other;
  cb_stretch_moduli_at(law, law->form == CB_STRETCH_TENSOR ? CB_STRETCH_STRIP : CB_STRETCH_TENSOR, strain,
                       &other);
  if (!other.known) return other.n > 3 ? 0 : 1 / sqrt(3);
  const cb_stretch_place there = cb_stretch_between(&other, angle_deg);
  const double odds = pow(here->walk_var / there.walk_var, 0.5 * here->walk_dof);
  return fabs(here->compliance_m_per_N / there.compliance_m_per_N - 1) * sqrt(2.0 / 3 * odds / (1 + odds));
}

static double force_by_form(const cb_stretch_law *law, double angle_deg, double strain) {
  cb_stretch_moduli m;
  cb_stretch_moduli_at(law, law->form, strain, &m);
  return m.known ? strain / cb_stretch_between(&m, angle_deg).compliance_m_per_N : NAN;
}

static void by_form(const cb_stretch_law *law, const cb_stretch_moduli *m, double angle_deg, double strain,
                    cb_stretch_value *v) {
  const double h = 1e-4 * strain;
  const cb_stretch_place p = cb_stretch_between(m, angle_deg);
  v->basis = CB_STRETCH_BY_FORM;
  const double force = v->force_N_per_m = strain / p.compliance_m_per_N;
  v->slope_N_per_m =
      (force_by_form(law, angle_deg, strain + h) - force_by_form(law, angle_deg, strain - h)) / (2 * h);
  v->u_form_N_per_m = hypot(p.u_walk_rel, u_of_other(law, &p, angle_deg, strain)) * force;
  const double own = hypot(p.u_means_rel * force, u_common(law, force, v->slope_N_per_m, strain)),
               walk = p.u_walk_rel * force;
  v->u_N_per_m = hypot(own, v->u_form_N_per_m);
  v->sd_N_per_m = pooled_sd_rel(law, strain) * force;
  /* Welch-Satterthwaite: how far the other form is has no scatter of its own. */
  v->dof = pow(v->u_N_per_m, 4) / (pow(own, 4) / least_dof(law) + pow(walk, 4) / p.walk_dof);
  v->inside_measured_range = m->inside_measured_range;
}

static void by_table(const cb_stretch_law *law, double angle_deg, double strain, cb_stretch_value *v) {
  double h = 1e-5, f = strain > 0 ? cb_stretch_wang_strip(&law->wang, angle_deg, strain) : 0;
  double up = cb_stretch_wang_strip(&law->wang, angle_deg, strain + h);
  if (isnan(f) || isnan(up)) return;
  v->basis = CB_STRETCH_BY_TABLE;
  v->force_N_per_m = f;
  v->slope_N_per_m = (up - f) / h;
  v->dof = INFINITY;
  v->inside_measured_range = strain <= CB_WANG_STRETCH - 1;
}

void cb_stretch_eval(const cb_stretch_law *law, double angle_deg, double strain, cb_stretch_value *out) {
  cb_stretch_moduli m;
  const cb_stretch_direction *d = cb_stretch_find(law, angle_deg);
  *out = (cb_stretch_value){CB_STRETCH_BY_NOTHING, NAN, NAN, NAN, NAN, NAN, NAN, false};
  if (d) {
    by_curve(law, d, strain, out);
    return;
  }
  cb_stretch_moduli_at(law, law->form, strain > 0 ? strain : 1e-6, &m);
  if (!m.known) {
    if (law->has_wang) by_table(law, angle_deg, strain, out);
    return;
  }
  if (strain > 0)
    by_form(law, &m, angle_deg, strain, out);
  else
    *out = (cb_stretch_value){
        CB_STRETCH_BY_FORM, 0,   0, 0, 0, 1 / cb_stretch_between(&m, angle_deg).compliance_m_per_N,
        least_dof(law),     true};
}

#define STRAIN_LIMIT 10.0

static double force_at(const cb_stretch_law *law, double angle_deg, double strain) {
  cb_stretch_value v;
  cb_stretch_eval(law, angle_deg, strain, &v);
  return v.force_N_per_m;
}

double cb_stretch_strain(const cb_stretch_law *law, double angle_deg, double force_N_per_m) {
  double lo = 0, hi = 1e-3;
  if (!(force_N_per_m >= 0)) return NAN;
  if (force_N_per_m == 0) return 0;
  for (double f = force_at(law, angle_deg, hi); !(f >= force_N_per_m); f = force_at(law, angle_deg, hi)) {
    if (isnan(f) || hi > STRAIN_LIMIT) return NAN;
    lo = hi, hi *= 2;
  }
  for (int i = 0; i < 60; i++) {
    double mid = 0.5 * (lo + hi);
    *(force_at(law, angle_deg, mid) < force_N_per_m ? &lo : &hi) = mid;
  }
  return hi;
}

void cb_stretch_k_lambda(const cb_stretch_direction *d, double area_m2, double a, double *k, double *lambda) {
  *k = d->k1_N_per_m * area_m2 / (a * a);
  *lambda = d->k3_N_per_m * area_m2 / (a * a * a * a);
}
