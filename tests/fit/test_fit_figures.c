/* Curves of shear and compression whose figures are known in closed form. */
#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_figures.h"

#define GF_CM2 (10 * CB_STANDARD_GRAVITY_M_PER_S2)
#define MOST 4000

typedef struct curve {
  cb_test_point p[MOST];
  size_t n;
} curve;

static void push(curve *c, double x, double y) {
  assert_true(c->n < MOST);
  c->p[c->n++] = (cb_test_point){x, y};
}

static fit_figures reduced(const cb_material_test *t, const curve *c) {
  fit_figures f;
  assert_ok(fit_figures_reduce(t, c->p, c->n, &f, err));
  return f;
}

static const cb_material_test shear = {.kind = CB_TEST_SHEAR, .layers = 1},
                              compression = {.kind = CB_TEST_COMPRESSION, .layers = 1};

/* ---- shear ---- */

#define G 45.0
#define H0 0.8 /* half of the loop's width at no angle, and its growth */
#define H1 12.0

/* 0 -> 8 -> -8 -> 0 degrees: G phi, and friction against the motion. */
static void shear_loop(curve *c, double step_deg, double noise, cb_rng *rng) {
  static const double turns_deg[] = {0, 8, -8, 0};
  c->n = 0;
  for (int leg = 0; leg < 3; leg++) {
    const double way = turns_deg[leg + 1] - turns_deg[leg], sign = way > 0 ? 1 : -1;
    const int n = (int)lround(fabs(way) / step_deg);
    for (int i = 0; i <= n; i++) {
      const double phi = (turns_deg[leg] + way * i / n) * CB_DEG;
      push(c, phi, G * phi + sign * (H0 + H1 * fabs(phi)) + (noise > 0 ? noise * cb_rng_normal(rng) : 0));
    }
  }
}

static void a_loop_has_its_figures(void **state) {
  (void)state;
  static curve c;
  shear_loop(&c, 0.1, 0, NULL);
  fit_figures f = reduced(&shear, &c);
  assert_int_equal(f.defect, FIT_FIGURES_USED);
  assert_near(f.of[FIT_SHEAR_G].value, G + H1, 1e-9);
  assert_near(f.of[FIT_SHEAR_2HG].value, 2 * (H0 + H1 * 0.5 * CB_DEG), 1e-9);
  assert_near(f.of[FIT_SHEAR_2HG5].value, 2 * (H0 + H1 * 5 * CB_DEG), 1e-9);
  assert_near(f.of[FIT_SHEAR_G].u, 0, 1e-9);
  /* two layers side by side; what the mapping says of the instrument */
  cb_material_test two = shear;
  two.layers = 2, two.u_x_rel = 0.03, two.u_y_rel = 0.04, two.y_digit = 0.06;
  f = reduced(&two, &c);
  assert_near(f.of[FIT_SHEAR_G].value, (G + H1) / 2, 1e-9);
  assert_near(f.of[FIT_SHEAR_G].u_rel_common, 0.05, 1e-15);
  assert_near(f.of[FIT_SHEAR_2HG].u, 0.06 / sqrt(6) / 2, 1e-9);
}

/* Only one side was tested, and not far enough for 2HG5. */
static void half_a_loop(void **state) {
  (void)state;
  static curve c;
  c.n = 0;
  for (int i = 0; i <= 80; i++) {
    const double phi = (i <= 40 ? 0.1 * i : 0.1 * (80 - i)) * CB_DEG;
    push(&c, phi, G * phi + (i <= 40 ? H0 : -H0));
  }
  const fit_figures f = reduced(&shear, &c);
  assert_near(f.of[FIT_SHEAR_G].value, G, 1e-9);
  assert_near(f.of[FIT_SHEAR_2HG].value, 2 * H0, 1e-9);
  assert_true(isnan(f.of[FIT_SHEAR_2HG5].value));
}

/* Noise: the mean of many tests lies within what one test says of itself, by the root of their number. */
static void noise_is_told(void **state) {
  (void)state;
  enum { TESTS = 200 };
  static curve c;
  static fit_figure list[FIT_SHEAR_FIGURES][TESTS];
  const double wanted[FIT_SHEAR_FIGURES] = {G + H1, 2 * (H0 + H1 * 0.5 * CB_DEG), 2 * (H0 + H1 * 5 * CB_DEG)};
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  for (int i = 0; i < TESTS; i++) {
    shear_loop(&c, 0.05, 0.05, &rng);
    const fit_figures f = reduced(&shear, &c);
    for (int k = 0; k < FIT_SHEAR_FIGURES; k++) list[k][i] = f.of[k];
  }
  for (int k = 0; k < FIT_SHEAR_FIGURES; k++) {
    const fit_figure_mean m = fit_figures_mean(list[k], TESTS);
    assert_true(fabs(m.value - wanted[k]) < 4 * m.u);
    assert_true(m.sd > 0.7 * list[k][0].u && m.sd < 1.4 * list[k][0].u);
  }
}

/* ---- compression ---- */

#define T50 0.4e-3
#define UP 0.05e-3
#define DOWN 0.02e-3

/* T = T50 - UP ln(P / 50 gf/cm2) on the way up, with DOWN on the way down: the work is UP (Pm - P0). */
static void compression_cycle(curve *c, int n, double from_gf, double to_gf) {
  const double end = GF_CM2 * to_gf, ratio = log(to_gf / from_gf), t_end = T50 - UP * log(to_gf / 50);
  c->n = 0;
  for (int i = 0; i <= n; i++) {
    const double P = end * exp(ratio * (i - n) / n);
    push(c, P, T50 - UP * log(P / (50 * GF_CM2)));
  }
  for (int i = 1; i <= n; i++) push(c, end * exp(-ratio * i / n), t_end + DOWN * ratio * i / n);
}

static void a_cycle_has_its_figures(void **state) {
  (void)state;
  static curve c;
  const double pm = 50 * GF_CM2, p0 = 0.5 * GF_CM2;
  compression_cycle(&c, 1500, 0.1, 50);
  const fit_figures f = reduced(&compression, &c);
  assert_int_equal(f.defect, FIT_FIGURES_USED);
  assert_near(f.of[FIT_COMPRESSION_T0].value, T50 + UP * log(100), 1e-9);
  assert_near(f.of[FIT_COMPRESSION_TM].value, T50, 1e-12);
  assert_near(f.of[FIT_COMPRESSION_WC].value / (UP * (pm - p0)), 1, 1e-5);
  assert_near(f.of[FIT_COMPRESSION_LC].value, 2 * 0.99 / log(100), 1e-5);
  assert_near(f.of[FIT_COMPRESSION_RC].value, DOWN / UP, 1e-5);
}

/* Beyond 50 gf/cm2 the figures are those at 50; without a way down there is no resilience. */
static void what_lies_beyond_does_not_count(void **state) {
  (void)state;
  static curve c;
  compression_cycle(&c, 1500, 0.1, 80);
  c.n = 1501;
  const fit_figures f = reduced(&compression, &c);
  assert_near(f.of[FIT_COMPRESSION_TM].value, T50, 1e-9);
  assert_near(f.of[FIT_COMPRESSION_LC].value, 2 * 0.99 / log(100), 1e-5);
  assert_true(isnan(f.of[FIT_COMPRESSION_RC].value) && isnan(f.of[FIT_COMPRESSION_RC].u));
  cb_material_test two = compression;
  two.layers = 2, two.y_digit = 1e-5;
  const fit_figures half = reduced(&two, &c);
  assert_near(half.of[FIT_COMPRESSION_T0].value, f.of[FIT_COMPRESSION_T0].value / 2, 1e-15);
  assert_near(half.of[FIT_COMPRESSION_WC].value, f.of[FIT_COMPRESSION_WC].value / 2, 1e-12);
  assert_near(half.of[FIT_COMPRESSION_T0].u, 1e-5 / sqrt(12) / 2, 1e-15);
}

/* ---- what says nothing ---- */

static void curves_without_figures(void **state) {
  (void)state;
  static curve c;
  compression_cycle(&c, 100, 0.1, 40); /* does not reach 50 gf/cm2 */
  assert_int_equal(reduced(&compression, &c).defect, FIT_FIGURES_NO_WINDOW);
  compression_cycle(&c, 100, 1, 50); /* begins above 0.5 gf/cm2 */
  assert_int_equal(reduced(&compression, &c).defect, FIT_FIGURES_NO_WINDOW);
  compression_cycle(&c, 100, 0.1, 50);
  for (size_t i = 0; i < c.n; i++) c.p[i].y = 1e-3 - c.p[i].y; /* grows thicker */
  assert_int_equal(reduced(&compression, &c).defect, FIT_FIGURES_NOT_POSITIVE);
  shear_loop(&c, 0.1, 0, NULL);
  for (size_t i = 0; i < c.n; i++) c.p[i].y = -c.p[i].y;
  const fit_figures f = reduced(&shear, &c);
  assert_int_equal(f.defect, FIT_FIGURES_NOT_POSITIVE);
  assert_true(isnan(f.of[FIT_SHEAR_G].value) && isnan(f.of[FIT_SHEAR_2HG].value));
  shear_loop(&c, 4, 0, NULL); /* too coarse */
  assert_int_equal(reduced(&shear, &c).defect, FIT_FIGURES_NO_WINDOW);
  c.n = 2;
  assert_int_equal(reduced(&shear, &c).defect, FIT_FIGURES_NO_WINDOW);
  c.p[1].y = INFINITY;
  fit_figures out;
  assert_fails(CB_E_NUM, "point 2", fit_figures_reduce(&shear, c.p, c.n, &out, err));
  const cb_material_test stretch = {.kind = CB_TEST_STRETCH};
  assert_fails(CB_E_ARG, "one of shear or compression", fit_figures_reduce(&stretch, c.p, 0, &out, err));
}

/* ---- means ---- */

static void means_of_tests(void **state) {
  (void)state;
  const fit_figure list[] = {{2, 0.1, 0.03}, {NAN, NAN, 0}, {4, 0.1, 0.04}};
  fit_figure_mean m = fit_figures_mean(list, 3);
  assert_int_equal(m.n, 2);
  assert_near(m.value, 3, 1e-15);
  assert_near(m.sd, sqrt(2), 1e-15);
  assert_near(m.u, hypot(1, 0.12), 1e-15);
  assert_near(m.dof, 1, 0);
  m = fit_figures_mean(list, 1);
  assert_near(m.u, hypot(0.1, 0.06), 1e-15);
  assert_true(isnan(m.sd) && isnan(m.dof));
  assert_true(isnan(fit_figures_mean(list + 1, 1).value));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_loop_has_its_figures),
                                     cmocka_unit_test(half_a_loop),
                                     cmocka_unit_test(noise_is_told),
                                     cmocka_unit_test(a_cycle_has_its_figures),
                                     cmocka_unit_test(what_lies_beyond_does_not_count),
                                     cmocka_unit_test(curves_without_figures),
                                     cmocka_unit_test(means_of_tests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
