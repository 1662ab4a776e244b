/* Turbulence: random numbers at every column and SIM_CURTAIN_GUSTS rows, smoothed both ways into eddies, rows in a ring. */
#include <math.h>
#include <stdlib.h>

#include "cb_rng.h"
#include "sim_curtain_parts.h"

#define ROUNDS_MAX 400 /* an eddy of 14 nodes */

/* One round of (1 2 1)/4 along a line of n numbers `stride` apart: the bell's variance grows by 1/2 of a step squared. */
static void smooth(double *v, int n, long stride, bool ring) {
  const double first = v[0], end = v[(n - 1) * stride];
  double before = ring ? end : first;
  for (int i = 0; i < n; i++) {
    const double own = v[i * stride], after = i < n - 1 ? v[(i + 1) * stride] : ring ? first : end;
    v[i * stride] = (before + 2 * own + after) / 4;
    before = own;
  }
}

static int rounds_of(double eddy_m, double step_m) {
  const double wanted = step_m > 0 ? 2 * eddy_m * eddy_m / (step_m * step_m) : 0;
  return (int)fmin(wanted, ROUNDS_MAX);
}

/* field: [row][column]. To mean 0 and variance 1/3, so that the three directions have 1. */
static void make_field(const sim_curtain *c, cb_rng *rng, double *field, int columns) {
  const int n = SIM_CURTAIN_GUSTS * columns;
  const double eddy_m = c->setup.wind.eddy_m;
  double mean = 0, square = 0;
  for (int i = 0; i < n; i++) field[i] = cb_rng_normal(rng);
  for (int k = rounds_of(eddy_m, c->setup.weft_m); k > 0; k--)
    for (int row = 0; row < SIM_CURTAIN_GUSTS; row++) smooth(&field[(long)row * columns], columns, 1, false);
  for (int k = rounds_of(eddy_m, c->setup.rod_m); k > 0; k--)
    for (int column = 0; column < columns; column++) smooth(&field[column], SIM_CURTAIN_GUSTS, columns, true);
  for (int i = 0; i < n; i++) mean += field[i] / n;
  for (int i = 0; i < n; i++) square += (field[i] - mean) * (field[i] - mean) / n;
  for (int i = 0; i < n; i++) field[i] = (field[i] - mean) / sqrt(3 * square);
}

cb_status sim_curtain_gusts(sim_curtain *c, cb_err *err) {
  if (!(c->source.gust_kg_per_m_s2 > 0)) return CB_OK;
  const int columns = c->blocks * SIM_CURTAIN_LANES;
  double *field = calloc((size_t)columns * SIM_CURTAIN_GUSTS, sizeof *field);
  if (!field) return cb_fail(err, CB_E_NOMEM, "curtain of %d columns: out of memory", c->setup.columns);
  cb_rng rng;
  cb_rng_init(&rng, c->setup.wind.seed, 0);
  for (int k = 0; k < 3; k++) {
    make_field(c, &rng, field, columns);
    for (int i = 0; i < columns * SIM_CURTAIN_GUSTS; i++) {
      const int row = i / columns, column = i % columns;
      c->gust[3 * ((long)SIM_CURTAIN_GUSTS * (column / SIM_CURTAIN_LANES) + row) + k][column % SIM_CURTAIN_LANES] = field[i];
    }
  }
  free(field);
  return CB_OK;
}
