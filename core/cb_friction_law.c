#include "cb_friction_law.h"

#include <math.h>

const char *const cb_friction_kind_names[] = {"static", "kinetic", NULL};
const char *const cb_friction_form_names[] = {"isotropic", "orthotropic", "general", NULL};

double cb_friction_quadratic(const double f_N[3], double angle_rad) {
  double c = cos(angle_rad), s = sin(angle_rad);
  return f_N[0] * c * c + 2 * f_N[1] * s * c + f_N[2] * s * s;
}

/* A symmetric 2x2 matrix [a b; b d] as its eigenvalues and the angle of the first eigenvector. */
typedef struct eigen2 {
  double l1, l2, phi;
} eigen2;

static eigen2 eigen_of(const double m[3]) {
  double mean = 0.5 * (m[0] + m[2]), half = 0.5 * (m[0] - m[2]);
  double r = hypot(half, m[1]);
  return (eigen2){mean + r, mean - r, 0.5 * atan2(m[1], half)};
}

static void matrix_of(eigen2 e, double m[3]) {
  double mean = 0.5 * (e.l1 + e.l2), half = 0.5 * (e.l1 - e.l2);
  m[0] = mean + half * cos(2 * e.phi);
  m[1] = half * sin(2 * e.phi);
  m[2] = mean - half * cos(2 * e.phi);
}

static void matrix_log(const double m[3], double out[3]) {
  eigen2 e = eigen_of(m);
  matrix_of((eigen2){log(e.l1), log(e.l2), e.phi}, out);
}

static void matrix_exp(const double m[3], double out[3]) {
  eigen2 e = eigen_of(m);
  matrix_of((eigen2){exp(e.l1), exp(e.l2), e.phi}, out);
}

cb_status cb_friction_law_check(const cb_friction_law *law, cb_err *err) {
  if (law->n_knots < 1 || law->n_knots > CB_LAW_MAX_KNOTS)
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: %zu knots, 1 to %d are allowed", law->cloth, law->body, law->n_knots,
                   CB_LAW_MAX_KNOTS);
  for (size_t i = 0; i < law->n_knots; i++) {
    const cb_friction_knot *k = &law->knots[i];
    eigen2 e = eigen_of(k->f_N);
    if (!(k->normal_force_N > 0) || (i > 0 && !(k->normal_force_N > law->knots[i - 1].normal_force_N)))
      return cb_fail(err, CB_E_RANGE, "friction law %s on %s: knot %zu at %g N: loads must be > 0 and ascend", law->cloth, law->body, i,
                     k->normal_force_N);
    if (!isfinite(e.l1) || !(e.l2 > 0))
      return cb_fail(err, CB_E_NUM, "friction law %s on %s: knot at %g N: smallest eigenvalue %g N: must be > 0 in every direction",
                     law->cloth, law->body, k->normal_force_N, e.l2);
  }
  if (!(law->exponent > 0) || !isfinite(law->exponent))
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: exponent %g: must be > 0", law->cloth, law->body, law->exponent);
  if (!(law->contact_area_m2 > 0))
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: contact area %g m2: must be > 0", law->cloth, law->body, law->contact_area_m2);
  return CB_OK;
}

/* Between which knots N lies: lo == hi outside the knots; w in [0, 1] is the place in ln N from lo to hi. */
typedef struct place {
  size_t lo, hi;
  double w;
} place;

static place place_of(const cb_friction_law *law, double N) {
  size_t last = law->n_knots - 1;
  if (N <= law->knots[0].normal_force_N) return (place){0, 0, 0};
  if (N >= law->knots[last].normal_force_N) return (place){last, last, 0};
  size_t i = 0;
  while (law->knots[i + 1].normal_force_N < N) i++;
  double a = law->knots[i].normal_force_N, b = law->knots[i + 1].normal_force_N;
  return (place){i, i + 1, log(N / a) / log(b / a)};
}

void cb_friction_law_matrix(const cb_friction_law *law, double normal_force_N, double f_N[3]) {
  if (!(normal_force_N > 0)) {
    f_N[0] = f_N[1] = f_N[2] = 0;
    return;
  }
  place p = place_of(law, normal_force_N);
  if (p.lo == p.hi) {
    const cb_friction_knot *k = &law->knots[p.lo];
    double scale = pow(normal_force_N / k->normal_force_N, law->exponent);
    for (int i = 0; i < 3; i++) f_N[i] = k->f_N[i] * scale;
    return;
  }
  double a[3], b[3], m[3];
  matrix_log(law->knots[p.lo].f_N, a);
  matrix_log(law->knots[p.hi].f_N, b);
  for (int i = 0; i < 3; i++) m[i] = (1 - p.w) * a[i] + p.w * b[i];
  matrix_exp(m, f_N);
}

/* Relative variance of the force at a knot along one direction. */
static double knot_rel_var(const cb_friction_knot *k, double angle_rad) {
  double c = cos(angle_rad), s = sin(angle_rad);
  double g[3] = {c * c, 2 * s * c, s * s}, var = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) var += g[i] * k->cov_N2[i][j] * g[j];
  double f = cb_friction_quadratic(k->f_N, angle_rad);
  return f > 0 ? var / (f * f) : 0;
}

static double rel_var_at(const cb_friction_law *law, double angle_rad, double N) {
  place p = place_of(law, N);
  double common = law->u_rel_common * law->u_rel_common;
  if (p.lo == p.hi) {
    double reach = law->u_exponent * log(N / law->knots[p.lo].normal_force_N);
    return knot_rel_var(&law->knots[p.lo], angle_rad) + reach * reach + common;
  }
  /* 4 w (1-w): nothing at a knot, all of it midway. */
  double model = law->u_rel_model * 4 * p.w * (1 - p.w);
  return (1 - p.w) * (1 - p.w) * knot_rel_var(&law->knots[p.lo], angle_rad) + p.w * p.w * knot_rel_var(&law->knots[p.hi], angle_rad) +
         model * model + common;
}

void cb_friction_law_eval(const cb_friction_law *law, double angle_rad, double normal_force_N, cb_friction_value *out) {
  double f[3];
  cb_friction_law_matrix(law, normal_force_N, f);
  double first = law->knots[0].normal_force_N, last = law->knots[law->n_knots - 1].normal_force_N;
  out->force_N = cb_friction_quadratic(f, angle_rad);
  out->dof = law->dof;
  /* A load typed with fewer digits than the knot still counts as measured. */
  out->inside_measured_range = normal_force_N >= first * (1 - 1e-6) && normal_force_N <= last * (1 + 1e-6);
  out->u_force_N = normal_force_N > 0 ? out->force_N * sqrt(rel_var_at(law, angle_rad, normal_force_N)) : 0;
}

cb_friction_law cb_friction_law_on_area(const cb_friction_law *law, double area_m2) {
  cb_friction_law scaled = *law;
  double r = area_m2 / law->contact_area_m2;
  scaled.contact_area_m2 = area_m2;
  for (size_t k = 0; k < scaled.n_knots; k++) {
    cb_friction_knot *knot = &scaled.knots[k];
    knot->normal_force_N *= r;
    for (int i = 0; i < 3; i++) {
      knot->f_N[i] *= r;
      for (int j = 0; j < 3; j++) knot->cov_N2[i][j] *= r * r;
    }
  }
  return scaled;
}
