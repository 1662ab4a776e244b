/* Between the rows of the table: polynomials for the mean and for the variance of each sign. */
#include <math.h>
#include <stdlib.h>

#include "val_drape_table_impl.h"
#include "val_small.h"
#include "cb_plural.h"

/* Rows per term, at least. */
#define ROWS_PER_TERM 4
#define ROWS_MIN 30
/* Rounds in which variances and means take turns, and of Newton's method for the variances. */
#define ROUNDS 4
#define NEWTON 30

/* Below that nothing scatters, on the even scales: nodes are counted, outlines drawn on a raster. */
static const double sd_least[VAL_DRAPE_SIGNS] = {0.01, 0.3, 0.003, 0.005};

/* ---- coordinates: -1 to 1 ---- */

/* The logarithm of the softening, as one of its ends is 0, has a coordinate of 0 in the middle of its usual
 * values, and about 1 at the upper ones. */
#define SOFTENING_MIDDLE 0.3
#define SOFTENING_WIDTH 0.5

typedef struct place {
  double z[5]; /* bending, ratio, shear, softening, stretch */
  bool softens, stretches;
} place;

/* 0 where the cloths of the table do not differ. A cloth that stretches less or more than any of the table
 * drapes as the last of it. */
static double stretch_place(const val_drape_model *m, double stretch_m) {
  const double low = m->low.stretch_m, high = m->high.stretch_m;
  return m->stretches ? 2 * log(fmin(fmax(stretch_m, low), high) / low) / log(high / low) - 1 : 0;
}

static place place_of(const val_drape_model *m, const val_drape_cloth *c) {
  return (place){
      .z = {2 * log(c->bending_m / m->low.bending_m) / log(m->high.bending_m / m->low.bending_m) - 1,
            2 * fabs(log(c->ratio)) / log(m->high.ratio) - 1,
            2 * log(c->shear_m / m->low.shear_m) / log(m->high.shear_m / m->low.shear_m) - 1,
            m->softens ? (log(c->softening) - SOFTENING_MIDDLE) / SOFTENING_WIDTH : 0,
            stretch_place(m, c->stretch_m)},
      .softens = m->softens,
      .stretches = m->stretches};
}

static void legendre(double x, double p[VAL_DRAPE_DEGREE_MAX + 1]) {
  p[0] = 1, p[1] = x;
  for (int k = 1; k < VAL_DRAPE_DEGREE_MAX; k++) p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
}

/* The terms of a degree in bending, ratio and shear, times a factor. */
static int add_terms(int degree, double p[][VAL_DRAPE_DEGREE_MAX + 1], double factor, double *out) {
  int n = 0;
  for (int j = 0; 2 * j <= degree; j++)
    for (int k = 0; 2 * (j + k) <= degree; k++)
      for (int i = 0; i + 2 * (j + k) <= degree; i++) out[n++] = p[0][i] * p[1][j] * p[2][k] * factor;
  return n;
}

/* Ratio, shear, softening and stretch act less than bending: a degree of theirs counts for two. */
static int terms_of(int degree, const place *at, double out[VAL_DRAPE_TERMS_MAX]) {
  double p[3][VAL_DRAPE_DEGREE_MAX + 1], stretch[VAL_DRAPE_DEGREE_MAX + 1];
  int n = 0;
  for (int k = 0; k < 3; k++) legendre(at->z[k], p[k]);
  legendre(at->z[4], stretch);
  for (int soft = 0; soft <= at->softens; soft++)
    for (int k = 0; k == 0 || (at->stretches && 2 * (k + soft) <= degree); k++)
      n += add_terms(degree - 2 * (k + soft), p, (soft ? at->z[3] : 1) * stretch[k], out + n);
  return n;
}

static void spread_terms(const place *at, double out[VAL_DRAPE_SPREAD_TERMS]) {
  const double z = at->z[0];
  out[0] = 1, out[1] = z, out[2] = 1.5 * z * z - 0.5, out[3] = at->z[1], out[4] = at->z[2];
  out[5] = at->z[4];
}

static double variance_of(const val_drape_response *r, int s, const place *at) {
  double t[VAL_DRAPE_SPREAD_TERMS], ln = 0;
  spread_terms(at, t);
  for (int k = 0; k < VAL_DRAPE_SPREAD_TERMS; k++) ln += r->spread[k] * t[k];
  return fmax(exp(fmin(ln, 20)), sd_least[s] * sd_least[s]);
}

/* ---- fitting one sign of one specimen ---- */

typedef struct sample {
  size_t n;
  place *at;        /* owned, as the rest */
  double *y;        /* of one sign after another: n each */
  double *variance; /* of the sign at work */
  double *left_out; /* what each row differs by from the prediction of the others; n per sign */
  double *leverage; /* of the sign at work: how much of its own prediction a row is */
} sample;

static double term_sum(const double *b, const double *t, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += b[k] * t[k];
  return sum;
}

/* Weighted least squares; false: the rows do not tell so many terms. */
static bool solve_response(const sample *q, const double *y, val_drape_response *r) {
  double t[VAL_DRAPE_TERMS_MAX] = {0};
  for (int i = 0; i < VAL_DRAPE_TERMS_MAX; i++) {
    r->b[i] = 0;
    for (int j = 0; j < VAL_DRAPE_TERMS_MAX; j++) r->factor[i][j] = 0;
  }
  for (size_t i = 0; i < q->n; i++) {
    r->terms = terms_of(r->degree, &q->at[i], t);
    for (int a = 0; a < r->terms; a++) {
      r->b[a] += t[a] * y[i] / q->variance[i];
      for (int b = 0; b <= a; b++) r->factor[a][b] += t[a] * t[b] / q->variance[i];
    }
  }
  if (!val_cholesky(&r->factor[0][0], r->terms, VAL_DRAPE_TERMS_MAX)) return false;
  val_forward(&r->factor[0][0], r->terms, VAL_DRAPE_TERMS_MAX, r->b);
  val_backward(&r->factor[0][0], r->terms, VAL_DRAPE_TERMS_MAX, r->b);
  return true;
}

/* Variance of the polynomial's value. */
static double doubt_of(const val_drape_response *r, double *t) {
  val_forward(&r->factor[0][0], r->terms, VAL_DRAPE_TERMS_MAX, t);
  return term_sum(t, t, r->terms);
}

static void leave_out(const sample *q, const double *y, const val_drape_response *r, double *left_out) {
  double t[VAL_DRAPE_TERMS_MAX] = {0};
  for (size_t i = 0; i < q->n; i++) {
    (void)terms_of(r->degree, &q->at[i], t);
    double e = y[i] - term_sum(r->b, t, r->terms);
    q->leverage[i] = fmin(doubt_of(r, t) / q->variance[i], 0.99);
    left_out[i] = e / (1 - q->leverage[i]);
  }
}

/* ln variance as a polynomial: maximum likelihood for squares that are variance x chi square of one degree of
 * freedom. A row that was left out differs by variance / (1 - leverage) in square. */
static void fit_spread(const sample *q, const double *left_out, int s, val_drape_response *r) {
  enum { N = VAL_DRAPE_SPREAD_TERMS };
  const int terms = q->at[0].stretches ? N : N - 1;
  double mean = 0;
  for (size_t i = 0; i < q->n; i++) mean += left_out[i] * left_out[i] * (1 - q->leverage[i]) / (double)q->n;
  for (int k = 0; k < N; k++) r->spread[k] = 0;
  r->spread[0] = log(fmax(mean, sd_least[s] * sd_least[s]));
  for (int round = 0; round < NEWTON; round++) {
    double a[N][N] = {{0}}, g[N] = {0}, t[N];
    for (size_t i = 0; i < q->n; i++) {
      double e2 = left_out[i] * left_out[i] * (1 - q->leverage[i]),
             over = fmin(e2 / variance_of(r, s, &q->at[i]), 30) - 1;
      spread_terms(&q->at[i], t);
      for (int j = 0; j < terms; j++) {
        g[j] += over * t[j];
        for (int k = 0; k <= j; k++) a[j][k] += t[j] * t[k];
      }
    }
    if (!val_cholesky(&a[0][0], terms, N)) return;
    val_forward(&a[0][0], terms, N, g);
    val_backward(&a[0][0], terms, N, g);
    for (int k = 0; k < terms; k++) r->spread[k] += 0.7 * g[k];
  }
}

/* Mean and variance by turns; what they leave in left_out. */
static bool fit_degree(const sample *q, const double *y, int s, int degree, val_drape_response *r,
                       double *left_out) {
  r->degree = degree;
  for (size_t i = 0; i < q->n; i++) q->variance[i] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    if (!solve_response(q, y, r)) return false;
    leave_out(q, y, r, left_out);
    if (round + 1 == ROUNDS) break;
    fit_spread(q, left_out, s, r);
    for (size_t i = 0; i < q->n; i++) q->variance[i] = variance_of(r, s, &q->at[i]);
  }
  return true;
}

/* How badly the rest predicts each row: minus twice the logarithm of its density, on average. */
static double surprise(const sample *q, const double *left_out) {
  double sum = 0;
  for (size_t i = 0; i < q->n; i++) {
    double v = q->variance[i] / (1 - q->leverage[i]);
    sum += (log(v) + left_out[i] * left_out[i] / v) / (double)q->n;
  }
  return sum;
}

static int terms_count(int degree, const place *like) {
  double t[VAL_DRAPE_TERMS_MAX] = {0};
  return terms_of(degree, like, t);
}

/* The one that the drapes left out surprise least; 0: there is none. */
static int choose_degree(const sample *q, const double *y, int s, val_drape_response *out, double *left_out) {
  double least = INFINITY;
  int best = 0;
  for (int degree = 1;
       degree <= VAL_DRAPE_DEGREE_MAX && ROWS_PER_TERM * terms_count(degree, &q->at[0]) <= (int)q->n;
       degree++) {
    if (!fit_degree(q, y, s, degree, out, left_out)) break;
    double bad = surprise(q, left_out);
    if (bad < least) least = bad, best = degree;
  }
  return best;
}

static bool fit_sign(const sample *q, int s, val_drape_response *out) {
  const double *y = q->y + (size_t)s * q->n;
  double *left_out = q->left_out + (size_t)s * q->n;
  int best = choose_degree(q, y, s, out, left_out);
  if (best == 0 || !fit_degree(q, y, s, best, out, left_out)) return false;
  double ratios = 0, squares = 0;
  for (size_t i = 0; i < q->n; i++) {
    squares += left_out[i] * left_out[i] / (double)q->n;
    left_out[i] /= sqrt(q->variance[i] / (1 - q->leverage[i]));
    ratios += left_out[i] * left_out[i] / (double)q->n;
  }
  out->left_out_ratio = sqrt(ratios);
  out->left_out_rms = sqrt(squares);
  return true;
}

/* ---- a specimen, and all of them ---- */

static void correlate(const sample *q, double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]) {
  for (int a = 0; a < VAL_DRAPE_SIGNS; a++)
    for (int b = 0; b < VAL_DRAPE_SIGNS; b++) {
      const double *x = q->left_out + (size_t)a * q->n, *y = q->left_out + (size_t)b * q->n;
      double xy = 0, xx = 0, yy = 0;
      for (size_t i = 0; i < q->n; i++) xy += x[i] * y[i], xx += x[i] * x[i], yy += y[i] * y[i];
      c[a][b] = a == b ? 1 : xy / sqrt(xx * yy);
    }
}

static bool same_size(const val_drape_row *r, const val_drape_specimen *s) {
  return fabs(r->support_m - s->support_m) < 1e-4 && fabs(r->specimen_m - s->specimen_m) < 1e-4;
}

static void sample_clear(sample *q) {
  free(q->at);
  free(q->y);
}

static cb_status sample_take(const val_drape_table *t, const char *name, const val_drape_model *m,
                             const val_drape_specimen *s, sample *q, cb_err *err) {
  *q = (sample){.n = s->rows,
                .at = calloc(s->rows, sizeof(place)),
                .y = calloc(s->rows * (2 * VAL_DRAPE_SIGNS + 2), sizeof(double))};
  if (!q->at || !q->y) return cb_no_memory(err, "%s, %zu drapes", name, s->rows);
  q->left_out = q->y + s->rows * VAL_DRAPE_SIGNS;
  q->variance = q->left_out + s->rows * VAL_DRAPE_SIGNS;
  q->leverage = q->variance + s->rows;
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++) {
    if (!same_size(&t->row[i], s)) continue;
    q->at[n] = place_of(m, &t->row[i].cloth);
    for (int k = 0; k < VAL_DRAPE_SIGNS; k++)
      q->y[(size_t)k * q->n + n] = val_drape_even((val_drape_sign)k, t->row[i].sign[k]);
    n++;
  }
  return CB_OK;
}

static cb_status fit_specimen(const val_drape_table *t, const char *name, const val_drape_model *m,
                              val_drape_specimen *s, cb_err *err) {
  sample q;
  if (s->rows < ROWS_MIN)
    return cb_fail(err, CB_E_RANGE, "%s: %zu drape%s of %g cm on %g cm: %d or more were wanted", name,
                   s->rows, CB_S(s->rows), 100 * s->specimen_m, 100 * s->support_m, ROWS_MIN);
  cb_status st = sample_take(t, name, m, s, &q, err);
  for (int k = 0; st == CB_OK && k < VAL_DRAPE_SIGNS; k++)
    if (!fit_sign(&q, k, &s->response[k]))
      st = cb_fail(err, CB_E_RANGE, "%s: the drapes of %g cm on %g cm do not differ enough for %s", name,
                   100 * s->specimen_m, 100 * s->support_m, val_drape_sign_names[k]);
  if (st == CB_OK) correlate(&q, s->correlation);
  sample_clear(&q);
  return st;
}

static void widen_range(val_drape_model *m, const val_drape_cloth *c) {
  m->low.bending_m = fmin(m->low.bending_m, c->bending_m),
  m->high.bending_m = fmax(m->high.bending_m, c->bending_m);
  m->low.shear_m = fmin(m->low.shear_m, c->shear_m), m->high.shear_m = fmax(m->high.shear_m, c->shear_m);
  m->high.ratio = fmax(m->high.ratio, c->ratio);
  m->low.stretch_m = fmin(m->low.stretch_m, c->stretch_m);
  m->high.stretch_m = fmax(m->high.stretch_m, c->stretch_m);
  m->stretches = m->high.stretch_m > m->low.stretch_m;
}

/* Its number; m->n: none is of this size. */
static int find_specimen(const val_drape_model *m, const val_drape_row *r) {
  int s = 0;
  while (s < m->n && !same_size(r, &m->specimen[s])) s++;
  return s;
}

cb_status val_drape_model_make(const val_drape_table *t, const char *name, val_drape_model *out,
                               cb_err *err) {
  *out = (val_drape_model){.low = {INFINITY, 1, INFINITY, 1, INFINITY}, .high = {0, 1, 0}};
  for (size_t i = 0; i < t->n; i++) {
    const val_drape_row *r = &t->row[i];
    int s = find_specimen(out, r);
    widen_range(out, &r->cloth);
    out->softens = out->softens || r->cloth.softening != t->row[0].cloth.softening;
    if (s == VAL_DRAPE_SPECIMENS_MAX)
      return cb_fail(err, CB_E_RANGE, "%s: more than %d sizes of discs", name, VAL_DRAPE_SPECIMENS_MAX);
    if (s == out->n)
      out->specimen[out->n++] = (val_drape_specimen){.support_m = r->support_m, .specimen_m = r->specimen_m};
    out->specimen[s].rows++;
  }
  if (!(out->high.bending_m > out->low.bending_m && out->high.shear_m > out->low.shear_m &&
        out->high.ratio > 1))
    return cb_fail(err, CB_E_RANGE, "%s: cloths that differ in bending, ratio and shear were wanted", name);
  for (int s = 0; s < out->n; s++) CB_TRY(fit_specimen(t, name, out, &out->specimen[s], err));
  return CB_OK;
}

/* ---- asking ---- */

int val_drape_model_find(const val_drape_model *m, double support_m, double specimen_m) {
  const val_drape_row wanted = {.support_m = support_m, .specimen_m = specimen_m};
  for (int s = 0; s < m->n; s++)
    if (same_size(&wanted, &m->specimen[s])) return s;
  return -1;
}

void val_drape_expect(const val_drape_model *m, int specimen, const val_drape_cloth *c,
                      val_drape_expected *out) {
  place at = place_of(m, c);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
    const val_drape_response *r = &m->specimen[specimen].response[s];
    double t[VAL_DRAPE_TERMS_MAX] = {0};
    (void)terms_of(r->degree, &at, t);
    out->mean[s] = term_sum(r->b, t, r->terms);
    out->sd[s] = sqrt(variance_of(r, s, &at));
    out->doubt[s] = sqrt(doubt_of(r, t));
  }
}
