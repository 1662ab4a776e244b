/* Meshes from OBJ texts, whose material co-ordinates can be told by hand; what is refused, by its line; there
 * and back again. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_mesh_place.h"
#include "meshquality.h"

static cb_status parse(const char *text, const sim_obj_options *opt, sim_mesh *m, int **map, cb_err *err) {
  sim_obj_options plain = sim_obj_options_default();
  return sim_mesh_obj_parse(text, strlen(text), "m.obj", opt ? opt : &plain, m, map, err);
}

static double corner_area(const sim_mesh *m) { return sim_mesh_quality_of(m).area_m2; }

/* A square of one quad, standing in space, with texture co-ordinates of another size. */
static void textured(void **state) {
  (void)state;
  sim_obj_options opt = sim_obj_options_default();
  opt.m_per_unit = 0.001;
  opt.texture_m_per_unit = 0.5;
  sim_mesh m;
  int *map;
  assert_ok(
      parse("v 0 0 0\nv 0 7 0\nv 0 7 7\nv 0 0 7\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf -4/1 -3/2 -2/3 -1/4\n",
            &opt, &m, &map, err));
  assert_true(m.n_vertices == 4 && m.n_triangles == 2 && m.n_edges == 5);
  assert_near(corner_area(&m), 0.25, 1e-16);
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 3; k++) {
      int v = map[m.triangle[t][k]];
      assert_near(m.corner_m[t][k][0], v == 1 || v == 2 ? 0.5 : 0, 0);
      assert_near(m.corner_m[t][k][1], v >= 2 ? 0.5 : 0, 0);
      assert_near(m.position_m[m.triangle[t][k]][1], v == 1 || v == 2 ? 0.007 : 0, 1e-18);
    }
  free(map);
  sim_mesh_clear(&m);
}

/* Without texture co-ordinates a flat mesh is its own pattern. */
static void flat(void **state) {
  (void)state;
  sim_obj_options opt = sim_obj_options_default();
  opt.m_per_unit = 0.01;
  sim_mesh m;
  assert_ok(parse("v 1 1 5\nv 3 1 5\nv 3 2 5\ng a\nusemtl b\nf 1 2 3\n", &opt, &m, NULL, err));
  assert_near(corner_area(&m), 1e-4, 1e-19);
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 2; c++) assert_near(m.corner_m[0][k][c], m.position_m[m.triangle[0][k]][c], 0);
  sim_mesh_clear(&m);
}

/* A roof whose ridge runs along y: with the warp along x each side keeps its lengths, and its warp runs up or
 * down the slope. */
static void laid_flat(void **state) {
  (void)state;
  static const char roof[] = "v 0 0 0\nv 3 0 4\nv 6 0 0\nv 0 2 0\nv 3 2 4\nv 6 2 0\nf 1 2 5 4\nf 2 3 6 5\n";
  sim_mesh m;
  assert_ok(parse(roof, NULL, &m, NULL, err));
  assert_near(corner_area(&m), 2 * 5 * 2, 1e-14);
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < 3; k++) {
      const double *a = m.position_m[m.triangle[t][k]], *b = m.position_m[m.triangle[t][(k + 1) % 3]];
      const double *ca = m.corner_m[t][k], *cb = m.corner_m[t][(k + 1) % 3];
      assert_near(cb[0] - ca[0], (b[0] - a[0]) * 5 / 3, 1e-14); /* along the slope */
      assert_near(cb[1] - ca[1], b[1] - a[1], 1e-14);
    }
  sim_mesh_clear(&m);
  sim_obj_options opt = sim_obj_options_default();
  memcpy(opt.warp, (const double[3]){-4, 0, 3}, sizeof opt.warp); /* the first side's normal */
  assert_fails(CB_E_RANGE, "m.obj:7: the warp's direction (-4, 0, 3) stands on this face",
               parse(roof, &opt, &m, NULL, err));
}

static void bad_lines_are_named(void **state) {
  (void)state;
#define POINTS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
  static const struct {
    const char *text, *says;
  } cases[] = {
      {POINTS "f 1 2 3\nf 1 2 2\nf 1 3 4\n", "m.obj:6: its vertices are 1, 2 and 2"},
      {POINTS "v 2 0 0\nf 1 2 3 4\nf 1 2 5\n", "m.obj:7: it has no area"},
      {POINTS "v 2 0 0\nv 0 0 1\nf 1 2 3 4\nf 1 2 5\n", "m.obj:8: it has no area"},
      {POINTS "f 1 2 3 4\nf 2 3 1\n",
       "m.obj:6: it turns against its neighbour over the edge of vertices 1 and 2, or repeats it"},
      {POINTS "f 1 2 3 4\nf 1 3 2\n", "m.obj:6: it is turned over"},
      {POINTS "f 1 2 3\n", "m.obj: vertex 4 belongs to no triangle"},
      {POINTS "vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n",
       "m.obj:9: a corner without texture co-ordinate"},
      {POINTS "v 0 0 1\nf 1 2 3 4\nf 1 3 5\n",
       "m.obj:7: the edge of vertices 1 and 3 already has two triangles"},
      {POINTS "v 1 1 0\nv 2 1 0\nv 2 2 0\nf 1 2 3 4\nf 5 6 7\n",
       "m.obj: vertices 3 and 5 lie in one place, (1, 1, 0)"},
      {POINTS "f 1 2 9\n", "m.obj:5: vertex 9: there are 4"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sim_mesh m;
    int *map;
    assert_fails(i == 6 ? CB_E_PARSE : CB_E_RANGE, cases[i].says, parse(cases[i].text, NULL, &m, &map, err));
    assert_null(map);
    assert_null(m.triangle);
  }
}

static void bad_options(void **state) {
  (void)state;
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m;
  opt.m_per_unit = 0;
  assert_fails(CB_E_RANGE, "m_per_unit = 0", parse(POINTS "f 1 2 3 4\n", &opt, &m, NULL, err));
  opt = sim_obj_options_default();
  opt.warp[0] = 0;
  assert_fails(CB_E_RANGE, "warp = (0, 0, 0)", parse(POINTS "f 1 2 3 4\n", &opt, &m, NULL, err));
  opt = sim_obj_options_default();
  opt.m_per_unit = 1e308;
  assert_fails(CB_E_NUM, "m.obj: vertex 2: co-ordinate 0 is inf",
               parse("v 0 0 0\nv 100 0 0\nv 0 1 0\nf 1 2 3\n", &opt, &m, NULL, err));
}

/* Position to nine digits, material co-ordinates exactly, whatever the numbering. */
static void there_and_back(void **state) {
  (void)state;
  sim_disc disc = {
      .n_circles = 2, .circle = {{0, 0.01}, {0.1, 0.01}}, .pattern = SIM_PATTERN_IRREGULAR, .warp_rad = 0.3};
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m, back;
  char path[400];
  int *map;
  assert_ok(sim_mesh_disc(&disc, &m, err));
  assert_ok(sim_mesh_obj_write(&m, (const sim_vec3 *)m.position_m, cbt_path("disc.obj", path), err));
  assert_ok(sim_mesh_obj_read(path, &opt, &back, &map, err));
  assert_true(back.n_vertices == m.n_vertices && back.n_triangles == m.n_triangles &&
              back.n_edges == m.n_edges);
  for (int v = 0; v < back.n_vertices; v++)
    for (int c = 0; c < 3; c++)
      assert_near(back.position_m[v][c], m.position_m[map[v]][c], 5e-9 * fabs(m.position_m[map[v]][c]));
  for (int t = 0; t < back.n_triangles; t++) {
    int same = 0, corner = map[back.triangle[t][0]]; /* the triangle of m that has the same vertices from the
                                                        same first corner */
    for (int i = m.fan_start[corner]; i < m.fan_start[corner + 1]; i++) {
      int u = m.fan[i] / 3;
      if (m.fan[i] % 3 != 0 || m.triangle[u][1] != map[back.triangle[t][1]] ||
          m.triangle[u][2] != map[back.triangle[t][2]])
        continue;
      assert_memory_equal(back.corner_m[t], m.corner_m[u], sizeof m.corner_m[u]);
      same++;
    }
    assert_int_equal(same, 1);
  }
  free(map);
  sim_mesh_clear(&back);
  sim_mesh_clear(&m);
}

/* Two squares sewn along an edge where their cloth was cut apart keep their own material co-ordinates
 * there. */
static void seam(void **state) {
  (void)state;
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\n"
      "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 5 0\nvt 6 0\nvt 6 1\nvt 5 1\nf 1/1 2/2 3/3 4/4\nf 2/5 5/6 6/7 "
      "3/8\n";
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m, back;
  char path[400];
  assert_ok(parse(text, NULL, &m, NULL, err));
  assert_ok(sim_mesh_obj_write(&m, (const sim_vec3 *)m.position_m, cbt_path("seam.obj", path), err));
  assert_ok(sim_mesh_obj_read(path, &opt, &back, NULL, err));
  double sum = 0, sum_back = 0;
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < 3; k++) {
      sum += m.corner_m[t][k][0];
      sum_back += back.corner_m[t][k][0];
    }
  assert_near(sum, 0 + 1 + 1 + 0 + 1 + 0 + 5 + 6 + 6 + 5 + 6 + 5, 0); /* 0 1 2, 0 2 3 of either quad */
  assert_near(sum_back, sum, 0);
  assert_int_equal(back.n_edges, 9);
  sim_mesh_clear(&m);
  sim_mesh_clear(&back);
}

/* Two squares of which the right one is cut into two in the middle of the common side: the left one's face
 * lacks that corner. With it, both are one cloth. A slit beside an edge is no junction, nor is a sheet that
 * touches the edge with a corner from across. */
static void junction(void **state) {
  (void)state;
#define SQUARES \
  "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 1 0.5 0\nv 2 0.5 0\nf 2 5 8 7\nf 7 8 6 3\n"
  sim_mesh m;
  assert_fails(CB_E_RANGE, "m.obj: vertex 7 at (1000, 500, 0) mm lies on the edge between vertices 2 and 3",
               parse(SQUARES "f 1 2 3 4\n", NULL, &m, NULL, err));
  assert_ok(parse(SQUARES "f 1 2 7 3 4\n", NULL, &m, NULL, err));
  assert_int_equal(m.n_triangles, 7);
  sim_mesh_clear(&m);
  assert_ok(
      parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1.01 0 0\nv 2 0 0\nv 2 1 0\nv 1.01 1 0\nv 1.01 0.5 0\n"
            "f 1 2 3 4\nf 5 6 7 8 9\n",
            NULL, &m, NULL, err));
  sim_mesh_clear(&m);
  assert_ok(parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0.5 0\nv 2 0.5 1\nv 1 0.5 1\nf 1 2 3 4\nf 5 6 7\n",
                  NULL, &m, NULL, err));
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textured),
      cmocka_unit_test(flat),
      cmocka_unit_test(laid_flat),
      cmocka_unit_test(junction),
      cmocka_unit_test(bad_lines_are_named),
      cmocka_unit_test(bad_options),
      cmocka_unit_test_setup_teardown(there_and_back, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(seam, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
