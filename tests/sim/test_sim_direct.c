/* The factorised stiffness: second derivatives against differences of forces, answers against the
 * equations. */
#include <omp.h>
#include <stdbool.h>

#include "sim_direct.h"
#include "clothmesh.h"

typedef struct sheet {
  sim_mesh mesh;
  sim_material material;
  sim_membrane membrane;
  sim_bending bending;
  sim_direct direct;
  bool *gripped;
  double *inertia;
  vec3 *x, *force, *there, *change;
} sheet;

static sheet *sheet_of(int cells) {
  sheet *s = calloc(1, sizeof *s);
  s->material = cm_woven(1e-3);
  cm_sheet(0.2, 0.3, 3 * cells, 4 * cells, 0.2, &s->mesh);
  s->gripped = calloc((size_t)s->mesh.n_vertices, sizeof *s->gripped);
  for (int i = 0; i < s->mesh.n_vertices; i++) s->gripped[i] = s->mesh.position_m[i][0] == 0;
  assert_ok(sim_membrane_init(&s->mesh, &s->material, &s->membrane, err));
  assert_ok(sim_bending_init(&s->mesh, (const sim_vec3 *)s->material.bending_Nm, s->gripped, NULL,
                             &s->bending, err));
  assert_ok(sim_direct_init(&s->bending, s->gripped, &s->direct, err));
  s->inertia = calloc((size_t)s->mesh.n_vertices, sizeof *s->inertia);
  s->x = cm_vectors(s->mesh.n_vertices);
  s->force = cm_vectors(s->mesh.n_vertices);
  s->there = cm_vectors(s->mesh.n_vertices);
  s->change = cm_vectors(s->mesh.n_vertices);
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      s->x[i][k] = 1.1 * s->mesh.position_m[i][k] + 0.002 * (2 * cb_rng_uniform(&rng) - 1);
  return s;
}

static sheet *sheet_new(void) { return sheet_of(2); }

static void sheet_free(sheet *s) {
  sim_direct_clear(&s->direct);
  sim_bending_clear(&s->bending);
  sim_membrane_clear(&s->membrane);
  sim_mesh_clear(&s->mesh);
  free(s->gripped);
  free(s->inertia);
  free(s->x);
  free(s->force);
  free(s->there);
  free(s->change);
  free(s);
}

static void forces(sheet *s, vec3 *x, vec3 *out) {
  memset(out, 0, (size_t)s->mesh.n_vertices * sizeof *out);
  (void)sim_membrane_evaluate(&s->membrane, (const vec3 *)x, SIM_TANGENT_NONE, out);
  sim_bending_add_force(&s->bending, (const vec3 *)x, out);
}

/* A force, answered by the exact tangent, changes the positions so that the cloth's own forces change by just
 * as much. The second difference cancels what is quadratic; what is left falls with the square of the
 * size. */
static void test_answers(void **state) {
  (void)state;
  sheet *s = sheet_new();
  const double size = 1e-7;
  int n = s->mesh.n_vertices;
  cb_rng rng;
  cb_rng_init(&rng, 6, 0);
  for (int i = 0; i < n; i++) {
    s->inertia[i] = 300 * cb_rng_uniform(&rng);
    for (int k = 0; k < 3; k++) s->force[i][k] = size * (2 * cb_rng_uniform(&rng) - 1);
  }
  bool positive = false;
  assert_ok(sim_direct_factorise(&s->direct, &s->membrane, (const vec3 *)s->x, NULL, 1, s->inertia, &positive,
                                 err));
  assert_true(positive);
  assert_ok(sim_direct_solve(&s->direct, (const vec3 *)s->force, s->change, err));
  vec3 *plus = cm_vectors(n), *minus = cm_vectors(n), *at = cm_vectors(n);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) at[i][k] = s->x[i][k] + sign * s->change[i][k];
    forces(s, at, sign > 0 ? plus : minus);
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      if (s->gripped[i])
        assert_true(s->change[i][k] == 0);
      else
        assert_near((minus[i][k] - plus[i][k]) / 2 + s->inertia[i] * s->change[i][k], s->force[i][k],
                    1e-5 * size);
    }
  free(plus);
  free(minus);
  free(at);
  sheet_free(s);
}

/* Clamped: no motion of a triangle releases energy, however it is pressed together; where nothing is pressed,
 * it is the exact one. */
static void test_clamped(void **state) {
  (void)state;
  sheet *s = sheet_new();
  double k[3][3][3][3], exact[3][3][3][3];
  bool pressed = false;
  for (int scale = 0; scale < 2; scale++) {
    cb_rng rng;
    cb_rng_init(&rng, 7, 0);
    for (int i = 0; i < s->mesh.n_vertices; i++)
      for (int a = 0; a < 3; a++)
        s->there[i][a] = (scale == 0 ? 0.8 : 1.2) * s->mesh.position_m[i][a] +
                         (scale == 0 ? 0.005 * (2 * cb_rng_uniform(&rng) - 1) : 0);
    for (int t = 0; t < s->mesh.n_triangles; t++) {
      sim_element_stiffness(&s->membrane, t, (const vec3 *)s->there, NULL, 0, k);
      sim_element_stiffness(&s->membrane, t, (const vec3 *)s->there, NULL, 1, exact);
      double difference = 0, largest = 0;
      for (int e = 0; e < 81; e++) {
        difference = fmax(difference, fabs((&k[0][0][0][0])[e] - (&exact[0][0][0][0])[e]));
        largest = fmax(largest, fabs((&k[0][0][0][0])[e]));
      }
      if (scale == 1) assert_true(difference <= 1e-12 * largest);
      pressed = pressed || difference > 1e-3 * largest;
      for (int trial = 0; trial < 20; trial++) {
        double d[3][3], energy = 0;
        for (int p = 0; p < 3; p++)
          for (int a = 0; a < 3; a++) d[p][a] = 2 * cb_rng_uniform(&rng) - 1;
        for (int p = 0; p < 3; p++)
          for (int q = 0; q < 3; q++)
            for (int a = 0; a < 3; a++)
              for (int b = 0; b < 3; b++) energy += d[p][a] * k[p][q][a][b] * d[q][b];
        assert_true(energy >= -1e-10 * largest);
      }
    }
  }
  assert_true(pressed);
  sheet_free(s);
}

/* A straight step of a sheet that turns stretches it; the stress that the tangent takes is not that of the
 * stretch. */
static void test_turning(void **state) {
  (void)state;
  sheet *s = sheet_new();
  double rest[3][3][3][3], turned[3][3][3][3], naive[3][3][3][3], angle = 0.3;
  for (int i = 0; i < s->mesh.n_vertices; i++) { /* the straight step with the velocity of a rotation about
                                                    y */
    memcpy(s->there[i], s->mesh.position_m[i], sizeof *s->there);
    s->there[i][2] -= angle * s->mesh.position_m[i][0];
  }
  const vec3 *flat = (const vec3 *)s->mesh.position_m;
  for (int t = 0; t < s->mesh.n_triangles; t++) {
    sim_element_stiffness(&s->membrane, t, flat, NULL, 1, rest);
    sim_element_stiffness(&s->membrane, t, (const vec3 *)s->there, flat, 1, turned);
    sim_element_stiffness(&s->membrane, t, (const vec3 *)s->there, NULL, 1, naive);
    /* Along y, across the turn, only stress can resist at rest: none. */
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++) {
        assert_near(turned[p][q][1][1], rest[p][q][1][1], 1e-9);
        assert_near(rest[p][q][2][2], 0, 1e-12);
      }
    assert_true(naive[0][0][1][1] > turned[0][0][1][1]);
  }
  sheet_free(s);
}

/* Pressed by a fifth the sheet buckles: the exact tangent says so, the clamped one does not. */
static void test_says_indefinite(void **state) {
  (void)state;
  sheet *s = sheet_new();
  bool positive = true;
  for (int i = 0; i < s->mesh.n_vertices; i++) s->inertia[i] = 1e-3; /* its grip is a hinge */
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int a = 0; a < 3; a++) s->x[i][a] = 0.8 * s->mesh.position_m[i][a];
  assert_ok(sim_direct_factorise(&s->direct, &s->membrane, (const vec3 *)s->x, NULL, 1, s->inertia, &positive,
                                 err));
  assert_false(positive);
  assert_ok(sim_direct_factorise(&s->direct, &s->membrane, (const vec3 *)s->x, NULL, 0, s->inertia, &positive,
                                 err));
  assert_true(positive);
  sheet_free(s);
}

/* Side by side, as drapes are: the same bits as alone. BLAS that no two threads may call at once failed here
 * in most runs. */
#define SIDES 2
#define TURNS 25
static void answer(sheet *s, vec3 *out) {
  bool positive = false;
  assert_ok(sim_direct_factorise(&s->direct, &s->membrane, (const vec3 *)s->x, NULL, 1, s->inertia, &positive,
                                 err));
  assert_ok(sim_direct_solve(&s->direct, (const vec3 *)s->force, out, err));
}

static void test_side_by_side(void **state) {
  (void)state;
  sheet *s[SIDES];
  int other[SIDES] = {0};
  for (int k = 0; k < SIDES; k++) {
    s[k] = sheet_of(14 + k);
    for (int i = 0; i < s[k]->mesh.n_vertices; i++)
      s[k]->inertia[i] = 300, s[k]->force[i][2] = 1e-6 * (i % 7);
    answer(s[k], s[k]->there);
  }
#pragma omp parallel for num_threads(SIDES) schedule(static, 1)
  for (int k = 0; k < SIDES; k++)
    for (int turn = 0; turn < TURNS; turn++) {
      answer(s[k], s[k]->change);
      other[k] +=
          memcmp(s[k]->change, s[k]->there, (size_t)s[k]->mesh.n_vertices * sizeof *s[k]->change) != 0;
    }
  for (int k = 0; k < SIDES; k++) {
    assert_int_equal(other[k], 0);
    sheet_free(s[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_clamped),
                                     cmocka_unit_test(test_turning), cmocka_unit_test(test_says_indefinite),
                                     cmocka_unit_test(test_side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
