/* A tablecloth is pulled from under a napkin, which is carried a little way.
 *
 * The napkin slips: it gains mu g on the cloth, and loses as much on the table. Between both, with u of its
 * length l off the cloth, u'' = -mu g (1 - 2 u / l): it leaves as fast as it came. So it is carried by
 * mu g t^2 + v p - l, with t until its rear meets the cloth's end, and p for its way over that end. */
#include <math.h>

#include "cb_num.h"
#include "conf_extra.h"

#define CLOTH_M ((double[2]){0.2, 0.08})
#define NAPKIN_M 0.04
#define BEHIND_M 0.1 /* from the cloth's end to the napkin */
#define BEGIN_S 0.2  /* all lies, then the pull begins */
#define RAMP_S 0.04  /* until it is as fast as it will be */
#define APART_M 0.001
#define BESIDE 0.35 /* in edges: no vertex lies over a vertex */

/* The level is v over this speed. */
static double unit_m_per_s(double pull) { return sqrt(pull * BEHIND_M); }

/* pull: mu g. *during_s: until it rests. */
static double carried_m(double pull, double v, double behind_m, double *during_s) {
  const double far = behind_m + v * RAMP_S / 2, t = (v - sqrt(v * v - 2 * pull * far)) / pull,
               rate = sqrt(2 * pull / NAPKIN_M),
               over = 2 / rate * atanh(rate * NAPKIN_M / 2 / (v - pull * t));
  *during_s = 2 * t + over;
  return pull * t * t + v * over - NAPKIN_M;
}

static bool possible(double level, double edge_m, const exch_cloth *s) {
  (void)level;
  return s->friction.value > 0 && s->friction.value <= 1 && edge_m <= NAPKIN_M / 2;
}

static double pull_of(const exch_cloth *s) { return s->friction.value * CB_STANDARD_GRAVITY_M_PER_S2; }

static cb_status make(conf_case *c, double edge_m, cb_err *err) {
  const int n = (int)lround(NAPKIN_M / edge_m);
  const double e = NAPKIN_M / n, beside = BESIDE * e, pull = pull_of(&c->cloth),
               v = c->level * unit_m_per_s(pull);
  const conf_grid low = {.nx = (int)lround(CLOTH_M[0] / e),
                         .ny = (int)lround(CLOTH_M[1] / e),
                         .corner_m = {0, 0, APART_M},
                         .edge_m = e};
  const int vertices = (low.nx + 1) * (low.ny + 1);
  const conf_grid high = {
      vertices, low.nx * low.ny, n, n, {BEHIND_M + beside, NAPKIN_M / 2 + beside, 3 * APART_M}, e};
  CB_TRY(conf_mesh_room(c, vertices + (n + 1) * (n + 1), high.face + n * n, false, err));
  conf_mesh_grid(c, &low);
  conf_mesh_grid(c, &high);
  for (int j = 0; j <= low.ny; j++) c->pinned[low.nx * (low.ny + 1) + j] = true;
  c->nx = c->ny = n;
  c->edge_m = e;
  c->length_m = BEHIND_M + beside;
  c->self = c->plane = true;
  c->gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2;
  c->pull = (conf_pull){BEGIN_S, RAMP_S, v};
  double during;
  (void)carried_m(pull, v, c->length_m, &during);
  conf_even_times(c, BEGIN_S + 1.2 * during + 0.06);
  return CB_OK;
}

static double napkin_m(const conf_case *c, const double (*x)[3]) {
  const int n = (c->nx + 1) * (c->ny + 1);
  double sum = 0;
  for (int i = c->n_vertices - n; i < c->n_vertices; i++) sum += x[i][0];
  return sum / n;
}

static void judge(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out) {
  double during;
  const double(*last)[3] = position + (size_t)(CONF_TIMES - 1) * (size_t)c->n_vertices;
  out->wanted = carried_m(pull_of(s), c->pull.m_per_s, c->length_m, &during);
  out->found = napkin_m(c, last) - napkin_m(c, (const double(*)[3])c->vertex);
}

const conf_extra conf_tablecloth = {possible, make, judge};
