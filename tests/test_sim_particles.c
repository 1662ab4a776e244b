/* Nonlinear particles against differences, closed forms, and what must be conserved. */
#include <omp.h>

#include "clothmesh.h"
#include "sim_particles.h"
#include "stretchtest.h"

static vec3 *random_vectors(int n, uint64_t seed) {
  vec3 *d = cm_vectors(n);
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) d[i][k] = 2 * cb_rng_uniform(&rng) - 1;
  return d;
}

/* Stretched by different shares and crumpled: folds to either side, triangles that are pulled, pressed and sheared. */
static void crumple(const sim_mesh *mesh, double warp, double weft, double size, uint64_t seed, vec3 *x) {
  vec3 *noise = random_vectors(mesh->n_vertices, seed);
  for (int i = 0; i < mesh->n_vertices; i++) {
    const double *at = mesh->position_m[i];
    const double flat[3] = {warp * at[0] + 0.1 * at[1], weft * at[1], 2 * at[0] * at[1]};
    for (int k = 0; k < 3; k++) x[i][k] = flat[k] + size * noise[i][k];
  }
  free(noise);
}

static double dot(int n, vec3 *a, vec3 *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) sum += a[i][k] * b[i][k];
  return sum;
}

static void shift(int n, vec3 *from, double s, vec3 *d, vec3 *to) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) to[i][k] = from[i][k] + s * d[i][k];
}

/* ---- derivatives ---- */

/* Central differences of sixth order. */
static const double weight6[3] = {45 / 60.0, -9 / 60.0, 1 / 60.0};

typedef struct derivatives {
  double force, hessian; /* largest relative errors */
} derivatives;

static derivatives check_derivatives(const sim_particles_setup *setup, double warp, double weft, double size, uint64_t seed) {
  sim_particles *p;
  assert_ok(sim_particles_new(setup, &p, err));
  const int n = setup->mesh->n_vertices;
  const double h = 2e-6;
  vec3 *x = sim_particles_position(p), *at = cm_vectors(n), *d = random_vectors(n, seed + 100), *force = cm_vectors(n),
       *moved = cm_vectors(n), *by = cm_vectors(n), *product = cm_vectors(n);
  crumple(setup->mesh, warp, weft, size, seed, at);
  shift(n, at, 0, d, x);
  (void)sim_particles_elastic(p, force);
  sim_particles_hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, product);
  double energy = 0;
  for (int k = 0; k < 3; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      shift(n, at, sign * (k + 1) * h, d, x);
      energy += sign * weight6[k] / h * sim_particles_elastic(p, moved);
      shift(n, by, -sign * weight6[k] / h, moved, by);
    }
  derivatives out = {fabs(energy / -dot(n, force, d) - 1), 0};
  shift(n, by, -1, product, by);
  out.hessian = sqrt(dot(n, by, by) / dot(n, product, product));
  sim_particles_free(p);
  free(at), free(d), free(force), free(moved), free(by), free(product);
  return out;
}

/* Every condition by itself and all of them, linear, cubic and both; |C| is some 0.1 a or rad, so that lambda counts as much as k. */
static void test_derivatives(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  derivatives worst = {0, 0};
  for (int kind = 0; kind <= SIM_PARTICLES_KINDS; kind++)
    for (int part = 1; part <= 3; part++)
      for (uint64_t seed = 0; seed < 4; seed++) {
        sim_particles_setup s = sim_particles_setup_default(&mesh);
        for (int k = 0; k < SIM_PARTICLES_KINDS; k++) {
          if (kind < SIM_PARTICLES_KINDS && k != kind) continue;
          const double size = k == SIM_PARTICLES_BEND ? 1e-3 : 50, cubic = k == SIM_PARTICLES_BEND ? 1e-3 : 2e6;
          s.law[k] = (sim_particles_law){.k = part & 1 ? size : 0, .lambda = part & 2 ? cubic : 0};
        }
        const derivatives d = check_derivatives(&s, seed % 2 ? 1.2 : 0.9, seed / 2 ? 1.1 : 0.8, 0.01, seed);
        if (!(d.force <= 1e-6 && d.hessian <= 1e-6))
          fail_msg("kind %d, part %d, seed %d: force %g, Hessian %g", kind, part, (int)seed, d.force, d.hessian);
        worst = (derivatives){fmax(worst.force, d.force), fmax(worst.hessian, d.hessian)};
      }
  print_message("relative errors at most: forces %.1e, Hessian %.1e\n", worst.force, worst.hessian);
  sim_mesh_clear(&mesh);
}

static sim_particles_setup cloth_of(const sim_mesh *mesh) {
  sim_particles_setup s = sim_particles_setup_default(mesh);
  s.law[SIM_PARTICLES_STRETCH] = (sim_particles_law){100, 1e5, 0.01};
  s.law[SIM_PARTICLES_SHEAR] = (sim_particles_law){10, 0, 0.01};
  s.law[SIM_PARTICLES_BEND] = (sim_particles_law){1e-5, 0, 1e-8};
  return s;
}

/* What steps use has no negative eigenvalue where the Hessian has; where everything is drawn it is the Hessian. */
static void test_clamped(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  const int n = mesh.n_vertices;
  sim_particles_setup s = cloth_of(&mesh);
  sim_particles *p;
  assert_ok(sim_particles_new(&s, &p, err));
  vec3 *exact = cm_vectors(n), *clamped = cm_vectors(n);
  double least = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    vec3 *d = random_vectors(n, seed + 1000);
    crumple(&mesh, 0.7, 0.8, 0.01, seed, sim_particles_position(p));
    sim_particles_hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, exact);
    sim_particles_hessian_product(p, SIM_TANGENT_CLAMPED, (const vec3 *)d, clamped);
    const double has = dot(n, d, exact), keeps = dot(n, d, clamped);
    assert_true(keeps >= 0 && keeps > has - 1e-12 * fabs(keeps));
    least = fmin(least, has);
    free(d);
  }
  s.law[SIM_PARTICLES_BEND] = (sim_particles_law){0};
  s.law[SIM_PARTICLES_SHEAR] = (sim_particles_law){0};
  sim_particles_free(p);
  assert_ok(sim_particles_new(&s, &p, err));
  vec3 *d = random_vectors(n, 7), *x = sim_particles_position(p);
  double pressed = 0;
  for (int drawn = 0; drawn < 2; drawn++) {
    for (int i = 0; i < n; i++)
      x[i][0] = (drawn ? 1.2 : 0.8) * mesh.position_m[i][0], x[i][1] = (drawn ? 1.1 : 0.9) * mesh.position_m[i][1];
    sim_particles_hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, exact);
    sim_particles_hessian_product(p, SIM_TANGENT_CLAMPED, (const vec3 *)d, clamped);
    shift(n, clamped, -1, exact, clamped);
    const double off = sqrt(dot(n, clamped, clamped) / dot(n, exact, exact));
    if (drawn)
      assert_near(off, 0, 1e-14);
    else
      pressed = off;
  }
  assert_true(pressed > 1e-3); /* else there was nothing to keep out */
  free(d), free(exact), free(clamped);
  sim_particles_free(p);
  sim_mesh_clear(&mesh);
}

/* ---- steps ---- */

static void test_free_fall(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  sim_particles_setup s = cloth_of(&mesh);
  sim_particles *p;
  assert_ok(sim_particles_new(&s, &p, err));
  for (int k = 1; k <= 20; k++) {
    assert_ok(sim_particles_step(p, 0.01, NULL, err));
    for (int i = 0; i < mesh.n_vertices; i++) assert_near(sim_particles_velocity(p)[i][2], -0.01 * k * 9.80665, 1e-12);
  }
  assert_near(sim_particles_time(p), 0.2, 1e-14);
  sim_particles_free(p);
  sim_mesh_clear(&mesh);
}

static void momentum_of(sim_particles *p, int n, double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int i = 0; i < n; i++) out[k] += sim_particles_mass(p)[i] * sim_particles_velocity(p)[i][k];
  }
}

/* Crumpled, damped and thrown, without weight: momentum stays, energy does not grow, however long the step. */
static void test_momentum(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 8, 6, 0.2, &mesh);
  const int n = mesh.n_vertices;
  int clamped = 0;
  for (int k = 0; k < 3; k++) {
    sim_particles_setup s = cloth_of(&mesh);
    s.gravity_m_per_s2[2] = 0;
    s.solve_tolerance = 1e-12;
    sim_particles *p;
    sim_particles_report r;
    double begin[3], end[3], before = INFINITY, size = 0;
    assert_ok(sim_particles_new(&s, &p, err));
    crumple(&mesh, 1.1, 0.8, 0.01, 3, sim_particles_position(p));
    vec3 *v = random_vectors(n, 4);
    memcpy(sim_particles_velocity(p), v, (size_t)n * sizeof *v);
    momentum_of(p, n, begin);
    for (int i = 0; i < n; i++) size += sim_particles_mass(p)[i];
    for (int step = 0; step < 50; step++) {
      assert_ok(sim_particles_step(p, pow(10, -4 + k), &r, err));
      clamped += r.clamped;
      double energy = sim_particles_elastic(p, NULL);
      for (int i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) energy += sim_particles_mass(p)[i] * pow(sim_particles_velocity(p)[i][a], 2) / 2;
      assert_true(energy <= before * (1 + 1e-9));
      before = energy;
    }
    momentum_of(p, n, end);
    for (int a = 0; a < 3; a++) assert_near(end[a], begin[a], 1e-10 * size);
    free(v);
    sim_particles_free(p);
  }
  assert_true(clamped > 0); /* both ways of a step were gone */
  sim_mesh_clear(&mesh);
}

/* Flat and at rest C = 0, so that the Hessian is k dC dC^T: damping must be -k_d/k of it, times the velocities. */
static void test_damping(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  const int n = mesh.n_vertices;
  const double dt_s = 1e-8;
  for (int kind = 0; kind < SIM_PARTICLES_KINDS; kind++) {
    sim_particles_setup s = sim_particles_setup_default(&mesh);
    sim_particles *p, *linear;
    s.gravity_m_per_s2[2] = 0;
    s.solve_tolerance = 1e-13;
    s.law[kind].damping = kind == SIM_PARTICLES_BEND ? 1e-4 : 0.3;
    assert_ok(sim_particles_new(&s, &p, err));
    s.law[kind] = (sim_particles_law){.k = s.law[kind].damping};
    assert_ok(sim_particles_new(&s, &linear, err));
    vec3 *v = random_vectors(n, 4), *wanted = cm_vectors(n), *off = cm_vectors(n);
    sim_particles_hessian_product(linear, SIM_TANGENT_EXACT, (const vec3 *)v, wanted);
    memcpy(sim_particles_velocity(p), v, (size_t)n * sizeof *v);
    assert_ok(sim_particles_step(p, dt_s, NULL, err));
    for (int i = 0; i < n; i++)
      for (int a = 0; a < 3; a++) off[i][a] = sim_particles_mass(p)[i] * (sim_particles_velocity(p)[i][a] - v[i][a]) / dt_s + wanted[i][a];
    assert_near(sqrt(dot(n, off, off) / dot(n, wanted, wanted)), 0, 1e-4);
    free(v), free(wanted), free(off);
    sim_particles_free(p);
    sim_particles_free(linear);
  }
  sim_mesh_clear(&mesh);
}

/* Draws it to rest: steps from rest that grow. */
static void settle(sim_particles *p, int n) {
  double dt_s = 0.01;
  for (int k = 0; k < 200 && dt_s < 1e4; k++, dt_s *= 1.5) {
    for (int i = 0; i < n; i++) memset(sim_particles_velocity(p)[i], 0, sizeof(vec3));
    assert_ok(sim_particles_step(p, dt_s, NULL, err));
  }
}

/* Hung by its upper edge: between two rows it bears what is below, k1 e + k3 e^3 = weight below per width; rows share the cells' mass. */
static void test_hanging(void **state) {
  (void)state;
  const double k1 = 20, k3 = 400, weight = 0.15 * 9.80665;
  const int rows = 16;
  sim_mesh mesh;
  cm_sheet(0.1, 0.8, 3, rows, 0, &mesh);
  bool *held = calloc((size_t)mesh.n_vertices, sizeof *held);
  assert_non_null(held);
  for (int i = 0; i < mesh.n_vertices; i++) held[i] = mesh.position_m[i][1] == 0;
  sim_particles_setup s = sim_particles_setup_default(&mesh);
  s.held = held;
  s.gravity_m_per_s2[1] = 9.80665, s.gravity_m_per_s2[2] = 0;
  s.solve_tolerance = 1e-12;
  s.law[SIM_PARTICLES_WEFT] = (sim_particles_law){k1, k3 / mesh.area_m2[0], 0};
  s.law[SIM_PARTICLES_WARP] = s.law[SIM_PARTICLES_SHEAR] = (sim_particles_law){10, 0, 0};
  sim_particles *p;
  assert_ok(sim_particles_new(&s, &p, err));
  settle(p, mesh.n_vertices);
  double length = 0, cell = 0.8 / rows;
  for (int row = 0; row < rows; row++) {
    const double below = weight * (0.8 - cell * (row + 0.5));
    double e = 0;
    for (int k = 0; k < 50; k++) e -= (k1 * e + k3 * e * e * e - below) / (k1 + 3 * k3 * e * e);
    length += cell * (1 + e);
  }
  double worst = 0, longest = 0;
  for (int i = 0; i < mesh.n_vertices; i++)
    if (mesh.position_m[i][1] > 0.8 * (1 - 1e-12)) {
      worst = fmax(worst, fabs(sim_particles_position(p)[i][1] - length));
      longest = fmax(longest, length);
    }
  print_message("hung: %.6f m, closed form off by %.1e m\n", longest, worst);
  assert_true(longest > 0.82);
  assert_near(worst, 0, 3e-5 * length); /* a row bears what is below as a whole, its vertices not quite evenly */
  free(held);
  sim_particles_free(p);
  sim_mesh_clear(&mesh);
}

/* ---- k and lambda out of fit stretch ---- */

/* What holds the far edge of a strip at an extension, per width. */
static double tip_force(const sim_particles_law law[2], double strain) {
  sim_mesh mesh;
  cm_sheet(0.1, 0.02, 20, 4, 0, &mesh);
  const int n = mesh.n_vertices;
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  sim_particles_setup s = sim_particles_setup_default(&mesh);
  s.held = held;
  s.gravity_m_per_s2[2] = 0;
  s.solve_tolerance = 1e-12;
  s.law[SIM_PARTICLES_WARP] = law[0];
  s.law[SIM_PARTICLES_WEFT] = law[1];
  s.law[SIM_PARTICLES_SHEAR] = (sim_particles_law){20, 0, 0};
  s.law[SIM_PARTICLES_BEND] = (sim_particles_law){1e-6, 0, 0};
  sim_particles *p;
  assert_ok(sim_particles_new(&s, &p, err));
  for (int i = 0; i < n; i++) {
    const double *at = mesh.position_m[i];
    held[i] = at[0] == 0 || at[0] > 0.1 * (1 - 1e-12);
    if (held[i] && at[0] > 0.05) sim_particles_position(p)[i][0] += 0.1 * strain;
  }
  settle(p, n);
  vec3 *force = cm_vectors(n);
  double sum = 0;
  (void)sim_particles_elastic(p, force);
  for (int i = 0; i < n; i++)
    if (held[i] && mesh.position_m[i][0] > 0.05) sum -= force[i][0];
  free(held), free(force);
  sim_particles_free(p);
  sim_mesh_clear(&mesh);
  return sum / 0.02;
}

static void test_fitted(void **state) {
  (void)state;
  static st_lab lab;
  static const double warp[2] = {900, 80000}, weft[2] = {400, 20000};
  static fit_stretch_result r;
  lab.n = 0;
  st_strip(&lab, 0, st_cubic, warp, 0.12, 300);
  st_strip(&lab, 90, st_cubic, weft, 0.12, 300);
  st_fit(&lab, &r);
  sim_mesh mesh;
  cm_sheet(0.1, 0.02, 20, 4, 0, &mesh);
  sim_particles_law law[2];
  const cb_stretch_direction *d[2] = {cb_stretch_find(&r.law, 0), cb_stretch_find(&r.law, 90)};
  for (int k = 0; k < 2; k++) {
    assert_non_null(d[k]);
    assert_ok(sim_particles_law_of(d[k], &mesh, &law[k], err));
    assert_near(law[k].k, d[k]->k1_N_per_m, 1e-12 * law[k].k);
    assert_near(law[k].lambda, d[k]->k3_N_per_m / 1.25e-5, 1e-9 * law[k].lambda); /* 5 mm x 5 mm, halved */
  }
  double worst = 0, from_curve = 0;
  for (int k = 0; k < 2; k++)
    for (int i = 1; i <= 6; i++) {
      const sim_particles_law turned[2] = {law[k], law[1 - k]};
      const double e = 0.02 * i, force = tip_force(turned, e);
      worst = fmax(worst, fabs(force / (d[k]->k1_N_per_m * e + d[k]->k3_N_per_m * e * e * e) - 1));
      from_curve = fmax(from_curve, fabs(force / cb_stretch_curve(d[k], e, NULL) - 1));
    }
  print_message("strip: off by %.1e from k1 e + k3 e^3, by %.1e from the law's curve\n", worst, from_curve);
  assert_true(worst <= 0.005 && from_curve <= 0.005);
  sim_mesh_clear(&mesh);
  cm_sheet(0.1, 0.02, 20, 4, 0.1, &mesh);
  assert_fails(CB_E_RANGE, "one lambda is for triangles of one size", sim_particles_law_of(d[0], &mesh, &law[0], err));
  sim_mesh_clear(&mesh);
}

/* ---- the rest ---- */

static void test_threads(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 12, 10, 0.2, &mesh);
  sim_particles_setup s = cloth_of(&mesh);
  s.wind_m_per_s[0] = 3;
  s.wind_Ns_per_m3 = 0.5;
  vec3 *one = cm_vectors(mesh.n_vertices);
  for (int threads = 1; threads <= 2; threads++) {
    omp_set_num_threads(threads);
    sim_particles *p;
    assert_ok(sim_particles_new(&s, &p, err));
    crumple(&mesh, 1, 0.9, 0.01, 3, sim_particles_position(p));
    for (int k = 0; k < 10; k++) assert_ok(sim_particles_step(p, 0.005, NULL, err));
    if (threads == 1) memcpy(one, sim_particles_position(p), (size_t)mesh.n_vertices * sizeof *one);
    assert_memory_equal(one, sim_particles_position(p), (size_t)mesh.n_vertices * sizeof *one);
    sim_particles_free(p);
  }
  omp_set_num_threads(1);
  free(one);
  sim_mesh_clear(&mesh);
}

static void test_refused(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 3, 2, 0, &mesh);
  sim_particles *p;
  sim_particles_setup s = cloth_of(&mesh);
  s.law[SIM_PARTICLES_SHEAR].lambda = -1;
  assert_fails(CB_E_RANGE, "lambda of shear", sim_particles_new(&s, &p, err));
  s = cloth_of(&mesh);
  s.rest[1] = 0;
  assert_fails(CB_E_RANGE, "length at rest", sim_particles_new(&s, &p, err));
  s = cloth_of(&mesh);
  assert_ok(sim_particles_new(&s, &p, err));
  assert_fails(CB_E_RANGE, "step", sim_particles_step(p, 0, NULL, err));
  sim_particles_position(p)[5][1] = NAN;
  assert_fails(CB_E_NUM, "vertex 5 is nowhere", sim_particles_step(p, 0.01, NULL, err));
  sim_particles_free(p);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives), cmocka_unit_test(test_clamped), cmocka_unit_test(test_free_fall),
      cmocka_unit_test(test_momentum),    cmocka_unit_test(test_damping), cmocka_unit_test(test_hanging),
      cmocka_unit_test(test_fitted),      cmocka_unit_test(test_threads), cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
