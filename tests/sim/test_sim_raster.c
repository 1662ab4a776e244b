/* The nearest triangle of every sample, against a test of every sample by every triangle in the same
 * precision. */
#include "sim_raster.h"

#include "cb_rng.h"
#include "cbtest.h"

enum { WIDTH = 90, HEIGHT = 60, TRIANGLES = 12, BAND = 20 };

static float cross2(const float a[3], const float b[3], float x, float y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Corners around the grid, as far off as `reach` grids. */
static void scatter(cb_rng *rng, double reach, float (*seen)[3], int (*triangle)[3]) {
  for (int i = 0; i < 3 * TRIANGLES; i++) {
    seen[i][0] = (float)(WIDTH * (0.5 + reach * (cb_rng_uniform(rng) - 0.5)));
    seen[i][1] = (float)(HEIGHT * (0.5 + reach * (cb_rng_uniform(rng) - 0.5)));
    seen[i][2] = (float)(0.5 + cb_rng_uniform(rng));
    triangle[i / 3][i % 3] = i;
  }
}

static int nearest_at(const float (*seen)[3], const int (*triangle)[3], int x, int y) {
  float best = 0;
  int found = -1;
  for (int t = 0; t < TRIANGLES; t++) {
    const float *a = seen[triangle[t][0]], *b = seen[triangle[t][1]], *c = seen[triangle[t][2]], *swap = b;
    float px = (float)x + 0.5F, py = (float)y + 0.5F, area = cross2(a, b, c[0], c[1]);
    if (area < 0) b = c, c = swap, area = -area;
    float wa = cross2(b, c, px, py), wb = cross2(c, a, px, py), wc = cross2(a, b, px, py),
          k = (wa * a[2] + wb * b[2] + wc * c[2]) / area;
    if (area > 0 && wa >= 0 && wb >= 0 && wc >= 0 && k > best) best = k, found = t;
  }
  return found;
}

/* In bands, each of which is stored from its own first row. */
static void every_sample_has_its_triangle(void **state) {
  (void)state;
  static const double reach[] = {0.2, 1, 3, 100, 1e6};
  static float seen[3 * TRIANGLES][3], key[WIDTH * BAND];
  static int triangle[TRIANGLES][3], number[WIDTH * BAND], of_each[TRIANGLES + 1];
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  for (int turn = 0; turn < 200; turn++) {
    scatter(&rng, reach[turn % 5], seen, triangle);
    for (int row = 0; row < HEIGHT; row += BAND) {
      for (int i = 0; i < WIDTH * BAND; i++) number[i] = -1;
      const sim_raster r = {WIDTH, HEIGHT, key, number, row};
      sim_raster_fill(&r, (const float(*)[3])seen, (const int(*)[3])triangle, NULL, TRIANGLES, row,
                      row + BAND);
      for (int i = 0; i < WIDTH * BAND; i++) {
        const int wanted =
            nearest_at((const float(*)[3])seen, (const int(*)[3])triangle, i % WIDTH, row + i / WIDTH);
        of_each[wanted + 1]++;
        if (number[i] != wanted)
          fail_msg("turn %d, sample %d, %d: triangle %d, %d was wanted", turn, i % WIDTH, row + i / WIDTH,
                   number[i], wanted);
      }
    }
  }
  for (int t = 0; t <= TRIANGLES; t++) assert_true(of_each[t] > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_sample_has_its_triangle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
