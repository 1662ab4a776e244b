/* Allocation failure (alloctest.h) in the simulator. */
#include "alloctest.h"
#include "sim_bending.h"
#include "sim_cloth.h"
#include "sim_mesh_make.h"
#include "sim_mesh_obj.h"
#include "val_strip.h"

static cb_status make_rectangle(void *context, cb_err *err) {
  sim_mesh m;
  cb_status st = sim_mesh_rectangle(context, &m, err);
  if (st == CB_OK) assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 1);
  sim_mesh_clear(&m);
  return st;
}

static cb_status make_disc(void *context, cb_err *err) {
  sim_mesh m;
  cb_status st = sim_mesh_disc(context, &m, err);
  if (st == CB_OK) assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 1);
  sim_mesh_clear(&m);
  return st;
}

static void makers(void **state) {
  (void)state;
  for (int p = SIM_PATTERN_RIGHT; p < SIM_PATTERN_COUNT; p++) {
    sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = p, .cells_across = 5};
    assert_true(at_sweep(make_rectangle, &r) >= 20);
  }
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++) {
    sim_disc d = {.n_circles = 2, .circle = {{0, 0.2}, {1, 0.2}}, .pattern = p};
    assert_true(at_sweep(make_disc, &d) >= 20);
  }
}

static cb_status read_and_write(void *path, cb_err *err) {
  static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m;
  int *map = NULL;
  cb_status st = sim_mesh_obj_parse(text, strlen(text), "t", &opt, &m, &map, err);
  if (st == CB_OK) st = sim_mesh_obj_write(&m, (const double(*)[3])m.position_m, path, err);
  free(map);
  sim_mesh_clear(&m);
  return st;
}

static void obj(void **state) {
  (void)state;
  char path[400];
  assert_true(at_sweep(read_and_write, cbt_path("m.obj", path)) >= 30);
}

static cb_status make_bending(void *mesh, cb_err *err) {
  static const double D[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}, rest[100][3] = {{1, 0, 0}};
  sim_bending b;
  cb_status st = sim_bending_init(mesh, D, NULL, rest, &b, err);
  if (st == CB_OK) assert_true(b.value_float[0] > 0);
  sim_bending_clear(&b);
  return st;
}

static void bending(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = 5};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(m.n_triangles <= 100);
  assert_true(at_sweep(make_bending, &m) >= 15);
  sim_mesh_clear(&m);
}

/* A cloth that finds its equilibrium; CHOLMOD's own memory is not counted. */
static cb_status hang(void *shape, cb_err *err) {
  val_strip strip;
  sim_cloth *cloth = NULL;
  sim_settle_report report;
  cb_status st = val_strip_init(shape, &strip, err);
  if (st == CB_OK) {
    sim_material m = sim_material_isotropic(0.15, 500, 1e-4);
    sim_setup setup = sim_setup_default(&strip.mesh, &m);
    setup.gripped = strip.clamped;
    st = sim_cloth_new(&setup, &cloth, err);
    if (st == CB_OK) st = sim_cloth_settle(cloth, 1e-6, 50, &report, err);
    if (st == CB_OK) assert_int_equal(report.outcome, SIM_SETTLED);
    sim_cloth_free(cloth);
  }
  val_strip_clear(&strip);
  return st;
}

static void settling(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 0.2, .width_m = 0.05, .pattern = SIM_PATTERN_RIGHT, .cells_across = 2};
  assert_true(at_sweep(hang, &r) >= 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(makers), cmocka_unit_test(bending), cmocka_unit_test(settling),
                                     cmocka_unit_test_setup_teardown(obj, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
