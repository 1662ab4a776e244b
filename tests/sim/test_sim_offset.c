/* The buffer between cloth and body, the cloth's vertices on their own: it rests on the contact offset with
 * its weight as normal force, slides by Coulomb and by a law per area with the closed form's acceleration,
 * exchanges momentum to rounding, and lets nothing in. */
#include "cbtest.h"

#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_offset.h"
#include "sim_mesh.h"
#include "sim_shape.h"

typedef struct scene {
  sim_mesh mesh;
  sim_tets tets;
  sim_hull hull;
  sim_traverse *surface;
  sim_offset *offset;
  sim_closest_point *closest;
  sim_offset_setup setup;
  sim_offset_cloth cloth;
  sim_offset_body body;
  double *mass, *body_mass;
} scene;

/* A square of 0.2 m of 0.1 kg/m2 in the middle above a table of 0.6 m; its underside H + gap from the top at
 * z = 0. */
static void scene_make_finer(scene *s, sim_friction friction, double gap, double body_kg, int cells) {
  const sim_rectangle r = {
      .length_m = 0.2, .width_m = 0.2, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = cells};
  const sim_block b = {{-0.2, -0.2, -0.1}, {0.4, 0.4, 0}, {6, 6, 2}};
  *s = (scene){0};
  assert_ok(sim_mesh_rectangle(&r, &s->mesh, err));
  assert_ok(sim_tets_block(&b, &s->tets, err));
  assert_ok(
      sim_hull_build((const int(*)[3])s->tets.surface, s->tets.n_surface, s->tets.n_vertices, &s->hull, err));
  assert_ok(sim_traverse_new(&s->hull, &s->surface, err));
  s->setup = sim_offset_setup_default(&s->mesh, 0.05);
  s->setup.friction = friction;
  size_t n = (size_t)s->mesh.n_vertices, nb = (size_t)s->tets.n_vertices;
  assert_ok(sim_offset_new(&s->setup, s->mesh.n_vertices, s->tets.n_vertices, &s->offset, err));
  s->closest = calloc(n, sizeof *s->closest);
  s->mass = calloc(n, sizeof *s->mass);
  s->body_mass = calloc(nb, sizeof *s->body_mass);
  s->cloth = (sim_offset_cloth){.mesh = &s->mesh,
                                .x_m = s->mesh.position_m,
                                .v_m_per_s = calloc(n, sizeof(double[3])),
                                .mass_kg = s->mass};
  s->body = (sim_offset_body){&s->hull, s->tets.position_m, calloc(nb, sizeof(double[3])),
                              body_kg > 0 ? s->body_mass : NULL};
  for (size_t i = 0; i < n; i++) {
    s->mass[i] = 0.1 * s->mesh.vertex_area_m2[i];
    s->mesh.position_m[i][2] = s->setup.thickness_m + gap;
  }
  for (size_t i = 0; i < nb; i++) s->body_mass[i] = body_kg / (double)nb;
  assert_ok(sim_traverse_surface(s->surface, (const sim_vec3 *)s->body.x_m, 0.05, err));
  assert_ok(sim_traverse_start(s->surface, (const sim_vec3 *)s->cloth.x_m, (int)n, s->closest, err));
}

static void scene_make(scene *s, sim_friction friction, double gap, double body_kg) {
  scene_make_finer(s, friction, gap, body_kg, 10);
}

static void scene_clear(scene *s) {
  free(s->closest);
  free(s->mass);
  free(s->body_mass);
  free(s->cloth.v_m_per_s);
  free(s->body.v_m_per_s);
  sim_offset_free(s->offset);
  sim_traverse_free(s->surface);
  sim_hull_clear(&s->hull);
  sim_tets_clear(&s->tets);
  sim_mesh_clear(&s->mesh);
}

static sim_offset_report step(scene *s, const double gravity[3], double dt) {
  sim_traverse_counts counts = {0};
  sim_offset_report r;
  sim_spring *spring = calloc((size_t)s->mesh.n_vertices, sizeof *spring);
  assert_non_null(spring);
  (void)sim_offset_hold(s->offset, &s->cloth, dt, spring);
  free(spring);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      s->cloth.v_m_per_s[i][k] += dt * gravity[k];
      s->cloth.x_m[i][k] += dt * s->cloth.v_m_per_s[i][k];
    }
  for (int i = 0; i < s->tets.n_vertices; i++)
    for (int k = 0; k < 3; k++) s->body.x_m[i][k] += dt * s->body.v_m_per_s[i][k];
  assert_ok(sim_traverse_surface(s->surface, (const sim_vec3 *)s->body.x_m, 0.05, err));
  sim_traverse_step(s->surface, SIM_TRAVERSE, (const sim_vec3 *)s->cloth.x_m, s->mesh.n_vertices, s->closest,
                    &counts);
  sim_offset_press(s->offset, s->surface, s->closest, &s->cloth, &s->body, dt, &r);
  return r;
}

static void rests(void **state) {
  (void)state;
  scene s;
  scene_make(&s, (sim_friction){0}, 0.003, 0);
  const double g[3] = {0, 0, -9.80665};
  sim_offset_report r = {0};
  for (int k = 0; k < 500; k++) {
    r = step(&s, g, 1e-3);
    assert_true(r.left_m <= 1e-12);
  }
  assert_near(r.normal_N, 0.1 * 0.04 * 9.80665, 1e-9);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    double over = s.cloth.x_m[i][2] - s.setup.thickness_m; /* somewhere in the skin, which stops what comes
                                                              slowly */
    assert_true(over >= -1e-12 && over <= s.setup.skin_m);
    assert_near(s.cloth.v_m_per_s[i][2], 0, 1e-9);
  }
  scene_clear(&s);
}

/* On a slope (gravity turned): holds below tan a = mu without a motion, slides above it with g (sin a - mu
 * cos a). */
static double slide(sim_friction f, double angle_deg, double direction_deg, double seconds) {
  scene s;
  scene_make(&s, f, 0, 0);
  double a = angle_deg * CB_DEG, b = direction_deg * CB_DEG;
  const double g[3] = {9.80665 * sin(a) * cos(b), 9.80665 * sin(a) * sin(b), -9.80665 * cos(a)};
  for (int k = 0; k < (int)lround(seconds / 1e-3); k++) (void)step(&s, g, 1e-3);
  double speed = hypot(s.cloth.v_m_per_s[20][0], s.cloth.v_m_per_s[20][1]);
  double gone = hypot(s.mesh.position_m[20][0], s.mesh.position_m[20][1]);
  assert_true(speed > 0 || gone < 1);
  scene_clear(&s);
  return speed / seconds;
}

static void slides(void **state) {
  (void)state;
  const sim_friction coulomb = {.mu_kinetic = 0.3, .mu_static = 0.3};
  assert_near(slide(coulomb, 16.5, 0, 0.3), 0, 1e-12);
  for (int angle = 20; angle <= 40; angle += 10) {
    double wanted = 9.80665 * (sin(angle * CB_DEG) - 0.3 * cos(angle * CB_DEG));
    assert_near(slide(coulomb, angle, 0, 0.2) / wanted, 1, 1e-6);
    assert_near(slide(coulomb, angle, 137, 0.2) / wanted, 1, 1e-6);
  }
}

/* Anisotropic and with a power of the load: tau(p) = f (p A0)^n / A0, the traction on any area. */
static void slides_by_a_law(void **state) {
  (void)state;
  const double area = 0.005, n = 0.9, f[2] = {0.25, 0.45}, angle = 60 * CB_DEG, rho = 0.1;
  cb_friction_law law = {.contact_area_m2 = area, .n_knots = 1, .exponent = n, .dof = 1e9};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {f[0], 0, f[1]}};
  for (int k = 0; k < 2; k++) {
    double tau = f[k] * pow(rho * 9.80665 * cos(angle) * area, n) / area,
           wanted = 9.80665 * sin(angle) - tau / rho;
    assert_near(slide((sim_friction){.kinetic_law = &law}, 60, 90 * k, 0.2) / wanted, 1, 1e-6);
  }
}

static void momentum(void **state) {
  (void)state;
  scene s;
  scene_make(&s, (sim_friction){.mu_kinetic = 0.5, .mu_static = 0.5}, 0.001, 0.05);
  const double none[3] = {0, 0, 0};
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  double total = 0.05, before[3] = {0, 0, 0};
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    total += s.mass[i];
    for (int k = 0; k < 3; k++) {
      s.cloth.v_m_per_s[i][k] = cb_rng_normal(&rng) - (k == 2 ? 2 : 0);
      before[k] += s.mass[i] * s.cloth.v_m_per_s[i][k];
    }
  }
  int pressed = 0;
  for (int k = 0; k < 30; k++) pressed += step(&s, none, 1e-3).contacts;
  assert_true(pressed > 1000);
  for (int k = 0; k < 3; k++) {
    double after = 0, body = 0;
    for (int i = 0; i < s.mesh.n_vertices; i++) after += s.mass[i] * s.cloth.v_m_per_s[i][k];
    for (int i = 0; i < s.tets.n_vertices; i++) body += s.body_mass[i] * s.body.v_m_per_s[i][k];
    assert_near(after + body, before[k], 1e-12 * total);
    if (k == 2) assert_true(body < -1e-3); /* it was hit */
  }
  scene_clear(&s);
}

static double kinetic_energy(const scene *s) {
  double sum = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) sum += s->mass[i] * s->cloth.v_m_per_s[i][k] * s->cloth.v_m_per_s[i][k] / 2;
  for (int i = 0; i < s->tets.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      sum += s->body_mass[i] * s->body.v_m_per_s[i][k] * s->body.v_m_per_s[i][k] / 2;
  return sum;
}

/* A body a hundred times lighter than the cloth that falls on it, and slips as a whole: one step stops both
 * motions, and takes what the report says. */
static void light_body(void **state) {
  (void)state;
  scene s;
  const double none[3] = {0, 0, 0};
  scene_make(&s, (sim_friction){.mu_kinetic = 50, .mu_static = 50}, -1e-4, 4e-5);
  for (int i = 0; i < s.mesh.n_vertices; i++) s.cloth.v_m_per_s[i][0] = 0.3, s.cloth.v_m_per_s[i][2] = -0.1;
  for (int k = 0; k < 20; k++) {
    double before = kinetic_energy(&s);
    sim_offset_report r = step(&s, none, 1e-3);
    assert_true(r.contacts > 0 && r.friction_J >= -1e-15);
    assert_true(kinetic_energy(&s) <= before * (1 + 1e-12));
    if (k == 0) assert_true(before - kinetic_energy(&s) >= r.friction_J);
  }
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    double w[3];
    memcpy(w, s.cloth.v_m_per_s[i], sizeof w);
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 3; c++)
        w[k] -= s.closest[i].weight[c] * s.body.v_m_per_s[s.hull.triangle[s.closest[i].triangle][c]][k];
    assert_near(w[0], 0, 0.05 * 0.3);
    assert_true(w[2] > -0.05 * 0.1);
  }
  scene_clear(&s);
}

/* Slips in all directions, on bodies of every weight: friction only ever takes energy, and as much as is
 * said. */
static void friction_takes(void **state) {
  (void)state;
  const double none[3] = {0, 0, 0};
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  for (int decade = -6; decade <= 2; decade++) {
    scene s;
    scene_make(&s, (sim_friction){.mu_kinetic = 0.4, .mu_static = 0.6}, 0, pow(10, decade));
    for (int i = 0; i < s.mesh.n_vertices; i++)
      for (int k = 0; k < 3; k++) s.cloth.v_m_per_s[i][k] = cb_rng_normal(&rng) - (k == 2);
    double first = kinetic_energy(&s);
    for (int k = 0; k < 20; k++) {
      double before = kinetic_energy(&s);
      sim_offset_report r = step(&s, none, 1e-3);
      assert_true(kinetic_energy(&s) <= before + 1e-12 * first);
      assert_true(r.friction_J >= -1e-12 * first &&
                  before - kinetic_energy(&s) >= r.friction_J - 1e-12 * first);
    }
    scene_clear(&s);
  }
}

/* Between the angles of kinetic and of static friction what rests holds. */
static void holds(void **state) {
  (void)state;
  const sim_friction f = {.mu_kinetic = 0.3, .mu_static = 0.4};
  assert_near(slide(f, 21, 0, 0.3), 0, 1e-12);
  double wanted = 9.80665 * (sin(22 * CB_DEG) - 0.3 * cos(22 * CB_DEG));
  assert_near(slide(f, 22, 0, 0.2) / wanted, 1, 1e-6);
}

static void threads(void **state) {
  (void)state;
  cb_friction_law law = {.contact_area_m2 = 0.005, .n_knots = 1, .exponent = 0.9, .dof = 1e9};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {0.25, 0.05, 0.45}};
  const double g[3] = {3, 1, -9};
  double seen[2][6];
  for (int t = 0; t < 2; t++) {
    scene s;
    omp_set_num_threads(1 + t);
    scene_make_finer(&s, (sim_friction){.kinetic_law = &law}, 0.001, 0.05, 60);
    assert_true(s.mesh.n_vertices > 3000); /* several chunks */
    for (int i = 0; i < s.mesh.n_vertices; i++) s.cloth.v_m_per_s[i][2] = -0.3 - 0.1 * sin(i);
    sim_offset_report r = {0};
    for (int k = 0; k < 10; k++) r = step(&s, g, 1e-3);
    const double now[6] = {r.normal_N,           r.friction_J,
                           s.cloth.x_m[1777][0], s.cloth.v_m_per_s[2999][1],
                           kinetic_energy(&s),   s.body.x_m[5][2]};
    memcpy(seen[t], now, sizeof now);
    scene_clear(&s);
  }
  omp_set_num_threads(1);
  assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

/* What a contact spring of vertex 20 comes to where it slides along x, over Coulomb's force. */
static double friction_over(scene *s, double pressed_N) {
  const double slip[3] = {1e-3, 0, 0};
  const sim_spring_friction r = sim_offset_friction(
      s->offset, &s->cloth, 20, &(sim_spring_friction){.across_N_per_m = 0}, pressed_N, slip);
  return (r.held_N[0] + r.across_N_per_m * slip[0] * (1 - r.along[0] * r.along[0])) / (0.3 * pressed_N);
}

/* A step of contact springs that press with pressed_N, or pull if that is below 0, and rub with a half of
 * what is due. */
static void tied(scene *s, double pressed_N, double dt) {
  const size_t n = (size_t)s->mesh.n_vertices;
  sim_springs b = {.spring = calloc(n, sizeof *b.spring),
                   .taken = calloc(n, sizeof *b.taken),
                   .way = calloc(n, sizeof *b.way)};
  assert_true(b.spring && b.taken && b.way);
  (void)sim_offset_hold(s->offset, &s->cloth, dt, b.spring);
  for (size_t i = 0; i < n; i++) {
    b.spring[i].friction.along[0] = pressed_N > 0;
    b.taken[i][0] = fmax(0, 0.15 * pressed_N);
    b.taken[i][2] = -pressed_N;
  }
  (void)sim_offset_release(s->offset, &b, dt);
  free(b.spring), free(b.taken), free(b.way);
}

/* Friction that a contact spring was short of comes with the next one; not after the cloth has lifted off and
 * come down again. */
static void owes(void **state) {
  (void)state;
  scene s;
  scene_make(&s, (sim_friction){.mu_kinetic = 0.3, .mu_static = 0.3}, 0, 0);
  const double dt = 1e-3, N = 1e-4, g[3] = {9.80665 * sin(0.5), 0, -9.80665 * cos(0.5)};
  sim_spring *spring = calloc((size_t)s.mesh.n_vertices, sizeof *spring);
  assert_non_null(spring);
  for (int k = 0; k < 2; k++) (void)step(&s, g, dt);
  (void)sim_offset_hold(s.offset, &s.cloth, dt, spring);
  assert_near(friction_over(&s, N), 1, 1e-9);
  for (int k = 0; k < 2; k++) (void)step(&s, g, dt);
  tied(&s, N, dt);
  (void)sim_offset_hold(s.offset, &s.cloth, dt, spring);
  assert_near(friction_over(&s, N), 1.5, 1e-9);
  tied(&s, -N, dt);
  for (int k = 0; k < 2; k++) (void)step(&s, g, dt);
  tied(&s, N, dt);
  tied(&s, -N, dt); /* lifts off, and is owed a half */
  (void)step(&s, g, dt);
  (void)sim_offset_hold(s.offset, &s.cloth, dt, spring);
  assert_near(friction_over(&s, N), 1, 1e-9);
  free(spring);
  scene_clear(&s);
}

static void refusals(void **state) {
  (void)state;
  sim_offset *b;
  sim_offset_setup s = {.thickness_m = -1, .rounds = 2};
  assert_fails(CB_E_RANGE, "contact offset: thickness", sim_offset_new(&s, 10, 10, &b, err));
  s = (sim_offset_setup){.thickness_m = 1e-3, .rounds = 0};
  assert_fails(CB_E_RANGE, "contact offset: rounds", sim_offset_new(&s, 10, 10, &b, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rests),    cmocka_unit_test(slides),     cmocka_unit_test(slides_by_a_law),
      cmocka_unit_test(momentum), cmocka_unit_test(light_body), cmocka_unit_test(friction_takes),
      cmocka_unit_test(holds),    cmocka_unit_test(threads),    cmocka_unit_test(owes),
      cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
