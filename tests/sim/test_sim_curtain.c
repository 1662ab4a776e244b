/* Columns of a curtain against pendulums: closed forms, conservation, order. */
#include "curtaintest.h"

/* Time between the first and the third passing of x = 0 by a column's end, from rest at x > 0: linear between
 * the steps. */
static double period_of(sim_curtain *c, int end, double dt_s) {
  double before = 1, crossing[3];
  for (int n = 0; n < 3;) {
    double x[3];
    assert_ok(sim_curtain_step(c, dt_s, NULL, err));
    assert_true(sim_curtain_time(c) < 100);
    sim_curtain_node(c, 0, end, x, NULL);
    if ((before > 0) != (x[0] > 0)) crossing[n++] = sim_curtain_time(c) - dt_s * x[0] / (x[0] - before);
    before = x[0];
  }
  return crossing[2] - crossing[0];
}

/* Complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double elliptic(double k) {
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 20; i++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return CB_PI / (2 * a);
}

/* One rod: T = 4 sqrt(l/g) K(sin(angle/2)), for small swings and for large ones. */
static void test_one_rod(void **state) {
  (void)state;
  static const double angle[] = {1e-3, 1, 2.5};
  for (int k = 0; k < 3; k++) {
    const sim_curtain_setup s = vacuum(1, 1, 0.5);
    sim_curtain *c;
    assert_ok(sim_curtain_new(&s, &c, err));
    lay_straight(c, 0, 1, angle[k]);
    const double wanted = 4 * sqrt(0.5 / CB_STANDARD_GRAVITY_M_PER_S2) * elliptic(sin(angle[k] / 2));
    assert_near(period_of(c, 1, 1e-3) / wanted, 1, 1e-5);
    sim_curtain_free(c);
  }
}

/* ---- small swings of a chain ---- */

/* Node by node upwards from the free end, whose mass is half, of equal masses m under tensions m g (j + 1/2):
 * with z = omega^2 l/g
 *   (j + 1/2)(y_j - y_j+1) = (j - 1/2)(y_j-1 - y_j) + z mu_j y_j,    mu_0 = 1/2, else 1
 * The top, y_rods, is at rest where z is that of a mode. y may be NULL. */
static double top_of(int rods, double z, double *y) {
  double at = 1, step = 0;
  for (int j = 0; j < rods; j++) {
    if (y) y[j] = at;
    step = ((j > 0 ? (j - 0.5) * step : 0) + z * (j > 0 ? 1 : 0.5) * at) / (j + 0.5);
    at -= step;
  }
  return at;
}

/* The slowest mode: the top falls from 1 to 0 for the first time. The heavy chain has 2.4048^2/(4 rods), from
 * above; J0's zero. */
static double slowest(int rods) {
  double low = 0, high = 3.0 / rods;
  for (int k = 0; k < 60; k++) *(top_of(rods, (low + high) / 2, NULL) > 0 ? &low : &high) = (low + high) / 2;
  return (low + high) / 2;
}

static void lay_mode(sim_curtain *c, int rods, double z, double size_m, double rod_m) {
  double *y = calloc((size_t)rods + 1, sizeof *y);
  vec3 *d = calloc((size_t)rods, sizeof *d);
  assert_true(y && d);
  (void)top_of(rods, z, y);
  for (int k = 0; k < rods; k++) { /* from the top */
    d[k][0] = size_m * (y[rods - 1 - k] - (k > 0 ? y[rods - k] : 0)) / rod_m;
    d[k][2] = -1;
  }
  lay(c, 0, (const sim_vec3 *)d);
  free(d);
  free(y);
}

static double frequency_ratio(int rods, double dt_s, double *to_rigid_rod) {
  const double length = 2.2, rod_m = length / rods, z = slowest(rods), g = CB_STANDARD_GRAVITY_M_PER_S2;
  const sim_curtain_setup s = vacuum(1, rods, rod_m);
  sim_curtain *c;
  assert_ok(sim_curtain_new(&s, &c, err));
  lay_mode(c, rods, z, 1e-4, rod_m);
  const double omega = 2 * CB_PI / period_of(c, rods, dt_s);
  sim_curtain_free(c);
  *to_rigid_rod = omega / sqrt(1.5 * g / length);
  return omega / sqrt(z * g / rod_m);
}

/* Within 1e-4 of the multiple pendulum that a column is (the goal is 2 %), in steps of a frame as well. A
 * rigid rod of that length swings 1.85 % faster than a heavy chain: 2.4048/2 against sqrt(3/2). */
static void test_sway(void **state) {
  (void)state;
  static const int rods[] = {1, 2, 10, 43, 200};
  double rigid = 0;
  for (int k = 0; k < 5; k++) {
    assert_near(frequency_ratio(rods[k], 1e-3, &rigid), 1, 2e-6);
    const double frame = frequency_ratio(rods[k], 1.0 / 60, &rigid);
    print_message(
        "%d rods: sways at %.6f of its multiple pendulum in steps of 1/60 s, %.4f of the rigid rod\n",
        rods[k], frame, rigid);
    assert_near(frame, 1, 1e-3);
  }
  assert_near(slowest(4000) * 4000, 2.404825557695773 * 2.404825557695773 / 4, 1e-6);
  assert_near(rigid, 2.404825557695773 / 2 / sqrt(1.5), 1e-3);
}

/* ---- large swings ---- */

/* Of a column at a step: kinetic energy is the mean over the velocities half a step before and after. */
static double energy(sim_curtain *c, const sim_curtain_setup *s, double dt_s, bool measure) {
  double kinetic = 0, potential = 0;
  for (int side = 0; side < 2; side++) {
    for (int k = 1; k < s->nodes; k++) {
      double x[3], v[3];
      sim_curtain_node(c, 0, k, x, v);
      const double m = sim_curtain_mass(c, 0, k);
      kinetic += m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 4;
      if (side == 0) potential += m * CB_STANDARD_GRAVITY_M_PER_S2 * x[2];
    }
    if (side == 0 && measure) assert_ok(sim_curtain_step(c, dt_s, NULL, err));
  }
  return kinetic + potential;
}

/* Three rods let go from the level, turning in space: what they have of energy after 0.8 s, over what they
 * fell through. */
static double energy_error(double dt_s) {
  static const double d[3][3] = {{1, 0, 0}, {0.8, 0.6, 0}, {0.6, 0, 0.8}};
  const sim_curtain_setup s = vacuum(1, 3, 0.3);
  sim_curtain *c;
  double from = 0, worst = 0, fall = 0;
  assert_ok(sim_curtain_new(&s, &c, err));
  lay(c, 0, d);
  for (int k = 1; k < s.nodes; k++) {
    double x[3];
    sim_curtain_node(c, 0, k, x, NULL);
    from += sim_curtain_mass(c, 0, k) * CB_STANDARD_GRAVITY_M_PER_S2 * x[2];
    fall += sim_curtain_mass(c, 0, k) * CB_STANDARD_GRAVITY_M_PER_S2 * 0.3 * k;
  }
  const int steps = (int)lround(0.8 / dt_s);
  assert_ok(sim_curtain_step(c, dt_s, NULL, err));
  for (int n = 1; n < steps; n++) worst = fmax(worst, fabs(energy(c, &s, dt_s, true) - from));
  sim_curtain_free(c);
  return worst / fall;
}

static void test_energy(void **state) {
  (void)state;
  const double coarse = energy_error(2e-3), fine = energy_error(1e-3), finest = energy_error(5e-4);
  print_message("energy off by %.2e, %.2e, %.2e in steps of 2, 1, 0.5 ms\n", coarse, fine, finest);
  assert_true(finest < 1e-3);
  assert_true(coarse / fine > 3 && fine / finest > 3); /* second order */
}

/* The weight that the hook of a straight column at rest bears; nothing moves. */
static void test_rest(void **state) {
  (void)state;
  const sim_curtain_setup s = vacuum(3, 20, 0.1);
  sim_curtain *c;
  assert_ok(sim_curtain_new(&s, &c, err));
  for (int n = 0; n < 100; n++) assert_ok(sim_curtain_step(c, 0.02, NULL, err));
  for (int column = 0; column < 3; column++)
    for (int k = 0; k <= 20; k++) {
      double x[3], v[3];
      sim_curtain_node(c, column, k, x, v);
      assert_near(x[0], 0.05 * column, 1e-14);
      assert_near(x[2], -0.1 * k, 1e-13);
      assert_near(norm3(v), 0, 1e-11);
    }
  sim_curtain_free(c);
}

/* Thrown about in steps of a frame, and in much longer ones: rods keep their length, and what hangs comes to
 * hang again. */
static void test_lengths(void **state) {
  (void)state;
  static const double step[] = {1.0 / 60, 0.1, 0.5};
  for (int k = 0; k < 3; k++) {
    sim_curtain_setup s = sim_curtain_setup_default();
    s.columns = 13;
    s.nodes = 45;
    s.wind.pressure_Pa = 40;
    s.wind.turbulence = 2;
    s.wind.centre_m[1] = -0.5;
    sim_curtain *c;
    assert_ok(sim_curtain_new(&s, &c, err));
    double worst = 0;
    for (int n = 0; n < 200; n++) {
      assert_ok(sim_curtain_step(c, step[k], NULL, err));
      worst = fmax(worst, worst_rod(c, &s));
    }
    assert_true(worst < 1e-12);
    sim_curtain_free(c);
  }
}

/* Crumpled columns fall in air in steps of a frame, which no rod's turning is resolved by: they do not gain
 * energy, and come to hang. (They did gain, five times what they fell, where the turning of rods was carried
 * on from step to step without a bound.) */
static void test_crumpled(void **state) {
  (void)state;
  for (int hz = 30; hz <= 240; hz *= 2) {
    sim_curtain_setup s = sim_curtain_setup_default();
    s.columns = 1, s.nodes = 45;
    sim_curtain *c;
    double d[44][3], hung = 0;
    cb_rng rng;
    cb_rng_init(&rng, 1, 0);
    assert_ok(sim_curtain_new(&s, &c, err));
    for (int k = 1; k < 45; k++) hung -= sim_curtain_mass(c, 0, k) * CB_STANDARD_GRAVITY_M_PER_S2 * 0.05 * k;
    for (int k = 0; k < 44; k++)
      for (int i = 0; i < 3; i++) d[k][i] = (k > 20 ? 0.8 : 0.1) * cb_rng_normal(&rng) - (i == 2);
    lay(c, 0, (const sim_vec3 *)d);
    double before = energy(c, &s, 0, false);
    const double fall = before - hung;
    assert_true(fall > 0.05 * fabs(hung));
    for (int n = 1; n <= 6 * hz; n++) {
      const double now = energy(c, &s, 1.0 / hz, true);
      assert_true(now < before + 0.02 * fall);
      before = fmin(before, now);
    }
    assert_near(before, hung, 0.01 * fall);
    sim_curtain_free(c);
  }
}

/* Below the threshold the air damps linearly: a small swing of one rod dies like exp(-g t/2m), g = rho C
 * threshold area, and above it by rho C area v^2: from the decrement of an undamped cosine, 4/3 g'
 * amplitude^2 omega/pi .. per period (Landau, Lifshitz, Mechanics 25). */
static void test_damping(void **state) {
  (void)state;
  for (int quadratic = 0; quadratic < 2; quadratic++) {
    const double c_air = quadratic ? 0.5 : 0.03;
    sim_curtain_setup s = vacuum(1, 1, 0.5);
    s.air = (sim_curtain_air){1.2, quadratic ? 0 : 1, c_air, 0, 0, 0};
    sim_curtain *c;
    assert_ok(sim_curtain_new(&s, &c, err));
    const double from = 0.02, area = 0.5 * 0.05 * 0.5, m = sim_curtain_mass(c, 0, 1),
                 omega = sqrt(CB_STANDARD_GRAVITY_M_PER_S2 / 0.5);
    assert_near(m, 0.15 * area, 1e-15);
    lay_straight(c, 0, 1, from);
    const double dt_s = 2 * CB_PI / omega / 2000;
    double x[3];
    for (int n = 0; n < 10000; n++) assert_ok(sim_curtain_step(c, dt_s, NULL, err));
    sim_curtain_node(c, 0, 1, x, NULL);
    const double rho = 1.2 * c_air * area / m, time = 10000 * dt_s; /* a single column's end is a corner */
    const double wanted =
        quadratic ? 1 / (1 + 4 * rho * (0.5 * from) * omega * time / (3 * CB_PI)) : exp(-rho * time / 2);
    print_message("a swing is left %.6f of, %.6f was wanted\n", x[0] / (0.5 * sin(from)), wanted);
    assert_near(x[0] / (0.5 * sin(from)), wanted, 2e-3 * wanted);
    sim_curtain_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_rod), cmocka_unit_test(test_sway),
                                     cmocka_unit_test(test_energy),  cmocka_unit_test(test_rest),
                                     cmocka_unit_test(test_lengths), cmocka_unit_test(test_crumpled),
                                     cmocka_unit_test(test_damping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
