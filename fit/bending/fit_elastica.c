#include "fit_elastica.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "fit_bending_impl.h"

/* With t = load^(1/3) (L - s) / L and e = 90 deg - theta the equation has no parameter left: e'' = t sin e.
 * From the free end, where e' = 0 and e = e0, one integration up to e = 90 deg, the edge, is a whole
 * solution: no shooting. The state is sin e, cos e and e', so that neither a nearly straight strip (cos e
 * small) nor a hanging one (sin e small) loses digits; e0 is given by z, tanh z = sin(tip slope). Steps are
 * Taylor series, whose coefficients follow from each other. */

#define NEAR 1e-10 /* of a logarithm: from here a step of the secant leaves rounding */
enum { ORDER = 22, MAX_STEPS = 1000 /* a few, some 100 for the longest strip */ };

typedef struct series {
  double sine[ORDER + 1], cosine[ORDER + 1], rate[ORDER + 1], square[ORDER + 1]; /* square: of the rate */
} series;

static double convolve(const double *a, const double *b, int k) {
  double sum = 0;
  for (int j = 0; j <= k; j++) sum += a[j] * b[k - j];
  return sum;
}

static void expand(series *q, double t) {
  for (int k = 0; k < ORDER; k++) {
    q->square[k] = convolve(q->rate, q->rate, k);
    q->rate[k + 1] = (t * q->sine[k] + (k > 0 ? q->sine[k - 1] : 0)) / (k + 1);
    q->sine[k + 1] = convolve(q->cosine, q->rate, k) / (k + 1);
    q->cosine[k + 1] = -convolve(q->sine, q->rate, k) / (k + 1);
  }
  q->square[ORDER] = convolve(q->rate, q->rate, ORDER);
}

static double value(const double *a, double h) {
  double sum = a[ORDER];
  for (int k = ORDER - 1; k >= 0; k--) sum = sum * h + a[k];
  return sum;
}

static double integral(const double *a, double h) {
  double sum = a[ORDER] / (ORDER + 1);
  for (int k = ORDER - 1; k >= 0; k--) sum = sum * h + a[k] / (k + 1);
  return sum * h;
}

/* The last terms are one rounding of what they add to. Three of them: at the free end two of three vanish. */
static double limit(const double *a, double size) {
  double last = fmax(fabs(a[ORDER]), fmax(fabs(a[ORDER - 1]), fabs(a[ORDER - 2])));
  return pow(0.5 * DBL_EPSILON * size / (last + DBL_MIN), 1.0 / (ORDER - 2));
}

static double longest_step(const series *q) {
  double growing = fmax(q->sine[0], q->rate[0]);
  return fmin(limit(q->cosine, 1), fmin(limit(q->sine, growing), limit(q->rate, growing)));
}

/* Where in (0, h] the cosine is zero; it is positive at 0, negative at h. */
static double crossing(const series *q, double h) {
  double low = 0, high = h, at = h;
  for (int i = 0; i < 60 && high - low > DBL_EPSILON * h; i++) {
    double c = value(q->cosine, at);
    *(c > 0 ? &low : &high) = at;
    double slope = -value(q->sine, at) * value(q->rate, at), next = at - c / slope;
    if (fabs(next - at) <= DBL_EPSILON * h) break;
    at = next > low && next < high ? next : 0.5 * (low + high);
  }
  return at;
}

static fit_elastica from_tip(double z) {
  series q = {.sine = {1 / cosh(z)}, .cosine = {tanh(z)}};
  double t = 0, x = 0, y = 0, square = 0;
  bool arrived = false;
  for (int i = 0; i < MAX_STEPS && !arrived; i++) {
    expand(&q, t);
    double h = longest_step(&q);
    arrived = !(value(q.cosine, h) > 0);
    if (arrived) h = crossing(&q, h);
    t += h;
    x += integral(q.sine, h);
    y += integral(q.cosine, h);
    square += integral(q.square, h);
    double sine = value(q.sine, h), cosine = value(q.cosine, h), rate = value(q.rate, h);
    q.sine[0] = sine, q.cosine[0] = cosine, q.rate[0] = rate;
  }
  return (fit_elastica){.load = t * t * t,
                        .chord_rad = atan2(y, x),
                        .tip_rad = atan(sinh(z)),
                        .reach = x / t,
                        .drop = y / t,
                        .root_curvature = q.rate[0] * t,
                        .square_curvature = square * t};
}

/* Chord and load both grow almost in proportion to z or z^2: the secant in logarithms needs a few steps. */
static double log_tan_chord(const fit_elastica *e) { return log(e->drop / e->reach); }
static double log_load(const fit_elastica *e) { return log(e->load); }

static fit_elastica solve_shooting(double (*of)(const fit_elastica *e), double wanted, double z) {
  fit_elastica best = from_tip(z);
  double slope = 1, off = of(&best) - wanted, at = log(z), size = fmax(1, fabs(wanted));
  for (int i = 0; i < 50 && fabs(off) > 4 * DBL_EPSILON * size; i++) {
    double next = at - off / slope;
    fit_elastica e = from_tip(exp(next));
    double then = of(&e) - wanted;
    /* As near as rounding lets it come, which for long strips is not so near: more steps would wander. */
    if (next == at || then == off || (fabs(off) < NEAR * size && fabs(then) >= fabs(off))) break;
    slope = (then - off) / (next - at);
    at = next, off = then, best = e;
  }
  return best;
}

/* tan(chord) goes from 3/4 z (nearly straight) to 3/(2 sqrt 2) z (hanging). */
fit_elastica fit_elastica_of_chord(double chord_rad) {
  double t = tan(chord_rad);
  return solve_shooting(log_tan_chord, log(t), t / (0.75 + 0.31 * t / (1 + t)));
}

/* The load goes from 6 z to 9/4 z^2. */
fit_elastica fit_elastica_of_load(double load) {
  return solve_shooting(log_load, log(load), load / (3 + sqrt(9 + 2.25 * load)));
}

double fit_elastica_peirce_load(double chord_rad) { return 8 * tan(chord_rad) / cos(0.5 * chord_rad); }
