/* The frames of a body's elements in any deformation, inside out, flat, or where two turns are as good:
 * energies against what they must be.
 */
#include "cbtest.h"

#include "cb_rng.h"
#include "sim_elastic.h"
#include "sim_tets_impl.h"
#include "turntest.h"

typedef struct single {
  sim_tets tets;
  sim_elastic *body;
  double lambda, mu;
} single;

static void single_make(single *s) {
  const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int corner[1][4] = {{0, 1, 2, 3}};
  assert_ok(sim_tets_build(rest, 4, corner, 1, &s->tets, err));
  sim_elastic_setup setup = sim_elastic_setup_default(&s->tets);
  assert_ok(sim_elastic_new(&setup, &s->body, err));
  s->mu = setup.young_Pa / (2 * (1 + setup.poisson));
  s->lambda = setup.young_Pa * setup.poisson / ((1 + setup.poisson) * (1 - 2 * setup.poisson));
}

static void single_clear(single *s) {
  sim_elastic_free(s->body);
  sim_tets_clear(&s->tets);
}

/* By what it must be: it follows from |F| and the most of tr(R' F) alone. */
static double energy_ratio(single *s, const double f[3][3]) {
  double r[3][3], square = 0, most = turntest_nearest(f, r);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      sim_elastic_position(s->body)[k + 1][i] = f[i][k];
      square += f[i][k] * f[i][k];
    }
  double wanted = sim_tets_volume_m3(&s->tets) *
                  (s->mu * (square - 2 * most + 3) + s->lambda / 2 * (most - 3) * (most - 3));
  return sim_elastic_energy_of(s->body).elastic / wanted;
}

/* Any deformation, inside out as well. */
static void frames(void **state) {
  (void)state;
  single s;
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  single_make(&s);
  int inverted = 0;
  for (int n = 0; n < 20000; n++) {
    double f[3][3], small = n % 3 == 0 ? 0.1 : n % 3 == 1 ? 1 : 1e3;
    for (int i = 0; i < 9; i++) f[i / 3][i % 3] = small * cb_rng_normal(&rng) + (n % 3 == 0 && i % 4 == 0);
    inverted += turntest_determinant((const sim_vec3 *)f) < 0;
    assert_near(energy_ratio(&s, (const sim_vec3 *)f), 1, 1e-9);
  }
  assert_true(inverted > 5000);
  single_clear(&s);
}

/* On a plane, a line, a point; mirrored; where two turns are as good, and nearly so: one of them is taken. */
static void frames_at_the_edge(void **state) {
  (void)state;
  static const double diagonal[][3] = {{1, 1, 0},         {1, 0, 0},          {0, 0, 0},
                                       {1, 1, -1},        {-1, -1, -1},       {1, 0.5, -0.5},
                                       {1, 0.5, -0.5001}, {1, 0.5, -0.4999},  {1, 1e-5, -2e-5},
                                       {1, 1e-9, -1e-9},  {1e-6, 1e-6, 1e-6}, {2, 1, -1 + 1e-9}};
  single s;
  cb_rng rng;
  cb_rng_init(&rng, 6, 0);
  single_make(&s);
  for (int n = 0; n < 12 * 100; n++) {
    double f[3][3], any[2][3][3], turn[2][3][3];
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 9; i++) any[k][i / 3][i % 3] = cb_rng_normal(&rng);
      (void)turntest_nearest((const sim_vec3 *)any[k], turn[k]);
    }
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        f[i][k] = 0;
        for (int a = 0; a < 3; a++) f[i][k] += turn[0][i][a] * diagonal[n % 12][a] * turn[1][k][a];
      }
    assert_near(energy_ratio(&s, (const sim_vec3 *)f), 1, 1e-6);
  }
  single_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames), cmocka_unit_test(frames_at_the_edge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
