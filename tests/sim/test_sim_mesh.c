/* Who joins whom, against what can be counted by hand. */
#include "cbtest.h"

#include "sim_mesh.h"

/* A square of four triangles around vertex 4, corners as the positions' x and y. */
static const double square[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}};
static const int around[4][3] = {{0, 1, 4}, {1, 2, 4}, {4, 2, 3}, {3, 0, 4}};

static void flat_corners(const double (*x)[3], const int (*t)[3], int n, double (*corner)[3][2]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 2; c++) corner[i][k][c] = x[t[i][k]][c];
}

static cb_status build(const double (*x)[3], int nv, const int (*t)[3], int nt, sim_mesh *m, cb_err *err) {
  double corner[8][3][2] = {{{0}}};
  for (int i = 0; i < nt; i++) /* what is out of range is build's to find */
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 2; c++)
        if (t[i][k] >= 0 && t[i][k] < nv) corner[i][k][c] = x[t[i][k]][c];
  return sim_mesh_build(x, nv, t, (const double(*)[3][2])corner, nt, m, err);
}

static void square_of_four(void **state) {
  (void)state;
  /* vertex, triangle and opposite corner, pairwise */
  static const int edges[8][6] = {{0, 1, 0, -1, 2, -1}, {3, 0, 3, -1, 2, -1}, {4, 0, 0, 3, 1, 0},
                                  {1, 2, 1, -1, 2, -1}, {1, 4, 0, 1, 0, 1},   {2, 3, 2, -1, 0, -1},
                                  {2, 4, 1, 2, 0, 2},   {3, 4, 2, 3, 1, 1}};
  sim_mesh m;
  assert_ok(build(square, 5, around, 4, &m, err));
  assert_int_equal(m.n_edges, 8);
  for (int e = 0; e < 8; e++) assert_memory_equal(&m.edge[e], edges[e], sizeof edges[e]);
  for (int t = 0; t < 4; t++) assert_near(m.area_m2[t], 1, 0);
  assert_near(m.vertex_area_m2[4], 4.0 / 3, 1e-15);
  assert_near(m.vertex_area_m2[0], 2.0 / 3, 1e-15);
  const int fan[12] = {0, 10, 1, 3, 4, 7, 8, 9, 2, 5, 6, 11}, start[6] = {0, 2, 4, 6, 8, 12};
  assert_memory_equal(m.fan, fan, sizeof fan);
  assert_memory_equal(m.fan_start, start, sizeof start);
  assert_int_equal(m.triangle_edge[2][1], 7);
  sim_mesh_clear(&m);
  assert_null(m.edge);
}

/* A bow tie, and a closed tetrahedron (whose material co-ordinates do not join): both are meshes. */
static void shapes(void **state) {
  (void)state;
  sim_mesh m;
  const double bow[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const int tie[2][3] = {{0, 1, 2}, {0, 3, 4}};
  assert_ok(build(bow, 5, tie, 2, &m, err));
  assert_int_equal(m.n_edges, 6);
  sim_mesh_clear(&m);
  const int tetrahedron[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  double corner[4][3][2];
  for (int t = 0; t < 4; t++)
    memcpy(corner[t], (const double[3][2]){{0, 0}, {1, 0}, {0, 1}}, sizeof corner[t]);
  assert_ok(sim_mesh_build(square, 4, tetrahedron, (const double(*)[3][2])corner, 4, &m, err));
  assert_int_equal(m.n_edges, 6);
  for (int e = 0; e < 6; e++) assert_true(m.edge[e].triangle[1] >= 0);
  sim_mesh_clear(&m);
}

#define REFUSED(status, text, x, nv, t, nt)                          \
  do {                                                               \
    sim_mesh refused_;                                               \
    assert_fails(status, text, build(x, nv, t, nt, &refused_, err)); \
    assert_null(refused_.triangle);                                  \
  } while (0)

static void bad(void **state) {
  (void)state;
  const int out[1][3] = {{0, 1, 5}}, twice[1][3] = {{0, 1, 1}}, turned[2][3] = {{0, 1, 4}, {1, 4, 2}};
  REFUSED(CB_E_RANGE, "triangle 0: vertex 5: must be 0 to 4", square, 5, out, 1);
  REFUSED(CB_E_RANGE, "its vertices are 0, 1 and 1", square, 5, twice, 1);
  REFUSED(CB_E_RANGE, "triangle 1: it is turned over", square, 5, turned, 2);
  const int line[2][3] = {{0, 1, 4}, {0, 4, 2}};
  REFUSED(CB_E_RANGE, "triangle 1: it has no area", square, 5, line, 2);
  REFUSED(CB_E_RANGE, "vertex 3 belongs to no triangle", square, 5, around, 2);
  const int again[2][3] = {{0, 1, 4}, {4, 0, 1}};
  REFUSED(CB_E_RANGE,
          "triangle 1: it turns against its neighbour over the edge of vertices 0 and 1, or repeats it",
          square, 5, again, 2);
  const double fin[5][3] = {{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const int book[3][3] = {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};
  REFUSED(CB_E_RANGE, "triangle 2: the edge of vertices 0 and 1 already has two triangles", fin, 5, book, 3);
  double nan[5][3];
  memcpy(nan, square, sizeof nan);
  nan[2][1] = NAN;
  REFUSED(CB_E_NUM, "vertex 2: co-ordinate 1 is nan", (const sim_vec3 *)nan, 5, around, 4);
  sim_mesh m;
  double corner[4][3][2];
  flat_corners(square, around, 4, corner);
  corner[3][0][0] = INFINITY;
  assert_fails(CB_E_NUM, "triangle 3",
               sim_mesh_build(square, 5, around, (const double(*)[3][2])corner, 4, &m, err));
  assert_fails(CB_E_RANGE, "2 vertices",
               sim_mesh_build(square, 2, around, (const double(*)[3][2])corner, 4, &m, err));
  assert_fails(CB_E_RANGE, "0 triangles",
               sim_mesh_build(square, 5, around, (const double(*)[3][2])corner, 0, &m, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(square_of_four), cmocka_unit_test(shapes),
                                     cmocka_unit_test(bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
