/* Membrane elements against closed forms, differences and symmetries. */
#include <omp.h>
#include <stdbool.h>

#include "clothmesh.h"
#include "sim_membrane.h"

typedef struct sheet {
  sim_mesh mesh;
  sim_membrane membrane;
  vec3 *x, *force;
} sheet;

static sheet sheet_of(double a, double b, int nu, int nv, double jitter, const sim_material *material) {
  static sim_mesh mesh; /* the membrane points to it */
  sheet s;
  cm_sheet(a, b, nu, nv, jitter, &mesh);
  s.mesh = mesh;
  assert_ok(sim_membrane_init(&mesh, material, &s.membrane, err));
  s.x = cm_vectors(mesh.n_vertices);
  s.force = cm_vectors(mesh.n_vertices);
  memcpy(s.x, mesh.position_m, (size_t)mesh.n_vertices * sizeof *s.x);
  return s;
}

static void sheet_clear(sheet *s) {
  sim_membrane_clear(&s->membrane);
  sim_mesh_clear(&s->mesh);
  free(s->x);
  free(s->force);
}

static double evaluate(sheet *s, sim_tangent tangent) {
  memset(s->force, 0, (size_t)s->mesh.n_vertices * sizeof *s->force);
  return sim_membrane_evaluate(&s->membrane, (const vec3 *)s->x, tangent, s->force);
}

static void crumple(sheet *s, double size, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) s->x[i][k] += size * (2 * cb_rng_uniform(&rng) - 1);
}

/* x = F (u, v): forces on the border, none inside, whatever the mesh. */
static void stretch_by(sheet *s, double f[3][2]) {
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      s->x[i][k] = f[k][0] * s->mesh.position_m[i][0] + f[k][1] * s->mesh.position_m[i][1];
}

static bool on_border(const sheet *s, int i, double a, double b) {
  const double *p = s->mesh.position_m[i];
  return p[0] == 0 || p[1] == 0 || p[0] >= a * (1 - 1e-12) || p[1] >= b * (1 - 1e-12);
}

static void test_patch(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  sheet s = sheet_of(0.2, 0.3, 7, 9, 0.2, &m);
  stretch_by(&s, (double[3][2]){{1.05, 0.1}, {-0.2, 1.1}, {0.3, 0.2}});
  evaluate(&s, SIM_TANGENT_NONE);
  double largest = 0;
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(s.force[i][k]));
  assert_true(largest > 0.1);
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      if (!on_border(&s, i, 0.2, 0.3)) assert_near(s.force[i][k], 0, 1e-12 * largest);
  vec3 *strain = cm_vectors(s.mesh.n_triangles);
  sim_membrane_strain(&s.membrane, (const vec3 *)s.x, strain);
  for (int t = 0; t < s.mesh.n_triangles; t++) {
    assert_near(strain[t][0], (1.05 * 1.05 + 0.04 + 0.09 - 1) / 2, 1e-12);
    assert_near(strain[t][1], (0.01 + 1.21 + 0.04 - 1) / 2, 1e-12);
    assert_near(strain[t][2], (1.05 * 0.1 - 0.2 * 1.1 + 0.3 * 0.2) / 2, 1e-12);
  }
  free(strain);
  sheet_clear(&s);
}

/* Pull on the edge u = a per width, from the sum of its forces. */
static double pull(const sheet *s, double a, double b) {
  double sum = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++)
    if (s->mesh.position_m[i][0] >= a * (1 - 1e-12)) sum -= s->force[i][0];
  return sum / b;
}

/* Straight curves, free width: pull per width lambda (c11 - c12^2/c22) (lambda^2 - 1)/2. */
static void test_uniaxial(void **state) {
  (void)state;
  sim_material m = sim_material_isotropic(0.15, 1000, 0);
  m.weft = sim_curve_linear(400);
  m.cross_N_per_m = 300;
  sheet s = sheet_of(0.2, 0.05, 8, 4, 0.2, &m);
  for (double lambda = 0.9; lambda < 1.5; lambda += 0.1) {
    const double e = (lambda * lambda - 1) / 2, across = sqrt(1 - 2 * 300.0 / 400 * e);
    stretch_by(&s, (double[3][2]){{lambda, 0}, {0, across}, {0, 0}});
    const double energy = evaluate(&s, SIM_TANGENT_NONE), law = 1000 - 300.0 * 300 / 400;
    assert_near(pull(&s, 0.2, 0.05), lambda * law * e, 1e-11 * 1000);
    assert_near(energy, 0.2 * 0.05 * law * e * e / 2, 1e-12);
    double sideways = 0;
    for (int i = 0; i < s.mesh.n_vertices; i++) sideways = fmax(sideways, fabs(s.force[i][1]));
    assert_near(sideways, 0, 1e-12 * 1000);
  }
  sheet_clear(&s);
}

/* x = (u + gamma v, v'), v' such that E_vv = 0: only shear, 2 E_uv = gamma: the pull along the upper edge is
 * S_uv. Both signs, every piece.
 */
static void test_pure_shear(void **state) {
  (void)state;
  static const double gamma[] = {-0.7, -0.3, -0.1, 0.05, 0.25, 0.5, 0.7},
                      stress[] = {-41.5, -6, -2.5, 1.25, 5.5, 18.5, 41.5};
  sim_material m = cm_woven(1e-5);
  sheet s = sheet_of(0.1, 0.1, 6, 6, 0.2, &m);
  for (int k = 0; k < 7; k++) {
    const double g = gamma[k], height = sqrt(1 - g * g);
    stretch_by(&s, (double[3][2]){{1, g}, {0, height}, {0, 0}});
    evaluate(&s, SIM_TANGENT_NONE);
    double along = 0;
    for (int i = 0; i < s.mesh.n_vertices; i++)
      if (s.mesh.position_m[i][1] >= 0.1 * (1 - 1e-12)) along -= s.force[i][0];
    assert_near(along / 0.1, stress[k], 1e-11);
  }
  sheet_clear(&s);
}

static void test_force_is_minus_gradient(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  sheet s = sheet_of(0.1, 0.1, 4, 3, 0.2, &m);
  crumple(&s, 0.004, 3);
  evaluate(&s, SIM_TANGENT_NONE);
  double largest = 0;
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(s.force[i][k]));
  vec3 *force = cm_vectors(s.mesh.n_vertices);
  memcpy(force, s.force, (size_t)s.mesh.n_vertices * sizeof *force);
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      const double at = s.x[i][k], h = 1e-7;
      s.x[i][k] = at + h;
      const double above = evaluate(&s, SIM_TANGENT_NONE);
      s.x[i][k] = at - h;
      const double below = evaluate(&s, SIM_TANGENT_NONE);
      s.x[i][k] = at;
      assert_near((below - above) / (2 * h), force[i][k], 1e-7 * largest);
    }
  free(force);
  sheet_clear(&s);
}

/* The dense matrix from the blocks: 3 n x 3 n. */
static double *dense(const sheet *s) {
  const size_t n = 3 * (size_t)s->mesh.n_vertices;
  double *k = calloc(n * n, sizeof *k);
  assert_non_null(k);
  for (int e = 0; e < s->mesh.n_edges; e++) {
    const int *v = s->mesh.edge[e].vertex;
    const size_t i = 3 * (size_t)(v[0] < v[1] ? v[0] : v[1]), j = 3 * (size_t)(v[0] < v[1] ? v[1] : v[0]);
    for (size_t a = 0; a < 3; a++)
      for (size_t b = 0; b < 3; b++) {
        const double value = s->membrane.block[e][3 * a + b];
        k[(i + a) * n + j + b] += value;
        k[(j + b) * n + i + a] += value;
        k[(i + a) * n + i + b] -= value;
        k[(j + b) * n + j + a] -= value;
      }
  }
  return k;
}

static void test_exact_hessian(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  sheet s = sheet_of(0.1, 0.1, 3, 4, 0.2, &m);
  crumple(&s, 0.004, 4);
  evaluate(&s, SIM_TANGENT_EXACT);
  double *k = dense(&s), largest = 0;
  const size_t n = 3 * (size_t)s.mesh.n_vertices;
  for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(k[i]));
  vec3 *above = cm_vectors(s.mesh.n_vertices);
  for (size_t j = 0; j < n; j++) {
    const double at = s.x[j / 3][j % 3], h = 1e-7;
    s.x[j / 3][j % 3] = at + h;
    evaluate(&s, SIM_TANGENT_NONE);
    memcpy(above, s.force, n * sizeof(double));
    s.x[j / 3][j % 3] = at - h;
    evaluate(&s, SIM_TANGENT_NONE);
    s.x[j / 3][j % 3] = at;
    for (size_t i = 0; i < n; i++)
      assert_near((s.force[i / 3][i % 3] - above[i / 3][i % 3]) / (2 * h), k[i * n + j],
                  1e-5 * largest); /* single precision */
  }
  free(above);
  free(k);
  sheet_clear(&s);
}

/* Cholesky of K + shift I goes through for a shift of the order of rounding only. */
static bool is_semidefinite(double *k, size_t n, double shift) {
  for (size_t j = 0; j < n; j++) {
    double d = k[j * n + j] + shift;
    for (size_t p = 0; p < j; p++) d -= k[j * n + p] * k[j * n + p];
    if (!(d > 0)) return false;
    k[j * n + j] = sqrt(d);
    for (size_t i = j + 1; i < n; i++) {
      double v = k[i * n + j];
      for (size_t p = 0; p < j; p++) v -= k[i * n + p] * k[j * n + p];
      k[i * n + j] = v / k[j * n + j];
    }
  }
  return true;
}

static void test_clamped_is_semidefinite(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  int exact_is_not = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    sheet s = sheet_of(0.1, 0.1, 3, 3, 0.2, &m);
    stretch_by(&s, (double[3][2]){{0.9, 0}, {0, 0.8}, {0, 0}});
    crumple(&s, seed % 2 ? 0.002 : 0.03, seed); /* a cell is 0.033: pressed together, and far beyond anything
                                                   sane */
    const size_t n = 3 * (size_t)s.mesh.n_vertices;
    double largest = 0;
    evaluate(&s, SIM_TANGENT_CLAMPED);
    double *k = dense(&s);
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(k[i]));
    assert_true(is_semidefinite(k, n, 2e-6 * largest));
    free(k);
    evaluate(&s, SIM_TANGENT_EXACT);
    k = dense(&s);
    exact_is_not += !is_semidefinite(k, n, 2e-6 * largest);
    free(k);
    sheet_clear(&s);
  }
  assert_true(exact_is_not >= 10); /* the test can tell */
}

static void test_rigid_motion_and_momentum(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  sheet s = sheet_of(0.3, 0.2, 9, 7, 0.2, &m);
  const double c = cos(0.7), d = sin(0.7);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const double u = s.mesh.position_m[i][0], v = s.mesh.position_m[i][1];
    memcpy(s.x[i], (vec3){c * u + 10, 0.6 * d * u + 0.8 * v - 4, 0.8 * d * u - 0.6 * v + 3}, sizeof s.x[i]);
  }
  /* columns (c, 0.6 d, 0.8 d) and (0, 0.8, -0.6): lengths 1, at right angles. Rounding of positions near 10 m
   * over edges of 30 mm: 1e-13 */
  assert_near(evaluate(&s, SIM_TANGENT_NONE), 0, 1e-18);
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) assert_near(s.force[i][k], 0, 1e-12 * 1000);
  crumple(&s, 0.01, 5);
  evaluate(&s, SIM_TANGENT_NONE);
  double sum[3] = {0}, turn[3] = {0}, size = 0;
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      sum[k] += s.force[i][k];
      turn[k] += s.x[i][p] * s.force[i][q] - s.x[i][q] * s.force[i][p];
      size += fabs(s.force[i][k]);
    }
  for (int k = 0; k < 3; k++) {
    assert_near(sum[k], 0, 1e-13 * size);
    assert_near(turn[k], 0, 1e-12 * size * 10);
  }
  sheet_clear(&s);
}

/* Hanging by the edge u = 0, straight law: the tip sinks by w L^2/(2 k) for a small weight w per area; the
 * discrete strip gives exactly that at its vertices. Equilibrium by Newton on the one unknown a row has:
 * forces checked at the closed form instead of solving. */
static void test_hanging_strip(void **state) {
  (void)state;
  const double weight = 1e-4, k = 1000, length = 0.5; /* strain 5e-8: the law's own bend is of its square */
  sim_material m = sim_material_isotropic(0.15, k, 0);
  sheet s = sheet_of(length, 0.02, 25, 1, 0, &m);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const double u = s.mesh.position_m[i][0];
    s.x[i][0] = u + weight / k * (length * u - u * u / 2);
  }
  assert_near(s.x[s.mesh.n_vertices - 1][0] - length, weight * length * length / (2 * k), 1e-16);
  evaluate(&s, SIM_TANGENT_NONE);
  for (int j = 1; j <= 25; j++) { /* each row of vertices, both sides of the strip */
    const double carried = weight * 0.02 * length / 25 * (j == 25 ? 0.5 : 1);
    assert_near(s.force[j][0] + s.force[j + 26][0], -carried, 1e-6 * carried + 1e-12);
  }
  sheet_clear(&s);
}

/* A membrane made for few threads has windows of packs; one made for many has none in a mesh of this size. It
 * may meet fewer threads, or more. */
static void test_threads_leave_the_bits(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  const int made_for[] = {1, 2, 3, 64}, now[] = {1, 2, 3, 5};
  vec3 *force = NULL;
  float(*block)[9] = NULL;
  double energy = 0;
  for (int k = 0; k < 16; k++) {
    omp_set_num_threads(made_for[k / 4]);
    sheet s = sheet_of(1, 1, 60, 60, 0.2, &m);
    crumple(&s, 0.004, 9);
    assert_true((s.membrane.n_windows > 0) == (made_for[k / 4] < 64));
    omp_set_num_threads(now[k % 4]);
    const size_t n = (size_t)s.mesh.n_vertices * sizeof *force,
                 edges = (size_t)s.mesh.n_edges * sizeof *block;
    const double e = evaluate(&s, SIM_TANGENT_CLAMPED);
    if (k == 0) {
      force = malloc(n);
      block = malloc(edges);
      assert_true(force && block);
      memcpy(force, s.force, n);
      memcpy(block, s.membrane.block, edges);
      energy = e;
    }
    assert_true(e == energy);
    assert_memory_equal(force, s.force, n);
    assert_memory_equal(block, s.membrane.block, edges);
    assert_true(evaluate(&s, SIM_TANGENT_NONE) == energy);
    assert_memory_equal(force, s.force, n);
    sheet_clear(&s);
  }
  free(force);
  free(block);
}

/* Triangles numbered in no order: the window is the whole mesh, and sums are those of the order of the fans.
 */
static void test_any_numbering(void **state) {
  (void)state;
  sim_material m = cm_woven(1e-5);
  omp_set_num_threads(2);
  sheet s = sheet_of(1, 1, 60, 60, 0.2, &m);
  const int n = s.mesh.n_triangles;
  int(*triangle)[3] = malloc((size_t)n * sizeof *triangle);
  double(*corner)[3][2] = malloc((size_t)n * sizeof *corner);
  assert_true(triangle && corner);
  for (int t = 0; t < n; t++) {
    const int from = (int)((long)t * 4001 % n); /* 4001 is prime to n */
    memcpy(triangle[t], s.mesh.triangle[from], sizeof *triangle);
    memcpy(corner[t], s.mesh.corner_m[from], sizeof *corner);
  }
  sim_mesh mixed;
  assert_ok(sim_mesh_build((const vec3 *)s.mesh.position_m, s.mesh.n_vertices, (const int(*)[3])triangle,
                           (const double(*)[3][2])corner, n, &mixed, err));
  sim_membrane other;
  assert_ok(sim_membrane_init(&mixed, &m, &other, err));
  assert_true(s.membrane.n_windows > 0 && other.n_windows == 0);
  crumple(&s, 0.004, 9);
  vec3 *force = cm_vectors(mixed.n_vertices);
  const double energy = sim_membrane_evaluate(&other, (const vec3 *)s.x, SIM_TANGENT_CLAMPED, force);
  assert_near(evaluate(&s, SIM_TANGENT_CLAMPED) / energy, 1, 1e-12);
  for (int i = 0; i < mixed.n_vertices; i++)
    for (int k = 0; k < 3; k++) assert_near(force[i][k], s.force[i][k], 1e-9);
  assert_memory_equal(other.block, s.membrane.block, (size_t)mixed.n_edges * sizeof *other.block);
  free(force), free(triangle), free(corner);
  sim_membrane_clear(&other);
  sim_mesh_clear(&mixed);
  sheet_clear(&s);
}

static void test_refuses_materials(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(1, 1, 1, 1, 0, &mesh);
  sim_membrane out;
  sim_material m = cm_woven(1e-5);
  m.cross_N_per_m = 900; /* first slopes 1000 and 800: 894.4 */
  assert_fails(CB_E_RANGE, "cross stiffness = 900 N/m", sim_membrane_init(&mesh, &m, &out, err));
  m = cm_woven(1e-5);
  m.shear.stress_N_per_m[2] = 5;
  assert_fails(CB_E_RANGE, "shear curve: point 3", sim_membrane_init(&mesh, &m, &out, err));
  m = cm_woven(1e-5);
  m.areal_density_kg_per_m2 = NAN;
  assert_fails(CB_E_RANGE, "areal density", sim_membrane_init(&mesh, &m, &out, err));
  m = cm_woven(1e-5);
  m.bending_Nm[0][1] = m.bending_Nm[1][0] = 1e-4;
  assert_fails(CB_E_RANGE, "positive semi-definite", sim_membrane_init(&mesh, &m, &out, err));
  sim_membrane_clear(&out);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patch),
      cmocka_unit_test(test_uniaxial),
      cmocka_unit_test(test_pure_shear),
      cmocka_unit_test(test_force_is_minus_gradient),
      cmocka_unit_test(test_exact_hessian),
      cmocka_unit_test(test_clamped_is_semidefinite),
      cmocka_unit_test(test_rigid_motion_and_momentum),
      cmocka_unit_test(test_hanging_strip),
      cmocka_unit_test(test_threads_leave_the_bits),
      cmocka_unit_test(test_any_numbering),
      cmocka_unit_test(test_refuses_materials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
