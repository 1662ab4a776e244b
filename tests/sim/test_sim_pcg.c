/* The system matrix and its solver against dense matrices. */
#include <omp.h>

#include "clothmesh.h"
#include "sim_mesh.h"
#include "sim_pcg.h"

typedef float vec4[4];

/* A crumpled sheet with everything the matrix can have. Bending: the graph's Laplacian squared, so that it
 * reaches past the neighbours. */
typedef struct scene {
  sim_mesh mesh;
  sim_material material;
  sim_membrane membrane;
  int *row_start, *column;
  double *value;
  double *mass;
  float (*extra)[6];
  sim_neighbours near;
  sim_pairs bending;
  sim_matrix matrix;
  sim_multilevel multilevel;
  sim_pcg pcg;
  sim_constraint constraint[300];
  int n_constraints;
  vec4 *b, *x;
} scene;

static void laplacian_squared(const sim_mesh *m, double scale, scene *s) {
  const size_t n = (size_t)m->n_vertices;
  double *l = calloc(n * n, sizeof *l);
  s->row_start = calloc(n + 1, sizeof *s->row_start);
  s->column = calloc(n * n, sizeof *s->column);
  s->value = calloc(n * n, sizeof *s->value);
  assert_true(l && s->row_start && s->column && s->value);
  for (int e = 0; e < m->n_edges; e++) {
    const size_t i = (size_t)m->edge[e].vertex[0], j = (size_t)m->edge[e].vertex[1];
    l[i * n + j] -= 1;
    l[j * n + i] -= 1;
    l[i * n + i] += 1;
    l[j * n + j] += 1;
  }
  int k = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      double v = 0;
      for (size_t p = 0; p < n; p++) v += l[i * n + p] * l[j * n + p];
      if (v == 0) continue;
      s->column[k] = (int)j;
      s->value[k++] = scale * v;
    }
    s->row_start[i + 1] = k;
  }
  free(l);
}

static const double dt = 0.005;
static const sim_pair_term pairs[] = {{{0, 8, 9, 20}, {1, -0.25F, -0.25F, -0.5F}, {0, 0.6F, 0.8F}, 0.02F},
                                      {{3, 4, 20, 21}, {0.5F, 0.5F, -0.25F, -0.75F}, {1, 0, 0}, 0.01F}};

static void assemble(scene *s) {
  const vec3 *x = (const vec3 *)s->mesh.position_m;
  (void)sim_membrane_evaluate(&s->membrane, x, SIM_TANGENT_CLAMPED, NULL);
  sim_matrix_assemble(&s->matrix, s->mass, (const float(*)[6])s->extra, dt * dt, &s->membrane, dt * dt);
  sim_multilevel_build(&s->multilevel, &s->matrix, s->mass, (const float(*)[6])s->extra, dt * dt,
                       &s->membrane, s->constraint, s->n_constraints);
}

/* Around s->mesh, whose edges are about 0.2 / cells long. */
static void scene_fill(int cells, scene *s) {
  s->material = sim_material_isotropic(0.15, 2000, 1e-5);
  const size_t n = (size_t)s->mesh.n_vertices;
  s->material.shear = sim_curve_linear(200);
  s->material.cross_N_per_m = 400;
  assert_ok(sim_membrane_init(&s->mesh, &s->material, &s->membrane, err));
  laplacian_squared(&s->mesh, 1e-3, s);
  const sim_sparse bending = {s->row_start, s->column, s->value};
  assert_ok(sim_neighbours_make(&s->mesh, &s->near, err));
  assert_ok(sim_pairs_make(&s->near, &bending, &s->bending, err));
  assert_ok(sim_matrix_init(&s->bending, &s->matrix, err));
  assert_ok(sim_multilevel_init(&s->mesh, &s->multilevel, err));
  assert_ok(sim_pcg_init(s->mesh.n_vertices, &s->pcg, err));
  s->mass = calloc(n, sizeof *s->mass);
  s->extra = calloc(n, sizeof *s->extra);
  s->b = calloc(n, sizeof *s->b);
  s->x = calloc(n, sizeof *s->x);
  assert_true(s->mass && s->extra && s->b && s->x);
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  for (size_t i = 0; i < n; i++) {
    s->mass[i] = 0.15 * s->mesh.vertex_area_m2[i];
    for (int k = 0; k < 3; k++) {
      s->mesh.position_m[i][k] += 0.1 * 0.2 / cells * (2 * cb_rng_uniform(&rng) - 1);
      s->b[i][k] = (float)(1e-4 * (2 * cb_rng_uniform(&rng) - 1));
    }
    if (i % 3 == 0)
      memcpy(s->extra[i], (float[6]){1e-3F, 5e-4F, 0, 2e-3F, -5e-4F, 1e-3F}, sizeof s->extra[i]);
  }
  assert_ok(sim_matrix_set_terms(&s->matrix, pairs, 2, err));
  s->constraint[0] = (sim_constraint){.vertex = 0, .fixed = 1};
  s->constraint[1] = (sim_constraint){.vertex = 5, .normal = {0.6F, 0, 0.8F}};
  s->constraint[2] = (sim_constraint){.vertex = 20, .normal = {0, 0, 1}};
  s->constraint[3] = (sim_constraint){.vertex = 11, .fixed = SIM_FIXED_ACROSS, .normal = {0, 0.8F, 0.6F}};
  s->n_constraints = 4;
  assemble(s);
}

static void scene_init(int cells, scene *s) {
  *s = (scene){0};
  cm_sheet(0.2, 0.2, cells, cells, 0.2, &s->mesh);
  scene_fill(cells, s);
}

static void scene_clear(scene *s) {
  sim_matrix_clear(&s->matrix);
  sim_pairs_clear(&s->bending);
  sim_neighbours_clear(&s->near);
  sim_multilevel_clear(&s->multilevel);
  sim_pcg_clear(&s->pcg);
  sim_membrane_clear(&s->membrane);
  sim_mesh_clear(&s->mesh);
  free(s->row_start);
  free(s->column);
  free(s->value);
  free(s->mass);
  free(s->extra);
  free(s->b);
  free(s->x);
}

/* The same matrix, put together from the definition. */
static double *dense(const scene *s) {
  const size_t n = 3 * (size_t)s->mesh.n_vertices;
  static const int six[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  double *a = calloc(n * n, sizeof *a);
  assert_non_null(a);
  for (int e = 0; e < s->mesh.n_edges; e++) {
    const int *v = s->mesh.edge[e].vertex;
    const size_t i = 3 * (size_t)(v[0] < v[1] ? v[0] : v[1]), j = 3 * (size_t)(v[0] < v[1] ? v[1] : v[0]);
    for (size_t p = 0; p < 3; p++)
      for (size_t q = 0; q < 3; q++) {
        const double value = dt * dt * s->membrane.block[e][3 * p + q];
        a[(i + p) * n + j + q] += value;
        a[(j + q) * n + i + p] += value;
        a[(i + p) * n + i + q] -= value;
        a[(j + q) * n + j + p] -= value;
      }
  }
  for (size_t i = 0; i < n / 3; i++) {
    for (size_t p = 0; p < 3; p++) {
      a[(3 * i + p) * n + 3 * i + p] += s->mass[i];
      for (size_t q = 0; q < 3; q++) a[(3 * i + p) * n + 3 * i + q] += (double)s->extra[i][six[p][q]];
      for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
        a[(3 * i + p) * n + 3 * (size_t)s->column[k] + p] += dt * dt * (double)s->value[k];
    }
  }
  for (size_t t = 0; t < 2; t++)
    for (size_t k = 0; k < 4; k++)
      for (size_t l = 0; l < 4; l++)
        for (size_t p = 0; p < 3; p++)
          for (size_t q = 0; q < 3; q++)
            a[(3 * (size_t)pairs[t].vertex[k] + p) * n + 3 * (size_t)pairs[t].vertex[l] + q] +=
                (double)(pairs[t].stiffness_N_per_m * pairs[t].weight[k] * pairs[t].weight[l] *
                         pairs[t].normal[p] * pairs[t].normal[q]);
  return a;
}

static void test_product(void **state) {
  (void)state;
  scene s;
  scene_init(7, &s);
  double *a = dense(&s), dot = 0, largest = 0;
  const size_t n = 3 * (size_t)s.mesh.n_vertices;
  const double returned = sim_matrix_product(&s.matrix, s.b, s.x, s.pcg.chunk_sum);
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs((double)s.x[i / 3][i % 3]));
  for (size_t i = 0; i < n; i++) {
    double y = 0;
    for (size_t j = 0; j < n; j++) y += a[i * n + j] * (double)s.b[j / 3][j % 3];
    dot += y * (double)s.b[i / 3][i % 3];
    assert_near((double)s.x[i / 3][i % 3], y, 2e-6 * largest); /* single precision */
  }
  assert_near(returned, dot, 1e-5 * fabs(dot));
  free(a);
  scene_clear(&s);
}

/* Constrained rows and columns replaced by the constraint, the rest by elimination with pivots on the
 * diagonal (it is positive definite).
 */
static void solve_dense(const scene *s, double *a, double *x) {
  const size_t n = 3 * (size_t)s->mesh.n_vertices;
  for (int c = 0; c < s->n_constraints; c++) { /* A := P A P + N N^T, b := P b */
    const sim_constraint *k = &s->constraint[c];
    const size_t at = 3 * (size_t)k->vertex;
    double p[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double nn = (double)k->normal[i] * (double)k->normal[j];
        p[i][j] = k->fixed == SIM_FIXED_WHOLE ? 0 : k->fixed == SIM_FIXED_ALONG ? (i == j) - nn : nn;
      }
    double row[3];
    for (size_t j = 0; j < n; j++) {
      for (size_t i = 0; i < 3; i++)
        row[i] = p[i][0] * a[at * n + j] + p[i][1] * a[(at + 1) * n + j] + p[i][2] * a[(at + 2) * n + j];
      for (size_t i = 0; i < 3; i++) a[(at + i) * n + j] = row[i];
    }
    for (size_t j = 0; j < n; j++) {
      for (size_t i = 0; i < 3; i++)
        row[i] = p[i][0] * a[j * n + at] + p[i][1] * a[j * n + at + 1] + p[i][2] * a[j * n + at + 2];
      for (size_t i = 0; i < 3; i++) a[j * n + at + i] = row[i];
    }
    for (size_t i = 0; i < 3; i++) row[i] = p[i][0] * x[at] + p[i][1] * x[at + 1] + p[i][2] * x[at + 2];
    for (size_t i = 0; i < 3; i++) x[at + i] = row[i];
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++) a[(at + i) * n + at + j] += (i == j) - p[i][j];
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++) {
      const double f = a[i * n + k] / a[k * n + k];
      for (size_t j = k; j < n; j++) a[i * n + j] -= f * a[k * n + j];
      x[i] -= f * x[k];
    }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) x[k] -= a[k * n + j] * x[j];
    x[k] /= a[k * n + k];
  }
}

static void test_solution(void **state) {
  (void)state;
  scene s;
  scene_init(9, &s);
  const size_t n = 3 * (size_t)s.mesh.n_vertices;
  double *a = dense(&s), *truth = calloc(n, sizeof *truth), largest = 0;
  for (size_t i = 0; i < n; i++) truth[i] = (double)s.b[i / 3][i % 3];
  solve_dense(&s, a, truth);
  const sim_pcg_result r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b,
                                         s.x, 1e-6, (sim_pcg_size){0, 0}, 500);
  assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
  assert_in_range(r.iterations, 5, 150);
  assert_true(r.residual <= 1e-6);
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(truth[i]));
  for (size_t i = 0; i < n; i++)
    assert_near((double)s.x[i / 3][i % 3], truth[i], 1e-4 * largest); /* 1e-6 times the condition's root */
  assert_true(s.x[0][0] == 0 && s.x[0][1] == 0 && s.x[0][2] == 0 && s.x[20][2] == 0);
  const sim_pcg_result again = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints,
                                             s.b, s.x, 1e-4, (sim_pcg_size){0, 0}, 500);
  assert_int_equal(again.iterations, 0); /* from the solution there is nothing to do */
  free(a);
  free(truth);
  scene_clear(&s);
}

/* A solve that goes on takes the iterations of one that does not stop, and adds up to its solution. */
static void test_going_on(void **state) {
  (void)state;
  scene s;
  scene_init(9, &s);
  const int n = s.mesh.n_vertices;
  const size_t size = (size_t)n * sizeof(vec4);
  vec4 *whole = calloc((size_t)n, sizeof *whole), *b = calloc((size_t)n, sizeof *b);
  const sim_pcg_size none = {0, 0};
  double largest = 0;
  memcpy(whole, s.x, size), memcpy(b, s.b, size);
  const sim_pcg_result at_once = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint,
                                               s.n_constraints, s.b, whole, 1e-6, none, 500);
  const sim_pcg_result first =
      sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, b, s.x, 1e-2, none, 500);
  vec4 *more = calloc((size_t)n, sizeof *more);
  const sim_pcg_result then = sim_pcg_go_on(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints,
                                            b, more, 1e-6, first.reference, 500);
  assert_int_equal(then.outcome, SIM_PCG_CONVERGED);
  assert_in_range(first.iterations, 1, at_once.iterations - 1);
  assert_in_range(first.iterations + then.iterations, at_once.iterations - 1, at_once.iterations + 1);
  for (int i = 0; i < 3 * n; i++) largest = fmax(largest, fabs((double)whole[i / 3][i % 3]));
  for (int i = 0; i < 3 * n; i++)
    assert_near((double)s.x[i / 3][i % 3] + (double)more[i / 3][i % 3], (double)whole[i / 3][i % 3],
                1e-5 * largest);
  free(whole), free(b), free(more);
  scene_clear(&s);
}

/* Supports that move: what x says of them at the start stays and pulls the rest along; a cloth moved as a
 * whole needs no force but mass. */
static void test_moving_support(void **state) {
  (void)state;
  scene s;
  scene_init(6, &s);
  assert_ok(sim_matrix_set_terms(&s.matrix, NULL, 0, err));
  memset(s.extra, 0, (size_t)s.mesh.n_vertices * sizeof *s.extra);
  for (int c = 0; c < s.n_constraints; c++) s.constraint[c].fixed = SIM_FIXED_WHOLE;
  for (int i = 0; i < s.mesh.n_vertices; i++) s.mass[i] *= 0.1, memset(s.b[i], 0, sizeof s.b[i]);
  assemble(&s);
  for (int c = 0; c < s.n_constraints; c++)
    memcpy(s.x[s.constraint[c].vertex], (vec4){1, 2, 3, 0}, sizeof(vec4));
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) s.b[i][k] = (float)(s.mass[i] * (k + 1));
  const sim_pcg_result r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, 3, s.b, s.x, 1e-5,
                                         (sim_pcg_size){0, 0}, 1000);
  assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
  for (int i = 0; i < s.mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      assert_near((double)s.x[i][k], k + 1, 1e-3); /* mass is 1e-4 of the stiffness, in single precision */
  scene_clear(&s);
}

/* The levels keep the number of iterations where it is while the mesh gets finer. */
static void test_refinement(void **state) {
  (void)state;
  int iterations[2];
  for (int k = 0; k < 2; k++) {
    scene s;
    scene_init(k ? 32 : 16, &s);
    const sim_pcg_result r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints,
                                           s.b, s.x, 1e-3, (sim_pcg_size){0, 0}, 500);
    assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
    iterations[k] = r.iterations;
    scene_clear(&s);
  }
  assert_true(iterations[1] <= 1.3 * iterations[0]); /* block Jacobi: twice as many */
}

static int iterations_of(scene *s) {
  const sim_pcg_result r = sim_pcg_solve(&s->pcg, &s->matrix, &s->multilevel, s->constraint, s->n_constraints,
                                         s->b, s->x, 1e-3, (sim_pcg_size){0, 0}, 500);
  assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
  return r.iterations;
}

/* A case sewn of two sheets takes no more than half as many again as an open sheet, and no more when it is
 * finer. */
static void test_seams(void **state) {
  (void)state;
  int iterations[3];
  for (int k = 0; k < 3; k++) {
    const int cells = k == 2 ? 28 : 14;
    scene s = {0};
    const sim_case shape = {{0.1, 0.1, 0.04}, {2.5, 2}, {cells, cells}};
    if (k == 0)
      cm_sheet(0.2, 0.2, 20, 20, 0.2, &s.mesh);
    else
      assert_ok(sim_mesh_case(&shape, &s.mesh, err));
    scene_fill(k == 0 ? 20 : cells, &s);
    iterations[k] = iterations_of(&s);
    scene_clear(&s);
  }
  print_message("iterations: open %d, sewn %d, sewn finer %d\n", iterations[0], iterations[1], iterations[2]);
  assert_true(iterations[1] <= 1.5 * iterations[0]);
  assert_true(iterations[2] <= 1.3 * iterations[1]);
}

/* The same sheet twice, lying in the same place of the cloth, takes as many iterations as it does alone. */
static void test_pieces(void **state) {
  (void)state;
  int iterations[2];
  for (int k = 0; k < 2; k++) {
    scene s = {0};
    sim_mesh one;
    cm_sheet(0.2, 0.2, 16, 16, 0, &one);
    const int n = one.n_vertices, nt = one.n_triangles, pieces = k + 1;
    double(*x)[3] = calloc((size_t)(pieces * n), sizeof *x),
    (*corner)[3][2] = calloc((size_t)(pieces * nt), sizeof *corner);
    int(*triangle)[3] = calloc((size_t)(pieces * nt), sizeof *triangle);
    assert_true(x && corner && triangle);
    for (int i = 0; i < pieces * n; i++)
      for (int c = 0; c < 3; c++) x[i][c] = one.position_m[i % n][c] + (c == 2 ? 0.01 * (i / n) : 0);
    for (int t = 0; t < pieces * nt; t++) {
      for (int c = 0; c < 3; c++) triangle[t][c] = one.triangle[t % nt][c] + t / nt * n;
      memcpy(corner[t], one.corner_m[t % nt], sizeof corner[t]);
    }
    assert_ok(sim_mesh_build((const sim_vec3 *)x, pieces * n, (const int(*)[3])triangle,
                             (const double(*)[3][2])corner, pieces * nt, &s.mesh, err));
    scene_fill(16, &s);
    s.n_constraints = 0;
    memset(s.extra, 0, (size_t)(pieces * n) * sizeof *s.extra);
    assert_ok(sim_matrix_set_terms(&s.matrix, NULL, 0, err));
    for (int i = 0; i < pieces * n; i++) {
      memcpy(s.mesh.position_m[i], s.mesh.position_m[i % n], sizeof s.mesh.position_m[i]);
      memcpy(s.b[i], s.b[i % n], sizeof s.b[i]);
    }
    assemble(&s);
    iterations[k] = iterations_of(&s);
    scene_clear(&s);
    sim_mesh_clear(&one);
    free(x);
    free(corner);
    free(triangle);
  }
  assert_in_range(iterations[1], iterations[0] - 1, iterations[0] + 1); /* sums are rounded */
}

/* In a step so short that vertices hardly feel each other the levels stay away. */
static void test_short_step(void **state) {
  (void)state;
  scene s;
  scene_init(9, &s);
  assert_int_equal(s.multilevel.n_used, s.multilevel.n_levels);
  const double scale = 1e-3 * dt * dt;
  sim_matrix_assemble(&s.matrix, s.mass, (const float(*)[6])s.extra, scale, &s.membrane, scale);
  sim_multilevel_build(&s.multilevel, &s.matrix, s.mass, (const float(*)[6])s.extra, scale, &s.membrane,
                       s.constraint, s.n_constraints);
  assert_int_equal(s.multilevel.n_used, 0);
  assert_in_range(iterations_of(&s), 1, 30);
  scene_clear(&s);
}

/* A cloth that slides on a floor it is inclined against: what is soft along its own normal is not soft along
 * the floor. */
static void test_sliding_on_a_slant(void **state) {
  (void)state;
  int iterations[2];
  for (int k = 0; k < 2; k++) {
    scene s;
    scene_init(16, &s);
    for (int i = 0; i < s.mesh.n_vertices; i++) s.mesh.position_m[i][2] += 0.5 * s.mesh.position_m[i][0];
    memset(s.extra, 0, (size_t)s.mesh.n_vertices * sizeof *s.extra);
    s.n_constraints = 0;
    for (int i = 0; k && i < s.mesh.n_vertices; i++)
      s.constraint[s.n_constraints++] = (sim_constraint){.vertex = i, .normal = {0, 0, 1}};
    assemble(&s);
    const sim_pcg_result r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints,
                                           s.b, s.x, 1e-3, (sim_pcg_size){0, 0}, 500);
    assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
    iterations[k] = r.iterations;
    scene_clear(&s);
  }
  assert_true(iterations[1] <= iterations[0]); /* with the whole block inverted: several times as many */
}

static void test_outcomes(void **state) {
  (void)state;
  scene s;
  scene_init(6, &s);
  sim_pcg_result r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b, s.x,
                                   1e-6, (sim_pcg_size){0, 0}, 3);
  assert_int_equal(r.outcome, SIM_PCG_MAX_ITERATIONS);
  assert_int_equal(r.iterations, 3);
  assert_true(r.residual > 1e-6);
  memset(s.x, 0, (size_t)s.mesh.n_vertices * sizeof *s.x);
  vec4 *zero = calloc((size_t)s.mesh.n_vertices, sizeof *zero);
  r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, zero, s.x, 1e-6,
                    (sim_pcg_size){0, 0}, 3);
  assert_int_equal(r.outcome, SIM_PCG_CONVERGED);
  assert_int_equal(r.iterations, 0);
  free(zero);
  s.b[7][1] = NAN;
  r = sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b, s.x, 1e-6,
                    (sim_pcg_size){0, 0}, 3);
  assert_int_equal(r.outcome, SIM_PCG_NOT_FINITE);
  scene_clear(&s);
}

/* A vertex's own block changed afterwards is the same as assembled with it, but for rounding. */
static void test_set_extra(void **state) {
  (void)state;
  scene s;
  scene_init(6, &s);
  const float other[6] = {4e-3F, 1e-3F, 0, 3e-3F, 2e-4F, 5e-3F};
  memcpy(s.extra[3], other, sizeof other);
  sim_matrix_set_extra(&s.matrix, 3, s.mass[3], other);
  float local[6], diagonal[6];
  memcpy(local, s.matrix.local[3], sizeof local);
  memcpy(diagonal, s.matrix.diagonal[3], sizeof diagonal);
  assemble(&s);
  assert_memory_equal(local, s.matrix.local[3], sizeof local);
  for (int k = 0; k < 6; k++)
    assert_near(diagonal[k], s.matrix.diagonal[3][k], 1e-6 * s.matrix.diagonal[3][0]);
  scene_clear(&s);
}

/* The preconditioner is given all of the diagonal, pair terms included. */
static void test_diagonal(void **state) {
  (void)state;
  scene s;
  scene_init(6, &s);
  double *a = dense(&s);
  const size_t n = 3 * (size_t)s.mesh.n_vertices;
  static const size_t row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
  for (size_t i = 0; i < n / 3; i++)
    for (size_t k = 0; k < 6; k++)
      assert_near(s.matrix.diagonal[i][k], a[(3 * i + row[k]) * n + 3 * i + column[k]],
                  1e-5 * s.matrix.diagonal[i][0]);
  free(a);
  scene_clear(&s);
}

/* What a solve leaves in r is b - A x, also where constraints hold. The recurrence drifts by rounding of what
 * it began with. */
static void test_residual_left(void **state) {
  (void)state;
  scene s;
  scene_init(8, &s);
  const size_t n = (size_t)s.mesh.n_vertices;
  memcpy(s.x[0], (float[4]){0.01F, -0.02F, 0.03F, 0}, sizeof s.x[0]);
  (void)sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b, s.x, 1e-2,
                      (sim_pcg_size){0, 0}, 200);
  vec4 *y = calloc(n, sizeof *y);
  double *sums = calloc(n, sizeof *sums), most = 0;
  assert_true(y && sums);
  (void)sim_matrix_product(&s.matrix, s.x, y, sums);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs((double)y[i][k]));
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) assert_near(s.pcg.r[i][k], s.b[i][k] - y[i][k], 1e-5 * most);
  assert_true(fabs((double)s.pcg.r[0][0]) > 1e-3 * most); /* the fixed vertex is pulled at */
  free(y);
  free(sums);
  scene_clear(&s);
}

/* What is made of a start: to an infinite tolerance it is the solution. */
static void start_of(scene *s, double share, int n_constraints) {
  s->pcg.share = share;
  const sim_pcg_result r = sim_pcg_solve(&s->pcg, &s->matrix, &s->multilevel, s->constraint, n_constraints,
                                         s->b, s->x, INFINITY, (sim_pcg_size){0, 0}, 500);
  assert_int_equal(r.iterations, 0);
}

/* Without a share a start is scaled for the least error. */
static void test_start(void **state) {
  (void)state;
  scene s;
  scene_init(8, &s);
  const size_t n = (size_t)s.mesh.n_vertices;
  vec4 *solution = calloc(n, sizeof *solution);
  assert_true(solution);
  (void)sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b, solution, 1e-5,
                      (sim_pcg_size){0, 0}, 500);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) s.x[i][k] = 3 * solution[i][k];
  start_of(&s, 0, s.n_constraints);
  assert_near(s.x[n / 2][2], solution[n / 2][2], 1e-3 * fabs((double)solution[n / 2][2]));
  free(solution);
  scene_clear(&s);
}

/* With a share the cloth takes all of its mean where the momentum of the right side wants as much or more
 * (pull 1, 3), the share where it wants none, and the share of what differs from the mean in any case. */
static void test_share_of_start(void **state) {
  (void)state;
  static const float whole[3] = {1e-3F, -2e-3F, 3e-3F}, pull[] = {0, 0.85F, 1, 3},
                     left[] = {0.7F, 0.85F, 1, 1};
  scene s;
  scene_init(8, &s);
  const int n = s.mesh.n_vertices;
  for (int p = 0; p < 4; p++) {
    for (int i = 0; i < n; i++) {
      const float differs = 1e-3F * ((float)i - (float)(n - 1) / 2), *own = s.matrix.local[i];
      const float row[3][3] = {{own[0], own[1], own[2]}, {own[1], own[3], own[4]}, {own[2], own[4], own[5]}};
      for (int k = 0; k < 3; k++) {
        const float momentum = row[k][0] * whole[0] + row[k][1] * whole[1] + row[k][2] * whole[2];
        s.x[i][k] = whole[k] * (1 + differs);
        s.b[i][k] = (pull[p] + 0.7F * differs) * momentum;
      }
    }
    start_of(&s, 0.7, 0);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++)
        assert_near(s.x[i][k], whole[k] * (left[p] + 0.7F * 1e-3F * ((float)i - (float)(n - 1) / 2)), 1e-8);
  }
  scene_clear(&s);
}

/* y += scale K v, edge by edge. */
static void product_by_edges(const sim_membrane *m, double scale, const vec3 *v, vec3 *y) {
  for (int e = 0; e < m->mesh->n_edges; e++) {
    const int *end = m->mesh->edge[e].vertex, low = end[0] < end[1] ? end[0] : end[1],
              high = end[0] < end[1] ? end[1] : end[0];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        y[low][a] += scale * (double)m->block[e][3 * a + b] * (v[high][b] - v[low][b]);
        y[high][b] += scale * (double)m->block[e][3 * a + b] * (v[low][a] - v[high][a]);
      }
  }
}

static void test_membrane_product(void **state) {
  (void)state;
  scene s;
  scene_init(8, &s);
  const size_t n = (size_t)s.mesh.n_vertices;
  double(*v)[3] = calloc(n, sizeof *v), (*p)[3] = calloc(n, sizeof *p), (*q)[3] = calloc(n, sizeof *q),
  most = 0;
  assert_true(v && p && q);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) v[i][k] = (double)s.b[i][k];
  product_by_edges(&s.membrane, -0.5, (const vec3 *)v, p);
  sim_matrix_membrane_product(&s.matrix, &s.membrane, -0.5, (const vec3 *)v, q);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(p[i][k]));
  assert_true(most > 0);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) assert_near(p[i][k], q[i][k], 1e-13 * most);
  free(v);
  free(p);
  free(q);
  scene_clear(&s);
}

static void test_threads_leave_the_bits(void **state) {
  (void)state;
  scene s;
  scene_init(32, &s);
  const size_t bytes = (size_t)s.mesh.n_vertices * sizeof *s.x;
  vec4 *first = calloc((size_t)s.mesh.n_vertices, sizeof *first);
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    assemble(&s);
    memset(s.x, 0, bytes);
    (void)sim_pcg_solve(&s.pcg, &s.matrix, &s.multilevel, s.constraint, s.n_constraints, s.b, s.x, 1e-4,
                        (sim_pcg_size){0, 0}, 200);
    if (threads == 1) memcpy(first, s.x, bytes);
    assert_memory_equal(first, s.x, bytes);
  }
  free(first);
  scene_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_product),
      cmocka_unit_test(test_solution),
      cmocka_unit_test(test_going_on),
      cmocka_unit_test(test_moving_support),
      cmocka_unit_test(test_refinement),
      cmocka_unit_test(test_seams),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_short_step),
      cmocka_unit_test(test_sliding_on_a_slant),
      cmocka_unit_test(test_outcomes),
      cmocka_unit_test(test_set_extra),
      cmocka_unit_test(test_diagonal),
      cmocka_unit_test(test_residual_left),
      cmocka_unit_test(test_start),
      cmocka_unit_test(test_share_of_start),
      cmocka_unit_test(test_membrane_product),
      cmocka_unit_test(test_threads_leave_the_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
