/* The measured law of cloth on cloth in the simulator: a sheet slides down another one as if it had the one
 * coefficient that the two tensors come to, whichever way each lies. */
#include "clothmesh.h"

#include "cb_num.h"
#include "sim_cloth.h"
#include "sim_cloth_room.h"

#define SLOPE_DEG 30.0
#define RAISED_M 0.01 /* at rest: what is near at rest belongs together */

/* Two sheets in one mesh, the upper one above the middle of the lower, `turned`: the lower one's warp lies
 * along y. */
static void two_sheets(bool turned, sim_mesh *out, bool **gripped) {
  sim_mesh part[2];
  cm_sheet(0.08, 0.06, 13, 11, 0.15, &part[0]);
  cm_sheet(0.03, 0.03, 6, 6, 0.2, &part[1]);
  const int nv = part[0].n_vertices + part[1].n_vertices, nt = part[0].n_triangles + part[1].n_triangles;
  vec3 *x = cm_vectors(nv);
  int(*t)[3] = calloc((size_t)nt, sizeof *t);
  double(*corner)[3][2] = calloc((size_t)nt, sizeof *corner);
  *gripped = calloc((size_t)nv, sizeof **gripped);
  assert_true(t && corner && *gripped);
  for (int p = 0, v = 0, k = 0; p < 2; v += part[p].n_vertices, p++) {
    for (int i = 0; i < part[p].n_vertices; i++) {
      memcpy(x[v + i], part[p].position_m[i], sizeof *x);
      (*gripped)[v + i] = p == 0;
      if (p == 1) x[v + i][0] += 0.01, x[v + i][1] += 0.015, x[v + i][2] += RAISED_M;
    }
    for (int j = 0; j < part[p].n_triangles; j++, k++)
      for (int c = 0; c < 3; c++) {
        const double *own = part[p].corner_m[j][c];
        t[k][c] = v + part[p].triangle[j][c];
        corner[k][c][0] = p == 0 && turned ? own[1] : own[0];
        corner[k][c][1] = p == 0 && turned ? -own[0] : own[1];
      }
  }
  assert_ok(
      sim_mesh_build((const vec3 *)x, nv, (const int(*)[3])t, (const double(*)[3][2])corner, nt, out, err));
  for (int p = 0; p < 2; p++) sim_mesh_clear(&part[p]);
  free(x);
  free(t);
  free(corner);
}

/* Coulomb's in the load: F = mu N (q1 + q2) / 2, or mu N sqrt(q1 q2), q = 1 + a cos 2 theta. */
static cb_self_friction_law law_of(cb_self_rule rule, double mu, double a) {
  return (cb_self_friction_law){.same = true,
                                .form = {.rule = rule, .p = {log(mu), 1, a, 0, a, 0}},
                                .dof = 10,
                                .reference_N = 1,
                                .min_N = 0.1,
                                .max_N = 10,
                                .contact_area_m2 = 0.005,
                                .speed_m_per_s = 0.01};
}

typedef struct slide {
  double slope_rad, step_s;
  int settled, steps; /* the acceleration is measured between these */
} slide;
static const slide short_steps = {SLOPE_DEG * CB_DEG, 0.002, 9, 49};

/* Mean along the slope of what moves. */
static double mean_of_free(sim_cloth *cloth, const sim_mesh *mesh, const bool *gripped, const vec3 *field) {
  double sum = 0, all = 0;
  for (int i = 0; i < mesh->n_vertices; i++) {
    if (gripped[i]) continue;
    sum += sim_cloth_mass(cloth)[i] * field[i][0];
    all += sim_cloth_mass(cloth)[i];
  }
  return sum / all;
}

/* Of the least-squares line through n values, per value. Friction is a step late, so that single steps
 * scatter. */
static double slope(const double *y, int n) {
  double xy = 0, xx = 0;
  for (int i = 0; i < n; i++) {
    const double x = i - (n - 1) / 2.0;
    xy += x * y[i];
    xx += x * x;
  }
  return xy / xx;
}

/* A sheet that lies on a held one, on a slope. */
typedef struct pile {
  sim_mesh mesh;
  sim_material material;
  bool *gripped;
  sim_cloth *cloth;
} pile;

static void make_pile(const cb_self_friction_law *law, double mu, bool turned, double slope_rad, pile *p) {
  p->material = (sim_material){.areal_density_kg_per_m2 = 0.2,
                               .thickness_m = 1e-3,
                               .warp = sim_curve_linear(2000),
                               .weft = sim_curve_linear(2000),
                               .shear = sim_curve_linear(1000),
                               .bending_Nm = {{1e-4, 0, 0}, {0, 1e-4, 0}, {0, 0, 5e-5}}};
  two_sheets(turned, &p->mesh, &p->gripped);
  sim_cloth_setup setup = sim_cloth_setup_default(&p->mesh, &p->material);
  setup.gripped = p->gripped;
  setup.self_collision = true;
  setup.self_law = law;
  setup.self_friction = (sim_friction){.mu_kinetic = mu, .mu_static = mu};
  setup.gravity_m_per_s2[0] = 9.80665 * sin(slope_rad);
  setup.gravity_m_per_s2[2] = -9.80665 * cos(slope_rad);
  assert_ok(sim_cloth_new(&setup, &p->cloth, err));
  for (int i = 0; i < p->mesh.n_vertices; i++)
    if (!p->gripped[i]) sim_cloth_position(p->cloth)[i][2] -= RAISED_M - p->material.thickness_m;
}

static void clear_pile(pile *p) {
  sim_cloth_free(p->cloth);
  sim_mesh_clear(&p->mesh);
  free(p->gripped);
}

static void play(pile *p, int steps, double step_s) {
  for (int k = 0; k < steps; k++) assert_ok(sim_cloth_step(p->cloth, step_s, NULL, err));
}

/* Of the upper sheet, once it has settled on the lower one. moved_m: of its middle meanwhile; may be NULL. */
static double acceleration(const cb_self_friction_law *law, double mu, bool turned, slide how,
                           double *moved_m, sim_step_report *report) {
  pile p;
  make_pile(law, mu, turned, how.slope_rad, &p);
  double speed_m_per_s[2500], place_m[2500];
  for (int step = 0; step <= how.steps; step++) {
    assert_ok(sim_cloth_step(p.cloth, how.step_s, report, err));
    speed_m_per_s[step] =
        mean_of_free(p.cloth, &p.mesh, p.gripped, (const vec3 *)sim_cloth_velocity(p.cloth));
    place_m[step] = mean_of_free(p.cloth, &p.mesh, p.gripped, (const vec3 *)sim_cloth_position(p.cloth));
  }
  if (moved_m) *moved_m = place_m[how.steps] - place_m[how.settled];
  clear_pile(&p);
  return slope(speed_m_per_s + how.settled, how.steps - how.settled + 1) / how.step_s;
}

static void expect(cb_self_rule rule, double a, bool turned, double factor) {
  const double mu = 0.3, tilt = SLOPE_DEG * CB_DEG;
  cb_self_friction_law law = law_of(rule, mu, a);
  sim_step_report report;
  assert_ok(cb_self_friction_law_check(&law, err));
  double got = acceleration(&law, 0, turned, short_steps, NULL, &report);
  assert_true(report.self_by_law > 100 && report.self_by_law <= report.self_contacts);
  /* A sheet presses with 1.7 Pa; the law was measured from 20 Pa on. */
  assert_int_equal(report.self_extrapolated, report.self_by_law);
  double alike = acceleration(NULL, mu * factor, turned, short_steps, NULL, &report);
  assert_int_equal(report.self_by_law, 0);
  /* The same friction, but for the way in which the sheet ripples under it; the tensors move it by 2.5 and
   * 0.1 m/s2. */
  assert_near(got, alike, 0.01);
  assert_near(got, 9.80665 * (sin(tilt) - mu * factor * cos(tilt)),
              0.005 * 9.80665 * cos(tilt) * mu * factor);
}

/* Coulomb's acceleration to 0.5 %, in steps of any length. */
static void slides_as_coulomb_says(void **state) {
  (void)state;
  const double tilt = SLOPE_DEG * CB_DEG;
  const slide all[] = {{tilt, 0.001, 19, 99}, short_steps, {tilt, 0.005, 3, 23}};
  sim_step_report report;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (int i = 0; i < 2; i++) {
      const double mu = i == 0 ? 0.3 : 0.45, wanted = 9.80665 * (sin(tilt) - mu * cos(tilt));
      assert_near(acceleration(NULL, mu, false, all[k], NULL, &report), wanted, 0.005 * wanted);
    }
}

/* Below the angle of friction, a sheet that has come to rest stays: wanted is a micrometre in 10 s. */
static void rests(void **state) {
  (void)state;
  const slide ten_seconds = {SLOPE_DEG * CB_DEG, 0.005, 199, 2199},
              two_seconds = {SLOPE_DEG * CB_DEG, 0.002, 499, 1499};
  sim_step_report report;
  double moved_m;
  (void)acceleration(NULL, 0.6, false, ten_seconds, &moved_m, &report);
  assert_near(moved_m, 0, 1e-9);
  (void)acceleration(NULL, 0.8, false, two_seconds, &moved_m, &report);
  assert_near(moved_m, 0, 1e-9);
}

static void slides_as_both_tensors_say(void **state) {
  (void)state;
  expect(CB_SELF_MEAN, 0, false, 1);
  expect(CB_SELF_MEAN, 0.3, false, 1.3);
  expect(CB_SELF_MEAN, 0.3, true, 1);
  expect(CB_SELF_PRODUCT, 0.3, true, sqrt(1.3 * 0.7));
}

/* ---- what the friction remembers ---- */

static void expect_same(const pile *a, const pile *b, double within_m) {
  for (int i = 0; i < a->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      assert_near(sim_cloth_position(a->cloth)[i][k], sim_cloth_position(b->cloth)[i][k], within_m);
}

/* Steps that are taken back leave no trace. (Near places may be found in another order: rounding.) */
static void steps_taken_back(void **state) {
  (void)state;
  pile plain, other;
  make_pile(NULL, 0.3, false, SLOPE_DEG * CB_DEG, &plain);
  make_pile(NULL, 0.3, false, SLOPE_DEG * CB_DEG, &other);
  play(&plain, 20, 0.005);
  play(&other, 20, 0.005);
  unsigned char *kept = malloc(sim_cloth_state_bytes(other.cloth));
  assert_non_null(kept);
  sim_cloth_state_take(other.cloth, kept);
  play(&other, 3, 0.002);
  sim_cloth_state_give(other.cloth, kept);
  play(&plain, 5, 0.005);
  play(&other, 5, 0.005);
  expect_same(&plain, &other, 1e-9);
  free(kept);
  clear_pile(&plain);
  clear_pile(&other);
}

/* A state without friction that is loaded into a cloth which has slid. */
static void a_loaded_state(void **state) {
  (void)state;
  pile fresh, used;
  cb_bytes start = {0};
  make_pile(NULL, 0.3, false, SLOPE_DEG * CB_DEG, &fresh);
  make_pile(NULL, 0.3, false, SLOPE_DEG * CB_DEG, &used);
  sim_cloth_checkpoint(used.cloth, &start);
  assert_false(start.failed);
  play(&used, 20, 0.005);
  assert_ok(sim_cloth_restore(used.cloth, start.data, start.n, "start", err));
  play(&fresh, 5, 0.005);
  play(&used, 5, 0.005);
  expect_same(&fresh, &used, 1e-12);
  cb_bytes_clear(&start);
  clear_pile(&fresh);
  clear_pile(&used);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slides_as_both_tensors_say),
                                     cmocka_unit_test(slides_as_coulomb_says), cmocka_unit_test(rests),
                                     cmocka_unit_test(steps_taken_back), cmocka_unit_test(a_loaded_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
