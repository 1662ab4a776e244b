/* What is limited in a triangle: singular values, their directions, and all derivatives against central
 * differences of sixth order. */
#include "cb_rng.h"
#include "cbtest.h"
#include "sim_limit_strain.h"
#include "sim_vec.h"

#define TRIALS 200
#define BLUR 0.3 /* enough to be seen */

static const sim_limit_kind kinds[] = {SIM_LIMIT_PRINCIPAL, SIM_LIMIT_WARP_WEFT, SIM_LIMIT_MAPPED,
                                       SIM_LIMIT_PRINCIPAL_OWN};

static double noise(cb_rng *rng) { return 2 * cb_rng_uniform(rng) - 1; }

/* Any 3 x 2, its singular values 0.1 or more apart. */
static void any_w(cb_rng *rng, double w[2][3]) {
  sim_limit_svd s;
  do {
    for (int i = 0; i < 6; i++) w[i / 3][i % 3] = noise(rng);
    sim_limit_svd_of((const sim_vec3 *)w, &s);
  } while (s.sigma[0] - s.sigma[1] < 0.1 || s.sigma[1] < 0.1);
}

/* f' from f at -3h .. 3h. */
static double difference(const double f[7], double h) {
  return (-f[0] + 9 * f[1] - 45 * f[2] + 45 * f[4] - 9 * f[5] + f[6]) / (60 * h);
}

static void shifted(double w[2][3], double s, double d[2][3], double out[2][3]) {
  for (int i = 0; i < 6; i++) out[i / 3][i % 3] = w[i / 3][i % 3] + s * d[i / 3][i % 3];
}

static void test_svd(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  for (int k = 0; k < TRIALS; k++) {
    double w[2][3];
    sim_limit_svd s;
    any_w(&rng, w);
    if (k % 4 == 1) memcpy(w[1], w[0], sizeof w[1]);                          /* drawn to a line */
    if (k % 4 == 2) memset(w[k / 4 % 2], 0, sizeof w[0]);                     /* one is nothing */
    if (k % 4 == 3) sim_cross(w[0], (const double[3]){0.3, -0.5, 0.2}, w[1]); /* at right angles */
    if (k == 0) memset(w, 0, sizeof w);
    sim_limit_svd_of((const sim_vec3 *)w, &s);
    assert_true(s.sigma[0] >= s.sigma[1] * (1 - 1e-15) && s.sigma[1] >= 0);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) assert_near(sim_dot(s.u[i], s.u[j]), i == j, 4e-15);
    assert_near(s.v[0][0] * s.v[0][0] + s.v[0][1] * s.v[0][1], 1, 1e-15);
    for (int a = 0; a < 2; a++)
      for (int r = 0; r < 3; r++)
        assert_near(s.sigma[0] * s.u[0][r] * s.v[0][a] + s.sigma[1] * s.u[1][r] * s.v[1][a], w[a][r], 4e-15);
  }
}

/* Every strain of every kind, along random directions. */
static void test_slopes(void **state) {
  (void)state;
  const double h = 1e-3;
  cb_rng rng;
  cb_rng_init(&rng, 2, 0);
  double worst = 0;
  for (int k = 0; k < 3 * TRIALS; k++) {
    const sim_limit_kind kind = kinds[k % SIM_LIMIT_KINDS];
    double w[2][3], d[2][3], f[SIM_LIMIT_GAUGES][7];
    sim_limit_gauges g, at;
    any_w(&rng, w);
    for (int i = 0; i < 6; i++) d[i / 3][i % 3] = noise(&rng);
    sim_limit_gauges_of(kind, BLUR, (const sim_vec3 *)w, true, &g);
    assert_int_equal(g.n, kind == SIM_LIMIT_MAPPED ? 4 : 2);
    for (int s = -3; s <= 3; s++) {
      double moved[2][3];
      shifted(w, s * h, d, moved);
      sim_limit_gauges_of(kind, BLUR, (const sim_vec3 *)moved, false, &at);
      for (int i = 0; i < g.n; i++) f[i][s + 3] = at.value[i];
    }
    for (int i = 0; i < g.n; i++) {
      if (g.share[i] < 0.1) continue; /* |<e, g>| has a kink where e stands across g */
      worst = fmax(worst,
                   fabs(difference(f[i], h) - sim_dot(g.slope[i][0], d[0]) - sim_dot(g.slope[i][1], d[1])));
    }
  }
  /* Truncation: h^6 times a seventh derivative, which goes as (singular values apart)^-7; rounding 1e-16 /
   * h. */
  assert_true(worst < 1e-7);
}

/* Directions turn as the slopes of the mapped strains say: |<e_1, g>| alone, by the chain rule out of one of
 * them. */
static void test_directions(void **state) {
  (void)state;
  const double h = 1e-3;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  int tried = 0;
  for (int k = 0; k < TRIALS; k++) {
    double w[2][3], d[2][3], f[7];
    sim_limit_gauges g;
    any_w(&rng, w);
    for (int i = 0; i < 6; i++) d[i / 3][i % 3] = noise(&rng);
    sim_limit_gauges_of(SIM_LIMIT_MAPPED, 0, (const sim_vec3 *)w, true, &g);
    const double strain = g.svd.sigma[0] - 1;
    if (g.inner[0] < 0.1 || fabs(strain) < 0.1) continue;
    for (int s = -3; s <= 3; s++) {
      double moved[2][3];
      sim_limit_svd at;
      shifted(w, s * h, d, moved);
      sim_limit_svd_of((const sim_vec3 *)moved, &at);
      f[s + 3] = fabs(at.v[0][0]);
    }
    double of_value = sim_dot(g.slope[0][0], d[0]) + sim_dot(g.slope[0][1], d[1]), of_sigma = 0;
    for (int a = 0; a < 2; a++) of_sigma += g.svd.v[0][a] * sim_dot(g.svd.u[0], d[a]);
    assert_near((of_value - g.inner[0] * of_sigma) / strain, difference(f, h), 1e-6);
    tried++;
  }
  assert_true(tried > TRIALS / 4);
}

/* The Hessian along d, by differences of the slopes; with sizes of eigenvalues it is no less, and never
 * negative. */
static void test_curvature(void **state) {
  (void)state;
  const double h = 1e-3, penalty = 2;
  cb_rng rng;
  cb_rng_init(&rng, 4, 0);
  int negative = 0;
  for (int k = 0; k < 3 * TRIALS; k++) {
    const sim_limit_kind kind = kinds[k % SIM_LIMIT_KINDS];
    const double pull[SIM_LIMIT_GAUGES] = {noise(&rng), noise(&rng), noise(&rng), noise(&rng)};
    double w[2][3], d[2][3], f[7], hessian[2][6][6], sum[2] = {0, 0};
    sim_limit_gauges g, at;
    any_w(&rng, w);
    for (int i = 0; i < 6; i++) d[i / 3][i % 3] = noise(&rng);
    sim_limit_gauges_of(kind, BLUR, (const sim_vec3 *)w, true, &g);
    if (kind == SIM_LIMIT_MAPPED &&
        (fabs(g.value[0] - g.value[1]) < 0.1 || fabs(g.value[2] - g.value[3]) < 0.1))
      continue; /* a kink */
    for (int s = -3; s <= 3; s++) {
      double moved[2][3];
      shifted(w, s * h, d, moved);
      sim_limit_gauges_of(kind, BLUR, (const sim_vec3 *)moved, true, &at);
      f[s + 3] = 0;
      for (int i = 0; i < g.n; i++)
        f[s + 3] += (pull[i] + penalty * (at.value[i] - g.value[i])) *
                    (sim_dot(at.slope[i][0], d[0]) + sim_dot(at.slope[i][1], d[1]));
    }
    for (int exact = 0; exact < 2; exact++) {
      sim_limit_curvature(kind, BLUR, (const sim_vec3 *)w, &g, pull, penalty, exact, hessian[exact]);
      for (int i = 0; i < 36; i++)
        sum[exact] += hessian[exact][i / 6][i % 6] * d[i / 18][i / 6 % 3] * d[i % 6 / 3][i % 3];
    }
    assert_near(sum[1], difference(f, h), 1e-6 * (1 + fabs(sum[0])));
    assert_true(sum[0] >= -1e-12 && sum[0] >= sum[1] - 1e-9);
    negative += sum[1] < 0;
  }
  assert_true(negative > TRIALS / 8); /* there was something to turn round */
}

/* Along warp the mapping changes nothing; across it warp says nothing; between, 1/|<e, g>|. Values: s_1 by
 * warp, by weft, s_2 likewise. */
static void test_mapping(void **state) {
  (void)state;
  sim_limit_gauges g;
  const double along[2][3] = {{1.2, 0, 0}, {0, 0.9, 0}}, r = sqrt(0.5);
  sim_limit_gauges_of(SIM_LIMIT_MAPPED, 0, along, false, &g);
  const double wanted[4] = {0.2, 0, 0, -0.1}, inner[4] = {1, 0, 0, 1};
  for (int i = 0; i < 4; i++) {
    assert_near(g.value[i], wanted[i], 1e-15);
    assert_near(g.inner[i], inner[i], 1e-15);
    assert_int_equal(g.range[i], i % 2);
  }
  /* 1.2 along the diagonal of warp and weft, 1 across it */
  const double slant[2][3] = {{1.1, 0.1, 0}, {0.1, 1.1, 0}};
  sim_limit_gauges_of(SIM_LIMIT_MAPPED, 0, slant, false, &g);
  for (int i = 0; i < 4; i++) {
    assert_near(g.inner[i], r, 1e-15);
    assert_near(g.value[i], i < 2 ? 0.2 * r : 0, 1e-15);
  }
}

/* Blurred shares are never less, all of it where the singular values are one, and the same along warp and
 * weft. */
static void test_blur(void **state) {
  (void)state;
  const double blur = 0.01;
  cb_rng rng;
  cb_rng_init(&rng, 6, 0);
  sim_limit_gauges g;
  for (int k = 0; k < TRIALS; k++) {
    double w[2][3];
    any_w(&rng, w);
    sim_limit_gauges_of(SIM_LIMIT_MAPPED, blur, (const sim_vec3 *)w, false, &g);
    for (int i = 0; i < 4; i++)
      assert_true(g.share[i] >= g.inner[i] - 1e-15 && g.share[i] <= g.inner[i] + blur / 0.02);
  }
  const double even[2][3] = {{0, 1.02, 0}, {0, 0, 1.02}}, along[2][3] = {{1.02, 0, 0}, {0, 0.99, 0}};
  sim_limit_gauges_of(SIM_LIMIT_MAPPED, blur, even, false, &g);
  for (int i = 0; i < 4; i++) assert_near(g.share[i], 1, 1e-15);
  sim_limit_gauges_of(SIM_LIMIT_MAPPED, blur, along, false, &g);
  assert_near(g.share[0], 1, 1e-15);
  assert_near(g.share[3], 1, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_svd),        cmocka_unit_test(test_slopes),
                                     cmocka_unit_test(test_directions), cmocka_unit_test(test_curvature),
                                     cmocka_unit_test(test_mapping),    cmocka_unit_test(test_blur)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
