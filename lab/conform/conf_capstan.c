/* A strip hangs over a drum, with a short end and a long one. Their weights pull.
 *
 * By the equations of a strip without bending, per width and over its areal density: with E = exp(pi mu),
 * ends of the lengths S (short) and L (long), radius R, and the way s towards the long end, s'' (L + E S + R
 * (E - 1) / mu) = g (L - E S - 2 mu R (E + 1) / (1 + mu^2)) + s'^2 (E - 1).
 * docs/reference/experiments-motion.md derives it. */
#include <math.h>

#include "cb_num.h"
#include "conf_extra.h"

#define RADIUS_M 0.05
#define WIDTH_M 0.02
#define SHORT_M 0.1
#define LONGEST_M 1.0 /* of the strip */
#define APART_M 0.001 /* so that nobody's contact thickness begins in the drum */

/* The length of the long end at which the strip begins to slide. */
static double most_m(double mu, double short_m, double *growth) {
  *growth = exp(CB_PI * mu);
  return *growth * short_m + 2 * mu * RADIUS_M * (*growth + 1) / (1 + mu * mu);
}

static double strip_m(double level, double mu, double short_m) {
  double growth;
  return short_m + CB_PI * RADIUS_M + level * most_m(mu, short_m, &growth);
}

static bool possible(double level, double edge_m, const exch_cloth *s) {
  return s->friction.value > 0 && strip_m(level, s->friction.value, SHORT_M) <= LONGEST_M &&
         edge_m <= WIDTH_M / 2;
}

/* ---- the case ---- */

static void hang(conf_case *c, double short_m) {
  const double r = RADIUS_M + APART_M, before = short_m - CB_PI * APART_M / 2;
  for (int i = 0; i < c->n_vertices; i++) {
    const double way = c->vertex[i][0] - before, on = fmax(0, fmin(CB_PI, way / r)), rest = way - r * on;
    c->start[i][0] = -r * cos(on);
    c->start[i][1] = c->vertex[i][1];
    c->start[i][2] = r * sin(on) + (rest < 0 ? rest : -rest);
  }
}

static cb_status make(conf_case *c, double edge_m, cb_err *err) {
  const double mu = c->cloth.friction.value;
  const int ny = (int)lround(WIDTH_M / edge_m);
  const double e = WIDTH_M / ny;
  const int nx = (int)lround(strip_m(c->level, mu, SHORT_M) / e);
  /* The short end for which whole cells fit. */
  const double none = strip_m(c->level, mu, 0), one = strip_m(c->level, mu, 1);
  CB_TRY(conf_mesh_room(c, (nx + 1) * (ny + 1), nx * ny, true, err));
  conf_mesh_grid(c, &(conf_grid){0, 0, nx, ny, {0, 0, 0}, e});
  hang(c, (nx * e - none) / (one - none));
  c->nx = nx;
  c->ny = ny;
  c->edge_m = e;
  c->length_m = nx * e;
  c->drum_m = RADIUS_M;
  c->gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2;
  conf_even_times(c, c->level < 1 ? 1.2 : 0.24);
  return CB_OK;
}

/* ---- what came of it ---- */

/* Second difference over time that friction mu would give, at these ends and mean speed. The way grows all
 * but exponentially: terms of the interval h to the fourth order. */
static double wanted_pull(double mu, const double end_m[2], double mean_m_per_s, double h) {
  double growth;
  const double g = CB_STANDARD_GRAVITY_M_PER_S2, limit = most_m(mu, end_m[0], &growth), more = growth - 1,
               inertia = end_m[1] + growth * end_m[0] + RADIUS_M * more / mu;
  double rate = g * (1 + growth) / inertia, a = 0, v = mean_m_per_s;
  for (int k = 0; k < 20; k++) {
    a = (g * (end_m[1] - limit) + v * v * more) / inertia;
    rate = (g * (1 + growth) + 3 * a * more) / inertia;
    v = mean_m_per_s / (1 + rate * h * h / 6);
  }
  return a + h * h / 12 * rate * (a + 4 * v * v * more / inertia + a * rate * h * h / 30);
}

static void judge(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out) {
  double end_m[CONF_TIMES][2] = {{0}}, way[CONF_TIMES];
  const double h = c->time_s[1] - c->time_s[0];
  for (int k = 0; k < CONF_TIMES; k++) {
    const double(*x)[3] = position + (size_t)k * (size_t)c->n_vertices;
    for (int j = 0; j <= c->ny; j++) {
      end_m[k][0] -= x[j][2] / (c->ny + 1);
      end_m[k][1] -= x[c->n_vertices - 1 - j][2] / (c->ny + 1);
    }
    way[k] = (end_m[k][1] - end_m[k][0]) / 2;
  }
  out->wanted = c->level < 1 ? 0 : s->friction.value;
  out->found = (way[2] - way[1]) / h;
  if (c->level < 1) return;
  const double pull = conf_acceleration(c, way), speed = (way[2] - way[0]) / (2 * h);
  double low = 1e-6, high = 4;
  for (int k = 0; k < 60; k++) {
    const double mu = (low + high) / 2;
    *(wanted_pull(mu, end_m[1], speed, h) > pull ? &low : &high) = mu;
  }
  out->found = (low + high) / 2;
}

const conf_extra conf_capstan = {possible, make, judge};
