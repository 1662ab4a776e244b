/* The start of a solve from the last solutions, with a diagonal matrix. */
#include <math.h>
#include <string.h>

#include "cbtest.h"

#include "cb_rng.h"
#include "sim_guess.h"

enum { N = 5000, MORE = SIM_GUESS_KEPT + 2 };

typedef float rows[N][4];

static float stiffness(int i, float change) {
  return 1 + (float)(i % 97) / 10 + change * (float)(i % 13) / 13;
}

/* x: the solution of a matrix that is `change` from the first. Returns its right side in b. */
static void make_pair(cb_rng *rng, float change, rows x, rows b) {
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 4; a++) {
      x[i][a] = a < 3 ? (float)(2 * cb_rng_uniform(rng) - 1) : 0;
      b[i][a] = stiffness(i, change) * x[i][a];
    }
}

/* The energy of x - y, over that of y. */
static double error_of(float change, rows x, rows y) {
  double error = 0, all = 0;
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 3; a++) {
      error += (double)stiffness(i, change) * pow((double)x[i][a] - (double)y[i][a], 2);
      all += (double)stiffness(i, change) * pow((double)y[i][a], 2);
    }
  return error / all;
}

static rows kept_x[MORE], kept_b[MORE], none, right, solution, start;

/* A right side that is a combination of the last ones' sides, in a matrix that is `change` from theirs. */
static void combine(float change) {
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 4; a++) {
      solution[i][a] = 0;
      for (int k = MORE - SIM_GUESS_KEPT; k < MORE; k++) solution[i][a] += (float)(k - 3) * kept_x[k][i][a];
      right[i][a] = stiffness(i, change) * solution[i][a];
    }
}

static void guess_of(float drift, sim_guess *out) {
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  assert_int_equal(sim_guess_init(N, out, NULL), CB_OK);
  for (int k = 0; k < MORE; k++) {
    make_pair(&rng, drift * (float)k, kept_x[k], kept_b[k]);
    sim_guess_keep(out, kept_x[k], kept_b[k], none);
  }
}

static void test_nothing_kept(void **state) {
  sim_guess g;
  (void)state;
  assert_int_equal(sim_guess_init(N, &g, NULL), CB_OK);
  memset(start, 1, sizeof start);
  sim_guess_make(&g, right, start);
  assert_memory_equal(start, none, sizeof none);
  sim_guess_clear(&g);
}

static void test_combination_is_found(void **state) {
  sim_guess g;
  (void)state;
  guess_of(0, &g);
  combine(0);
  sim_guess_make(&g, right, start);
  assert_true(error_of(0, start, solution) < 1e-10);
  sim_guess_clear(&g);
}

/* The best combination for a right side that none of them explains is far from it, but nearer than 0. */
static void test_never_much_worse_than_nothing(void **state) {
  sim_guess g;
  cb_rng rng;
  (void)state;
  cb_rng_init(&rng, 8, 0);
  guess_of(0, &g);
  make_pair(&rng, 0, solution, right);
  sim_guess_make(&g, right, start);
  assert_true(error_of(0, start, solution) <= 1);
  sim_guess_clear(&g);
}

static void test_matrix_that_changes(void **state) {
  sim_guess g;
  (void)state;
  guess_of(0.01F, &g);
  combine(0.01F * MORE);
  sim_guess_make(&g, right, start);
  assert_true(error_of(0.01F * MORE, start, solution) < 1e-4);
  sim_guess_clear(&g);
}

/* The same solution over and over: no pivot of its own. */
static void test_solutions_that_depend(void **state) {
  sim_guess g;
  cb_rng rng;
  (void)state;
  cb_rng_init(&rng, 9, 0);
  make_pair(&rng, 0, solution, right);
  assert_int_equal(sim_guess_init(N, &g, NULL), CB_OK);
  for (int k = 0; k < MORE; k++) sim_guess_keep(&g, solution, right, none);
  sim_guess_make(&g, right, start);
  assert_true(error_of(0, start, solution) < 1e-10);
  sim_guess_clear(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_kept),
      cmocka_unit_test(test_combination_is_found),
      cmocka_unit_test(test_never_much_worse_than_nothing),
      cmocka_unit_test(test_matrix_that_changes),
      cmocka_unit_test(test_solutions_that_depend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
