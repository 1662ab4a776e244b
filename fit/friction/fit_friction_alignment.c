/* A pull line that rises by x towards the cell takes T sin x off the load, and only T cos x of its tension
 * lies along the way: T cos x = F(N - T sin x). With F' = dF/dN that is, relative to F,
 *
 *   -F' x + (1/2 + F'^2) x^2 + ...     (Coulomb: T = mu N / (cos x + mu sin x))
 *
 * A line that leads to the side by y, with a cart that runs in a guide, shows F / cos y: y^2 / 2. x and y are
 * normal about 0. The first order has the standard uncertainty F' u(x). The second order is never negative,
 * so that it has a mean, which is not corrected, and a scatter: squared and summed 3 (1/2 + F'^2)^2 u(x)^4 +
 * 3/4 u(y)^4 (JCGM 100, F.2.4.4 for a cosine and F.2.4.5 for a bias left in). The line is set up once, so
 * that all runs share both. */
#include <math.h>
#include <string.h>

#include "fit_friction_impl.h"

/* dF/dN at a knot, by the local power law, over the direction's force. */
static double slope_over_force(const cb_friction_law *law, const cb_friction_knot *k) {
  return law->exponent / (k->normal_force_N + law->offset_N);
}

static double mean_slope(const cb_friction_law *law, const cb_friction_knot *k) {
  return slope_over_force(law, k) * 0.5 * (k->f_N[0] + k->f_N[2]);
}

/* F F' is the square of the matrix but for the square of the force across the pull, which is second order in
 * the anisotropy. Outside the loads F' grows with the exponent less one. */
static void first_order(cb_friction_law *law, double u_rad) {
  cb_friction_shared *part = fit_new_part(law, "alignment");
  for (size_t l = 0; l < law->n_knots; l++) {
    const cb_friction_knot *k = &law->knots[l];
    const double *f = k->f_N, r = -u_rad * slope_over_force(law, k);
    part->f_N[l][0] = r * (f[0] * f[0] + f[1] * f[1]);
    part->f_N[l][1] = r * f[1] * (f[0] + f[2]);
    part->f_N[l][2] = r * (f[1] * f[1] + f[2] * f[2]);
  }
  part->exponent[0] = -u_rad * mean_slope(law, &law->knots[0]) * (law->exponent - 1);
  part->exponent[1] = -u_rad * mean_slope(law, &law->knots[law->n_knots - 1]) * (law->exponent - 1);
}

double fit_alignment_second_order(double slope, double u_pitch_rad, double u_yaw_rad) {
  double pitch = (0.5 + slope * slope) * u_pitch_rad * u_pitch_rad, yaw = 0.5 * u_yaw_rad * u_yaw_rad;
  return sqrt(3 * (pitch * pitch + yaw * yaw));
}

static void second_order(cb_friction_law *law, double u_pitch_rad, double u_yaw_rad) {
  cb_friction_shared *part = fit_new_part(law, "second order");
  for (size_t l = 0; l < law->n_knots; l++) {
    const cb_friction_knot *k = &law->knots[l];
    double r = fit_alignment_second_order(mean_slope(law, k), u_pitch_rad, u_yaw_rad);
    for (int i = 0; i < 3; i++) part->f_N[l][i] = r * k->f_N[i];
  }
}

void fit_add_alignment(cb_friction_law *law, double u_pitch_rad, double u_yaw_rad) {
  if (u_pitch_rad > 0) first_order(law, u_pitch_rad);
  if (u_pitch_rad > 0 || u_yaw_rad > 0) second_order(law, u_pitch_rad, u_yaw_rad);
}
