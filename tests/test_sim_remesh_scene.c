/* Scenes of a cloth that is remeshed. */
#include "cbtest.h"
#include "cb_num.h"
#include "sim_system.h"

static const char whole[] =
    "name: table\n"
    "remeshed: {size_mm: 200, table_mm: 100, waves: 5, wave_mm: 2, edge_mm: 25, every_steps: 5, edge_min_mm: 5, edge_max_mm: 30, "
    "change_m_per_s: 0}\n"
    "time: {duration_s: 0.2, step_ms: 10}\n";

static cb_status parse(const char *text, sim_system **out, cb_err *err) { return sim_system_parse(text, strlen(text), "t.yaml", out, err); }

static void refused(const char *section, const char *wanted) {
  sim_system *s;
  char text[400];
  (void)snprintf(text, sizeof text, "name: a\nremeshed: {%s}\ntime: {duration_s: 1}\n", section);
  assert_fails(CB_E_RANGE, wanted, parse(text, &s, err));
  assert_null(s);
}

static void test_refused(void **state) {
  (void)state;
  refused("outline: square, table_mm: 100", "a disc was wanted");
  refused("size_mm: 100, table_mm: 100", "less than size_mm");
  refused("edge_min_mm: 50, edge_max_mm: 10", "largest edge");
  refused("near_mm: 10", "edge at a body");
  refused("aspect: 0.5", "aspect");
}

/* It falls over the table's edge and is refined on the way: by values and by what is drawn. */
static void test_play(void **state) {
  (void)state;
  sim_system *s;
  double first[SIM_MODEL_COLUMNS], last[SIM_MODEL_COLUMNS];
  sim_drawn drawn[SIM_MODEL_SURFACES];
  assert_ok(parse(whole, &s, err));
  assert_int_equal(sim_system_values(s, first), 10);
  while (sim_system_done(s) < sim_system_steps(s)) assert_ok(sim_system_step(s, err));
  assert_int_equal(sim_system_values(s, last), 10);
  assert_true(last[0] > 1.5 * first[0]);                      /* vertices */
  assert_true(last[3] >= 1);                                  /* remeshings */
  assert_true(last[8] < first[8] - 0.02 && last[8] > -0.051); /* lowest: down, no farther than the cloth reaches */
  assert_int_equal(sim_system_model(s)->draw(sim_system_state(s), drawn), 1);
  assert_true(drawn[0].edges && drawn[0].n_vertices == (int)last[0] && drawn[0].n_triangles == (int)last[1]);
  sim_system_free(s);
}

/* A body that moves carries the cloth along: the cloth is told where it is. */
static void test_body_moves(void **state) {
  (void)state;
  sim_system *s;
  double value[SIM_MODEL_COLUMNS];
  assert_ok(
      parse("name: lift\nremeshed: {outline: square, size_mm: 100, height_mm: 0.25}\n"
            "bodies: [{shape: plane, friction: 0.5, motion: [{until_s: 1, velocity_mm_per_s: [0, 0, 50]}]}]\n"
            "time: {duration_s: 0.2, step_ms: 10}\n",
            &s, err));
  while (sim_system_done(s) < sim_system_steps(s)) assert_ok(sim_system_step(s, err));
  (void)sim_system_values(s, value);
  assert_near(value[8], 0.05 * 0.2 + 0.00025, 1e-6);
  sim_system_free(s);
}

/* A square of two triangles from above, with and without lines: dark along the diagonal, elsewhere the same. */
static void test_lines(void **state) {
  (void)state;
  enum { SIZE = 64 };
  static unsigned char plain[3 * SIZE * SIZE], lined[3 * SIZE * SIZE];
  const double x[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
  sim_drawn d = {.n_vertices = 4, .n_triangles = 2, .position_m = x, .triangle = triangle, .face = {0.5F, 0.5F, 0.5F}};
  sim_view v = {.width_px = SIZE, .height_px = SIZE, .azimuth_rad = -90 * CB_DEG, .elevation_rad = 90 * CB_DEG};
  assert_ok(sim_picture_draw(&v, &d, 1, plain, err));
  d.edges = true;
  assert_ok(sim_picture_draw(&v, &d, 1, lined, err));
  const int on = 3 * ((SIZE / 2 - 1) * SIZE + SIZE / 2), off = 3 * (SIZE / 4 * SIZE + SIZE / 2);
  assert_true(lined[on] < 0.8 * plain[on]);
  assert_int_equal(lined[off], plain[off]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_play), cmocka_unit_test(test_body_moves),
                                     cmocka_unit_test(test_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
