/* Cloth with friction in its bending, in steps and at rest: a heavy cantilever by another way, the ledger of
 * energy, bits, checkpoints. */
#include <omp.h>
#include <stdbool.h>

#include "clothmesh.h"
#include "sim_cloth.h"
#include "clothfile.h"
#include "val_strip_impl.h"

#define ONSET 10.0

/* ---- a heavy cantilever ---- */

#define LENGTH 0.045
#define MASS 0.15
#define GRAVITY 9.80665
#define B 1e-5
#define FRICTION 3e-4 /* a quarter of the moment at the clamp */

/* Curvature that a moment bends to, in loading. */
static double curvature_of(double m, double onset) {
  double whole = (B + FRICTION / onset) * onset;
  return m < whole ? m / (B + FRICTION / onset) : (m - FRICTION) / B;
}

/* From the clamp with moment m0 on: angle below the horizontal, moment' = -w (L - s) cos angle; classical
 * Runge-Kutta. Returns the moment at the end. */
static double shoot(double m0, double onset, double tip[2]) {
  const int n = 4000;
  const double h = LENGTH / n, w = MASS * GRAVITY;
  double y[4] = {0, m0, 0, 0}; /* angle, moment, reach, drop */
  for (int i = 0; i < n; i++) {
    double k[4][4], at[4];
    for (int j = 0; j < 4; j++) {
      double share = j == 0 ? 0 : j == 3 ? 1 : 0.5, s = (i + share) * h;
      for (int c = 0; c < 4; c++) at[c] = y[c] + (j ? share * h * k[j - 1][c] : 0);
      k[j][0] = curvature_of(at[1], onset), k[j][1] = -w * (LENGTH - s) * cos(at[0]), k[j][2] = cos(at[0]),
      k[j][3] = sin(at[0]);
    }
    for (int c = 0; c < 4; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
  tip[0] = y[2], tip[1] = y[3];
  return y[1];
}

static double reference(double onset) {
  double low = 0, high = MASS * GRAVITY * LENGTH * LENGTH, tip[2];
  for (int k = 0; k < 60; k++) {
    double middle = (low + high) / 2;
    if (shoot(middle, onset, tip) < 0)
      low = middle;
    else
      high = middle;
  }
  (void)shoot((low + high) / 2, onset, tip);
  return tip[1] / tip[0];
}

typedef struct scene {
  val_strip strip;
  sim_material material;
  sim_cloth *cloth;
} scene;

static void scene_of(scene *s, double drag_per_s, bool friction, double onset, int cells_across) {
  sim_rectangle shape = {.length_m = LENGTH,
                         .width_m = LENGTH / 8,
                         .pattern = SIM_PATTERN_IRREGULAR,
                         .cells_across = cells_across,
                         .seed = 3};
  assert_ok(val_strip_init(&shape, &s->strip, err));
  s->material = sim_material_isotropic(MASS, 1e3, B);
  s->material.drag_per_s = drag_per_s;
  s->material.bending_friction_N[0] = friction ? FRICTION : 0;
  s->material.bending_friction_onset_per_m = onset;
  sim_cloth_setup setup = sim_cloth_setup_default(&s->strip.mesh, &s->material);
  setup.gripped = s->strip.clamped;
  assert_ok(sim_cloth_new(&setup, &s->cloth, err));
}

static void scene_init(scene *s, double drag_per_s, bool friction, int cells_across) {
  scene_of(s, drag_per_s, friction, ONSET, cells_across);
}

static void scene_clear(scene *s) {
  sim_cloth_free(s->cloth);
  val_strip_clear(&s->strip);
}

static double h_over_w(const scene *s) {
  double tip[3];
  val_strip_tip_mean(&s->strip, (const vec3 *)sim_cloth_position(s->cloth), tip);
  return -tip[2] / tip[0];
}

/* 0.5 %: the mesh, second order. Let down slowly it loads all the way, and comes to the same; and is at rest
 * there. */
static void cantilever(void **state) {
  (void)state;
  double truth = reference(ONSET);
  scene s, elastic, slow;
  sim_settle_report r;
  scene_init(&s, 0, true, 4);
  assert_ok(sim_cloth_settle(s.cloth, 1e-8, 200, &r, err));
  assert_int_equal(r.outcome, SIM_SETTLED);
  assert_true(r.stable);
  scene_init(&elastic, 0, false, 4);
  assert_ok(sim_cloth_settle(elastic.cloth, 1e-8, 200, &r, err));
  scene_init(&slow, 60, true, 4);
  for (int k = 0; k < 600; k++) assert_ok(sim_cloth_step(slow.cloth, 0.005, NULL, err));
  double let_down = h_over_w(&slow);
  assert_ok(sim_cloth_settle(slow.cloth, 1e-8, 200, &r, err));
  print_message(
      "H/W: %.5f by the equations, %.5f settled, %.5f let down (%.5f at rest, %d iterations), %.5f without "
      "friction\n",
      truth, h_over_w(&s), let_down, h_over_w(&slow), r.iterations, h_over_w(&elastic));
  assert_near(h_over_w(&s), truth, 5e-3 * truth);
  assert_near(h_over_w(&slow), truth, 1e-2 * truth);
  assert_near(let_down, h_over_w(&slow), 1e-3 * truth);
  assert_true(h_over_w(&elastic) > 1.15 * truth);
  scene_clear(&slow);
  scene_clear(&elastic);
  scene_clear(&s);
}

/* The same over onsets from a tenth of the curvature at the clamp to more than all of it: 0.2 %. Two meshes,
 * of second order, are extrapolated. */
static void curves_of_moment(void **state) {
  (void)state;
  static const double onset[] = {5, 25, 50, 200};
  for (int i = 0; i < 4; i++) {
    double truth = reference(onset[i]), h[2];
    for (int k = 0; k < 2; k++) {
      scene s;
      sim_settle_report r;
      scene_of(&s, 0, true, onset[i], k ? 8 : 4);
      assert_ok(sim_cloth_settle(s.cloth, 1e-8, 200, &r, err));
      assert_int_equal(r.outcome, SIM_SETTLED);
      h[k] = h_over_w(&s);
      scene_clear(&s);
    }
    double limit = h[1] + (h[1] - h[0]) / 3;
    print_message("onset %g 1/m: H/W %.5f by the equations, %.5f and %.5f on meshes, %.5f extrapolated\n",
                  onset[i], truth, h[0], h[1], limit);
    assert_near(limit, truth, 2e-3 * truth);
  }
}

/* Swinging, with friction: weight's work is motion, what is stored, and what the sliders lost; up to what the
 * scheme takes. */
static double missing(double dt_s, double *lost) {
  scene s;
  sim_cloth_energies before, after;
  scene_init(&s, 0, true, 4);
  sim_cloth_energy(s.cloth, &before);
  for (int k = 0; k < (int)lround(0.06 / dt_s); k++) assert_ok(sim_cloth_step(s.cloth, dt_s, NULL, err));
  sim_cloth_energy(s.cloth, &after);
  scene_clear(&s);
  double given = before.gravity - after.gravity, held = after.kinetic + after.stretch + after.bending;
  *lost = after.friction / given;
  return 1 - (held + after.friction) / given;
}

/* The viscosity of the linearisation and backward Euler's own go with the step, by half with half of it. */
static void the_ledger_closes(void **state) {
  (void)state;
  double lost[2], coarse = missing(1e-3, &lost[0]), fine = missing(2.5e-4, &lost[1]);
  print_message("of the work of weight %.4f and %.4f are missing; sliders lost %.4f and %.4f\n", coarse, fine,
                lost[0], lost[1]);
  assert_true(lost[1] > 0.02);
  assert_true(fine > 0 && fine < 0.02 && fine < 0.35 * coarse);
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  vec3 *first = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    scene s;
    sim_settle_report r;
    scene_init(&s, 5, true, 4);
    for (int k = 0; k < 10; k++) assert_ok(sim_cloth_step(s.cloth, 0.005, NULL, err));
    assert_ok(sim_cloth_settle(s.cloth, 1e-6, 100, &r, err));
    size_t size = (size_t)s.strip.mesh.n_vertices * sizeof *first;
    if (!first) {
      first = malloc(size);
      assert_non_null(first);
      memcpy(first, sim_cloth_position(s.cloth), size);
    }
    assert_memory_equal(first, sim_cloth_position(s.cloth), size);
    scene_clear(&s);
  }
  omp_set_num_threads(1);
  free(first);
}

/* Stopped in the middle of a fall and gone on with: the same bits; a cloth without friction is another
 * cloth. */
static void goes_on_from_a_checkpoint(void **state) {
  (void)state;
  char path[400];
  scene one, other, smooth;
  scene_init(&one, 5, true, 4);
  scene_init(&other, 5, true, 4);
  scene_init(&smooth, 5, false, 4);
  for (int k = 0; k < 20; k++) {
    if (k == 10) assert_ok(cloth_save(one.cloth, cbt_path("half.cloth", path), err));
    assert_ok(sim_cloth_step(one.cloth, 0.005, NULL, err));
  }
  assert_ok(cloth_load(other.cloth, path, err));
  for (int k = 0; k < 10; k++) assert_ok(sim_cloth_step(other.cloth, 0.005, NULL, err));
  assert_memory_equal(sim_cloth_position(one.cloth), sim_cloth_position(other.cloth),
                      (size_t)one.strip.mesh.n_vertices * sizeof(vec3));
  cb_err why;
  assert_int_equal(cloth_load(smooth.cloth, path, &why), CB_E_RANGE);
  scene_clear(&smooth);
  scene_clear(&other);
  scene_clear(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever),
      cmocka_unit_test(curves_of_moment),
      cmocka_unit_test(the_ledger_closes),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test_setup_teardown(goes_on_from_a_checkpoint, cbt_folder_set_up, cbt_folder_tear_down),
  };
  omp_set_num_threads(1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
