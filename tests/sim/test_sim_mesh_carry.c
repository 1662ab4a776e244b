/* Fields carried between meshes of one cloth: exact for quadratics, third order for the rest, over holes and
 * borders. */
#include "clothmesh.h"
#include "sim_mesh.h"

#define R 0.15

/* A ring (hole of 2 cm) or a disc, irregular. */
static void make(int vertices, double hole_m, uint64_t seed, sim_mesh *out) {
  const sim_disc d = {.n_circles = 2,
                      .circle = {{hole_m, 0.01}, {R, 0.01}},
                      .pattern = SIM_PATTERN_IRREGULAR,
                      .about_vertices = vertices,
                      .warp_rad = 0.3 * (double)seed,
                      .seed = seed};
  assert_ok(sim_mesh_disc(&d, out, err));
}

static void quadratic(const double p[3], double out[3]) {
  const double x = p[0] / R, y = p[1] / R;
  out[0] = 1 + 2 * x - y;
  out[1] = x * x - 3 * x * y + 0.5;
  out[2] = y * y + x * y - 2 * x * x + y;
}

static void wavy(const double p[3], double out[3]) {
  const double x = p[0] / R, y = p[1] / R;
  out[0] = sin(4 * x + y);
  out[1] = cos(3 * y) * x;
  out[2] = exp(x - 2 * y);
}

/* The largest error of what is carried from a mesh to another. */
static double error(const sim_mesh *from, const sim_mesh *to, void (*field)(const double *, double *)) {
  vec3 *f = cm_vectors(from->n_vertices), *out = cm_vectors(to->n_vertices);
  double largest = 0;
  for (int i = 0; i < from->n_vertices; i++) field(from->position_m[i], f[i]);
  assert_ok(sim_mesh_carry(from, (const vec3 *)f, to, out, err));
  for (int i = 0; i < to->n_vertices; i++) {
    double truth[3];
    field(to->position_m[i], truth);
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(out[i][k] - truth[k]));
  }
  free(f);
  free(out);
  return largest;
}

static void test_exact(void **state) {
  (void)state;
  for (int hole = 0; hole < 2; hole++) {
    sim_mesh coarse, fine;
    make(200, hole * 0.02, 1, &coarse);
    make(900, hole * 0.02, 2, &fine);
    assert_true(error(&coarse, &fine, quadratic) < 1e-11); /* on the border outside of the coarse polygon
                                                              too */
    assert_true(error(&fine, &coarse, quadratic) < 1e-11);
    assert_true(error(&coarse, &coarse, wavy) < 1e-13); /* where a vertex is, its value is */
    sim_mesh_clear(&coarse);
    sim_mesh_clear(&fine);
  }
}

/* Edges half as long: errors of a third-order method are an eighth; 1/5 leaves room for irregular meshes. */
static void test_order(void **state) {
  (void)state;
  sim_mesh mesh[3], to;
  double e[3];
  make(2000, 0, 9, &to);
  for (int k = 0; k < 3; k++) {
    make(200 << (2 * k), 0, (uint64_t)k + 1, &mesh[k]);
    e[k] = error(&mesh[k], &to, wavy);
    sim_mesh_clear(&mesh[k]);
  }
  sim_mesh_clear(&to);
  assert_true(e[1] < e[0] / 5 && e[2] < e[1] / 5);
}

/* Two triangles tell planes only; nothing is made up. */
static void test_few(void **state) {
  (void)state;
  const sim_rectangle small = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_RIGHT, .cells_across = 1};
  const sim_rectangle fine = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_RIGHT, .cells_across = 7};
  sim_mesh a, b;
  assert_ok(sim_mesh_rectangle(&small, &a, err));
  assert_ok(sim_mesh_rectangle(&fine, &b, err));
  vec3 *f = cm_vectors(a.n_vertices), *out = cm_vectors(b.n_vertices);
  for (int i = 0; i < a.n_vertices; i++) f[i][2] = 5 * a.position_m[i][0];
  assert_ok(sim_mesh_carry(&a, (const vec3 *)f, &b, out, err));
  for (int i = 0; i < b.n_vertices; i++)
    assert_true(isfinite(out[i][2]) && out[i][2] >= -0.3 && out[i][2] <= 0.8 && out[i][0] == 0);
  free(f);
  free(out);
  sim_mesh_clear(&a);
  sim_mesh_clear(&b);
}

static void test_refusals(void **state) {
  (void)state;
  sim_mesh flat, bent;
  make(100, 0, 1, &flat);
  make(100, 0, 1, &bent);
  bent.position_m[7][2] = 0.01;
  vec3 *f = cm_vectors(flat.n_vertices), *out = cm_vectors(flat.n_vertices);
  cb_err why;
  assert_int_equal(sim_mesh_carry(&bent, (const vec3 *)f, &flat, out, &why), CB_E_RANGE);
  assert_non_null(strstr(why.msg, "vertex 7 of the mesh it comes from"));
  assert_int_equal(sim_mesh_carry(&flat, (const vec3 *)f, &bent, out, &why), CB_E_RANGE);
  free(f);
  free(out);
  sim_mesh_clear(&flat);
  sim_mesh_clear(&bent);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_order),
                                     cmocka_unit_test(test_few), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
