/* Trees of boxes: boxes hold their triangles, walks find what overlaps, and flat cloth is known by its outline and its gradients. */
#include "cbtest.h"

#include "sim_bvh.h"
#include "sim_mesh_make.h"

#define PI 3.14159265358979323846

typedef double vec[3];

static void tree_of(const sim_mesh *m, bool body, sim_bvh *tree) {
  const sim_mesh *const meshes[] = {m};
  assert_ok(sim_bvh_init(meshes, &body, 1, tree, err));
}

static void count(void *context, int a, int b) {
  assert_int_not_equal(a, b);
  (*(int *)context)++;
}

static int pairs(sim_bvh *tree, const vec *x, const vec *y) {
  int n = 0;
  sim_bvh_refit(tree, (const double(*)[3])x, (const double(*)[3])y, 1e-6, NULL);
  for (int t = 0; t < tree->n_tasks; t++) sim_bvh_walk(tree, t, count, &n);
  return n;
}

/* The sheet around a cylinder, by `turns` along its length. */
static void bend(const sim_mesh *m, double turns, vec *x) {
  for (int v = 0; v < m->n_vertices; v++) {
    double a = 2 * PI * turns * m->position_m[v][0], r = 1 / (2 * PI * turns);
    x[v][0] = r * sin(a);
    x[v][1] = m->position_m[v][1];
    x[v][2] = r * cos(a);
  }
}

static sim_mesh square(int cells) {
  sim_mesh m;
  const sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = cells, .seed = 2};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  return m;
}

/* All pairs by boxes of the tree's own, and the boxes against the positions. */
static void boxes(void **state) {
  (void)state;
  sim_mesh m = square(9);
  sim_bvh tree;
  vec *x = malloc((size_t)m.n_vertices * sizeof *x), *y = malloc((size_t)m.n_vertices * sizeof *y);
  assert_true(x && y);
  tree_of(&m, false, &tree);
  assert_true(tree.n_patches > 0);
  bend(&m, 0.9, x);
  bend(&m, 1.02, y);
  tree.everything = true;
  const int n = pairs(&tree, (const vec *)x, (const vec *)y);
  int all = 0;
  for (int a = 0; a < tree.n_slots; a++)
    for (int b = 0; b < a; b++) {
      const sim_box p = sim_bvh_triangle_box(&tree, a), q = sim_bvh_triangle_box(&tree, b);
      all += sim_box_overlap(&p, &q);
    }
  assert_int_equal(n, all);
  for (int s = 0; s < tree.n_slots; s++)
    for (int k = 0; k < 3 && tree.number[s] >= 0; k++) {
      const int v = m.triangle[tree.number[s]][k];
      assert_int_equal(v, tree.triangle[s][k]);
      for (int c = 0; c < 3; c++) {
        assert_true((double)sim_bvh_triangle_box(&tree, s).lo[c] <= fmin(x[v][c], y[v][c]) - 1e-6);
        assert_true((double)sim_bvh_triangle_box(&tree, s).hi[c] >= fmax(x[v][c], y[v][c]) + 1e-6);
      }
    }
  free(x);
  free(y);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

/* Bent by less than a right angle, a sheet is flat; folded over, or stretched to nothing in between, it is not; nor is a crooked one. */
static void flatness(void **state) {
  (void)state;
  sim_mesh m = square(24);
  sim_bvh tree;
  vec *x = malloc((size_t)m.n_vertices * sizeof *x), *y = malloc((size_t)m.n_vertices * sizeof *y);
  assert_true(x && y);
  tree_of(&m, false, &tree);
  assert_int_equal(pairs(&tree, (const vec *)m.position_m, (const vec *)m.position_m), 0);
  assert_true(tree.node[0].flat);
  bend(&m, 0.15, x);
  assert_int_equal(pairs(&tree, (const vec *)x, (const vec *)x), 0);
  assert_true(tree.node[0].flat);
  bend(&m, 0.45, x);
  const int some = pairs(&tree, (const vec *)x, (const vec *)x);
  assert_false(tree.node[0].flat);
  tree.everything = true;
  const int all = pairs(&tree, (const vec *)x, (const vec *)x);
  tree.everything = false;
  assert_true(some > 0 && some < all / 4);
  for (int v = 0; v < m.n_vertices; v++)
    for (int k = 0; k < 3; k++)
      y[v][k] = k == 0 ? -m.position_m[v][k] : m.position_m[v][k]; /* flat at both ends of the step, a line in its midst */
  assert_true(pairs(&tree, (const vec *)m.position_m, (const vec *)y) > 0);
  assert_false(tree.node[0].flat);
  free(x);
  free(y);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

static int patches(const sim_mesh *m, bool body) {
  sim_bvh tree;
  tree_of(m, body, &tree);
  const int n = tree.n_patches;
  sim_bvh_clear(&tree);
  return n;
}

static void outlines(void **state) {
  (void)state;
  sim_mesh m;
  const sim_disc disc = {.n_circles = 2, .circle = {{0, 0.05}, {1, 0.05}}, .pattern = SIM_PATTERN_IRREGULAR};
  const sim_disc ring = {.n_circles = 2, .circle = {{0.5, 0.05}, {1, 0.05}}, .pattern = SIM_PATTERN_IRREGULAR};
  assert_ok(sim_mesh_disc(&disc, &m, err));
  assert_true(patches(&m, false) > 10);
  assert_int_equal(patches(&m, true), 0);
  /* Without a triangle at the border, inside, or with a seam. */
  for (int kind = 0; kind < 3; kind++) {
    sim_mesh cut;
    double(*corner)[3][2] = malloc((size_t)m.n_triangles * sizeof *corner);
    int(*triangle)[3] = malloc((size_t)m.n_triangles * sizeof *triangle), n = 0;
    assert_true(corner && triangle);
    int skipped = kind == 2, border = 0;
    for (int t = 0; t < m.n_triangles; t++) {
      border = 0;
      for (int k = 0; k < 3; k++) border += m.edge[m.triangle_edge[t][k]].triangle[1] < 0;
      if (!skipped && (kind == 0 ? border > 0 : hypot(m.corner_m[t][0][0], m.corner_m[t][0][1]) < 0.5)) {
        skipped = 1;
        continue;
      }
      memcpy(triangle[n], m.triangle[t], sizeof triangle[n]);
      memcpy(corner[n], m.corner_m[t], sizeof corner[n]);
      for (int k = 0; k < 3; k++) corner[n][k][0] += kind == 2 && t == 5 ? 10 : 0;
      n++;
    }
    assert_ok(sim_mesh_build((const double(*)[3])m.position_m, m.n_vertices, (const int(*)[3])triangle, (const double(*)[3][2])corner, n,
                             &cut, err));
    assert_int_equal(patches(&cut, false), 0);
    sim_mesh_clear(&cut);
    free(corner);
    free(triangle);
  }
  sim_mesh_clear(&m);
  assert_ok(sim_mesh_disc(&ring, &m, err));
  assert_int_equal(patches(&m, false), 0);
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(flatness), cmocka_unit_test(outlines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
