/* Bodies of tetrahedra against closed forms: uniform strain, turns, hanging under its own weight, waves along
 * a bar, bending of a beam, momentum; meshes that are made, read, refused. */
#include "cbtest.h"

#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_elastic.h"
#include "sim_tets_impl.h"
#include "sim_traverse.h"

static sim_tets bar(double length, double width, int along, int across) {
  const sim_block b = {{0, 0, 0}, {length, width, width}, {along, across, across}};
  sim_tets t;
  assert_ok(sim_tets_block(&b, &t, err));
  return t;
}

/* Any uniform deformation: the stress of linear elasticity times volume is the energy, forces inside vanish,
 * whatever turn is added. */
static void uniform_strain(void **state) {
  (void)state;
  sim_tets t = bar(0.3, 0.2, 4, 3);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  sim_elastic *e;
  assert_ok(sim_elastic_new(&s, &e, err));
  const double strain[3][3] = {{0.02, 0.01, -0.005}, {0.01, -0.03, 0.004}, {-0.005, 0.004, 0.015}};
  const double c = cos(2.5), n = sin(2.5), turn[3][3] = {{c, -n, 0}, {n, c, 0}, {0, 0, 1}};
  double(*x)[3] = sim_elastic_position(e), square = 0, trace = 0;
  for (int i = 0; i < t.n_vertices; i++) {
    double y[3];
    for (int a = 0; a < 3; a++) {
      y[a] = t.position_m[i][a];
      for (int b = 0; b < 3; b++) y[a] += strain[a][b] * t.position_m[i][b];
    }
    for (int a = 0; a < 3; a++) x[i][a] = turn[a][0] * y[0] + turn[a][1] * y[1] + turn[a][2] * y[2] + 5 * a;
  }
  for (int a = 0; a < 3; a++) {
    trace += strain[a][a];
    for (int b = 0; b < 3; b++) square += strain[a][b] * strain[a][b];
  }
  double young = s.young_Pa, nu = s.poisson, mu = young / (2 * (1 + nu)),
         lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
  double wanted = 0.3 * 0.2 * 0.2 * (mu * square + lambda / 2 * trace * trace);
  assert_near(sim_elastic_energy_of(e).elastic / wanted, 1, 1e-10);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

/* -dE/dx by differences is what the vertices are pushed with: after a tiny step from rest v = h F / m. */
static void forces(void **state) {
  (void)state;
  sim_tets t = bar(0.3, 0.2, 2, 1);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  s.tolerance = 1e-14;
  sim_elastic *e;
  sim_elastic_report r;
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  assert_ok(sim_elastic_new(&s, &e, err));
  double(*x)[3] = sim_elastic_position(e), start[64][3], slope[64][3], most = 0;
  assert_true(t.n_vertices <= 64);
  for (int i = 0; i < 3 * t.n_vertices; i++)
    start[i / 3][i % 3] = x[i / 3][i % 3] + 0.03 * cb_rng_normal(&rng);
  memcpy(x, start, (size_t)t.n_vertices * sizeof *x);
  for (int i = 0; i < 3 * t.n_vertices; i++) {
    double *y = &x[i / 3][i % 3], at = *y, step = 1e-6;
    *y = at + step;
    double up = sim_elastic_energy_of(e).elastic;
    *y = at - step;
    slope[i / 3][i % 3] = (up - sim_elastic_energy_of(e).elastic) / (2 * step);
    *y = at;
    most = fmax(most, fabs(slope[i / 3][i % 3]));
  }
  const double h = 1e-9;
  assert_ok(sim_elastic_step(e, h, &r, err));
  for (int i = 0; i < t.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      assert_near(-sim_elastic_velocity(e)[i][k] * sim_elastic_mass(e)[i] / h, slope[i][k], 1e-6 * most);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

static void settle(sim_elastic *e, int steps, double h) {
  sim_elastic_report r;
  for (int k = 0; k < steps; k++) assert_ok(sim_elastic_step(e, h, &r, err));
}

/* Poisson's ratio 0, held at one end: u(L) = rho g L^2 / (2 E), exact for the mean over the end: virtual work
 * with u linear between cross-sections. */
static void hangs(void **state) {
  (void)state;
  sim_tets t = bar(1, 0.2, 10, 2);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  bool held[1000] = {false};
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][0] < 1e-9;
  s.held = held;
  s.poisson = 0;
  s.young_Pa = 3e7; /* strains so small that turns of elements do not count */
  s.drag_per_s = 20;
  s.tolerance = 1e-12;
  s.gravity_m_per_s2[0] = 9.80665;
  s.gravity_m_per_s2[2] = 0;
  sim_elastic *e;
  assert_ok(sim_elastic_new(&s, &e, err));
  settle(e, 200, 0.1);
  double wanted = 30 * 9.80665 / (2 * 3e7), sum = 0, area = 0;
  for (int i = 0; i < t.n_surface; i++) {
    const int *v = t.surface[i];
    const double *p = t.position_m[v[0]], *q = t.position_m[v[1]], *r = t.position_m[v[2]];
    if (p[0] + q[0] + r[0] < 3 - 1e-9) continue;
    double a = fabs((q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1])) / 2;
    for (int k = 0; k < 3; k++) sum += a / 3 * (sim_elastic_position(e)[v[k]][0] - 1);
    area += a;
  }
  assert_near(sum / area / wanted, 1, 1e-6);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

/* Longitudinal waves, Poisson's ratio 0: the quarter wave's period is 4 L / sqrt(E / rho). */
static void waves(void **state) {
  (void)state;
  sim_tets t = bar(1, 0.1, 40, 1);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  bool held[1000] = {false};
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][0] < 1e-9;
  s.held = held;
  s.poisson = 0;
  s.tolerance = 1e-10;
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  sim_elastic *e;
  sim_elastic_report r;
  assert_ok(sim_elastic_new(&s, &e, err));
  double(*x)[3] = sim_elastic_position(e);
  for (int i = 0; i < t.n_vertices; i++) x[i][0] += 1e-3 * sin(CB_PI / 2 * t.position_m[i][0]);
  int tip = 0;
  for (int i = 0; i < t.n_vertices; i++)
    if (t.position_m[i][0] > 1 - 1e-9) tip = i;
  double period = 4 / sqrt(3e4 / 30), h = period / 4000, before = x[tip][0] - 1, crossed = 0;
  for (int k = 1; k <= 2000 && crossed == 0; k++) {
    assert_ok(sim_elastic_step(e, h, &r, err));
    double now = x[tip][0] - 1;
    if (now < 0) crossed = h * (k - 1 + before / (before - now));
    before = now;
  }
  assert_near(crossed / (period / 4), 1, 5e-3);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

static double beam_tip(int across) {
  sim_tets t = bar(1, 0.1, 10 * across, across);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  bool *held = calloc((size_t)t.n_vertices, sizeof *held);
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][0] < 1e-9;
  s.held = held;
  s.young_Pa = 3e7;
  s.poisson = 0;
  s.drag_per_s = 60;
  s.tolerance = 1e-10;
  s.max_iterations = 10000;
  sim_elastic *e;
  assert_ok(sim_elastic_new(&s, &e, err));
  settle(e, 40, 0.2);
  double sum = 0, n = 0;
  for (int i = 0; i < t.n_vertices; i++)
    if (t.position_m[i][0] > 1 - 1e-9) sum += sim_elastic_position(e)[i][2] - t.position_m[i][2], n++;
  sim_elastic_free(e);
  sim_tets_clear(&t);
  free(held);
  return -sum / n;
}

/* A beam under its own weight: q L^4 / (8 E I) and what shear adds, q L^2 / (2 kappa G A); linear tetrahedra
 * are too stiff by what falls with the square of their size. */
static void bends(void **state) {
  (void)state;
  double q = 30 * 9.80665 * 0.01, i = 1e-4 / 12,
         wanted = q / (8 * 3e7 * i) + q / (2 * 5.0 / 6 * 1.5e7 * 0.01);
  double coarse = 1 - beam_tip(2) / wanted, fine = 1 - beam_tip(4) / wanted;
  assert_true(coarse > 0 && fine > 0);
  assert_near(log2((1 / (1 - coarse) - 1) / (1 / (1 - fine) - 1)), 2, 0.3);
}

/* In free flight nothing changes momentum; angular momentum only by the scheme, in the order of the step. */
static void momentum(void **state) {
  (void)state;
  sim_tets t = bar(0.3, 0.2, 3, 2);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  s.tolerance = 1e-13;
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  sim_elastic *e;
  sim_elastic_report r;
  cb_rng rng;
  cb_rng_init(&rng, 2, 0);
  assert_ok(sim_elastic_new(&s, &e, err));
  double(*v)[3] = sim_elastic_velocity(e), before[3] = {0, 0, 0}, scale = 0;
  for (int i = 0; i < t.n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      v[i][k] = 0.2 * cb_rng_normal(&rng) + k;
      before[k] += sim_elastic_mass(e)[i] * v[i][k];
      scale += sim_elastic_mass(e)[i];
    }
  for (int step = 0; step < 100; step++) assert_ok(sim_elastic_step(e, 1e-3, &r, err));
  for (int k = 0; k < 3; k++) {
    double after = 0;
    for (int i = 0; i < t.n_vertices; i++) after += sim_elastic_mass(e)[i] * v[i][k];
    assert_near(after, before[k], 1e-10 * scale);
  }
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

/* Squeezed flat and beyond, it comes back. */
static void turned_inside_out(void **state) {
  (void)state;
  sim_tets t = bar(0.2, 0.2, 3, 3);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  s.drag_per_s = 5;
  sim_elastic *e;
  sim_elastic_report r;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  assert_ok(sim_elastic_new(&s, &e, err));
  double(*x)[3] = sim_elastic_position(e);
  for (int i = 0; i < 3 * t.n_vertices; i++) x[i / 3][i % 3] = 0.2 * cb_rng_uniform(&rng);
  assert_ok(sim_elastic_step(e, 1e-3, &r, err));
  assert_true(r.inverted > 10);
  settle(e, 800, 1e-2);
  assert_ok(sim_elastic_step(e, 1e-3, &r, err));
  assert_int_equal(r.inverted, 0);
  assert_true(sim_elastic_energy_of(e).elastic < 1e-6);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

static void threads(void **state) {
  (void)state;
  double seen[2][3];
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(1 + k);
    sim_tets t = bar(1, 0.2, 40, 8);
    sim_elastic_setup s = sim_elastic_setup_default(&t);
    sim_elastic *e;
    assert_ok(sim_elastic_new(&s, &e, err));
    for (int i = 0; i < t.n_vertices; i += 7) sim_elastic_velocity(e)[i][1] = 1;
    settle(e, 3, 1e-3);
    memcpy(seen[k], sim_elastic_position(e)[t.n_vertices / 2], sizeof seen[k]);
    sim_elastic_free(e);
    sim_tets_clear(&t);
  }
  assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

/* ---- meshes ---- */

static void shapes(void **state) {
  (void)state;
  sim_tets t = bar(1, 0.5, 4, 2);
  sim_hull hull;
  assert_near(sim_tets_volume_m3(&t), 0.25, 1e-14);
  assert_int_equal(t.n_surface, 2 * (2 * 4 + 4 * 8));
  assert_ok(sim_hull_build((const int(*)[3])t.surface, t.n_surface, t.n_vertices, &hull, err));
  double volume = 0;
  for (int i = 0; i < t.n_surface; i++) {
    const double *a = t.position_m[t.surface[i][0]], *b = t.position_m[t.surface[i][1]],
                 *c = t.position_m[t.surface[i][2]];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  assert_near(volume, 0.25, 1e-14); /* outwards, and closed */
  sim_hull_clear(&hull);
  sim_tets_clear(&t);
  const sim_cushion ball = {{0.5, 0.5, 0.5}, {2, 2}, {16, 16, 16}};
  assert_ok(sim_tets_cushion(&ball, &t, err));
  assert_near(sim_tets_volume_m3(&t), CB_PI / 6, 0.02 * CB_PI / 6);
  for (int i = 0; i < t.n_surface; i++) {
    const double *x = t.position_m[t.surface[i][0]];
    assert_near(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 0.5, 1e-12);
  }
  sim_tets_clear(&t);
  const sim_cushion pillow = {{0.35, 0.25, 0.08}, {4, 2}, {14, 10, 4}};
  assert_ok(sim_tets_cushion(&pillow, &t, err));
  sim_tets_clear(&t);
}

static const char node_text[] =
    "# a tetrahedron\n4 3 0 0\n1 0 0 0\n2 1000 0 0  # mm\n3 0 1000 0\n\n4 0 0 1000\n";

static void files(void **state) {
  (void)state;
  sim_tets t;
  assert_ok(sim_tets_parse(node_text, "1 4 0\n1 1 2 3 4\n", "one", 1e-3, &t, err));
  assert_near(sim_tets_volume_m3(&t), 1.0 / 6, 1e-15);
  assert_int_equal(t.n_surface, 4);
  sim_tets_clear(&t);
  assert_ok(sim_tets_parse(node_text, "1 4 0\n1 1 3 2 4\n", "one", 1e-3, &t, err)); /* the other order */
  assert_near(sim_tets_volume_m3(&t), 1.0 / 6, 1e-15);
  sim_tets_clear(&t);
  assert_fails(CB_E_PARSE, "one.ele:2: a corner is 5: a whole number from 1 to 4",
               sim_tets_parse(node_text, "1 4 0\n1 1 2 3 5\n", "one", 1, &t, err));
  assert_fails(CB_E_PARSE, "one.ele:1: 10 corners", sim_tets_parse(node_text, "1 10 0\n", "one", 1, &t, err));
  assert_fails(CB_E_PARSE, "one.ele: the file ends",
               sim_tets_parse(node_text, "2 4 0\n1 1 2 3 4\n", "one", 1, &t, err));
  assert_fails(CB_E_PARSE, "one.node:4: row number 7: 2 was wanted",
               sim_tets_parse("4 3\n1 0 0 0\n# x\n7 1 0 0\n3 0 1 0\n4 0 0 1\n", "", "one", 1, &t, err));
  assert_fails(CB_E_PARSE, "one.node:2: 3 numbers, 4 were wanted",
               sim_tets_parse("4 3\n1 0 0\n2 0 0 0\n3 0 0 0\n4 0 0 0\n5\n", "", "one", 1, &t, err));
}

static void refusals(void **state) {
  (void)state;
  const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1e-7}};
  const int good[1][4] = {{0, 1, 2, 3}}, out[1][4] = {{0, 2, 1, 3}},
            flat[2][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}};
  const int thrice[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  sim_tets t;
  assert_fails(CB_E_RANGE, "tetrahedron 0 is turned inside out", sim_tets_build(x, 4, out, 1, &t, err));
  assert_fails(CB_E_RANGE, "tetrahedron 1 is nearly flat", sim_tets_build(x, 5, flat, 2, &t, err));
  assert_fails(CB_E_RANGE, "vertex 4 belongs to no tetrahedron", sim_tets_build(x, 5, good, 1, &t, err));
  const int twice[2][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}};
  assert_fails(CB_E_RANGE, "tetrahedra 0 and 1 lie on the same side of the face of vertices 0, 1 and 2",
               sim_tets_build(x, 4, twice, 2, &t, err));
  assert_fails(CB_E_RANGE, "belongs to 3 tetrahedra", sim_tets_build(x, 4, thrice, 3, &t, err));
  assert_ok(sim_tets_build(x, 4, good, 1, &t, err));
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  sim_elastic *e;
  s.poisson = 0.5;
  assert_fails(CB_E_RANGE, "body: Poisson's ratio", sim_elastic_new(&s, &e, err));
  sim_tets_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_strain),
                                     cmocka_unit_test(forces),
                                     cmocka_unit_test(hangs),
                                     cmocka_unit_test(waves),
                                     cmocka_unit_test(bends),
                                     cmocka_unit_test(momentum),
                                     cmocka_unit_test(turned_inside_out),
                                     cmocka_unit_test(threads),
                                     cmocka_unit_test(shapes),
                                     cmocka_unit_test(files),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
