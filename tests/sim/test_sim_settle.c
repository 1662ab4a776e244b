/* Equilibria against closed forms; reactions; stability; outcomes. */
#include <omp.h>
#include <stdbool.h>

#include "clothmesh.h"
#include "sim_cloth.h"
#include "sim_cloth_room.h"
#include "val_strip_impl.h"

#define LENGTH 0.2
#define WIDTH 0.02
#define MASS 0.15
#define GRAVITY 9.80665

typedef struct scene {
  val_strip strip;
  sim_material material;
  sim_cloth_setup setup;
  sim_cloth *cloth;
} scene;

/* A strip of rigidity B out of a clamp, gravity along `down`. */
static void scene_init(scene *s, double stretch, double bending, const double down[3], sim_pattern pattern) {
  sim_rectangle shape = {
      .length_m = LENGTH, .width_m = WIDTH, .pattern = pattern, .cells_across = 4, .seed = 3};
  assert_ok(val_strip_init(&shape, &s->strip, err));
  s->material = sim_material_isotropic(MASS, stretch, bending);
  s->setup = sim_cloth_setup_default(&s->strip.mesh, &s->material);
  s->setup.gripped = s->strip.clamped;
  for (int k = 0; k < 3; k++) s->setup.gravity_m_per_s2[k] = GRAVITY * down[k];
  assert_ok(sim_cloth_new(&s->setup, &s->cloth, err));
}

static void scene_clear(scene *s) {
  sim_cloth_free(s->cloth);
  val_strip_clear(&s->strip);
}

static sim_settle_report settle(scene *s, double tolerance, int iterations) {
  sim_settle_report r;
  assert_ok(sim_cloth_settle(s->cloth, tolerance, iterations, &r, err));
  return r;
}

/* Hanging straight down: lambda S(lambda) = w g (L - s), S = k (lambda^2 - 1)/2; integrated. The mesh's
 * lumped weights and constant strains make it a midpoint rule: second order. */
static void test_hanging(void **state) {
  (void)state;
  const double down[3] = {1, 0, 0}, k = 20;
  double tip = 0;
  for (int i = 0; i < 10000; i++) {
    double pull = MASS * GRAVITY * LENGTH * (1 - (i + 0.5) / 10000), lambda = 1;
    for (int n = 0; n < 50; n++)
      lambda -= (lambda * k * (lambda * lambda - 1) / 2 - pull) / (k * (3 * lambda * lambda - 1) / 2);
    tip += lambda * LENGTH / 10000;
  }
  scene s;
  scene_init(&s, k, 1e-6, down, SIM_PATTERN_RIGHT);
  sim_settle_report r = settle(&s, 1e-10, 100);
  assert_int_equal(r.outcome, SIM_SETTLED);
  assert_true(r.stable && r.residual <= 1e-10);
  double at[3];
  val_strip_tip_mean(&s.strip, (const vec3 *)sim_cloth_position(s.cloth), at);
  assert_near(at[0] - LENGTH, tip - LENGTH, 2e-3 * (tip - LENGTH));
  scene_clear(&s);
}

/* What the clamp holds is the strip's weight, and the moment of its weight about the origin. */
static void test_reactions(void **state) {
  (void)state;
  const double down[3] = {0, 0, -1};
  scene s;
  scene_init(&s, 500, 2e-5, down, SIM_PATTERN_IRREGULAR);
  assert_int_equal(settle(&s, 1e-9, 100).outcome, SIM_SETTLED);
  int n = s.strip.mesh.n_vertices;
  vec3 *force = cm_vectors(n);
  sim_cloth_grip_forces(s.cloth, force);
  double sum[3] = {0}, moment = 0, weight = 0;
  for (int i = 0; i < n; i++) {
    const double *x = sim_cloth_position(s.cloth)[i], w = sim_cloth_mass(s.cloth)[i] * GRAVITY;
    for (int k = 0; k < 3; k++) sum[k] += force[i][k];
    weight += w;
    moment += x[0] * (force[i][2] - w) - x[2] * force[i][0];
    if (!s.strip.clamped[i]) assert_true(force[i][0] == 0 && force[i][1] == 0 && force[i][2] == 0);
  }
  assert_near(sum[0], 0, 1e-8 * weight);
  assert_near(sum[1], 0, 1e-8 * weight);
  assert_near(sum[2], weight, 1e-8 * weight);
  assert_near(moment, 0, 1e-8 * weight * LENGTH);
  free(force);
  scene_clear(&s);
}

/* A strip that stands upright falls over at w g L^3 / B = 7.8373 (Greenhill 1881). Within 1 %: the mesh's
 * second-order error. */
static void test_stability(void **state) {
  (void)state;
  const double down[3] = {-1, 0, 0};
  for (int k = 0; k < 2; k++) {
    double gamma = 7.8373 * (k == 0 ? 0.99 : 1.01);
    scene s;
    scene_init(&s, 1e5, MASS * GRAVITY * LENGTH * LENGTH * LENGTH / gamma, down, SIM_PATTERN_EQUILATERAL);
    sim_settle_report r = settle(&s, 1e-7, 100);
    assert_int_equal(r.outcome, SIM_SETTLED);
    assert_int_equal(r.stable, k == 0);
    scene_clear(&s);
  }
}

/* Same input, same bits, for any number of threads. */
static void test_same_bits(void **state) {
  (void)state;
  const double down[3] = {0, 0, -1};
  vec3 *first = NULL;
  int before = omp_get_max_threads();
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    scene s;
    scene_init(&s, 500, 1e-5, down, SIM_PATTERN_IRREGULAR);
    assert_int_equal(settle(&s, 1e-8, 100).outcome, SIM_SETTLED);
    size_t size = (size_t)s.strip.mesh.n_vertices * sizeof *first;
    if (!first) {
      first = malloc(size);
      memcpy(first, sim_cloth_position(s.cloth), size);
    }
    assert_memory_equal(first, sim_cloth_position(s.cloth), size);
    scene_clear(&s);
  }
  omp_set_num_threads(before);
  free(first);
}

/* A crumpled start ends at an equilibrium too, and so do materials out of all proportion; nothing ends in an
 * error. */
static void test_hard_starts(void **state) {
  (void)state;
  const double down[3] = {0, 0, -1}, stretch[] = {500, 1e6, 1};
  for (int m = 0; m < 3; m++) {
    scene s;
    scene_init(&s, stretch[m], 2e-5, down, SIM_PATTERN_EQUILATERAL);
    cb_rng rng;
    cb_rng_init(&rng, 8, 0);
    for (int i = 0; i < s.strip.mesh.n_vertices; i++)
      for (int k = 0; k < 3 && !s.strip.clamped[i]; k++)
        sim_cloth_position(s.cloth)[i][k] += 0.005 * (2 * cb_rng_uniform(&rng) - 1);
    sim_settle_report r = settle(&s, 1e-6, 1000);
    assert_int_equal(r.outcome, SIM_SETTLED);
    scene_clear(&s);
  }
}

/* Descent with momentum comes to the equilibrium that settling finds, and says how far it is; time and ledger
 * stand still. */
static void test_calm(void **state) {
  (void)state;
  const double down[3] = {0, 0, -1};
  double tip[2][3];
  cb_err why;
  for (int k = 0; k < 2; k++) {
    scene s;
    scene_init(&s, 100, 2e-5, down, SIM_PATTERN_IRREGULAR);
    if (k == 0) {
      const double before = sim_cloth_residual(s.cloth);
      sim_cloth_energies ledger;
      int steps = 0;
      assert_ok(sim_cloth_calm(s.cloth, 0.05, 1e-3, 500, &steps, err));
      assert_true(steps > 0 && steps < 500);
      assert_true(before > 0.9 && sim_cloth_residual(s.cloth) <= 1e-3);
      sim_cloth_energy(s.cloth, &ledger);
      assert_true(sim_cloth_time(s.cloth) == 0 && ledger.kinetic == 0 && ledger.supports == 0 &&
                  ledger.damping == 0);
      assert_int_equal(sim_cloth_calm(s.cloth, 0.05, 0, 1, &steps, &why), CB_E_RANGE);
    } else {
      sim_settle_report r = settle(&s, 1e-8, 100);
      assert_int_equal(r.outcome, SIM_SETTLED);
      assert_near(sim_cloth_residual(s.cloth), r.residual, 1e-12);
    }
    val_strip_tip_mean(&s.strip, (const vec3 *)sim_cloth_position(s.cloth), tip[k]);
    scene_clear(&s);
  }
  assert_true(tip[1][2] < -0.02);
  for (int a = 0; a < 3; a++) assert_near(tip[0][a], tip[1][a], 1e-3 * LENGTH);
}

static void test_outcomes(void **state) {
  (void)state;
  const double down[3] = {0, 0, -1};
  scene s;
  scene_init(&s, 500, 1e-5, down, SIM_PATTERN_RIGHT);
  assert_int_equal(settle(&s, 1e-9, 2).outcome, SIM_SETTLE_MAX_ITERATIONS);
  sim_settle_report r;
  cb_err why;
  assert_int_equal(sim_cloth_settle(s.cloth, 0, 10, &r, &why), CB_E_RANGE);
  sim_cloth_position(s.cloth)[s.strip.mesh.n_vertices - 1][1] = NAN;
  assert_int_equal(sim_cloth_settle(s.cloth, 1e-6, 10, &r, &why), CB_E_NUM);
  scene_clear(&s);
  /* Held by nobody it falls for ever. */
  scene_init(&s, 500, 1e-5, down, SIM_PATTERN_RIGHT);
  sim_cloth_free(s.cloth);
  s.setup.gripped = NULL;
  assert_ok(sim_cloth_new(&s.setup, &s.cloth, err));
  assert_true(settle(&s, 1e-6, 30).outcome != SIM_SETTLED);
  /* Held everywhere it is where it is. */
  sim_cloth_free(s.cloth);
  bool *all = malloc((size_t)s.strip.mesh.n_vertices);
  memset(all, 1, (size_t)s.strip.mesh.n_vertices);
  s.setup.gripped = all;
  assert_ok(sim_cloth_new(&s.setup, &s.cloth, err));
  r = settle(&s, 1e-6, 30);
  assert_int_equal(r.outcome, SIM_SETTLED);
  assert_true(r.iterations == 0 && r.stable);
  free(all);
  scene_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hanging),     cmocka_unit_test(test_reactions),
                                     cmocka_unit_test(test_stability),   cmocka_unit_test(test_same_bits),
                                     cmocka_unit_test(test_hard_starts), cmocka_unit_test(test_calm),
                                     cmocka_unit_test(test_outcomes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
