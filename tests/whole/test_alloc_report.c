/* Allocation failure (alloctest.h) in what figures and pages read and write. */
#include "alloctest.h"

#include <jansson.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "lab_assumed.h"
#include "lab_drape_prediction.h"
#include "lab_test_points.h"
#include "report_figures.h"
#include "report_html.h"
#include "show_run.h"
#include "storeshape.h"

#define MAPPING                                                                                            \
  "kind: permeability\nsource: us\ncolumns:\n  material: {column: c}\n  pressure: {column: p, unit: Pa}\n" \
  "  velocity: {column: v, unit: mm/s}\n"

static cb_store *lab;

static void run(const char *args) {
  cbt_result r;
  cbt_run(&r, cbt_folder, args);
  if (r.code != 0) fail_msg("%s: %s", args, r.err);
}

static int set_up(void **state) {
  char path[400];
  (void)cbt_folder_set_up(state);
  cbt_write(cbt_path("map.yaml", path), MAPPING);
  cbt_write(cbt_path("air.csv", path), "c,p,v\nVoile,50,120\nVoile,100,220\nVoile,100,230\n");
  cbt_write(cbt_path("pulls.yaml", path),
            "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"
            "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu, unit: \"1\"}\n");
  cbt_write(cbt_path("pulls.csv", path),
            "c,b,N,mu\nVoile,Foam,1,0.3\nVoile,Foam,2,0.28\nVoile,Foam,4,0.27\n");
  run("import permeability --mapping map.yaml air.csv --db lab.db");
  run("fit permeability --db lab.db");
  run("import friction --mapping pulls.yaml pulls.csv --db lab.db");
  run("fit friction --cloth Voile --body Foam --db lab.db");
  run("material set Bare --areal-mass-g-m2 150 --source us --db lab.db");
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &lab, err));
  return 0;
}

static int tear_down(void **state) {
  cb_status st = cb_store_close(lab, NULL);
  (void)cbt_folder_tear_down(state);
  return st;
}

/* A series that lost a point says so by p.failed, which drawing reports. */
static cb_status build(void *context, cb_err *err) {
  const char *figure = context;
  report_plot p;
  const bool of_pair = strcmp(figure, "mu") == 0;
  cb_status st = report_figure_build(lab, NULL, figure, "Voile", of_pair ? "Foam" : NULL, &p, err);
  if (st == CB_OK && p.failed) st = cb_no_memory(err, "a point of a figure");
  if (st == CB_OK) assert_true(p.n == 3 && p.series[0].n >= 3 && p.series[1].n >= 3);
  report_plot_clear(&p);
  return st;
}

static void figures(void **state) {
  (void)state;
  char air[] = "permeability", mu[] = "mu";
  assert_true(at_sweep(build, air) > 4);
  assert_true(at_sweep(build, mu) > 8);
}

static cb_status list_points(void *context, cb_err *err) {
  lab_test_point *list;
  size_t n;
  (void)context;
  cb_status st = lab_test_points(lab, "Voile", CB_TEST_PERMEABILITY, &list, &n, err);
  if (st == CB_OK) assert_int_equal(n, 3);
  free(list);
  return st;
}

static cb_status list_assumed(void *context, cb_err *err) {
  lab_assumed *list;
  size_t n;
  cb_status st = lab_assumed_list(lab, "Voile", &list, &n, err);
  size_t *wanted = context;
  if (st == CB_OK && *wanted == 0) *wanted = n;
  if (st == CB_OK) assert_int_equal(n, *wanted);
  free(list);
  return st;
}

static void lists(void **state) {
  (void)state;
  size_t wanted = 0;
  cb_err e = {""};
  assert_int_equal(list_assumed(&wanted, &e), CB_OK);
  assert_true(wanted >= 2);
  assert_true(at_sweep(list_points, NULL) > 2);
  assert_true(at_sweep(list_assumed, &wanted) > 4);
}

static cb_status write_index(void *context, cb_err *err) {
  char path[512];
  (void)context;
  CB_TRY(report_index_write(lab, context, path, err));
  return CB_OK;
}

static void count_page(void *context, const char *path) {
  (void)path;
  ++*(size_t *)context;
}

/* A cloth without tests has a page without figures. */
static cb_status write_cloth(void *context, cb_err *err) {
  size_t n = 0;
  const report_cloths what = {.cloth = "Bare", .on_page = count_page, .context = &n};
  cb_status st = report_cloth_write(lab, &what, context, err);
  if (st == CB_OK) assert_int_equal(n, 1);
  return st;
}

static void pages(void **state) {
  (void)state;
  char folder[400];
  (void)cbt_path("pages", folder);
  assert_true(at_sweep(write_index, folder) > 10);
  assert_true(at_sweep(write_cloth, folder) > 10);
}

/* ---- a draped shape ---- */

static cb_status show_page(void *context, cb_err *err) {
  cb_bytes out = {0};
  const cb_status st = show_drape_page(context, true, &out, err);
  if (st == CB_OK) assert_true(out.n > 1000 && !out.failed);
  cb_bytes_clear(&out);
  return st;
}

static cb_status draw_picture(void *context, cb_err *err) {
  cb_bytes out = {0};
  const cb_status st = show_drape_picture(context, 32, 24, &out, err);
  if (st == CB_OK) assert_memory_equal(out.data, "\x89PNG", 4);
  cb_bytes_clear(&out);
  return st;
}

static void drapes(void **state) {
  (void)state;
  cb_drape_shape p = store_shape_bowl(1, 5);
  show_drape d = {.name = "Bare",
                  .position_m = (const double(*)[3])p.position_m,
                  .triangle = (const int(*)[3])p.triangle,
                  .n_vertices = p.n_vertices,
                  .n_triangles = p.n_triangles,
                  .support_m = p.support_m};
  json_malloc_t take;
  json_free_t give;
  json_get_alloc_funcs(&take, &give);
  json_set_alloc_funcs(malloc, free); /* a text of jansson's is freed by us: both count */
  assert_true(at_sweep(show_page, &d) > 100);
  json_set_alloc_funcs(take, give);
  assert_true(at_sweep(draw_picture, &d) > 10);
  cb_drape_shape_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(figures), cmocka_unit_test(lists),
                                     cmocka_unit_test(drapes), cmocka_unit_test(pages)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
