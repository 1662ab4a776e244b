/* Cloths joined: each is there as it was, in one run, and nothing joins them; moved meshes against rotations
 * by hand. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_mesh.h"
#include "meshquality.h"

static void same_part(const sim_mesh *all, const sim_mesh *part, int vertices, int triangles, int edges) {
  assert_memory_equal(all->position_m[vertices], part->position_m,
                      (size_t)part->n_vertices * sizeof *part->position_m);
  assert_memory_equal(all->corner_m[triangles], part->corner_m,
                      (size_t)part->n_triangles * sizeof *part->corner_m);
  assert_memory_equal(&all->area_m2[triangles], part->area_m2,
                      (size_t)part->n_triangles * sizeof *part->area_m2);
  for (int t = 0; t < part->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      assert_int_equal(all->triangle[triangles + t][k], vertices + part->triangle[t][k]);
      assert_int_equal(all->triangle_edge[triangles + t][k], edges + part->triangle_edge[t][k]);
    }
  for (int e = 0; e < part->n_edges; e++)
    for (int k = 0; k < 2; k++) {
      const sim_edge *a = &all->edge[edges + e], *b = &part->edge[e];
      assert_int_equal(a->vertex[k], vertices + b->vertex[k]);
      assert_int_equal(a->triangle[k], b->triangle[k] < 0 ? -1 : triangles + b->triangle[k]);
      assert_int_equal(a->opposite[k], b->opposite[k]);
    }
}

static void joined(void **state) {
  (void)state;
  const sim_rectangle sheet = {
      .length_m = 0.3, .width_m = 0.2, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = 6, .warp_rad = 0.4};
  const sim_case pillow = {{0.35, 0.25, 0.08}, {4, 2}, {8, 6}};
  sim_mesh part[3], all;
  assert_ok(sim_mesh_rectangle(&sheet, &part[0], err));
  assert_ok(sim_mesh_case(&pillow, &part[1], err));
  assert_ok(sim_mesh_rectangle(&sheet, &part[2], err));
  sim_mesh_place(&part[2], (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
  assert_ok(sim_mesh_join(part, 3, &all, err));
  assert_int_equal(sim_mesh_quality_of(&all).euler, 1 + 2 + 1);
  for (int i = 0, v = 0, t = 0, e = 0; i < 3; i++) {
    same_part(&all, &part[i], v, t, e);
    v += part[i].n_vertices;
    t += part[i].n_triangles;
    e += part[i].n_edges;
    if (i == 2) assert_true(v == all.n_vertices && t == all.n_triangles && e == all.n_edges);
  }
  sim_mesh_clear(&all);
  assert_fails(CB_E_RANGE, "0 cloths", sim_mesh_join(part, 0, &all, err));
  sim_mesh_clear(&all);
  for (int i = 0; i < 3; i++) sim_mesh_clear(&part[i]);
}

static void placed(void **state) {
  (void)state;
  const sim_rectangle sheet = {.length_m = 0.3, .width_m = 0.2, .cells_across = 2};
  sim_mesh m, moved;
  assert_ok(sim_mesh_rectangle(&sheet, &m, err));
  assert_ok(sim_mesh_rectangle(&sheet, &moved, err));
  /* A quarter about x takes y to z. */
  sim_mesh_place(&moved, (double[3]){CB_PI / 2, 0, 0}, (double[3]){1, 2, 3});
  for (int v = 0; v < m.n_vertices; v++) {
    assert_near(moved.position_m[v][0], m.position_m[v][0] + 1, 1e-15);
    assert_near(moved.position_m[v][1], 2, 1e-15);
    assert_near(moved.position_m[v][2], m.position_m[v][1] + 3, 1e-15);
  }
  assert_memory_equal(moved.corner_m, m.corner_m, (size_t)m.n_triangles * sizeof *m.corner_m);
  sim_mesh_clear(&m);
  sim_mesh_clear(&moved);
}

/* Every vertex is the nearest to itself, and to a point a little off; of two as near, the first. */
static void nearest(void **state) {
  (void)state;
  const double x[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, corner[][3][2] = {{{0, 0}, {1, 0}, {0, 1}}};
  const int triangle[][3] = {{0, 1, 2}};
  sim_mesh m;
  assert_ok(sim_mesh_build(x, 3, triangle, corner, 1, &m, err));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sim_mesh_nearest(&m, x[i]), i);
    assert_int_equal(sim_mesh_nearest(&m, (double[3]){x[i][0] + 0.3, x[i][1] - 0.1, 5}), i);
  }
  assert_int_equal(sim_mesh_nearest(&m, (double[3]){0.5, 0, 0}), 0);
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joined), cmocka_unit_test(placed),
                                     cmocka_unit_test(nearest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
