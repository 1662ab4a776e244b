/* Wind and air of a curtain against their formulae. */
#include "curtaintest.h"
#include "sim_curtain_impl.h"

#define SHORT_S 1e-4

/* Without weight, one rod each, at rest: what a node has of velocity after one short step is h F/m, less what
 * the rod takes. */
static sim_curtain_setup weightless(int columns) {
  sim_curtain_setup s = vacuum(columns, 1, 0.1);
  memset(s.gravity_m_per_s2, 0, sizeof s.gravity_m_per_s2);
  return s;
}

static void acceleration_of(const sim_curtain_setup *s, int column, double out[3]) {
  sim_curtain *c;
  double x[3], v[3];
  assert_ok(sim_curtain_new(s, &c, err));
  assert_ok(sim_curtain_step(c, SHORT_S, NULL, err));
  sim_curtain_node(c, column, 1, x, v);
  for (int k = 0; k < 3; k++) out[k] = v[k] / SHORT_S;
  sim_curtain_free(c);
}

/* The formula of sim_curtain.h, per area and for cloth in the plane y = 0, told from the place alone. */
static void wind_at(const sim_curtain_wind *w, const double x[3], double out_Pa[3]) {
  double ray[3], length, forward = 0, unit[3];
  const double size = norm3(w->direction);
  for (int k = 0; k < 3; k++) {
    unit[k] = w->direction[k] / size;
    ray[k] = x[k] - (w->centre_m[k] - w->apex_m * unit[k]);
    forward += ray[k] * unit[k];
  }
  length = norm3(ray);
  double from_b[3], off[3];
  for (int k = 0; k < 3; k++) {
    const double b = x[k] - ray[k] * (1 - w->apex_m / forward); /* where the line meets the window */
    from_b[k] = x[k] - b;
    off[k] = b - w->centre_m[k];
  }
  const double inner = 0.8 * w->radius_m, r2 = w->radius_m * w->radius_m, far = norm3(from_b);
  const double open = fmin(1, fmax(0, (r2 - norm3(off) * norm3(off)) / (r2 - inner * inner)));
  const double cosine = fabs(ray[1]) / length, fall = pow(w->near_m / fmax(far, w->near_m), w->falloff);
  for (int k = 0; k < 3; k++)
    out_Pa[k] = w->pressure_Pa * forward / length * ray[k] / length * pow(1 - w->passing, w->thinning) *
                cosine * fall * open;
}

/* Columns in the window, on its fading edge and beyond; a slanted wind, near and far, tight and open
 * cloth. */
static void test_window(void **state) {
  (void)state;
  int fading = 0, outside = 0;
  for (int falloff = 0; falloff <= 4; falloff++) {
    sim_curtain_setup s = weightless(30);
    s.wind = (sim_curtain_wind){.centre_m = {0.3, -0.5, 0.1},
                                .direction = {0.6, 2, -0.3},
                                .radius_m = 0.5,
                                .apex_m = 2,
                                .pressure_Pa = 30,
                                .passing = 0.3,
                                .thinning = 1.5,
                                .near_m = 0.4,
                                .falloff = falloff};
    sim_curtain *c;
    assert_ok(sim_curtain_new(&s, &c, err));
    assert_ok(sim_curtain_step(c, SHORT_S, NULL, err));
    for (int column = 0; column < 30; column++) {
      const double at[3] = {0.05 * column, 0, -0.1};
      double x[3], v[3], wanted[3];
      wind_at(&s.wind, at, wanted);
      sim_curtain_node(c, column, 1, x, v);
      assert_near(v[0] / SHORT_S, wanted[0] / 0.15, 1e-5 * norm3(wanted) / 0.15);
      assert_near(v[1] / SHORT_S, wanted[1] / 0.15, 1e-5 * norm3(wanted) / 0.15);
      assert_near(v[2], 0, 1e-3 * norm3(v)); /* the rod bears it */
      outside += norm3(wanted) == 0;
      fading += norm3(wanted) > 0 && norm3(wanted) < 0.5 * 30 * pow(0.7, 1.5) * pow(0.4, falloff);
    }
    sim_curtain_free(c);
  }
  assert_true(outside > 20 && fading > 5);
}

/* Cloth that the wind only grazes feels nothing; cloth gathered to half of its width feels half. */
static void test_projection(void **state) {
  (void)state;
  sim_curtain_setup s = weightless(3);
  double a[3], whole[3];
  s.wind.pressure_Pa = 10;
  s.wind.centre_m[1] = -0.1;
  s.wind.apex_m = 1e6;
  acceleration_of(&s, 1, whole);
  assert_near(whole[1], 10 / 0.15, 1e-6 * whole[1]);
  s.spacing_m = s.weft_m / 2;
  acceleration_of(&s, 1, a);
  assert_near(a[1], whole[1] / 2, 1e-6 * whole[1]);
  s.wind.direction[0] = 1, s.wind.direction[1] = 0;
  acceleration_of(&s, 1, a);
  assert_near(norm3(a), 0, 1e-6 * whole[1]); /* from 1000 km away and 0.1 m beside it */
}

/* R p V = rho/2 V^2 (1 - p^2) under Darcy's law; and what the wind of that speed does to such a cloth. */
static void test_permeability(void **state) {
  (void)state;
  static const double velocity[] = {1e-6, 0.05, 0.5, 3, 1e6};
  double before = 0;
  for (int k = 0; k < 5; k++) {
    const cb_permeability_law law = {
        .reference_Pa = 100, .curve = {.form = CB_PERMEABILITY_DARCY, .velocity_m_per_s = velocity[k]}};
    const double rho = 1.2, speed = 6, r = 100 / velocity[k], p = sim_curtain_passing(&law, speed, rho);
    assert_near(p, rho * speed / (r + sqrt(r * r + rho * rho * speed * speed)), 1e-12);
    assert_true(p > before && p <= 1);
    before = p;
  }
  assert_true(before > 0.999);
}

/* h F/(m + h g) with g = rho C area max(|v|, threshold): corners, edges and what is inside, in a force across
 * the cloth. */
static void test_places(void **state) {
  (void)state;
  sim_curtain_setup s = vacuum(10, 2, 0.1);
  sim_curtain *c;
  const double g[3] = {0, 3, 0};
  memcpy(s.gravity_m_per_s2, g, sizeof g);
  s.air = (sim_curtain_air){
      .density_kg_per_m3 = 1.2, .threshold_m_per_s = 1000, .corner = 3, .edge = 2, .inside = 1};
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_ok(sim_curtain_step(c, SHORT_S, NULL, err));
  for (int column = 0; column < 10; column++)
    for (int node = 1; node <= 2; node++) {
      const int sides = (column == 0 || column == 9) + (node == 2);
      double x[3], v[3];
      sim_curtain_node(c, column, node, x, v);
      assert_near(v[1], SHORT_S * 3 / (1 + SHORT_S * 1.2 * (1 + sides) * 1000 / 0.15), 1e-6 * v[1]);
    }
  sim_curtain_free(c);
}

/* Above the threshold, and faster nodes more: the second step, from a velocity that the first one gave. */
static void test_fast(void **state) {
  (void)state;
  sim_curtain_setup s = vacuum(1, 1, 0.1);
  sim_curtain *c;
  const double g[3] = {0, 3, 0}, threshold = 1e-4, h = SHORT_S;
  double x[3], first[3], second[3];
  memcpy(s.gravity_m_per_s2, g, sizeof g);
  s.air = (sim_curtain_air){
      .density_kg_per_m3 = 1e4, .threshold_m_per_s = threshold, .corner = 1000, .fast = 0.5};
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_ok(sim_curtain_step(c, h, NULL, err));
  sim_curtain_node(c, 0, 1, x, first);
  assert_ok(sim_curtain_step(c, h, NULL, err));
  sim_curtain_node(c, 0, 1, x, second);
  const double per_kg = 1e7 / 0.15, v = first[1];
  assert_near(v, h * 3 / (1 + h * per_kg * threshold), 1e-6 * v);
  assert_true(v > threshold);
  assert_near(second[1], (v + h * 3) / (1 + h * per_kg * (v + 0.5 * (v - threshold))), 1e-6 * v);
  sim_curtain_free(c);
}

/* Of mean 0 and variance 1/3 in each direction, alike in neighbours within an eddy and not beyond; each seed
 * its own. */
static void test_gusts(void **state) {
  (void)state;
  sim_curtain_setup s = vacuum(400, 1, 0.05);
  s.wind.pressure_Pa = s.wind.turbulence = 1;
  s.wind.eddy_m = 0.1; /* two columns */
  s.wind.seed = 7;
  sim_curtain *c, *other;
  assert_ok(sim_curtain_new(&s, &c, err));
  s.wind.seed = 8;
  assert_ok(sim_curtain_new(&s, &other, err));
  const long eight = 3L * SIM_CURTAIN_GUSTS, n = eight * c->blocks * SIM_CURTAIN_LANES;
  double mean = 0, square = 0, near = 0, beyond = 0, both = 0;
  for (long i = 0; i < eight * c->blocks; i++)
    for (int l = 0; l < SIM_CURTAIN_LANES; l++) {
      const double v = c->gust[i][l];
      mean += v / (double)n, square += v * v / (double)n, both += v * other->gust[i][l] / (double)n;
      near += v * c->gust[i][l ^ 2] / (double)n;
      if (i + eight < eight * c->blocks) beyond += v * c->gust[i + eight][l] / (double)n;
    }
  assert_near(mean, 0, 1e-12);
  assert_near(square, 1.0 / 3, 1e-12);
  /* Bells of two columns' deviation overlap like exp(-d^2/(4 2^2)): e^-1/4 two columns apart, none eight
   * apart; some 2500 eddies. */
  assert_near(3 * near, exp(-0.25), 0.08);
  assert_near(3 * beyond, exp(-4), 0.08);
  assert_near(3 * both, 0, 0.08);
  sim_curtain_free(c);
  sim_curtain_free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_window),       cmocka_unit_test(test_projection),
                                     cmocka_unit_test(test_permeability), cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_fast),         cmocka_unit_test(test_gusts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
