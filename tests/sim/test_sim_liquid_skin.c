/* The surface of a ball of particles is closed, in one piece, as large as the ball and facing outwards. */
#include <math.h>

#include "cb_num.h"
#include "cbtest.h"
#include "sim_liquid_skin.h"

#define SPACING_M 0.01
#define RADIUS_M 0.1
#define MOST 6000

static int ball(double x[MOST][3]) {
  int n = 0;
  for (int i = -12; i < 12; i++)
    for (int j = -12; j < 12; j++)
      for (int k = -12; k < 12; k++) {
        const double at[3] = {(i + 0.5) * SPACING_M, (j + 0.5) * SPACING_M, (k + 0.5) * SPACING_M};
        if (sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) > RADIUS_M) continue;
        assert_true(n < MOST);
        memcpy(x[n++], at, sizeof at);
      }
  return n;
}

static int compare(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(int)); }

/* Sorted by their ends, the directed edges and the same turned round are two equal lists without repeats. */
static void assert_closed(const sim_liquid_skin *s) {
  const size_t n = 3 * s->n_triangles;
  int(*edge)[2] = calloc(n, sizeof *edge), (*turned)[2] = calloc(n, sizeof *turned);
  assert_true(edge && turned);
  for (size_t e = 0; e < n; e++) {
    edge[e][0] = turned[e][1] = s->triangle[e / 3][e % 3];
    edge[e][1] = turned[e][0] = s->triangle[e / 3][(e + 1) % 3];
  }
  qsort(edge, n, sizeof *edge, compare);
  qsort(turned, n, sizeof *turned, compare);
  assert_memory_equal(edge, turned, n * sizeof *edge);
  for (size_t e = 1; e < n; e++) assert_true(compare(edge[e - 1], edge[e]) != 0);
  free(edge);
  free(turned);
}

static void measure(const sim_liquid_skin *s, double *volume_m3, double *area_m2) {
  *volume_m3 = *area_m2 = 0;
  for (size_t t = 0; t < s->n_triangles; t++) {
    const double *a = s->position_m[s->triangle[t][0]], *b = s->position_m[s->triangle[t][1]],
                 *c = s->position_m[s->triangle[t][2]];
    double n[3];
    for (int k = 0; k < 3; k++) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
    *area_m2 += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    *volume_m3 += (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / 6;
  }
}

static void test_ball(void **state) {
  (void)state;
  static double x[MOST][3];
  sim_liquid_skin s = {0};
  double volume_m3, area_m2;
  const int n = ball(x);
  assert_ok(sim_liquid_skin_find((const double(*)[3])x, n, SPACING_M, 0.5, &s, err));
  assert_closed(&s);
  assert_int_equal(s.n_vertices + s.n_triangles, 3 * s.n_triangles / 2 + 2); /* Euler: a sphere */
  measure(&s, &volume_m3, &area_m2);
  const double wanted_m3 = n * pow(SPACING_M, 3),
               wanted_m2 = 4 * CB_PI * pow(3 * wanted_m3 / (4 * CB_PI), 2.0 / 3);
  printf("ball: volume %.4f, area %.4f of the wanted\n", volume_m3 / wanted_m3, area_m2 / wanted_m2);
  assert_near(volume_m3 / wanted_m3, 1, 0.02);
  assert_near(area_m2 / wanted_m2, 1, 0.04);
  sim_liquid_skin_clear(&s);
}

/* Two balls in one skin; then the same memory for nothing, and for a single particle, which has no surface.
 */
static void test_again(void **state) {
  (void)state;
  static double x[2 * MOST][3];
  sim_liquid_skin s = {0};
  const int n = ball(x);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) x[n + i][k] = x[i][k] + 0.3 * (k + 1);
  assert_ok(sim_liquid_skin_find((const double(*)[3])x, 2 * n, SPACING_M, 0.5, &s, err));
  assert_closed(&s);
  assert_int_equal(s.n_vertices + s.n_triangles, 3 * s.n_triangles / 2 + 4);
  assert_ok(sim_liquid_skin_find((const double(*)[3])x, 1, SPACING_M, 0.5, &s, err));
  assert_int_equal(s.n_triangles, 0);
  assert_ok(sim_liquid_skin_find(NULL, 0, SPACING_M, 0.5, &s, err));
  assert_int_equal(s.n_vertices, 0);
  assert_fails(CB_E_RANGE, "spacing", sim_liquid_skin_find((const double(*)[3])x, 1, 0, 0.5, &s, err));
  sim_liquid_skin_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball), cmocka_unit_test(test_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
