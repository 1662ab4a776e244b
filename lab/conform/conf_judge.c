/* From positions to the property that a program effectively has. */
#include <math.h>

#include "cb_num.h"
#include "conf_extra.h"
#include "fit_elastica.h"

/* Mean over a column of vertices. */
static void column_mean(const conf_case *c, const double (*x)[3], int column, double out[3]) {
  const int n = c->ny + 1;
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int j = 0; j < n; j++) out[k] += x[column * n + j][k] / n;
  }
}

/* The load w g L^3 / B at which the chord has this angle; it grows with the angle. */
static double load_of_chord(double chord_rad) {
  double low = 1e-6, high = FIT_ELASTICA_MAX_LOAD;
  for (int k = 0; k < 60; k++) {
    const double middle = sqrt(low * high);
    *(fit_elastica_of_load(middle).chord_rad < chord_rad ? &low : &high) = middle;
  }
  return sqrt(low * high);
}

/* inside_m: how far the clamp ends within the pinned cells. */
static double bending(const conf_case *c, const exch_cloth *s, double inside_m, const double (*x)[3]) {
  double tip[3];
  const double length = c->length_m + inside_m;
  column_mean(c, x, c->nx, tip);
  return -s->areal_density_kg_per_m2.value * c->gravity_m_per_s2[2] * length * length * length /
         load_of_chord(atan2(-tip[2], tip[0] + inside_m));
}

/* The mean tension of a strip that carries itself is half of its weight. */
static double stretch(const conf_case *c, const exch_cloth *s, const double (*x)[3]) {
  double end[3];
  column_mean(c, x, c->nx, end);
  return s->areal_density_kg_per_m2.value * c->gravity_m_per_s2[0] * c->length_m / 2 /
         (end[0] / c->length_m - 1);
}

/* Balance of the part between the middle and x, over the whole height H, gives the mean sag in the middle:
 * w g L^2 / (8 G) plus what the free edges above and below add. There the shear stress is 0, so u_x has a
 * boundary layer, E u_xx + G u_yy = 0, with u_x,y the shear angle. Its Fourier series gives the relative
 * addition 8 / pi^3 (1 + 1/27 + 1/125 + ...) (L / H) sqrt(G / E), to the first order in sqrt(G / E). */
#define EDGES (0.2713783 / 2) /* H = 2 L */

static double shear(const conf_case *c, const exch_cloth *s, const double (*x)[3]) {
  double now[3], sag = 0;
  const double load = -s->areal_density_kg_per_m2.value * c->gravity_m_per_s2[1] * c->length_m * c->length_m,
               e = s->stretch_warp_N_per_m.value,
               edges = e > 0 ? EDGES * sqrt(s->shear_N_per_m.value / e) : 0;
  for (int column = c->nx / 2; column <= (c->nx + 1) / 2; column++) {
    double was[3];
    column_mean(c, x, column, now);
    column_mean(c, (const double(*)[3])c->vertex, column, was);
    sag += (was[1] - now[1]) / (c->nx % 2 + 1);
  }
  return load * (1 + edges) / (8 * sag);
}

/* A fall of g t^2 / 2; slides: acceleration from three times, without what the landing did. */
static double fall(const conf_case *c, const double (*x)[3]) {
  double end[3];
  conf_mean(c, x, CONF_TIMES - 1, end);
  return 2 * (c->vertex[0][2] - end[2]) / (c->time_s[CONF_TIMES - 1] * c->time_s[CONF_TIMES - 1]);
}

void conf_slide_judge(const conf_case *c, const exch_cloth *s, const double (*x)[3], double press_m_per_s2,
                      conf_finding *out) {
  double at[3], way[CONF_TIMES];
  const double step = c->time_s[1] - c->time_s[0];
  for (int k = 0; k < CONF_TIMES; k++) {
    conf_mean(c, x, k, at);
    way[k] = at[0];
  }
  out->wanted = c->level < 1 ? 0 : s->friction.value;
  out->found = c->level < 1 ? (way[2] - way[1]) / step
                            : (c->gravity_m_per_s2[0] - conf_acceleration(c, way)) / press_m_per_s2;
}

static double drift(const conf_case *c, const double (*x)[3]) {
  const double(*a)[3] = x + (size_t)(CONF_TIMES - 2) * (size_t)c->n_vertices, (*b)[3] = a + c->n_vertices;
  double most = 0;
  for (int i = 0; i < c->n_vertices; i++)
    most = fmax(most,
                sqrt((b[i][0] - a[i][0]) * (b[i][0] - a[i][0]) + (b[i][1] - a[i][1]) * (b[i][1] - a[i][1]) +
                     (b[i][2] - a[i][2]) * (b[i][2] - a[i][2])));
  return most / (c->time_s[CONF_TIMES - 1] - c->time_s[CONF_TIMES - 2]);
}

conf_finding conf_case_judge(const conf_case *c, const exch_cloth *measured, bool hinges,
                             const double (*position)[3]) {
  const double(*last)[3] = position + (size_t)(CONF_TIMES - 1) * (size_t)c->n_vertices;
  conf_finding out = {.drift_m_per_s = drift(c, position)};
  if (conf_extras[c->kind]) conf_extras[c->kind]->judge(c, measured, position, &out);
  switch (c->kind) {
    case CONF_CANTILEVER:
      out.wanted = measured->bending_warp_N_m.value;
      out.found = bending(c, measured, hinges ? c->edge_m / 2 : 0, last);
      break;
    case CONF_STRIP:
      out.wanted = measured->stretch_warp_N_per_m.value;
      out.found = stretch(c, measured, last);
      break;
    case CONF_SHEAR:
      out.wanted = measured->shear_N_per_m.value;
      out.found = shear(c, measured, last);
      break;
    case CONF_FALL:
      out.wanted = CB_STANDARD_GRAVITY_M_PER_S2;
      out.found = fall(c, position);
      break;
    case CONF_SLOPE: conf_slide_judge(c, measured, position, -c->gravity_m_per_s2[2], &out); break;
    default: break;
  }
  return out;
}
