#include "fit_compression.h"

#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_figures_impl.h"

#define LOWEST_REL 5e-3  /* of the test's highest pressure */
#define LOWEST_DIGITS 5  /* of the pressure's column */
#define LEAST_RANGE 1.2  /* highest over lowest pressure of a curve */
#define SPECIMEN_SD 0.04 /* of ln thickness between pieces: a guess, where there are few */
#define ASSUMED_DOF 4
#define ENOUGH_DOF 3

const char *const fit_compression_outcome_text[] = {
    "a law", "no test shows the thickness while the pressure rises by a fifth and more",
    "the tests share no range of pressures in which the highest is 1.2 times the lowest",
    "the cloth does not become thinner"};

/* The readings of one test while the pressure rises: ln p, ln T of one layer. */
typedef struct rise {
  double *x, *y; /* parts of gathered.memory */
  size_t n;
  double at[CB_COMPRESSION_KNOTS]; /* ln T at the knots */
  size_t piece;
} rise;

typedef struct gathered {
  double *memory; /* owned; as are rises */
  rise *rises;
  size_t n;
  double low, high; /* ln p that all rises reach */
  double *window_x, *window_y;
  size_t n_knots;
} gathered;

/* ---- test -> rise ---- */

static bool take_rise(const fit_compression_test *t, rise *r, double range[2]) {
  fit_branch up, down;
  const double layers = t->test->layers > 0 ? t->test->layers : 1;
  r->n = 0;
  r->piece = t->piece;
  if (t->n < 3 || !fit_compression_branches(t->points, t->n, &up, &down)) return false;
  double high = 0;
  for (size_t i = up.from; i < up.to; i++) high = fmax(high, t->points[i].x);
  const double low = fmax(LOWEST_REL * high, LOWEST_DIGITS * t->test->x_digit);
  range[0] = INFINITY, range[1] = log(high);
  for (size_t i = up.from; i < up.to; i++) {
    const cb_test_point *p = &t->points[i];
    if (!(p->x > 0 && p->x >= low && p->y > 0)) continue;
    r->x[r->n] = log(p->x), r->y[r->n] = log(p->y / layers);
    range[0] = fmin(range[0], r->x[r->n++]);
  }
  return r->n >= 2 && range[1] - range[0] >= log(LEAST_RANGE);
}

static cb_status allocate(const fit_compression_test *tests, size_t n, gathered *g, cb_err *err) {
  size_t points = 0;
  for (size_t i = 0; i < n; i++) points += tests[i].n;
  g->memory = malloc((4 * points + 1) * sizeof *g->memory);
  g->rises = calloc(n + 1, sizeof *g->rises);
  g->window_x = g->memory ? g->memory + 2 * points : NULL;
  g->window_y = g->memory ? g->memory + 3 * points : NULL;
  return g->memory && g->rises ? CB_OK : cb_no_memory(err, "%zu points of compression", points);
}

static cb_status check_points(const fit_compression_test *t, cb_err *err) {
  for (size_t i = 0; i < t->n; i++)
    if (!isfinite(t->points[i].x) || !isfinite(t->points[i].y))
      return cb_fail(err, CB_E_NUM,
                     "compression test '%s': point %zu is (%g, %g): finite numbers were wanted",
                     t->test->specimen, i + 1, t->points[i].x, t->points[i].y);
  return CB_OK;
}

static cb_status gather_rises(const fit_compression_test *tests, size_t n, gathered *g, cb_err *err) {
  double *free_memory = g->memory;
  size_t fewest = CB_COMPRESSION_KNOTS;
  g->low = -INFINITY, g->high = INFINITY;
  for (size_t i = 0; i < n; i++) {
    rise *r = &g->rises[g->n];
    double range[2];
    CB_TRY(check_points(&tests[i], err));
    r->x = free_memory, r->y = free_memory + tests[i].n;
    if (!take_rise(&tests[i], r, range)) continue;
    free_memory += 2 * tests[i].n;
    fewest = r->n < fewest ? r->n : fewest;
    g->low = fmax(g->low, range[0]), g->high = fmin(g->high, range[1]);
    g->n++;
  }
  g->n_knots = fewest;
  return CB_OK;
}

/* ---- rise -> knots ---- */

static double knot_at(const gathered *g, size_t k) {
  return g->low + (g->high - g->low) * (double)k / (double)(g->n_knots - 1);
}

/* Between the nearest readings on both sides. */
static double read_between(const rise *r, double x) {
  double below = -INFINITY, above = INFINITY, y_below = NAN, y_above = NAN;
  for (size_t i = 0; i < r->n; i++) {
    if (r->x[i] <= x + 1e-12 && r->x[i] > below) below = r->x[i], y_below = r->y[i];
    if (r->x[i] >= x - 1e-12 && r->x[i] < above) above = r->x[i], y_above = r->y[i];
  }
  return above > below ? y_below + (y_above - y_below) * (x - below) / (above - below) : y_below;
}

/* On a straight line through the readings within half a step; a few readings are no line. */
static double read_knot(const gathered *g, const rise *r, double x) {
  const double half = 0.5 * (g->high - g->low) / (double)(g->n_knots - 1);
  size_t n = 0, below = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (!(fabs(r->x[i] - x) <= half)) continue;
    below += r->x[i] < x;
    g->window_x[n] = r->x[i] - x, g->window_y[n++] = r->y[i];
  }
  if (below < 2 || n - below < 2) return read_between(r, x);
  return cb_line_fit(g->window_x, g->window_y, n).intercept;
}

static void read_knots(gathered *g) {
  for (size_t i = 0; i < g->n; i++)
    for (size_t k = 0; k < g->n_knots; k++) g->rises[i].at[k] = read_knot(g, &g->rises[i], knot_at(g, k));
}

/* ---- knots -> law ---- */

/* Joins the tests of a piece: its first rise keeps their mean, and comes to the front. Returns the number of
 * pieces. */
static size_t join_pieces(gathered *g) {
  size_t pieces = 0;
  for (size_t i = 0; i < g->n; i++) {
    size_t p = 0;
    while (p < pieces && g->rises[p].piece != g->rises[i].piece) p++;
    if (p < pieces) continue;
    double count = 0, sum[CB_COMPRESSION_KNOTS] = {0};
    for (size_t j = i; j < g->n; j++) {
      if (g->rises[j].piece != g->rises[i].piece) continue;
      count++;
      for (size_t k = 0; k < g->n_knots; k++) sum[k] += g->rises[j].at[k];
    }
    g->rises[pieces].piece = g->rises[i].piece;
    for (size_t k = 0; k < g->n_knots; k++) g->rises[pieces].at[k] = sum[k] / count;
    pieces++;
  }
  return pieces;
}

/* Variance of ln T between the pieces, with a usual one where they are few. */
static double join_variance(double found, double dof) {
  if (dof >= ENOUGH_DOF) return found;
  return (dof * found + ASSUMED_DOF * SPECIMEN_SD * SPECIMEN_SD) / (dof + ASSUMED_DOF);
}

static void set_knot(const gathered *g, size_t k, size_t pieces, cb_compression_law *law, double *variance) {
  double y[2] = {0, 0};
  for (size_t p = 0; p < pieces; p++) y[0] += g->rises[p].at[k] / (double)pieces;
  for (size_t p = 0; p < pieces; p++) y[1] += (g->rises[p].at[k] - y[0]) * (g->rises[p].at[k] - y[0]);
  const double dof = (double)pieces - 1;
  *variance = join_variance(dof > 0 ? y[1] / dof : 0, dof);
  law->knot[k] = (cb_compression_knot){exp(knot_at(g, k)), exp(y[0]), sqrt(*variance / (double)pieces)};
  /* noise does not thicken the cloth */
  if (k > 0) law->knot[k].thickness_m = fmin(law->knot[k].thickness_m, law->knot[k - 1].thickness_m);
}

/* The largest mean residual between two knots, each rise about its own knots: what straight lines miss. */
static double find_misfit(const gathered *g, size_t k) {
  const double low = knot_at(g, k), high = knot_at(g, k + 1);
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++) {
    const rise *r = &g->rises[i];
    for (size_t j = 0; j < r->n; j++) {
      if (!(r->x[j] >= low && r->x[j] <= high)) continue;
      const double share = (r->x[j] - low) / (high - low);
      sum += r->y[j] - (r->at[k] + share * (r->at[k + 1] - r->at[k]));
      n++;
    }
  }
  return n > 0 ? fabs(sum / (double)n) : 0;
}

static void add_doubts(const double misfit[], double u_digit_m, fit_compression_result *out) {
  cb_compression_law *law = &out->law;
  for (size_t k = 0; k < law->n; k++) {
    const double left = k > 0 ? misfit[k - 1] : 0, right = k + 1 < law->n ? misfit[k] : 0;
    out->misfit = fmax(out->misfit, fmax(left, right));
    law->knot[k].u_ln =
        hypot(law->knot[k].u_ln, hypot(fmax(left, right), u_digit_m / law->knot[k].thickness_m));
  }
}

static void build_law(gathered *g, const double misfit[], double u_digit_m, fit_compression_result *out) {
  cb_compression_law *law = &out->law;
  double sum = 0, variance;
  const size_t pieces = join_pieces(g);
  const double dof = (double)pieces - 1;
  out->n_pieces = pieces;
  out->sd_assumed = dof < ENOUGH_DOF;
  law->n = g->n_knots;
  law->dof = dof < ENOUGH_DOF ? dof + ASSUMED_DOF : dof;
  for (size_t k = 0; k < law->n; k++) {
    set_knot(g, k, pieces, law, &variance);
    sum += variance / (double)law->n;
  }
  law->specimen_sd = sqrt(sum);
  add_doubts(misfit, u_digit_m, out);
  if (!(law->knot[law->n - 1].thickness_m < law->knot[0].thickness_m))
    out->outcome = FIT_COMPRESSION_NOT_THINNER;
}

static void fit_gathered(gathered *g, double u_digit_m, fit_compression_result *out) {
  double misfit[CB_COMPRESSION_KNOTS] = {0};
  out->n_tests = g->n;
  for (size_t i = 0; i < g->n; i++) out->n_points += g->rises[i].n;
  if (g->n == 0)
    out->outcome = FIT_COMPRESSION_NO_CURVE;
  else if (!(g->high - g->low >= log(LEAST_RANGE)))
    out->outcome = FIT_COMPRESSION_NO_COMMON;
  if (out->outcome != FIT_COMPRESSION_OK) return;
  read_knots(g);
  for (size_t k = 0; k + 1 < g->n_knots; k++) misfit[k] = find_misfit(g, k);
  build_law(g, misfit, u_digit_m, out);
}

cb_status fit_compression(const fit_compression_test *tests, size_t n, fit_compression_result *out,
                          cb_err *err) {
  gathered g = {.n = 0};
  double u_digit_m = 0;
  *out = (fit_compression_result){.outcome = FIT_COMPRESSION_OK};
  out->law.kes = (cb_compression_kes){NAN, NAN, NAN, NAN, NAN, NAN};
  cb_status st = allocate(tests, n, &g, err);
  if (st == CB_OK) st = gather_rises(tests, n, &g, err);
  for (size_t i = 0; i < n; i++) {
    const cb_material_test *t = tests[i].test;
    u_digit_m = fmax(u_digit_m, t->y_digit / sqrt(12) / (t->layers > 0 ? t->layers : 1));
    out->law.u_pressure_rel = fmax(out->law.u_pressure_rel, t->u_x_rel);
    out->law.u_thickness_rel = fmax(out->law.u_thickness_rel, t->u_y_rel);
  }
  if (st == CB_OK) fit_gathered(&g, u_digit_m, out);
  free(g.memory);
  free(g.rises);
  return st;
}
