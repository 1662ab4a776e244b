#include "fit_buckled_strip.h"

#include <math.h>

#include "cb_num.h"

/* The energy of half the strip, with trapezoids over the nodes and the curvature of a piece from its two
 * slopes, is least at equilibrium. Its second derivatives are tridiagonal; the distance of the clamps is a
 * constraint whose multiplier is the tension. Newton's method solves both together. */

enum { PIECES = FIT_BUCKLED_PIECES, MAX_NEWTON = 40, MAX_HALVINGS = 7, MAX_STEPS = 4000 };
#define STEP 0.02 /* largest step of the shortening, over the length */
#define SMALLEST_STEP 1e-6
#define BALANCED 1e-9 /* of moments, over B / L */
#define PIECE (0.5 / PIECES)

/* What is left of the equilibrium, and the tangent there. */
typedef struct balance {
  double moment[PIECES + 1], distance;           /* residuals, at the nodes and of the constraint */
  double middle[PIECES + 1], beside[PIECES + 1]; /* of the tangent */
  double column[PIECES + 1];                     /* of the multiplier */
} balance;

typedef struct numbers {
  double friction, onset, weight; /* over B / L, 1 / L, B / L^3 */
} numbers;

static numbers numbers_of(const fit_buckled_strip *p) {
  const double L = p->length_m;
  return (numbers){p->friction_N * L / p->B_Nm, p->onset_per_m * L, p->weight_N_per_m2 * L * L * L / p->B_Nm};
}

static double curvature_at(const double *slope, int piece) {
  return (slope[piece + 1] - slope[piece]) / PIECE;
}

static double clip(double x, double most) { return fmin(fmax(x, -most), most); }

static void add_bending(const numbers *q, const fit_buckled_state *x, balance *b) {
  const double stiff = q->friction / q->onset;
  for (int i = 0; i < PIECES; i++) {
    const double K = curvature_at(x->slope, i), bent = K - x->slip[i];
    const double M = K + stiff * clip(bent, q->onset);
    const double tangent = (1 + (fabs(bent) < q->onset ? stiff : 0)) / PIECE;
    b->moment[i] -= M;
    b->moment[i + 1] += M;
    b->middle[i] += tangent;
    b->middle[i + 1] += tangent;
    b->beside[i] = -tangent;
  }
}

static void add_forces(const numbers *q, const fit_buckled_state *x, balance *b) {
  for (int i = 0; i < PIECES; i++) {
    const double lever = q->weight * (0.5 - i * PIECE), sine = sin(x->slope[i]), cosine = cos(x->slope[i]);
    b->moment[i] += PIECE * (x->tension * sine - lever * cosine);
    b->middle[i] += PIECE * (x->tension * cosine + lever * sine);
    b->column[i] = PIECE * sine;
    b->distance -= PIECE * cosine;
  }
}

static balance balance_of(const numbers *q, const fit_buckled_state *x) {
  balance b = {.distance = 0.5 * (1 - x->shortening)};
  add_bending(q, x, &b);
  add_forces(q, x, &b);
  return b;
}

static double size_of(const balance *b) {
  double worst = fabs(b->distance);
  for (int i = 1; i < PIECES; i++) worst = fmax(worst, fabs(b->moment[i]));
  return worst;
}

/* Solves for u and v, tangent u = moment and tangent v = column, in the place of both: by elimination, since
 * the tangent is tridiagonal. Slopes at the clamp and in the middle stay 0. */
static void solve_tangent(const balance *b, double *u, double *v) {
  double pivot[PIECES + 1] = {0};
  pivot[1] = b->middle[1], u[1] = b->moment[1], v[1] = b->column[1];
  for (int i = 2; i < PIECES; i++) {
    const double ratio = b->beside[i - 1] / pivot[i - 1];
    pivot[i] = b->middle[i] - ratio * b->beside[i - 1];
    u[i] = b->moment[i] - ratio * u[i - 1];
    v[i] = b->column[i] - ratio * v[i - 1];
  }
  u[PIECES] = v[PIECES] = 0;
  for (int i = PIECES - 1; i > 0; i--) {
    u[i] = (u[i] - b->beside[i] * u[i + 1]) / pivot[i];
    v[i] = (v[i] - b->beside[i] * v[i + 1]) / pivot[i];
  }
}

/* Newton's step at a balance, as far as `share` of it. */
static fit_buckled_state step_newton(const balance *b, const fit_buckled_state *x, double share) {
  double u[PIECES + 1], v[PIECES + 1], with_u = 0, with_v = 0;
  fit_buckled_state next = *x;
  solve_tangent(b, u, v);
  for (int i = 1; i < PIECES; i++) with_u += b->column[i] * u[i], with_v += b->column[i] * v[i];
  const double more = (b->distance - with_u) / with_v;
  for (int i = 1; i < PIECES; i++) next.slope[i] -= share * (u[i] + more * v[i]);
  next.tension += share * more;
  return next;
}

/* Where sliders begin or end to slip within a step, the whole step may go too far. False, with *x undefined:
 * Newton's method went nowhere. */
static bool find_balance(const numbers *q, fit_buckled_state *x) {
  balance b = balance_of(q, x);
  for (int i = 0; i < MAX_NEWTON && isfinite(size_of(&b)); i++) {
    const double size = size_of(&b);
    if (size < BALANCED) return true;
    const balance at = b;
    const fit_buckled_state from = *x;
    double share = 1;
    for (int k = 0; k < MAX_HALVINGS && !(k > 0 && size_of(&b) < size); k++, share *= 0.5) {
      *x = step_newton(&at, &from, share);
      b = balance_of(q, x);
    }
  }
  return false;
}

/* A flat strip has no side to bulge to: the first bow of an elastic strip points the way. */
static void guess_bow(const numbers *q, fit_buckled_state *x) {
  const double bow = 2 / CB_PI * sqrt(x->shortening);
  for (int i = 1; i < PIECES; i++) x->slope[i] = 2 * sqrt(x->shortening) * sin(2 * CB_PI * i * PIECE);
  x->tension = -4 * CB_PI * CB_PI - 8 * q->friction / (CB_PI * bow);
}

/* The slider of a piece follows the curvature once it is at its limit. */
static void settle_sliders(const numbers *q, fit_buckled_state *x) {
  for (int i = 0; i < PIECES; i++) {
    const double K = curvature_at(x->slope, i);
    x->slip[i] = K - clip(K - x->slip[i], q->onset);
  }
}

void fit_buckled_begin(fit_buckled_state *state) { *state = (fit_buckled_state){.shortening = 0}; }

double fit_buckled_move(const fit_buckled_strip *strip, double shortening_m, fit_buckled_state *state) {
  const numbers q = numbers_of(strip);
  const double goal = shortening_m / strip->length_m;
  double step = STEP;
  for (int i = 0; i < MAX_STEPS && step >= SMALLEST_STEP && state->shortening != goal; i++) {
    fit_buckled_state next = *state;
    const double way = goal - state->shortening;
    next.shortening = fabs(way) <= step ? goal : state->shortening + copysign(step, way);
    if (state->shortening == 0) guess_bow(&q, &next);
    if (find_balance(&q, &next)) {
      settle_sliders(&q, &next);
      *state = next;
      step = fmin(2 * step, STEP);
    } else {
      step *= 0.5;
    }
  }
  if (state->shortening != goal) state->tension = NAN;
  return state->tension * strip->B_Nm / (strip->length_m * strip->length_m);
}
