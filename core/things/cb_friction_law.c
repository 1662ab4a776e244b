#include "cb_friction_law_impl.h"
#include "cb_plural.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "cb_stats.h"
#include "cb_uncertainty.h"

const char *const cb_friction_kind_names[] = {N_("static"), N_("kinetic"), NULL};
const char *const cb_friction_model_names[] = {"curve", "coulomb", "power", "offset", NULL};
const char *const cb_friction_form_names[] = {"isotropic", "orthotropic", "general", NULL};

double cb_friction_quadratic(const double f_N[3], double angle_rad) {
  double c = cos(angle_rad), s = sin(angle_rad);
  return f_N[0] * c * c + 2 * f_N[1] * s * c + f_N[2] * s * s;
}

/* A symmetric 2x2 matrix is mean I + (a part without trace) whose eigenvalues are +-half. */
typedef struct eigen2 {
  double mean, half;
} eigen2;

static eigen2 eigen_of(const double m[3]) {
  return (eigen2){0.5 * (m[0] + m[2]), hypot(0.5 * (m[0] - m[2]), m[1])};
}

/* A function of the matrix from its values at the larger and the smaller eigenvalue. */
static void matrix_with(const double m[3], eigen2 e, double larger, double smaller, double out[3]) {
  double mean = 0.5 * (larger + smaller), stretch = e.half > 0 ? 0.5 * (larger - smaller) / e.half : 0;
  out[0] = mean + stretch * (m[0] - e.mean);
  out[1] = stretch * m[1];
  out[2] = mean + stretch * (m[2] - e.mean);
}

void cb_friction_matrix_log(const double f_N[3], double out[3]) {
  eigen2 e = eigen_of(f_N);
  matrix_with(f_N, e, log(e.mean + e.half), log(e.mean - e.half), out);
}

void cb_friction_matrix_exp(const double log_f[3], double out[3]) {
  eigen2 e = eigen_of(log_f);
  matrix_with(log_f, e, exp(e.mean + e.half), exp(e.mean - e.half), out);
}

static cb_status check_shared(const cb_friction_shared *shared, size_t n_knots, cb_err *err) {
  for (size_t i = 0; i < 3 * n_knots + 2; i++) {
    double x = i < 2 ? shared->exponent[i] : shared->f_N[(i - 2) / 3][(i - 2) % 3];
    if (!isfinite(x))
      return cb_fail(err, CB_E_NUM, "its shared part '%s' holds %g: finite numbers were wanted",
                     shared->source, x);
  }
  return CB_OK;
}

/* What a law says of its own uncertainty. */
static cb_status check_uncertainty(const cb_friction_law *law, cb_err *err) {
  CB_TRY(cb_check_u(law->u_exponent, "u_exponent", err));
  CB_TRY(cb_check_u(law->u_rel_common, "u_rel_common", err));
  CB_TRY(cb_check_u(law->u_rel_model, "u_rel_model", err));
  for (size_t i = 0; i < law->n_knots; i++) {
    const cb_status st = cb_check_covariance(&law->knots[i].cov_N2[0][0], 3, "f00, f01, f11", err);
    if (st != CB_OK) return cb_fail_in(err, st, "knot at %g N", law->knots[i].normal_force_N);
  }
  for (size_t p = 0; p < law->n_shared; p++) CB_TRY(check_shared(&law->shared[p], law->n_knots, err));
  return cb_check_dof(law->dof, "dof", err);
}

cb_status cb_friction_law_check(const cb_friction_law *law, cb_err *err) {
  if (law->n_knots < 1 || law->n_knots > CB_LAW_MAX_KNOTS)
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: %zu knot%s, 1 to %d are allowed", law->cloth,
                   law->body, law->n_knots, CB_S(law->n_knots), CB_LAW_MAX_KNOTS);
  for (size_t i = 0; i < law->n_knots; i++) {
    const cb_friction_knot *k = &law->knots[i];
    eigen2 e = eigen_of(k->f_N);
    if (!(k->normal_force_N > 0) || (i > 0 && !(k->normal_force_N > law->knots[i - 1].normal_force_N)))
      return cb_fail(err, CB_E_RANGE, "friction law %s on %s: knot %zu at %g N: loads must be > 0 and ascend",
                     law->cloth, law->body, i, k->normal_force_N);
    if (!isfinite(e.mean + e.half) || !(e.mean > e.half))
      return cb_fail(
          err, CB_E_NUM,
          "friction law %s on %s: knot at %g N: smallest eigenvalue %g N: must be > 0 in every direction",
          law->cloth, law->body, k->normal_force_N, e.mean - e.half);
  }
  if (!(law->offset_N >= 0) || !isfinite(law->offset_N) || !(law->bend >= 0 && law->bend <= 1) ||
      law->n_shared > CB_LAW_MAX_SHARED)
    return cb_fail(
        err, CB_E_RANGE,
        "friction law %s on %s: offset_N %g, bend %g, %zu shared parts: >= 0, 0 to 1, at most %d were wanted",
        law->cloth, law->body, law->offset_N, law->bend, law->n_shared, CB_LAW_MAX_SHARED);
  if (!(law->exponent > 0) || !isfinite(law->exponent))
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: exponent %g: must be > 0", law->cloth, law->body,
                   law->exponent);
  if (!(law->contact_area_m2 > 0))
    return cb_fail(err, CB_E_RANGE, "friction law %s on %s: contact area %g m2: must be > 0", law->cloth,
                   law->body, law->contact_area_m2);
  const cb_status st = check_uncertainty(law, err);
  return st == CB_OK ? st : cb_fail_in(err, st, "friction law %s on %s", law->cloth, law->body);
}

/* Where N lies. Inside: the law is the sum of weight[i] times the logarithm of knot first + i. Outside:
 * weight 1 on the edge. */
typedef struct place {
  size_t first, n, interval;
  double weight[4];
  double w;     /* inside: place in the interval, 0 to 1 */
  int side;     /* -1 below the first knot, 1 above the last, 0 inside */
  double reach; /* outside: distance from the edge in x */
  double far;   /* the same in ln N */
} place;

static double x_of(const cb_friction_law *law, double N) { return log(N + law->offset_N); }

static place outside(const cb_friction_law *law, size_t knot, int side, double N) {
  const double edge = law->knots[knot].normal_force_N;
  return (place){.first = knot,
                 .n = 1,
                 .weight = {1},
                 .side = side,
                 .reach = x_of(law, N) - x_of(law, edge),
                 .far = log(fmax(N / edge, 1e-12))}; /* finite where adhesion leaves a force without load */
}

/* Cubic Hermite over the chord: at a knot with neighbours on both sides the slope departs from the chord's by
 * bend times what the parabola through the three says (Catmull-Rom for bend = 1), at the ends it is the
 * chord's. Linear in the knots' values, so that weights say everything. */
static place inside(const cb_friction_law *law, size_t j, double x) {
  const cb_friction_knot *k = law->knots;
  double a = x_of(law, k[j].normal_force_N), b = x_of(law, k[j + 1].normal_force_N), h = b - a,
         t = (x - a) / h;
  place p = {.first = j, .n = 2, .interval = j, .weight = {1 - t, t}, .w = t};
  if (law->bend == 0 || law->n_knots < 3) return p;
  double weight[4] = {0, 1 - t, t, 0}; /* of knots j - 1 to j + 2 */
  if (j > 0) {
    double before = a - x_of(law, k[j - 1].normal_force_N),
           pull = law->bend * h * t * (1 - t) * (1 - t) * h / (before + h);
    weight[0] -= pull / before, weight[1] += pull / before + pull / h, weight[2] -= pull / h;
  }
  if (j + 2 < law->n_knots) {
    double after = x_of(law, k[j + 2].normal_force_N) - b,
           pull = law->bend * h * t * t * (1 - t) * h / (after + h);
    weight[1] -= pull / h, weight[2] += pull / h + pull / after, weight[3] -= pull / after;
  }
  size_t from = j > 0 ? 0 : 1, to = j + 2 < law->n_knots ? 4 : 3;
  p.first = j + from - 1;
  p.n = to - from;
  for (size_t i = 0; i < p.n; i++) p.weight[i] = weight[from + i];
  return p;
}

static place place_of(const cb_friction_law *law, double N) {
  size_t last = law->n_knots - 1, j = 0;
  if (N <= law->knots[0].normal_force_N) return outside(law, 0, -1, N);
  if (N >= law->knots[last].normal_force_N) return outside(law, last, 1, N);
  while (law->knots[j + 1].normal_force_N < N) j++;
  return inside(law, j, x_of(law, N));
}

/* By how much u_exponent grows if the slope of ln F over ln N walks at random: its mean over the knots and
 * its mean over the way beyond them differ by a variance in proportion to the sum of both lengths. */
static double growth(const cb_friction_law *law, const place *p) {
  const double span = log(law->knots[law->n_knots - 1].normal_force_N / law->knots[0].normal_force_N);
  return span > 0 ? sqrt(1 + fabs(p->far) / span) : 1;
}

/* How far a law with adhesion leaves the power law that has its slope at the edge. */
static double beside(const cb_friction_law *law, const place *p) {
  const double N = law->knots[p->first].normal_force_N;
  return law->exponent * (p->far * N / (N + law->offset_N) - p->reach);
}

/* What is not known of how the law goes on, without its shared parts: nothing where u_exponent is 0. */
static double u_outside(const cb_friction_law *law, const place *p) {
  return law->u_exponent > 0 ? hypot(law->u_exponent * p->far * growth(law, p), beside(law, p)) : 0;
}

static bool no_contact(const cb_friction_law *law, double N) {
  return !(N >= 0) || (N == 0 && !(law->offset_N > 0));
}

void cb_friction_law_matrix(const cb_friction_law *law, double normal_force_N, double f_N[3]) {
  f_N[0] = f_N[1] = f_N[2] = 0;
  if (no_contact(law, normal_force_N)) return;
  place p = place_of(law, normal_force_N);
  if (p.side) {
    const int above = p.side > 0;
    const double goes = p.reach * (law->exponent + law->drawn.exponent[above]) +
                        law->drawn.walk[above] * p.far * growth(law, &p) +
                        law->drawn.adhesion * beside(law, &p);
    const double scale = exp(p.side * fmax(0, p.side * goes));
    for (int i = 0; i < 3; i++) f_N[i] = law->knots[p.first].f_N[i] * scale;
    return;
  }
  double sum[3] = {0}, m[3], bump = exp(law->drawn.between[p.interval] * 4 * p.w * (1 - p.w));
  for (size_t k = 0; k < p.n; k++) {
    cb_friction_matrix_log(law->knots[p.first + k].f_N, m);
    for (int i = 0; i < 3; i++) sum[i] += p.weight[k] * m[i];
  }
  cb_friction_matrix_exp(sum, f_N);
  for (int i = 0; i < 3; i++) f_N[i] *= bump;
}

/* Relative variance of the force at a knot along the direction with row g, what it shares left out. */
static double own_rel_var(const cb_friction_knot *k, const double g[3]) {
  double var = 0, f = 0;
  for (int i = 0; i < 3; i++) {
    f += g[i] * k->f_N[i];
    for (int j = 0; j < 3; j++) var += g[i] * k->cov_N2[i][j] * g[j];
  }
  return f > 0 ? var / (f * f) : 0;
}

static double shared_rel(const cb_friction_law *law, const cb_friction_shared *s, const place *p,
                         const double g[3]) {
  double sum = p->side ? s->exponent[p->side > 0] * p->reach : 0;
  for (size_t k = 0; k < p->n; k++) {
    const double *f = law->knots[p->first + k].f_N, *d = s->f_N[p->first + k];
    sum +=
        p->weight[k] * (g[0] * d[0] + g[1] * d[1] + g[2] * d[2]) / (g[0] * f[0] + g[1] * f[1] + g[2] * f[2]);
  }
  return sum;
}

static double squared_width(const cb_friction_law *law, size_t interval) {
  const double h = log(law->knots[interval + 1].normal_force_N / law->knots[interval].normal_force_N);
  return h * h;
}

double cb_friction_law_u_between(const cb_friction_law *law, size_t interval) {
  double sum = 0;
  for (size_t i = 0; i + 1 < law->n_knots; i++) sum += squared_width(law, i);
  return law->u_rel_model * squared_width(law, interval) * (double)(law->n_knots - 1) / sum;
}

/* *rule: the part of the rule between the knots, and outside them. */
static double rel_var_at(const cb_friction_law *law, double angle_rad, double N, double *rule) {
  double c = cos(angle_rad), s = sin(angle_rad), g[3] = {c * c, 2 * s * c, s * s};
  place p = place_of(law, N);
  double var = law->u_rel_common * law->u_rel_common;
  /* 4 w (1-w): nothing at a knot, all of it midway. */
  const double u_rule =
      p.side ? u_outside(law, &p) : cb_friction_law_u_between(law, p.interval) * 4 * p.w * (1 - p.w);
  for (size_t k = 0; k < p.n; k++)
    var += p.weight[k] * p.weight[k] * own_rel_var(&law->knots[p.first + k], g);
  for (size_t i = 0; i < law->n_shared; i++) {
    double e = shared_rel(law, &law->shared[i], &p, g);
    var += e * e;
  }
  *rule = u_rule * u_rule;
  return var + *rule;
}

/* Of a variance of which a part comes from what other pairs do outside their loads (Welch, Satterthwaite). */
static double dof_outside(const cb_friction_law *law, double var, double rule) {
  const double rest = var - rule;
  return var * var / (rest * rest / law->dof + rule * rule / CB_LAW_OUTSIDE_DOF);
}

void cb_friction_law_eval(const cb_friction_law *law, double angle_rad, double normal_force_N,
                          cb_friction_value *out) {
  double f[3];
  cb_friction_law_matrix(law, normal_force_N, f);
  double first = law->knots[0].normal_force_N, last = law->knots[law->n_knots - 1].normal_force_N;
  out->force_N = cb_friction_quadratic(f, angle_rad);
  out->dof = law->dof;
  /* A load typed with fewer digits than the knot still counts as measured. */
  out->inside_measured_range = normal_force_N >= first * (1 - 1e-6) && normal_force_N <= last * (1 + 1e-6);
  double rule = 0;
  const double var = no_contact(law, normal_force_N) ? 0 : rel_var_at(law, angle_rad, normal_force_N, &rule);
  out->u_force_N = out->force_N * sqrt(var);
  if (!out->inside_measured_range && rule > 0) out->dof = dof_outside(law, var, rule);
}

static bool is_known(const cb_friction_law *law, double angle_rad, double N) {
  cb_friction_value v;
  cb_friction_law_eval(law, angle_rad, N, &v);
  return cb_student_t(0.95, v.dof) * v.u_force_N < 0.5 * v.force_N;
}

double cb_friction_law_known_until_N(const cb_friction_law *law, double angle_rad, int side) {
  const double edge = law->knots[side ? law->n_knots - 1 : 0].normal_force_N;
  double known = 0, unknown = side ? log(1e6) : -log(1e6); /* from the edge, in ln N */
  if (is_known(law, angle_rad, edge * exp(unknown))) return side ? INFINITY : 0;
  for (int i = 0; i < 40; i++) {
    const double middle = 0.5 * (known + unknown);
    *(is_known(law, angle_rad, edge * exp(middle)) ? &known : &unknown) = middle;
  }
  return edge * exp(known);
}

static void own_effects(const cb_friction_knot *k, const double g[3], double weight, double rel[3]) {
  double lower[3][3], f = g[0] * k->f_N[0] + g[1] * k->f_N[1] + g[2] * k->f_N[2];
  cb_friction_knot_cholesky(k, lower);
  for (int c = 0; c < 3; c++)
    rel[c] = weight * (g[0] * lower[0][c] + g[1] * lower[1][c] + g[2] * lower[2][c]) / f;
}

size_t cb_friction_law_effects(const cb_friction_law *law, double angle_rad, double normal_force_N,
                               double rel[CB_LAW_MAX_EFFECTS]) {
  double c = cos(angle_rad), s = sin(angle_rad), g[3] = {c * c, 2 * s * c, s * s};
  place p = place_of(law, normal_force_N);
  size_t n_knots = law->n_knots, n = 4 * n_knots + law->n_shared + 3;
  double *shared = rel + 3 * n_knots, *between = shared + law->n_shared, *outside_law = between + n_knots;
  memset(rel, 0, n * sizeof *rel);
  for (size_t k = p.first; k < p.first + p.n; k++)
    own_effects(&law->knots[k], g, p.weight[k - p.first], rel + 3 * k);
  for (size_t i = 0; i < law->n_shared; i++) shared[i] = shared_rel(law, &law->shared[i], &p, g);
  if (p.side)
    outside_law[p.side > 0] = p.side * u_outside(law, &p);
  else
    between[p.interval] = cb_friction_law_u_between(law, p.interval) * 4 * p.w * (1 - p.w);
  outside_law[2] = law->u_rel_common;
  return n;
}

double cb_friction_law_u_exponent(const cb_friction_law *law, int side) {
  double var = law->u_exponent * law->u_exponent;
  for (size_t i = 0; i < law->n_shared; i++)
    var += law->shared[i].exponent[side] * law->shared[i].exponent[side];
  return sqrt(var);
}

void cb_friction_law_knot_cov(const cb_friction_law *law, size_t knot, double cov_N2[3][3]) {
  const cb_friction_knot *k = &law->knots[knot];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      cov_N2[i][j] = k->cov_N2[i][j] + law->u_rel_common * law->u_rel_common * k->f_N[i] * k->f_N[j];
      for (size_t c = 0; c < law->n_shared; c++)
        cov_N2[i][j] += law->shared[c].f_N[knot][i] * law->shared[c].f_N[knot][j];
    }
}

cb_friction_law cb_friction_law_on_area(const cb_friction_law *law, double area_m2) {
  cb_friction_law scaled = *law;
  double r = area_m2 / law->contact_area_m2;
  scaled.contact_area_m2 = area_m2;
  scaled.offset_N *= r;
  for (size_t k = 0; k < scaled.n_knots; k++) {
    cb_friction_knot *knot = &scaled.knots[k];
    knot->normal_force_N *= r;
    for (int i = 0; i < 3; i++) {
      knot->f_N[i] *= r;
      for (int j = 0; j < 3; j++) knot->cov_N2[i][j] *= r * r;
      for (size_t c = 0; c < scaled.n_shared; c++) scaled.shared[c].f_N[k][i] *= r;
    }
  }
  return scaled;
}
