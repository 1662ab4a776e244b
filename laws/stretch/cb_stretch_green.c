#include "cb_stretch_green.h"

#include <math.h>

#include "cb_stretch_impl.h"

const char *const cb_stretch_axis_names[] = {"warp", "weft", "shear", NULL};

/* Strain and stress of a strip in its own direction: Green-Lagrange, second Piola-Kirchhoff. */
static void push(cb_stretch_green *g, double strain, double stress, double u) {
  bool ascends = g->n == 0 || (strain > g->strain[g->n - 1] && stress > g->stress_N_per_m[g->n - 1]);
  if (!ascends) return;
  g->strain[g->n] = strain;
  g->stress_N_per_m[g->n] = stress;
  g->u_N_per_m[g->n++] = u;
}

static void strip(const cb_stretch_law *law, double angle_deg, cb_stretch_green *g) {
  const cb_stretch_direction *d = cb_stretch_find(law, angle_deg);
  g->n = 0;
  for (size_t i = 0; d && i < d->n_knots; i++) {
    const cb_stretch_knot *k = &d->knots[i];
    push(g, k->strain * (1 + 0.5 * k->strain), k->force_N_per_m / (1 + k->strain),
         k->u_N_per_m / (1 + k->strain));
  }
  if (g->n < 2) g->n = 0;
}

static size_t piece(const double *x, size_t n, double at) {
  size_t i = 0;
  while (i + 2 < n && x[i + 1] <= at) i++;
  return i;
}

double cb_stretch_green_stress(const cb_stretch_green *g, double strain) {
  size_t i = piece(g->strain, g->n, strain);
  double t = (strain - g->strain[i]) / (g->strain[i + 1] - g->strain[i]);
  return g->stress_N_per_m[i] + t * (g->stress_N_per_m[i + 1] - g->stress_N_per_m[i]);
}

/* The strain at a stress, and what the curve's uncertainty makes of it. */
static double strain_at(const cb_stretch_green *g, double stress, double *u) {
  size_t i = piece(g->stress_N_per_m, g->n, stress);
  double per = (g->strain[i + 1] - g->strain[i]) / (g->stress_N_per_m[i + 1] - g->stress_N_per_m[i]);
  *u = per * fmax(g->u_N_per_m[i], g->u_N_per_m[i + 1]);
  return g->strain[i] + (stress - g->stress_N_per_m[i]) * per;
}

static void shear(const cb_stretch_law *law, cb_stretch_green *g) {
  cb_stretch_green warp, weft, bias;
  strip(law, 0, &warp);
  strip(law, 90, &weft);
  strip(law, 45, &bias);
  g->n = 0;
  for (size_t i = 0; warp.n && weft.n && i < bias.n; i++) {
    double half = 0.5 * bias.stress_N_per_m[i], u_warp, u_weft;
    double e = bias.strain[i] - 0.5 * (strain_at(&warp, half, &u_warp) + strain_at(&weft, half, &u_weft));
    double slope = g->n && e > 0 ? (half - g->stress_N_per_m[g->n - 1]) / (e - g->strain[g->n - 1]) : 0;
    push(g, e, half, hypot(0.5 * bias.u_N_per_m[i], 0.5 * slope * hypot(u_warp, u_weft)));
  }
  if (g->n < 2) g->n = 0;
}

void cb_stretch_green_curve(const cb_stretch_law *law, cb_stretch_axis axis, cb_stretch_green *out) {
  if (axis == CB_STRETCH_SHEAR)
    shear(law, out);
  else
    strip(law, axis == CB_STRETCH_WARP ? 0 : 90, out);
}

#define TABLE_POINTS 8

void cb_stretch_green_table(const cb_stretch_wang *w, cb_stretch_axis axis, cb_stretch_green *out) {
  out->n = 0;
  push(out, 0, 0, 0);
  for (int i = 1; i <= TABLE_POINTS + 2; i++) {
    double stretch = 1 + (CB_WANG_STRETCH - 1) * i / TABLE_POINTS, green[3] = {0, 0, 0}, stress[3];
    green[axis] = 0.5 * (stretch * stretch - 1);
    cb_stretch_wang_stress(w, green, stress);
    push(out, green[axis], stress[axis], NAN);
  }
  if (out->n < 2) out->n = 0;
}
