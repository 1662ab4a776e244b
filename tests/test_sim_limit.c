/* The projection onto limits of strain: closed forms, what is kept, what every triangle ends with. */
#include <omp.h>

#include "particletest.h"
#include "sim_limit.h"
#include "../sim/sim_vec.h"

#define WITHIN 1e-3 /* "its limit + 0.1 %" */

static const sim_limit_kind kinds[] = {SIM_LIMIT_PRINCIPAL, SIM_LIMIT_WARP_WEFT, SIM_LIMIT_MAPPED};

static double *masses(const sim_mesh *mesh) {
  double *m = calloc((size_t)mesh->n_vertices, sizeof *m);
  assert_non_null(m);
  for (int i = 0; i < mesh->n_vertices; i++) m[i] = 0.2 * mesh->vertex_area_m2[i];
  return m;
}

static vec3 *copy(int n, const vec3 *x) {
  vec3 *y = cm_vectors(n);
  memcpy(y, x, (size_t)n * sizeof *y);
  return y;
}

/* ---- one triangle: equal masses on an equilateral one make the distance that of W, column by column ---- */

static void equilateral(double turned_rad, sim_mesh *out) {
  vec3 x[3] = {{0}};
  double corner[1][3][2];
  for (int k = 0; k < 3; k++) {
    const double angle = turned_rad + 2 * acos(-1) / 3 * k;
    x[k][0] = corner[0][k][0] = cos(angle);
    x[k][1] = corner[0][k][1] = sin(angle);
  }
  const int t[1][3] = {{0, 1, 2}};
  assert_ok(sim_mesh_build((const vec3 *)x, 3, t, (const double(*)[3][2])corner, 1, out, err));
}

/* x = W X, W symmetric with stretches s[0] at `angle`, s[1] across it. */
static void stretch(const sim_mesh *m, const double s[2], double angle, vec3 *x) {
  const double c = cos(angle), d = sin(angle);
  const double w[2][2] = {{s[0] * c * c + s[1] * d * d, (s[0] - s[1]) * c * d}, {(s[0] - s[1]) * c * d, s[0] * d * d + s[1] * c * c}};
  for (int i = 0; i < m->n_vertices; i++)
    for (int r = 0; r < 3; r++) x[i][r] = r < 2 ? w[r][0] * m->position_m[i][0] + w[r][1] * m->position_m[i][1] : 0;
}

static void one_triangle(sim_limit_kind kind, const sim_limit_range range[2], const double from[2], double angle, const double to[2]) {
  for (int k = 0; k < 5; k++) {
    sim_mesh m;
    vec3 x[3], wanted[3];
    sim_limit *l;
    sim_limit_report r;
    equilateral(0.3 * k, &m);
    sim_limit_setup s = sim_limit_setup_default(&m, (const double[3]){0.1, 0.1, 0.1});
    s.kind = kind;
    s.tolerance = 1e-8;
    memcpy(s.range, range, sizeof s.range);
    assert_ok(sim_limit_new(&s, &l, err));
    stretch(&m, from, angle, x);
    stretch(&m, to, angle, wanted);
    assert_ok(sim_limit_project(l, x, &r, err));
    if (!r.within) fail_msg("%s %g %g angle %g turn %d: rounds %d newton %d excess %g penalty %g", sim_limit_kind_names[kind], from[0], from[1], angle, k, r.rounds, r.newton, r.excess, r.penalty_kg);
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < 3; a++) assert_near(x[i][a], wanted[i][a], 1e-6);
    sim_limit_free(l);
    sim_mesh_clear(&m);
  }
}

static void test_one_triangle(void **state) {
  (void)state;
  const sim_limit_range same[2] = {{0.95, 1.05}, {0.95, 1.05}}, stiff[2] = {{0.99, 1.01}, {0.95, 1.05}};
  /* principal: each singular value goes to the nearest that is allowed, whatever its direction */
  for (int k = 0; k < 4; k++) {
    one_triangle(SIM_LIMIT_PRINCIPAL, same, (const double[2]){1.3, 0.8}, 0.4 * k, (const double[2]){1.05, 0.95});
    one_triangle(SIM_LIMIT_PRINCIPAL, stiff, (const double[2]){1.3, 0.9}, 0.4 * k, (const double[2]){1.01, 0.95});
  }
  /* along warp and weft all kinds agree */
  for (int k = 1; k < 3; k++) {
    one_triangle(kinds[k], stiff, (const double[2]){1.3, 0.8}, 0, (const double[2]){1.01, 0.95});
    one_triangle(kinds[k], stiff, (const double[2]){1.3, 0.8}, acos(0), (const double[2]){1.05, 0.99});
  }
  /* mapped: at 45 degrees the tighter one, by sqrt 2 */
  one_triangle(SIM_LIMIT_MAPPED, same, (const double[2]){1.3, 1}, acos(0) / 2, (const double[2]){1 + 0.05 * sqrt(2), 1});
  one_triangle(SIM_LIMIT_MAPPED, same, (const double[2]){1, 0.7}, acos(0) / 2, (const double[2]){1, 1 - 0.05 * sqrt(2)});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_triangle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
