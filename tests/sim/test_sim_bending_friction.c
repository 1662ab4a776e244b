/* Friction within a cloth that bends: closed forms, a loop of bending, forces and tangents; the cloth with
 * it: test_sim_bending_sliders.c.
 */
#include <omp.h>
#include <stdbool.h>

#include "cb_num.h"
#include "clothmesh.h"
#include "sim_bending_friction.h"
#include "sim_direct.h"
#include "sim_mesh.h"

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
      at_end = at_end || (e->triangle[1] < 0 &&
                          s->mesh.position_m[e->vertex[0]][0] == s->mesh.position_m[e->vertex[1]][0]);
    }
    if (!at_end) sum += s->mesh.area_m2[t];
  }
  return sum;
}

/* Rolled onto a cylinder, bent in the direction `angle` from the warp. */
static void roll(sheet *s, double curvature, double angle) {
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const double *p = s->mesh.position_m[i], along = p[0] * cos(angle) + p[1] * sin(angle),
                 across = p[1] * cos(angle) - p[0] * sin(angle);
    double a = curvature == 0 ? along : sin(curvature * along) / curvature,
           z = curvature == 0 ? 0 : (1 - cos(curvature * along)) / curvature;
    s->x[i][0] = a * cos(angle) - across * sin(angle);
    s->x[i][1] = a * sin(angle) + across * cos(angle);
    s->x[i][2] = z;
  }
}

/* What works through a bend in that direction, per area, of the triangles within: free borders carry no
 * moment. */
static double moment(sheet *s, double curvature, double angle) {
  double sum = 0, all = 0, share[2] = {pow(cos(angle), 2), pow(sin(angle), 2)};
  roll(s, curvature, angle);
  (void)sim_bending_friction_evaluate(&s->friction, (const vec3 *)s->x, NULL);
  for (int t = 0; t < s->mesh.n_triangles; t++) {
    const int *e = s->mesh.triangle_edge[t];
    double n[3];
    if (s->mesh.edge[e[0]].triangle[1] < 0 || s->mesh.edge[e[1]].triangle[1] < 0 ||
        s->mesh.edge[e[2]].triangle[1] < 0)
      continue;
    sim_triangle_normal(&s->mesh, (const vec3 *)s->x, t, n);
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 3; c++) sum += share[r] * s->friction.pull_N[t][r][c] * n[c];
    all += s->mesh.area_m2[t];
  }
  return sum / all;
}

/* In loading: HB beyond the onset, in proportion before; at an angle the shares of warp and weft. The mesh
 * follows a cylinder to (curvature x edge)^2 / 12: 0.1 % at 20 per metre. */
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

/* To +K, to -K and back: at 0 the moments of the two ways are +-HB, and a whole turn loses 4 HB (K - onset)
 * per area: the loop's area. */
static void loop(void **state) {
  (void)state;
  sheet s;
  sheet_make(&s, SIM_PATTERN_RIGHT);
  enum { QUARTER = 60 };
  const double top = 30;
  double moments[2] = {0}, lost = 0, work = 0, before = 0;
  for (int k = 0; k <= 5 * QUARTER; k++) { /* the virgin curve, then a whole turn from the top */
    double phase = (double)k / QUARTER,
           way = phase < 1   ? phase
                 : phase < 3 ? 2 - phase
                             : phase - 4,
           now = moment(&s, top * way, 0);
    double step = sim_bending_friction_slip(&s.friction, (const vec3 *)s.x);
    if (k > QUARTER) lost += step, work += (now + before) / 2 * top / QUARTER * (phase <= 3 ? -1 : 1);
    if (k == 2 * QUARTER) moments[0] = now;
    if (k == 4 * QUARTER) moments[1] = now;
    before = now;
  }
  double truth = 4 * HB[0] * (top - ONSET);
  print_message("moments at 0: %g and %g HB; work %.6g, lost %.6g, by the closed form %.6g J/m2\n",
                moments[0] / HB[0], moments[1] / HB[0], work, lost / bent_area(&s), truth);
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

/* Forces are the slope of the energy; what a step is linearised with is the tangent where all holds, and
 * stiffer where something slips. */
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
        for (int c = 0; c < 3; c++)
          bend[r][c] += s.friction.stencils.kappa[i][r] * way[s.friction.stencils.vertex[i]][c];
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

static void all_forces(sheet *s, sim_membrane *membrane, vec3 *out) {
  memset(out, 0, (size_t)s->mesh.n_vertices * sizeof *out);
  (void)sim_membrane_evaluate(membrane, (const vec3 *)s->x, SIM_TANGENT_NONE, out);
  sim_bending_add_force(&s->bending, (const vec3 *)s->x, out);
  (void)sim_bending_friction_evaluate(&s->friction, (const vec3 *)s->x, out);
}

/* The factorised matrix of equilibria holds the friction: a force, answered by it, changes the cloth's own by
 * as much. Some triangles slip, others hold; 1e-7 m crosses no onset. */
static void the_tangent_of_equilibria(void **state) {
  (void)state;
  sheet s;
  sim_membrane membrane;
  sim_direct direct;
  sim_material material = sim_material_isotropic(0.15, 500, 1e-5);
  sheet_make(&s, SIM_PATTERN_IRREGULAR);
  int n = s.mesh.n_vertices;
  assert_ok(sim_membrane_init(&s.mesh, &material, &membrane, err));
  assert_ok(sim_direct_init(&s.bending, NULL, &direct, err));
  direct.bending_friction = &s.friction;
  vec3 *force = cm_vectors(n), *way = cm_vectors(n), *side[2] = {cm_vectors(n), cm_vectors(n)};
  double *inertia = calloc((size_t)n, sizeof *inertia), largest = 0;
  bool positive = false;
  assert_non_null(inertia);
  for (int i = 0; i < n; i++) {
    inertia[i] = 100;
    for (int c = 0; c < 3; c++) force[i][c] = 1e-6 * sin(3 * i + c);
  }
  shake(&s, 2e-4);
  assert_ok(sim_direct_factorise(&direct, &membrane, (const vec3 *)s.x, NULL, 1, inertia, &positive, err));
  assert_true(positive);
  assert_ok(sim_direct_solve(&direct, (const vec3 *)force, way, err));
  for (int q = 0; q < 2; q++) {
    shake(&s, 2e-4);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 3; c++)
        s.x[i][c] += (q ? 1 : -1) * way[i][c], largest = fmax(largest, fabs(way[i][c]));
    all_forces(&s, &membrane, side[q]);
  }
  assert_true(largest < 1e-7);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      assert_near((side[0][i][c] - side[1][i][c]) / 2 + inertia[i] * way[i][c], force[i][c], 1e-4 * 1e-6);
  free(force), free(way), free(side[0]), free(side[1]), free(inertia);
  sim_direct_clear(&direct);
  sim_membrane_clear(&membrane);
  sheet_free(&s);
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
  assert_int_equal(sim_bending_friction_init(&s.bending, (const double[2]){INFINITY, 0}, ONSET, &f, &why),
                   CB_E_RANGE);
  sim_bending_friction_clear(&f);
  assert_int_equal(sim_bending_friction_init(&s.bending, HB, 0, &f, &why), CB_E_RANGE);
  sim_bending_friction_clear(&f);
  /* None: nothing, for nothing. */
  assert_ok(sim_bending_friction_init(&s.bending, (const double[2]){0, 0}, 0, &f, err));
  assert_true(sim_bending_friction_evaluate(&f, (const vec3 *)s.x, s.x) == 0 &&
              sim_bending_friction_slip(&f, (const vec3 *)s.x) == 0);
  sim_bending_friction_clear(&f);
  sheet_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cylinders), cmocka_unit_test(loop),
                                     cmocka_unit_test(forces), cmocka_unit_test(the_tangent_of_equilibria),
                                     cmocka_unit_test(refusals)};
  omp_set_num_threads(1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
