/* A sheet slides on another one, which is held. */
#include <math.h>

#include "cb_num.h"
#include "conf_extra.h"

#define LOWER_M ((double[2]){0.2, 0.1})
#define UPPER_M 0.06
#define FROM_EDGE_M 0.02
#define MOST_SLIDE_M 0.08
#define APART_M 0.002 /* so that nobody's contact thickness begins in the other sheet */
#define BESIDE 0.35   /* in edges: no vertex lies over a vertex */

static bool possible(double level, double edge_m, const exch_cloth *s) {
  (void)level;
  return s->friction.value > 0 && edge_m <= UPPER_M / 2;
}

static double last_time_s(const conf_case *c) {
  const double *g = c->gravity_m_per_s2, pull = g[0] + c->cloth.friction.value * g[2];
  return c->level < 1 ? 1.2 : fmin(0.6, sqrt(2 * MOST_SLIDE_M / pull));
}

static cb_status make(conf_case *c, double edge_m, cb_err *err) {
  const int n = (int)lround(UPPER_M / edge_m);
  const double e = UPPER_M / n, at = FROM_EDGE_M + BESIDE * e;
  conf_grid low = {.nx = (int)lround(LOWER_M[0] / e), .ny = (int)lround(LOWER_M[1] / e), .edge_m = e};
  const int vertices = (low.nx + 1) * (low.ny + 1);
  const conf_grid high = {vertices, low.nx * low.ny, n, n, {at, at, APART_M}, e};
  CB_TRY(conf_mesh_room(c, vertices + (n + 1) * (n + 1), high.face + n * n, false, err));
  conf_mesh_grid(c, &low);
  conf_mesh_grid(c, &high);
  for (int i = 0; i < vertices; i++) c->pinned[i] = true;
  c->edge_m = e;
  c->length_m = UPPER_M;
  c->self = true;
  conf_tilt(c, c->level * c->cloth.friction.value);
  conf_even_times(c, last_time_s(c));
  return CB_OK;
}

static void judge(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out) {
  conf_slide_judge(c, s, position, -c->gravity_m_per_s2[2], out);
}

const conf_extra conf_layers = {possible, make, judge};
