#include "cb_stretch_wang.h"

#include <math.h>

#include "cb_num.h"
#include "cb_stretch_green.h"
#include "cb_stretch_impl.h"

#define DIRECTIONS 5 /* rows 1 to 5 */

/* The larger principal stretch, and its direction as a place among the rows: 0 = warp, 4 = weft. */
static void principal(const double green[3], double *stretch, double *place) {
  double a = 1 + 2 * green[0], d = 1 + 2 * green[1], b = 2 * fabs(green[2]);
  double half = 0.5 * (a - d), r = hypot(half, b);
  *stretch = sqrt(0.5 * (a + d) + r);
  *place = r > 0 ? 0.5 * atan2(b, half) / (CB_PI / 2) * (DIRECTIONS - 1) : 0;
}

void cb_stretch_wang_stiffness(const cb_stretch_wang *w, const double green[3], double k_N_per_m[4]) {
  double stretch, place;
  principal(green, &stretch, &place);
  double t = fmin(fmax((stretch - 1) / (CB_WANG_STRETCH - 1), 0), 1);
  int i = (int)fmin(place, DIRECTIONS - 2);
  double v = place - i;
  for (int j = 0; j < 4; j++) {
    double far = (1 - v) * w->c_N_per_m[1 + i][j] + v * w->c_N_per_m[2 + i][j];
    k_N_per_m[j] = 2 * fmax((1 - t) * w->c_N_per_m[0][j] + t * far, 0);
  }
}

void cb_stretch_wang_stress(const cb_stretch_wang *w, const double green[3], double stress_N_per_m[3]) {
  double k[4];
  cb_stretch_wang_stiffness(w, green, k);
  stress_N_per_m[0] = k[0] * green[0] + k[1] * green[1];
  stress_N_per_m[1] = k[1] * green[0] + k[2] * green[1];
  stress_N_per_m[2] = 0.5 * k[3] * green[2];
}

/* ---- a strip ---- */

/* A symmetric tensor {xx, yy, xy} in axes that are turned by the angle. */
static void turn(const double t[3], double c, double s, double out[3]) {
  out[0] = c * c * t[0] + s * s * t[1] + 2 * s * c * t[2];
  out[1] = s * s * t[0] + c * c * t[1] - 2 * s * c * t[2];
  out[2] = s * c * (t[1] - t[0]) + (c * c - s * s) * t[2];
}

/* Stress in the strip's axes that strain component j alone makes at stiffness k. */
static void column(const double k[4], double c, double s, int j, double out[3]) {
  double unit[3] = {j == 0, j == 1, j == 2}, green[3];
  turn(unit, c, -s, green);
  double stress[3] = {k[0] * green[0] + k[1] * green[1], k[1] * green[0] + k[2] * green[1],
                      0.5 * k[3] * green[2]};
  turn(stress, c, s, out);
}

#define MOST_STEPS 500

/* The stiffness at the present strain, the strain that it would have, half-way there, and so on. */
double cb_stretch_wang_strip(const cb_stretch_wang *w, double angle_deg, double strain) {
  double c = cos(angle_deg * CB_DEG), s = sin(angle_deg * CB_DEG), along = strain * (1 + 0.5 * strain),
         e[3] = {along, 0, 0};
  for (int step = 0; step < MOST_STEPS; step++) {
    double green[3], k[4], a[3][3];
    turn(e, c, -s, green);
    cb_stretch_wang_stiffness(w, green, k);
    for (int j = 0; j < 3; j++) column(k, c, s, j, a[j]);
    double det = a[1][1] * a[2][2] - a[2][1] * a[1][2];
    if (!(fabs(det) > 0)) return NAN;
    double across = -along * (a[0][1] * a[2][2] - a[2][1] * a[0][2]) / det,
           shear = -along * (a[1][1] * a[0][2] - a[0][1] * a[1][2]) / det;
    double move = fmax(fabs(across - e[1]), fabs(shear - e[2]));
    e[1] += 0.5 * (across - e[1]), e[2] += 0.5 * (shear - e[2]);
    bool real = 1 + 2 * e[1] > 0 && (1 + 2 * e[0]) * (1 + 2 * e[1]) > 4 * e[2] * e[2];
    if (!real) return NAN;
    if (move <= 1e-12 * along) return (1 + strain) * (e[0] * a[0][0] + e[1] * a[1][0] + e[2] * a[2][0]);
  }
  return NAN;
}

/* ---- out of a law ---- */

/* Stress over strain of a curve; beyond its end as there, at nothing its first slope. */
static double secant(const cb_stretch_green *g, double strain, bool *beyond) {
  double last = g->strain[g->n - 1];
  if (strain > last) *beyond = true;
  double e = fmax(fmin(strain, last), 1e-3 * g->strain[1]);
  return cb_stretch_green_stress(g, e) / e;
}

bool cb_stretch_wang_of(const cb_stretch_law *law, cb_stretch_wang *w, bool *beyond) {
  cb_stretch_green g[3];
  *beyond = false;
  for (int i = 0; i < 3; i++) {
    cb_stretch_green_curve(law, (cb_stretch_axis)i, &g[i]);
    if (g[i].n == 0) return false;
  }
  for (int row = 0; row < CB_WANG_ROWS; row++) {
    double phi = row ? (row - 1) * CB_PI / 8 : 0, e = row ? 0.5 * (CB_WANG_STRETCH * CB_WANG_STRETCH - 1) : 0;
    double c = cos(phi), s = sin(phi), *out = w->c_N_per_m[row];
    out[0] = 0.5 * secant(&g[CB_STRETCH_WARP], e * c * c, beyond);
    out[1] = 0;
    out[2] = 0.5 * secant(&g[CB_STRETCH_WEFT], e * s * s, beyond);
    out[3] = secant(&g[CB_STRETCH_SHEAR], e * s * c, beyond);
  }
  return true;
}
