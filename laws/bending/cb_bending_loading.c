#include "cb_bending_loading.h"

#include <math.h>
#include <stddef.h>

#include "cb_num.h"

/* Medians over a quarter each (125 strips of warp or weft) of the 251 fabrics whose moments a K + b K^2 Feng,
 * Huang, Xu, Wang (ACM TOG 41(6), 2022, data set) fitted to cantilevers: the bending length of the slope at
 * 100 1/m, and 2HB / B of that tangent. docs/method/bending.md has the reading. */
static const struct {
  double length_m, width_over_B_per_m;
} prior[] = {{0.0100, 66}, {0.0133, 95}, {0.0159, 119}, {0.0199, 143}};
#define N (sizeof prior / sizeof prior[0])

/* One further fabric scatters by 0.55 about four loops, and half of the distance between loops and strips is
 * 0.41. */
#define U_LN_WIDTH 0.7
/* The tangents of a quadratic at 0 and at 100 1/m meet at 50 1/m, from where on KES-FB2 finds moments
 * straight. */
#define ONSET_PER_M 50
#define U_LN_ONSET 0.4
/* Of a law without uncertainty of its widths. */
#define U_WIDTH 0.1
/* Rounds in which B and its bending length follow each other: the cube root contracts by a third or more. */
#define ROUNDS 60

cb_bending_prior cb_bending_prior_at(double bending_length_m) {
  size_t i = 0;
  while (i + 2 < N && bending_length_m > prior[i + 1].length_m) i++;
  double share = log(bending_length_m / prior[i].length_m) / log(prior[i + 1].length_m / prior[i].length_m);
  share = fmin(fmax(share, 0), 1);
  double width =
      prior[i].width_over_B_per_m * pow(prior[i + 1].width_over_B_per_m / prior[i].width_over_B_per_m, share);
  return (cb_bending_prior){width, U_LN_WIDTH, ONSET_PER_M, U_LN_ONSET};
}

static cb_bending_prior prior_of(const cb_bending_loading *l, double weight_N_per_m2) {
  return cb_bending_prior_at(cbrt(sqrt(l->B_Nm[0] * l->B_Nm[1]) / weight_N_per_m2));
}

static void set_onset(cb_bending_loading *l, double weight_N_per_m2) {
  cb_bending_prior p = prior_of(l, weight_N_per_m2);
  l->onset_per_m = p.onset_per_m;
  l->u_ln_onset = p.u_ln_onset;
}

static void set_prior_friction(cb_bending_loading *l, double weight_N_per_m2) {
  cb_bending_prior p = prior_of(l, weight_N_per_m2);
  for (int k = 0; k < 2; k++) l->friction_N[k] = 0.5 * p.width_over_B_per_m * l->B_Nm[k];
  l->u_ln_friction = p.u_ln_width;
}

/* ---- laws of slopes ---- */

static bool are_widths(const double width_N[2]) { return width_N[0] >= 0 && width_N[1] >= 0; }

static double u_of_widths(const cb_bending_law *law) {
  double u = 0;
  for (int k = 0; k < 2; k++)
    if (law->width_N[k] > 0)
      u = fmax(u, isfinite(law->u_width_N[k]) ? law->u_width_N[k] / law->width_N[k] : U_WIDTH);
  return u;
}

static void set_widths(cb_bending_loading *l, const double width_N[2], double u_ln) {
  l->measured = true;
  for (int k = 0; k < 2; k++) l->friction_N[k] = 0.5 * width_N[k];
  l->u_ln_friction = u_ln;
}

static void read_slope(const cb_bending_law *law, double weight_N_per_m2, const double *width_N,
                       cb_bending_loading *l) {
  set_onset(l, weight_N_per_m2);
  if (width_N)
    set_widths(l, width_N, U_WIDTH);
  else if (are_widths(law->width_N))
    set_widths(l, law->width_N, u_of_widths(law));
  else
    set_prior_friction(l, weight_N_per_m2);
}

/* ---- laws of moments ---- */

/* Of the moment at least that share is left to the slope. */
#define SLOPE_LEAST 0.1

static void divide_by_widths(const double width_N[2], cb_bending_loading *l) {
  set_widths(l, width_N, U_WIDTH);
  for (int k = 0; k < 2; k++)
    l->B_Nm[k] = fmax(l->B_Nm[k] - l->friction_N[k] / fmax(l->known_at_per_m, l->onset_per_m),
                      SLOPE_LEAST * l->B_Nm[k]);
}

/* The share of h in the moment at the law's curvature, h / (B K + h): B ~ K^e makes it -e. */
static void divide_by_exponent(const cb_bending_law *law, cb_bending_loading *l) {
  const double K = law->curvature_per_m, share = -law->exponent;
  l->measured = true;
  l->onset_per_m = fmin(l->onset_per_m, K);
  l->u_ln_friction = fmin(law->u_exponent / share, 1);
  for (int k = 0; k < 2; k++) {
    l->friction_N[k] = share * l->B_Nm[k] * K;
    l->B_Nm[k] *= 1 - share;
  }
}

/* M(K) = B K + h min(K / onset, 1) with h = r B / 2, r the prior's at the bending length of B. */
static void divide_by_prior(double weight_N_per_m2, cb_bending_loading *l) {
  const double whole[2] = {l->B_Nm[0], l->B_Nm[1]}, K = l->known_at_per_m;
  for (int round = 0; round < ROUNDS; round++) {
    cb_bending_prior p = prior_of(l, weight_N_per_m2);
    double more = 0.5 * p.width_over_B_per_m / fmax(K, p.onset_per_m);
    for (int k = 0; k < 2; k++) l->B_Nm[k] = whole[k] / (1 + more);
  }
  set_onset(l, weight_N_per_m2);
  set_prior_friction(l, weight_N_per_m2);
}

static double curvature_of(const cb_bending_law *law) {
  return law->form == CB_BENDING_TABLE ? 0.5 * (CB_BENDING_WANG_SAMPLES - 1) * CB_BENDING_WANG_STEP_PER_M
                                       : law->curvature_per_m;
}

static void read_moment(const cb_bending_law *law, double weight_N_per_m2, const double *width_N,
                        cb_bending_loading *l) {
  l->known_at_per_m = curvature_of(law);
  set_onset(l, weight_N_per_m2);
  if (width_N)
    divide_by_widths(width_N, l);
  else if (law->form != CB_BENDING_TABLE && law->exponent < 0 && law->exponent >= SLOPE_LEAST - 1)
    divide_by_exponent(law, l);
  else
    divide_by_prior(weight_N_per_m2, l);
}

void cb_bending_loading_of(const cb_bending_law *law, double weight_N_per_m2, const double width_N[2],
                           cb_bending_loading *out) {
  *out = (cb_bending_loading){.measured = false};
  for (int k = 0; k < 2; k++) {
    cb_bending_value v;
    cb_bending_eval(law, k * CB_PI / 2, NAN, &v);
    out->B_Nm[k] = v.B_Nm;
  }
  if (law->form != CB_BENDING_TABLE && law->B_is == CB_BENDING_SLOPE)
    read_slope(law, weight_N_per_m2, width_N, out);
  else
    read_moment(law, weight_N_per_m2, width_N, out);
}
