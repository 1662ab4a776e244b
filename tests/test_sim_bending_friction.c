/* Friction within a cloth that bends: closed forms, a loop of bending, a heavy cantilever by another way, the ledger of energy. */
#include <omp.h>
#include <stdbool.h>

#include "../sim/element/sim_bending_friction.h"
#include "cb_num.h"
#include "clothmesh.h"
#include "sim_checkpoint.h"
#include "sim_cloth.h"
#include "val_strip.h"

static const double D[3][3] = {{1e-5, 0, 0}, {0, 1e-5, 0}, {0, 0, 5e-6}};
static const double HB[2] = {4e-4, 1e-4};
#define ONSET 10.0

typedef struct sheet {
  sim_mesh mesh;
  sim_bending bending;
  sim_bending_friction friction;
  vec3 *x;
} sheet;

static void sheet_make(sheet *s, sim_pattern pattern) {
  sim_rectangle shape = {.length_m = 0.1, .width_m = 0.04, .pattern = pattern, .cells_across = 8, .seed = 3};
  assert_ok(sim_mesh_rectangle(&shape, &s->mesh, err));
  assert_ok(sim_bending_init(&s->mesh, D, NULL, NULL, &s->bending, err));
  assert_ok(sim_bending_friction_init(&s->bending, HB, ONSET, &s->friction, err));
  s->x = cm_vectors(s->mesh.n_vertices);
}

static void sheet_free(sheet *s) {
  sim_bending_friction_clear(&s->friction);
  sim_bending_clear(&s->bending);
  sim_mesh_clear(&s->mesh);
  free(s->x);
}

/* But the triangles at the two ends, which nothing bends. */
static double bent_area(const sheet *s) {
  double sum = 0;
  for (int t = 0; t < s->mesh.n_triangles; t++) {
    bool at_end = false;
    for (int k = 0; k < 3; k++) {
      const sim_edge *e = &s->mesh.edge[s->mesh.triangle_edge[t][k]];
      at_end = at_end || (e->triangle[1] < 0 && s->mesh.position_m[e->vertex[0]][0] == s->mesh.position_m[e->vertex[1]][0]);
    }
    if (!at_end) sum += s->mesh.area_m2[t];
  }
  return sum;
}

/* Rolled onto a cylinder, bent in the direction `angle` from the warp. */
static void roll(sheet *s, double curvature, double angle) {
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const double *p = s->mesh.position_m[i], along = p[0] * cos(angle) + p[1] * sin(angle), across = p[1] * cos(angle) - p[0] * sin(angle);
    double a = curvature == 0 ? along : sin(curvature * along) / curvature,
           z = curvature == 0 ? 0 : (1 - cos(curvature * along)) / curvature;
    s->x[i][0] = a * cos(angle) - across * sin(angle);
    s->x[i][1] = a * sin(angle) + across * cos(angle);
    s->x[i][2] = z;
  }
}

/* What works through a bend in that direction, per area, of the triangles within: free borders carry no moment. */
static double moment(sheet *s, double curvature, double angle) {
  double sum = 0, all = 0, share[2] = {pow(cos(angle), 2), pow(sin(angle), 2)};
  roll(s, curvature, angle);
  (void)sim_bending_friction_evaluate(&s->friction, (const vec3 *)s->x, NULL);
  for (int t = 0; t < s->mesh.n_triangles; t++) {
    const int *e = s->mesh.triangle_edge[t];
    double n[3];
    if (s->mesh.edge[e[0]].triangle[1] < 0 || s->mesh.edge[e[1]].triangle[1] < 0 || s->mesh.edge[e[2]].triangle[1] < 0) continue;
    sim_triangle_normal(&s->mesh, (const vec3 *)s->x, t, n);
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 3; c++) sum += share[r] * s->friction.pull_N[t][r][c] * n[c];
    all += s->mesh.area_m2[t];
  }
  return sum / all;
}

/* In loading: HB beyond the onset, in proportion before; at an angle the shares of warp and weft. The mesh follows a cylinder to
 * (curvature x edge)^2 / 12: 0.1 % at 20 per metre. */
static void cylinders(void **state) {
  (void)state;
  for (int pattern = SIM_PATTERN_EQUILATERAL; pattern <= SIM_PATTERN_IRREGULAR; pattern++) {
    sheet s;
    sheet_make(&s, pattern);
    double c2 = pow(cos(0.6), 2);
    assert_near(moment(&s, 5, 0), HB[0] / 2, 2e-3 * HB[0]);
    assert_near(moment(&s, 20, 0), HB[0], 2e-3 * HB[0]);
    assert_near(moment(&s, -20, 0), -HB[0], 2e-3 * HB[0]);
    assert_near(moment(&s, 20, CB_PI / 2), HB[1], 2e-3 * HB[0]);
    assert_near(moment(&s, 40, 0.6), HB[0] * c2 + HB[1] * (1 - c2), 5e-3 * HB[0]);
    sheet_free(&s);
  }
}

/* To +K, to -K and back: at 0 the moments of the two ways are +-HB, and a whole turn loses 4 HB (K - onset) per area: the loop's area. */
static void loop(void **state) {
  (void)state;
  sheet s;
  sheet_make(&s, SIM_PATTERN_RIGHT);
  enum { QUARTER = 60 };
  const double top = 30;
  double moments[2] = {0}, lost = 0, work = 0, before = 0;
  for (int k = 0; k <= 5 * QUARTER; k++) { /* the virgin curve, then a whole turn from the top */
    double phase = (double)k / QUARTER, way = phase < 1 ? phase : phase < 3 ? 2 - phase : phase - 4, now = moment(&s, top * way, 0);
    double step = sim_bending_friction_slip(&s.friction, (const vec3 *)s.x);
    if (k > QUARTER) lost += step, work += (now + before) / 2 * top / QUARTER * (phase <= 3 ? -1 : 1);
    if (k == 2 * QUARTER) moments[0] = now;
    if (k == 4 * QUARTER) moments[1] = now;
    before = now;
  }
  double truth = 4 * HB[0] * (top - ONSET);
  print_message("moments at 0: %g and %g HB; work %.6g, lost %.6g, by the closed form %.6g J/m2\n", moments[0] / HB[0], moments[1] / HB[0],
                work, lost / bent_area(&s), truth);
  assert_near(moments[0], -HB[0], 2e-3 * HB[0]);
  assert_near(moments[1], HB[0], 2e-3 * HB[0]);
  assert_near(work, truth, 5e-3 * truth);
  assert_near(lost, truth * bent_area(&s), 5e-3 * lost);
  sheet_free(&s);
}

static void shake(sheet *s, double size) {
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) s->x[i][k] = s->mesh.position_m[i][k] + size * (2 * cb_rng_uniform(&rng) - 1);
}

/* Forces are the slope of the energy; what a step is linearised with is the tangent where all holds, and stiffer where something slips. */
static void forces_at(double shaken, bool holds) {
  sheet s;
  sheet_make(&s, SIM_PATTERN_IRREGULAR);
  int n = s.mesh.n_vertices;
  vec3 *force = cm_vectors(n), *way = cm_vectors(n), *stiff = cm_vectors(n);
  double k[2][3][3], soft = 0, held = 0;
  shake(&s, shaken);
  (void)sim_bending_friction_evaluate(&s.friction, (const vec3 *)s.x, force);
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  double slope = 0, e[2], size = 1e-9;
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) way[i][c] = 2 * cb_rng_uniform(&rng) - 1, slope -= force[i][c] * way[i][c];
  for (int t = 0; t < s.mesh.n_triangles; t++) {
    double bend[2][3] = {{0}};
    sim_bending_friction_tangent(&s.friction, (const vec3 *)s.x, t, k);
    for (int i = s.friction.stencils.start[t]; i < s.friction.stencils.start[t + 1]; i++)
      for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) bend[r][c] += s.friction.stencils.kappa[i][r] * way[s.friction.stencils.vertex[i]][c];
    for (int r = 0; r < 2; r++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) soft += bend[r][a] * k[r][a][b] * bend[r][b];
  }
  sim_bending_friction_product(&s.friction, 1, (const vec3 *)way, stiff);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) held += stiff[i][c] * way[i][c];
  if (holds)
    assert_near(soft, held, 1e-9 * held);
  else
    assert_true(soft > 0 && soft < 0.9 * held);
  for (int q = 0; q < 2; q++) {
    shake(&s, shaken);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 3; c++) s.x[i][c] += (q ? size : -size) * way[i][c];
    e[q] = sim_bending_friction_evaluate(&s.friction, (const vec3 *)s.x, NULL);
  }
  assert_near((e[1] - e[0]) / (2 * size), slope, 1e-5 * fabs(slope));
  free(force), free(way), free(stiff);
  sheet_free(&s);
}

static void forces(void **state) {
  (void)state;
  forces_at(5e-5, true);
  forces_at(5e-4, false);
}

/* ---- a heavy cantilever ---- */

#define LENGTH 0.045
#define MASS 0.15
#define GRAVITY 9.80665
#define B 1e-5
#define FRICTION 3e-4 /* a quarter of the moment at the clamp */

/* Curvature that a moment bends to, in loading. */
static double curvature_of(double m) {
  double whole = (B + FRICTION / ONSET) * ONSET;
  return m < whole ? m / (B + FRICTION / ONSET) : (m - FRICTION) / B;
}

/* From the clamp with moment m0 on: angle below the horizontal, moment' = -w (L - s) cos angle; classical Runge-Kutta. Returns the moment
 * at the end. */
static double shoot(double m0, double tip[2]) {
  const int n = 4000;
  const double h = LENGTH / n, w = MASS * GRAVITY;
  double y[4] = {0, m0, 0, 0}; /* angle, moment, reach, drop */
  for (int i = 0; i < n; i++) {
    double k[4][4], at[4];
    for (int j = 0; j < 4; j++) {
      double share = j == 0 ? 0 : j == 3 ? 1 : 0.5, s = (i + share) * h;
      for (int c = 0; c < 4; c++) at[c] = y[c] + (j ? share * h * k[j - 1][c] : 0);
      k[j][0] = curvature_of(at[1]), k[j][1] = -w * (LENGTH - s) * cos(at[0]), k[j][2] = cos(at[0]), k[j][3] = sin(at[0]);
    }
    for (int c = 0; c < 4; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
  tip[0] = y[2], tip[1] = y[3];
  return y[1];
}

static double reference(void) {
  double low = 0, high = MASS * GRAVITY * LENGTH * LENGTH, tip[2];
  for (int k = 0; k < 60; k++) {
    double middle = (low + high) / 2;
    if (shoot(middle, tip) < 0)
      low = middle;
    else
      high = middle;
  }
  (void)shoot((low + high) / 2, tip);
  return tip[1] / tip[0];
}

typedef struct scene {
  val_strip strip;
  sim_material material;
  sim_cloth *cloth;
} scene;

static void scene_init(scene *s, double drag_per_s, bool friction, int cells_across) {
  sim_rectangle shape = {
      .length_m = LENGTH, .width_m = LENGTH / 8, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = cells_across, .seed = 3};
  assert_ok(val_strip_init(&shape, &s->strip, err));
  s->material = sim_material_isotropic(MASS, 1e3, B);
  s->material.drag_per_s = drag_per_s;
  s->material.bending_friction_N[0] = friction ? FRICTION : 0;
  s->material.bending_friction_onset_per_m = ONSET;
  sim_setup setup = sim_setup_default(&s->strip.mesh, &s->material);
  setup.gripped = s->strip.clamped;
  assert_ok(sim_cloth_new(&setup, &s->cloth, err));
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

/* 0.5 %: the mesh, second order. Let down slowly it loads all the way, and comes to the same; and is at rest there. */
static void cantilever(void **state) {
  (void)state;
  double truth = reference();
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
  print_message("H/W: %.5f by the equations, %.5f settled, %.5f let down (%.5f at rest, %d iterations), %.5f without friction\n", truth,
                h_over_w(&s), let_down, h_over_w(&slow), r.iterations, h_over_w(&elastic));
  assert_near(h_over_w(&s), truth, 5e-3 * truth);
  assert_near(h_over_w(&slow), truth, 1e-2 * truth);
  assert_near(let_down, h_over_w(&slow), 1e-3 * truth);
  assert_true(h_over_w(&elastic) > 1.15 * truth);
  scene_clear(&slow);
  scene_clear(&elastic);
  scene_clear(&s);
}

/* Swinging, with friction: weight's work is motion, what is stored, and what the sliders lost; up to what the scheme takes. */
static double missing(double dt_s, double *lost) {
  scene s;
  sim_energy before, after;
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
  print_message("of the work of weight %.4f and %.4f are missing; sliders lost %.4f and %.4f\n", coarse, fine, lost[0], lost[1]);
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
    if (first == NULL) {
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

/* Stopped in the middle of a fall and gone on with: the same bits; a cloth without friction is another cloth. */
static void goes_on_from_a_checkpoint(void **state) {
  (void)state;
  char path[400];
  scene one, other, smooth;
  scene_init(&one, 5, true, 4);
  scene_init(&other, 5, true, 4);
  scene_init(&smooth, 5, false, 4);
  for (int k = 0; k < 20; k++) {
    if (k == 10) assert_ok(sim_cloth_save(one.cloth, cbt_path("half.cloth", path), err));
    assert_ok(sim_cloth_step(one.cloth, 0.005, NULL, err));
  }
  assert_ok(sim_cloth_load(other.cloth, path, err));
  for (int k = 0; k < 10; k++) assert_ok(sim_cloth_step(other.cloth, 0.005, NULL, err));
  assert_memory_equal(sim_cloth_position(one.cloth), sim_cloth_position(other.cloth), (size_t)one.strip.mesh.n_vertices * sizeof(vec3));
  cb_err why;
  assert_int_equal(sim_cloth_load(smooth.cloth, path, &why), CB_E_RANGE);
  scene_clear(&smooth);
  scene_clear(&other);
  scene_clear(&one);
}

static void refusals(void **state) {
  (void)state;
  cb_err why;
  sim_material m = sim_material_isotropic(0.15, 500, 1e-5);
  m.bending_friction_N[1] = -1e-4;
  assert_int_equal(sim_material_check(&m, &why), CB_E_RANGE);
  assert_non_null(strstr(why.msg, "along the weft"));
  m.bending_friction_N[1] = 0;
  m.bending_friction_onset_per_m = NAN;
  assert_int_equal(sim_material_check(&m, &why), CB_E_RANGE);
  sheet s;
  sim_bending_friction f;
  sheet_make(&s, SIM_PATTERN_RIGHT);
  assert_int_equal(sim_bending_friction_init(&s.bending, (const double[2]){INFINITY, 0}, ONSET, &f, &why), CB_E_RANGE);
  sim_bending_friction_clear(&f);
  assert_int_equal(sim_bending_friction_init(&s.bending, HB, 0, &f, &why), CB_E_RANGE);
  sim_bending_friction_clear(&f);
  /* None: nothing, for nothing. */
  assert_ok(sim_bending_friction_init(&s.bending, (const double[2]){0, 0}, 0, &f, err));
  assert_true(sim_bending_friction_evaluate(&f, (const vec3 *)s.x, s.x) == 0 && sim_bending_friction_slip(&f, (const vec3 *)s.x) == 0);
  sim_bending_friction_clear(&f);
  sheet_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cylinders),
      cmocka_unit_test(loop),
      cmocka_unit_test(forces),
      cmocka_unit_test(cantilever),
      cmocka_unit_test(the_ledger_closes),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test_setup_teardown(goes_on_from_a_checkpoint, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(refusals),
  };
  omp_set_num_threads(1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
