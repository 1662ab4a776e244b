/* Turbulence: random numbers at every column and SIM_CURTAIN_GUSTS rows, smoothed both ways into eddies, rows
 * in a ring. */
#include <math.h>
#include <stdlib.h>

#include "cb_rng.h"
#include "sim_curtain_impl.h"

#define BOXES 3 /* one after the other: nearly a bell */

/* A box of 2 r + 1 numbers and a share f of the next on either side, of a given variance (in steps
 * squared). */
typedef struct box {
  int r;
  double f;
} box;

static box box_of(double variance, int n) {
  box b = {0, 0};
  while (b.r < n / 2 - 2 && (b.r + 1) * (b.r + 2) / 3.0 <= variance) b.r++;
  const double whole = 2 * b.r + 1, next = b.r + 1;
  b.f = variance < next * (next + 1) / 3
            ? whole * (variance - b.r * next / 3) / (2 * (next * next - variance))
            : 1;
  return b;
}

/* Of a line of n numbers: beyond its ends it goes around, or on as it ends. */
static double number(const double *line, int n, int i, bool ring) {
  if (ring) return line[(i + n) % n];
  return line[i < 0 ? 0 : i < n ? i : n - 1];
}

static void smooth(double *v, int n, long stride, box b, bool ring, double *line) {
  double sum = 0;
  for (int i = 0; i < n; i++) line[i] = v[i * stride];
  for (int i = -b.r; i <= b.r; i++) sum += number(line, n, i, ring);
  for (int i = 0; i < n; i++) {
    const double before = number(line, n, i - b.r - 1, ring), after = number(line, n, i + b.r + 1, ring);
    v[i * stride] = (sum + b.f * (before + after)) / (2 * b.r + 1 + 2 * b.f);
    sum += after - number(line, n, i - b.r, ring);
  }
}

/* field: [row][column]; line: as many numbers as either has. To mean 0 and variance 1/3, so that the three
 * directions have 1. */
static void make_field(const sim_curtain *c, cb_rng *rng, double *field, int columns, double *line) {
  const int rows = SIM_CURTAIN_GUSTS, n = rows * columns;
  const double eddy2 = c->setup.wind.eddy_m * c->setup.wind.eddy_m / BOXES;
  const box across = box_of(eddy2 / (c->setup.weft_m * c->setup.weft_m), columns);
  const box along = box_of(eddy2 / (c->setup.rod_m * c->setup.rod_m), rows);
  double mean = 0, square = 0;
  for (int i = 0; i < n; i++) field[i] = cb_rng_normal(rng);
  for (int k = 0; k < BOXES; k++) {
    for (int row = 0; row < rows; row++) smooth(&field[(long)row * columns], columns, 1, across, false, line);
    for (int column = 0; column < columns; column++) smooth(&field[column], rows, columns, along, true, line);
  }
  for (int i = 0; i < n; i++) mean += field[i] / n;
  for (int i = 0; i < n; i++) square += (field[i] - mean) * (field[i] - mean) / n;
  for (int i = 0; i < n; i++) field[i] = (field[i] - mean) / sqrt(3 * square);
}

cb_status sim_curtain_gusts(sim_curtain *c, cb_err *err) {
  if (!(c->source.gust_kg_per_m_s2 > 0)) return CB_OK;
  const int columns = c->blocks * SIM_CURTAIN_LANES;
  const size_t n = (size_t)columns * SIM_CURTAIN_GUSTS, longest = (size_t)columns + SIM_CURTAIN_GUSTS;
  double *field = calloc(n + longest, sizeof *field);
  if (!field) return cb_no_memory(err, "curtain of %d columns", c->setup.columns);
  cb_rng rng;
  cb_rng_init(&rng, c->setup.wind.seed, 0);
  for (int k = 0; k < 3; k++) {
    make_field(c, &rng, field, columns, field + n);
    for (int i = 0; i < columns * SIM_CURTAIN_GUSTS; i++) {
      const int row = i / columns, column = i % columns;
      c->gust[3 * ((long)SIM_CURTAIN_GUSTS * (column / SIM_CURTAIN_LANES) + row) + k]
             [column % SIM_CURTAIN_LANES] = field[i];
    }
  }
  free(field);
  return CB_OK;
}
