/* The sheet of the drape meter against closed forms: heavy elastica, ring plate, hanging strip, chain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cbtest.h"
#include "vlab_shell.h"

#define G 9.80665
#define STRIP_COLUMNS 5
#define STRIP_WIDTH_M 0.02

static const vlab_shell_cloth stiff = {
    .areal_density_kg_per_m2 = 0.2,
    .membrane = {.warp_N_per_m = 2e4, .weft_N_per_m = 2e4, .shear_N_per_m = 1e4}};

/* A strip along the warp; it hangs from the line u = 0. */
static vlab_grid strip_grid(int rows, double length_m) {
  vlab_grid g = {rows, STRIP_COLUMNS, false, calloc((size_t)rows * STRIP_COLUMNS, sizeof *g.flat_m)};
  assert_non_null(g.flat_m);
  for (int i = 0; i < rows * STRIP_COLUMNS; i++) {
    g.flat_m[i][0] = length_m * (i / STRIP_COLUMNS - 0.5) / (rows - 1.5);
    g.flat_m[i][1] = STRIP_WIDTH_M * (i % STRIP_COLUMNS - 2) / (STRIP_COLUMNS - 1);
  }
  return g;
}

static vlab_shell *make_sheet(const vlab_grid *g, const vlab_shell_cloth *c) {
  vlab_shell *s;
  assert_ok(vlab_shell_new(g, c, &s, err));
  return s;
}

/* Creeps down first, so that friction sees the curvature grow. */
static void let_creep(vlab_shell *s, int steps) {
  for (int i = 0; i < steps; i++) assert_ok(vlab_shell_step(s, 0.005, err));
}

static void let_rest(vlab_shell *s) {
  double residual;
  assert_ok(vlab_shell_rest(s, &residual, err));
  assert_true(residual < 1e-4);
}

/* ---- the heavy elastica ---- */

/* B theta' + HB (1 - exp(-|theta'| / onset)) = -w (L - s) cos(theta) integrated from the clamp: the moment m
 * falls to zero at the end. Returns the moment there, for a moment at the clamp. */
typedef struct rod {
  double B, HB, onset, weight, length;
} rod;

static double bend_of(const rod *r, double moment) {
  double k = moment / r->B;
  for (int i = 0; i < 60; i++) {
    const double keeps = exp(-k / r->onset), f = r->B * k + r->HB * (1 - keeps) - moment;
    k -= f / (r->B + r->HB / r->onset * keeps);
  }
  return k;
}

/* d/ds of angle down, moment, x, z. */
static void rod_slope(const rod *r, double s, const double y[4], double d[4]) {
  d[0] = r->HB > 0 ? bend_of(r, fmax(y[1], 0)) : y[1] / r->B;
  d[1] = -r->weight * (r->length - s) * cos(y[0]);
  d[2] = cos(y[0]), d[3] = -sin(y[0]);
}

static void shoot(const rod *r, double moment, double y[4]) {
  const int n = 2000;
  const double h = r->length / n;
  const double first[4] = {0, moment, 0, 0};
  memcpy(y, first, sizeof first);
  for (int i = 0; i < n; i++) {
    double k[4][4], z[4];
    for (int stage = 0; stage < 4; stage++) {
      const double share = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (int c = 0; c < 4; c++) z[c] = y[c] + (stage ? share * h * k[stage - 1][c] : 0);
      rod_slope(r, (i + share) * h, z, k[stage]);
    }
    for (int c = 0; c < 4; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
}

static void solve_rod(const rod *r, double end[2]) {
  double low = 0, high = r->weight * r->length * r->length / 2, y[4];
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    shoot(r, middle, y);
    if (y[1] > 0)
      high = middle;
    else
      low = middle;
  }
  end[0] = y[2], end[1] = y[3];
}

static void hold_rod(const rod *r, int rows, double most) {
  double end[2];
  vlab_shell_cloth c = stiff;
  vlab_grid g = strip_grid(rows, r->length);
  c.areal_density_kg_per_m2 = r->weight / G;
  c.D_Nm[0] = c.D_Nm[1] = r->B, c.D_Nm[3] = r->B / 2;
  c.friction_N[0] = r->HB, c.onset_per_m = r->onset;
  c.drag_per_s = 100;
  vlab_shell *s = make_sheet(&g, &c);
  if (r->HB > 0) let_creep(s, 300);
  let_rest(s);
  solve_rod(r, end);
  const double *tip = vlab_shell_position(s)[(rows - 1) * STRIP_COLUMNS + STRIP_COLUMNS / 2];
  printf("%d rows: end (%.5f, %.5f), elastica (%.5f, %.5f) m\n", rows, tip[0], tip[2], end[0], end[1]);
  assert_near(tip[0], end[0], most * r->length);
  assert_near(tip[2], end[1], most * r->length);
  vlab_shell_free(s), free(g.flat_m);
}

static void a_heavy_strip_is_an_elastica(void **state) {
  (void)state;
  hold_rod(&(rod){.B = 10e-6, .weight = 0.2 * G, .length = 0.06, .onset = 1}, 16, 0.004);
  hold_rod(&(rod){.B = 10e-6, .weight = 0.2 * G, .length = 0.06, .onset = 1}, 31, 0.001);
  hold_rod(&(rod){.B = 40e-6, .weight = 0.1 * G, .length = 0.06, .onset = 1}, 31, 0.001);
}

static void friction_holds_a_strip(void **state) {
  (void)state;
  hold_rod(&(rod){.B = 10e-6, .HB = 0.4e-3, .weight = 0.2 * G, .length = 0.06, .onset = 15}, 31, 0.001);
}

/* ---- the ring plate ---- */

static void solve_linear(double a[4][5], double x[4]) {
  for (int k = 0; k < 4; k++) {
    int best = k;
    for (int i = k; i < 4; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    for (int j = 0; j < 5; j++) {
      const double keep = a[k][j];
      a[k][j] = a[best][j], a[best][j] = keep;
    }
    for (int i = k + 1; i < 4; i++)
      for (int j = 4; j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  for (int k = 3; k >= 0; k--) {
    x[k] = a[k][4];
    for (int j = k + 1; j < 4; j++) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
}

/* w = q r^4 / 64 D + A + B r^2 + C ln r + E r^2 ln r; w = w' = 0 at a; no moment and no shear at b. Lengths
 * in b. */
static double plate_deflection(double a, double nu) {
  double m[4][5] = {{1, a * a, log(a), a * a * log(a), -pow(a, 4) / 64},
                    {0, 2 * a, 1 / a, a + 2 * a * log(a), -pow(a, 3) / 16},
                    {0, 2 * (1 + nu), nu - 1, 3 + nu, -(3 + nu) / 16},
                    {0, 0, 0, 4, -0.5}},
         x[4];
  solve_linear(m, x);
  return 1.0 / 64 + x[0] + x[1];
}

static void ring_plate(int rows, double nu, double most) {
  const double a = 0.09, b = 0.15, D = 1e-3, q = 0.2 * G;
  const int columns = 6 * rows;
  vlab_grid g = {rows, columns, true, calloc((size_t)rows * (size_t)columns, sizeof *g.flat_m)};
  for (int i = 0; i < rows * columns; i++) {
    const double r = a + (b - a) * (i / columns - 0.5) / (rows - 1.5),
                 angle = 2 * CB_PI * (i % columns) / columns;
    g.flat_m[i][0] = r * cos(angle), g.flat_m[i][1] = r * sin(angle);
  }
  vlab_shell_cloth c = stiff;
  c.onset_per_m = 1;
  const double D_Nm[4] = {D, D, nu * D, D * (1 - nu) / 2};
  memcpy(c.D_Nm, D_Nm, sizeof D_Nm);
  c.membrane = (vlab_membrane){.warp_N_per_m = 1, .weft_N_per_m = 1, .shear_N_per_m = 0.5};
  vlab_shell *s = make_sheet(&g, &c);
  let_rest(s);
  const double(*x)[3] = (const double(*)[3])vlab_shell_position(s), *border = x[(rows - 1) * columns];
  const double wanted = plate_deflection(a / b, nu) * q * pow(b, 4) / D;
  printf("%d rows, nu %g: %.6f mm, plate %.6f mm\n", rows, nu, -1e3 * border[2], 1e3 * wanted);
  assert_near(-border[2] / wanted, 1, most);
  vlab_shell_free(s), free(g.flat_m);
}

static void a_ring_bends_as_a_plate(void **state) {
  (void)state;
  ring_plate(14, 0, 0.02);
  ring_plate(14, 0.3, 0.02);
  ring_plate(28, 0.3, 0.005);
}

/* ---- the strip that hangs straight down ---- */

static void hang_straight(vlab_shell *s, const vlab_grid *g) {
  double(*x)[3] = vlab_shell_position(s);
  for (int i = 0; i < g->rows * g->columns; i++)
    x[i][0] = 0, x[i][1] = g->flat_m[i][1], x[i][2] = -g->flat_m[i][0];
}

/* The strain at which the truth of the strip tester has that force. */
static double strain_of(const vlab_membrane *m, double N_per_m) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (vlab_strip_N_per_m(m, 0, middle) > N_per_m)
      high = middle;
    else
      low = middle;
  }
  return low;
}

static void a_hanging_strip_stretches_as_in_the_tester(void **state) {
  (void)state;
  const int rows = 41, n = 400;
  const double length = 0.2;
  vlab_grid g = strip_grid(rows, length);
  vlab_shell_cloth c = {.areal_density_kg_per_m2 = 3, .D_Nm = {1e-5, 1e-5, 0, 5e-6}, .onset_per_m = 1};
  c.membrane = (vlab_membrane){100, 80, 40, 20, 20, 30, 4};
  vlab_shell *s = make_sheet(&g, &c);
  double wanted = 0;
  const double from = g.flat_m[STRIP_COLUMNS][0], part = (length - from) / n; /* the second row is held */
  for (int i = 0; i < n; i++)
    wanted += part * strain_of(&c.membrane, c.areal_density_kg_per_m2 * G * part * (i + 0.5));
  hang_straight(s, &g);
  let_rest(s);
  const double longer = -vlab_shell_position(s)[(rows - 1) * STRIP_COLUMNS + STRIP_COLUMNS / 2][2] - length;
  printf("%.3f mm longer, tester %.3f mm\n", 1e3 * longer, 1e3 * wanted);
  assert_near(longer / wanted, 1, 0.01);
  vlab_shell_free(s), free(g.flat_m);
}

/* First mode of a hanging chain: J0(j sqrt(1 - s / L)), angular frequency j / 2 sqrt(g / L), j = 2.404826. */
static void a_hanging_strip_swings_as_a_chain(void **state) {
  (void)state;
  const int rows = 41, end = (rows - 1) * STRIP_COLUMNS + STRIP_COLUMNS / 2;
  const double length = 0.2, root = 2.404826, step_s = 0.001,
               quarter_s = CB_PI / 2 / (root / 2 * sqrt(G / length));
  vlab_grid g = strip_grid(rows, length);
  vlab_shell_cloth c = stiff;
  c.D_Nm[0] = c.D_Nm[1] = 1e-9, c.onset_per_m = 1;
  vlab_shell *s = make_sheet(&g, &c);
  hang_straight(s, &g);
  let_rest(s);
  double(*x)[3] = vlab_shell_position(s), at = 0, before = 0.002;
  for (int i = 2 * STRIP_COLUMNS; i < rows * STRIP_COLUMNS; i++)
    x[i][0] = before * j0(root * sqrt(1 - fmax(g.flat_m[i][0], 0) / length));
  for (at = step_s;; at += step_s, before = x[end][0]) {
    assert_ok(vlab_shell_step(s, step_s, err));
    if (x[end][0] <= 0) break;
  }
  at -= step_s * x[end][0] / (x[end][0] - before);
  printf("crosses after %.5f s, chain %.5f s\n", at, quarter_s);
  assert_near(at / quarter_s, 1, 0.01);
  vlab_shell_free(s), free(g.flat_m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_heavy_strip_is_an_elastica),
      cmocka_unit_test(friction_holds_a_strip),
      cmocka_unit_test(a_ring_bends_as_a_plate),
      cmocka_unit_test(a_hanging_strip_stretches_as_in_the_tester),
      cmocka_unit_test(a_hanging_strip_swings_as_a_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
