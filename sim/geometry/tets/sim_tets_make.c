#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_shape.h"
#include "sim_tets_impl.h"

#define MAX_CELLS 1000000

static cb_status check_cells(const int cells[3], cb_err *err) {
  double n = 1;
  for (int k = 0; k < 3; k++) {
    if (cells[k] < 1)
      return cb_fail(err, CB_E_RANGE, "body: %d cells along an axis: at least 1 was wanted", cells[k]);
    n *= cells[k];
  }
  if (n > MAX_CELLS) return cb_fail(err, CB_E_RANGE, "body: %g cells: at most %d were wanted", n, MAX_CELLS);
  return CB_OK;
}

/* Six tetrahedra around each cube's diagonal, one per order of the three axes. Odd orders would be inside
 * out, so two of their corners are exchanged. */
static void cut_cells(const int cells[3], int (*tet)[4]) {
  static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const int step[3] = {1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)};
  int n = 0;
  for (int c = 0; c < cells[2]; c++)
    for (int b = 0; b < cells[1]; b++)
      for (int a = 0; a < cells[0]; a++)
        for (int p = 0; p < 6; p++) {
          int at = a * step[0] + b * step[1] + c * step[2], v[4] = {at};
          for (int k = 0; k < 3; k++) v[k + 1] = v[k] + step[path[p][k]];
          const int even[4] = {v[0], v[1], v[2], v[3]}, odd[4] = {v[0], v[2], v[1], v[3]};
          memcpy(tet[n++], p < 3 ? even : odd, sizeof even);
        }
}

typedef void placer(const void *shape, const double unit[3], double out_m[3]); /* unit: -1 to 1 */

static cb_status build_block(const int cells[3], placer *place, const void *shape, sim_tets *out,
                             cb_err *err) {
  *out = (sim_tets){0};
  CB_TRY(check_cells(cells, err));
  int n = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1), n_tets = 6 * cells[0] * cells[1] * cells[2];
  double(*x)[3] = malloc((size_t)n * sizeof *x);
  int(*tet)[4] = malloc((size_t)n_tets * sizeof *tet);
  cb_status st = x && tet ? CB_OK : cb_no_memory(err, "body, %d tetrahedra", n_tets);
  if (st == CB_OK) {
    for (int i = 0; i < n; i++) {
      int at[3] = {i % (cells[0] + 1), i / (cells[0] + 1) % (cells[1] + 1),
                   i / ((cells[0] + 1) * (cells[1] + 1))};
      double unit[3];
      for (int k = 0; k < 3; k++) unit[k] = 2.0 * at[k] / cells[k] - 1;
      place(shape, unit, x[i]);
    }
    cut_cells(cells, tet);
    st = sim_tets_build((const sim_vec3 *)x, n, (const int(*)[4])tet, n_tets, out, err);
  }
  free(x);
  free(tet);
  return st;
}

static void place_block(const void *shape, const double unit[3], double out[3]) {
  const sim_block *b = shape;
  for (int k = 0; k < 3; k++) out[k] = b->low_m[k] + (unit[k] + 1) / 2 * (b->high_m[k] - b->low_m[k]);
}

cb_status sim_tets_block(const sim_block *b, sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  for (int k = 0; k < 3; k++)
    if (!(b->high_m[k] > b->low_m[k]))
      return cb_fail(err, CB_E_RANGE, "block: from %g to %g m: its sides must be above 0", b->low_m[k],
                     b->high_m[k]);
  return build_block(b->cells, place_block, b, out, err);
}

/* Along each ray, the cube's surface is moved onto the cushion's, and shells in proportion. */
static void place_cushion(const void *shape, const double unit[3], double out[3]) {
  const sim_cushion *c = shape;
  double most = fmax(fabs(unit[0]), fmax(fabs(unit[1]), fabs(unit[2]))), p = c->exponent[0],
         q = c->exponent[1];
  if (most == 0) {
    memset(out, 0, 3 * sizeof *out);
    return;
  }
  /* Finds the ray's place on the cushion by bisection, since p and q differ. The sum grows with the
   * length. */
  double low = 0, high = sqrt(3) + 1;
  for (int i = 0; i < 60; i++) {
    double s = (low + high) / 2, sum = 0;
    for (int k = 0; k < 3; k++) sum += pow(fabs(s * unit[k] / most), k < 2 ? p : q);
    *(sum < 1 ? &low : &high) = s;
  }
  for (int k = 0; k < 3; k++) out[k] = c->half_m[k] * low * unit[k];
}

cb_status sim_tets_cushion(const sim_cushion *c, sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  for (int k = 0; k < 3; k++)
    CB_TRY(cb_check_range(c->half_m[k], 1e-6, 1e6, "cushion: half a side", "m", err));
  for (int k = 0; k < 2; k++) CB_TRY(cb_check_range(c->exponent[k], 2, 10, "cushion: exponent", "", err));
  return build_block(c->cells, place_cushion, c, out, err);
}
