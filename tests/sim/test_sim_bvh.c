/* Trees of boxes: boxes hold their triangles, walks find what overlaps, and flat cloth is known by its
 * outline and its gradients. */
#include "cbtest.h"

#include "cb_rng.h"
#include "sim_mesh.h"
#include "sim_query.h"

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
  sim_bvh_refit(tree, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-6, NULL);
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
  const sim_rectangle r = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = cells, .seed = 2};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  return m;
}

/* Whether the boxes of two triangles overlap in the step. They are apart if they are apart along one axis, in
 * the same order at the start and at the end. */
static bool boxes_meet(const sim_bvh *tree, int a, int b) {
  const sim_leaf *p = &tree->in_leaf[a / SIM_BVH_LEAF], *q = &tree->in_leaf[b / SIM_BVH_LEAF];
  const int i = a % SIM_BVH_LEAF, j = b % SIM_BVH_LEAF;
  for (int k = 0; k < 3; k++) {
    const double shift = fabs((double)p->shift[k] - (double)q->shift[k]) / 2;
    if ((double)p->lo[k][i] - (double)q->hi[k][j] > shift ||
        (double)q->lo[k][j] - (double)p->hi[k][i] > shift)
      return false;
  }
  return true;
}

/* Whether the boxes of the ways overlap. */
static bool ways_meet(const sim_bvh *tree, int a, int b) {
  sim_lane_box box[2];
  for (int side = 0; side < 2; side++) {
    const int *v = tree->triangle[side ? b : a];
    box[side] = sim_box_lanes(&tree->vertex_box[v[0]]);
    for (int k = 1; k < 3; k++) {
      const sim_lane_box corner = sim_box_lanes(&tree->vertex_box[v[k]]);
      box[side] = sim_lane_box_union(&box[side], &corner);
    }
  }
  return sim_lane_box_overlap(&box[0], &box[1]);
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
    for (int b = 0; b < a; b++) all += boxes_meet(&tree, a, b);
  assert_int_equal(n, all);
  for (int s = 0; s < tree.n_slots; s++)
    for (int k = 0; k < 3 && tree.number[s] >= 0; k++) {
      const int v = m.triangle[tree.number[s]][k];
      assert_int_equal(v, tree.triangle[s][k]);
      for (int c = 0; c < 3; c++) {
        const sim_leaf *leaf = &tree.in_leaf[s / SIM_BVH_LEAF];
        const double half = (double)leaf->shift[c] / 2, start = x[v][c] + half,
                     end = y[v][c] - tree.drift_m[c] - half;
        assert_true((double)leaf->lo[c][s % SIM_BVH_LEAF] <= fmin(start, end) - 1e-6);
        assert_true((double)leaf->hi[c][s % SIM_BVH_LEAF] >= fmax(start, end) + 1e-6);
      }
    }
  free(x);
  free(y);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

/* What falls as a whole has the boxes of what rests, but for rounding by how far it falls. */
static void falling(void **state) {
  (void)state;
  sim_mesh m = square(24);
  sim_bvh tree;
  vec *x = malloc((size_t)m.n_vertices * sizeof *x), *y = malloc((size_t)m.n_vertices * sizeof *y);
  assert_true(x && y);
  tree_of(&m, false, &tree);
  bend(&m, 0.9, x);
  for (int v = 0; v < m.n_vertices; v++)
    for (int k = 0; k < 3; k++) y[v][k] = x[v][k] + 5 * (k + 1);
  const int resting = pairs(&tree, (const vec *)x, (const vec *)x);
  const sim_box box = tree.node[0].box;
  assert_in_range(pairs(&tree, (const vec *)x, (const vec *)y), resting, resting + resting / 10);
  for (int k = 0; k < 3; k++) assert_near(tree.node[0].box.hi[k], box.hi[k], 1e-5);
  free(x);
  free(y);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

/* Bent by less than a right angle, a sheet is flat; folded over, or stretched to nothing in between, it is
 * not; nor is a crooked one. */
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
      y[v][k] = k == 0 ? -m.position_m[v][k] : m.position_m[v][k]; /* flat at both ends of the step, a line in
                                                                      its midst */
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

/* ---- what is left out keeps its distance ---- */

typedef struct visits {
  bool *seen; /* slots x slots */
  int n_slots;
} visits;

static void see(void *context, int a, int b) {
  const visits *v = context;
  v->seen[a * v->n_slots + b] = v->seen[b * v->n_slots + a] = true;
}

static bool has_corner(const int t[3], int v) { return t[0] == v || t[1] == v || t[2] == v; }

static double distance(sim_pair pair, const int v[4], const vec *x, const vec *y, double t) {
  double point[4][3], weight[4];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) point[i][k] = (1 - t) * x[v[i]][k] + t * y[v[i]][k];
  return sim_closest(pair, (const sim_vec3 *)point, weight);
}

/* Of one feature of each triangle, nothing in common, throughout the step. */
static void assert_kept(const sim_mesh *m, sim_pair pair, const int v[4], const vec *x, const vec *y) {
  const double rest = distance(pair, v, (const vec *)m->position_m, (const vec *)m->position_m, 0);
  for (int k = 0; k <= 4; k++) assert_true(distance(pair, v, x, y, k / 4.0) >= SIM_BVH_FLAT * rest);
}

static int assert_triangles_kept(const sim_mesh *m, const int *a, const int *b, const vec *x, const vec *y) {
  int checked = 0;
  for (int i = 0; i < 3; i++) {
    if (!has_corner(b, a[i]))
      assert_kept(m, SIM_VERTEX_TRIANGLE, (const int[4]){a[i], b[0], b[1], b[2]}, x, y), checked++;
    if (!has_corner(a, b[i]))
      assert_kept(m, SIM_VERTEX_TRIANGLE, (const int[4]){b[i], a[0], a[1], a[2]}, x, y), checked++;
    for (int j = 0; j < 3; j++) {
      const int four[4] = {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]};
      if (has_corner(b, four[0]) || has_corner(b, four[1]) || has_corner(a, four[2]) ||
          has_corner(a, four[3]))
        continue;
      assert_kept(m, SIM_EDGE_EDGE, four, x, y);
      checked++;
    }
  }
  return checked;
}

/* A random step of a randomly crumpled sheet; `most`: of an edge's length. */
static void crumple(const sim_mesh *m, uint64_t seed, double most, vec *x, vec *y) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  const double edge = sqrt(1.0 / m->n_vertices), wave = 40 * cb_rng_uniform(&rng);
  for (int v = 0; v < m->n_vertices; v++)
    for (int k = 0; k < 3; k++) {
      const double *p = m->position_m[v];
      x[v][k] = p[k] + most * edge * (2 * cb_rng_uniform(&rng) - 1) +
                (k == 2 ? most * sin(wave * p[0] + 9 * p[1]) / 9 : 0);
      y[v][k] = x[v][k] + 0.5 * most * edge * (2 * cb_rng_uniform(&rng) - 1);
    }
}

/* Triangles whose moving boxes do not meet are further apart than the boxes' margins, throughout the step.
 * Returns 1. */
static int assert_apart(const int *a, const int *b, const vec *x, const vec *y) {
  for (int t = 0; t <= 4; t++)
    for (int i = 0; i < 3; i++) {
      const int of_a[4] = {a[i], b[0], b[1], b[2]}, of_b[4] = {b[i], a[0], a[1], a[2]};
      assert_true(distance(SIM_VERTEX_TRIANGLE, of_a, x, y, t / 4.0) > 2e-6);
      assert_true(distance(SIM_VERTEX_TRIANGLE, of_b, x, y, t / 4.0) > 2e-6);
      for (int j = 0; j < 3; j++) {
        const int sides[4] = {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]};
        assert_true(distance(SIM_EDGE_EDGE, sides, x, y, t / 4.0) > 2e-6);
      }
    }
  return 1;
}

static void expect_distance_kept(const sim_mesh *mesh) {
  sim_mesh m = *mesh;
  sim_bvh tree;
  tree_of(&m, false, &tree);
  vec *x = malloc((size_t)m.n_vertices * sizeof *x), *y = malloc((size_t)m.n_vertices * sizeof *y);
  visits v = {calloc((size_t)tree.n_slots * (size_t)tree.n_slots, sizeof(bool)), tree.n_slots};
  assert_true(x && y && v.seen);
  int left_out = 0, sharing = 0, moved_along = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    memset(v.seen, 0, (size_t)v.n_slots * (size_t)v.n_slots * sizeof(bool));
    crumple(&m, seed, 0.02 * (double)(seed % 20), x, y);
    sim_bvh_refit(&tree, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-6, NULL);
    for (int t = 0; t < tree.n_tasks; t++) sim_bvh_walk(&tree, t, see, &v);
    for (int a = 0; a < tree.n_slots; a++)
      for (int b = 0; b < a; b++) {
        if (v.seen[a * v.n_slots + b] || tree.number[a] < 0 || tree.number[b] < 0) continue;
        const int *c = tree.triangle[a];
        if (!boxes_meet(&tree, a, b)) {
          if (ways_meet(&tree, a, b))
            moved_along += assert_apart(c, tree.triangle[b], (const vec *)x, (const vec *)y);
          continue;
        }
        left_out += assert_triangles_kept(&m, c, tree.triangle[b], (const vec *)x, (const vec *)y) > 0;
        sharing += has_corner(tree.triangle[b], c[0]) || has_corner(tree.triangle[b], c[1]) ||
                   has_corner(tree.triangle[b], c[2]);
      }
  }
  assert_true(left_out > 1000 && sharing > 1000 && moved_along > 100);
  free(v.seen);
  free(x);
  free(y);
  sim_bvh_clear(&tree);
}

static void left_out_keep_their_distance(void **state) {
  (void)state;
  sim_mesh m = square(8);
  expect_distance_kept(&m);
  sim_mesh_clear(&m);
}

/* Two cloths cut from the same place of the material are two cloths all the same: flat pieces of one say
 * nothing about the other. */
static void two_of_the_same_material(void **state) {
  (void)state;
  sim_mesh m = square(24);
  const sim_mesh *const both[] = {&m, &m};
  sim_bvh tree;
  const int n = m.n_vertices;
  vec *x = malloc(2 * (size_t)n * sizeof *x);
  assert_non_null(x);
  assert_ok(sim_bvh_init(both, NULL, 2, &tree, err));
  for (int v = 0; v < 2 * n; v++)
    for (int k = 0; k < 3; k++) x[v][k] = m.position_m[v % n][k] + (k == 2 && v >= n ? 1e-6 : 0);
  const int found = pairs(&tree, (const vec *)x, (const vec *)x);
  assert_true(tree.node[tree.root[0]].flat && tree.node[tree.root[1]].flat);
  assert_true(found >= m.n_triangles);
  free(x);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

/* Sewn to a shape: a thick case, and one as sharp as a leaf, whose rim is folded by more than a right
 * angle. */
static void left_out_of_a_case(void **state) {
  (void)state;
  for (int thin = 0; thin < 2; thin++) {
    sim_mesh m;
    const sim_case shape = {{0.5, 0.4, thin ? 0.01 : 0.3}, {2.5, 2}, {8, 7}};
    assert_ok(sim_mesh_case(&shape, &m, err));
    assert_int_equal(patches(&m, false), 0);
    expect_distance_kept(&m);
    sim_mesh_clear(&m);
  }
}

/* Folded along a side by more than a right angle as it was made, it is searched there. */
static void sharp_folds_are_searched(void **state) {
  (void)state;
  const double x[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0.5, 0}, {1, 0.5, 0.1}};
  const int triangle[2][3] = {{1, 0, 2}, {0, 1, 3}};
  const double corner[2][3][2] = {{{0, 1}, {0, 0}, {1, 0.5}}, {{5, 0}, {5, 1}, {4, 0.5}}}; /* cut apart */
  sim_mesh m;
  sim_bvh tree;
  assert_ok(sim_mesh_build(x, 4, triangle, corner, 2, &m, err));
  tree_of(&m, false, &tree);
  assert_int_equal(pairs(&tree, x, x), 1);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&m);
}

/* A refit of what moved leaves what a refit of everything would. */
static void expect_same_refit(const sim_mesh *m) {
  sim_bvh some, all;
  tree_of(m, false, &some);
  tree_of(m, false, &all);
  const size_t n = (size_t)m->n_vertices;
  vec *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  bool *moved = calloc(n, sizeof *moved);
  assert_true(x && y && moved);
  crumple(m, 3, 0.1, x, y);
  sim_bvh_refit(&some, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-4, NULL);
  for (size_t v = n / 2; v < n / 2 + 5; v++) {
    moved[v] = true;
    for (int k = 0; k < 3; k++) y[v][k] += 0.05 * (k + 1);
  }
  sim_bvh_refit(&some, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-4, moved);
  sim_bvh_refit(&all, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-4, NULL);
  assert_memory_equal(some.vertex_box, all.vertex_box, n * sizeof *all.vertex_box);
  assert_memory_equal(some.in_leaf, all.in_leaf, (size_t)all.n_leaves * sizeof *all.in_leaf);
  assert_memory_equal(some.gradient, all.gradient,
                      (size_t)(all.n_rows * all.n_leaves) * sizeof *all.gradient);
  int stirred = 0;
  for (int i = 0; i < all.n_nodes; i++) {
    assert_memory_equal(&some.node[i].box, &all.node[i].box, sizeof all.node[i].box);
    assert_int_equal(some.node[i].flat, all.node[i].flat);
    stirred += some.node[i].stirred;
  }
  assert_true(stirred > 5 && stirred < all.n_nodes / 2);
  sim_bvh_refit(&some, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-3, moved); /* another reach: of all */
  sim_bvh_refit(&all, (const sim_vec3 *)x, (const sim_vec3 *)y, 1e-3, NULL);
  assert_memory_equal(some.in_leaf, all.in_leaf, (size_t)all.n_leaves * sizeof *all.in_leaf);
  assert_memory_equal(some.gradient, all.gradient,
                      (size_t)(all.n_rows * all.n_leaves) * sizeof *all.gradient);
  free(x);
  free(y);
  free(moved);
  sim_bvh_clear(&some);
  sim_bvh_clear(&all);
}

static void refits_of_what_moved(void **state) {
  (void)state;
  sim_mesh m = square(24);
  expect_same_refit(&m);
  sim_mesh_clear(&m);
  const sim_case shape = {{0.5, 0.4, 0.3}, {2.5, 2}, {16, 14}};
  assert_ok(sim_mesh_case(&shape, &m, err));
  expect_same_refit(&m);
  sim_mesh_clear(&m);
}

static void outlines(void **state) {
  (void)state;
  sim_mesh m;
  const sim_disc disc = {.n_circles = 2, .circle = {{0, 0.05}, {1, 0.05}}, .pattern = SIM_PATTERN_IRREGULAR};
  const sim_disc ring = {
      .n_circles = 2, .circle = {{0.5, 0.05}, {1, 0.05}}, .pattern = SIM_PATTERN_IRREGULAR};
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
    assert_ok(sim_mesh_build((const sim_vec3 *)m.position_m, m.n_vertices, (const int(*)[3])triangle,
                             (const double(*)[3][2])corner, n, &cut, err));
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes),
                                     cmocka_unit_test(falling),
                                     cmocka_unit_test(flatness),
                                     cmocka_unit_test(left_out_keep_their_distance),
                                     cmocka_unit_test(left_out_of_a_case),
                                     cmocka_unit_test(two_of_the_same_material),
                                     cmocka_unit_test(sharp_folds_are_searched),
                                     cmocka_unit_test(refits_of_what_moved),
                                     cmocka_unit_test(outlines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
