/* Moving features against known times, against roots of the cubic in long double, and against samples of the
 * way. */
#include "cbtest.h"

#include "cb_rng.h"
#include "sim_query.h"

#define NEAR 1e-6

typedef double points[4][3];

static double distance_at(sim_pair pair, const points a, const points b, double t) {
  points p;
  double w[4];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) p[i][k] = a[i][k] + t * (b[i][k] - a[i][k]);
  return sim_closest(pair, (const sim_vec3 *)p, w);
}

static const points triangle_below = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static void shifted(const points from, double x, double y, double z, points to) {
  memcpy(to, from, sizeof(points));
  to[0][0] += x;
  to[0][1] += y;
  to[0][2] += z;
}

static void known_times(void **state) {
  (void)state;
  sim_ccd_hit hit;
  points end;
  shifted(triangle_below, 0.1, 0.1, -2, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, triangle_below, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_HIT);
  assert_near(hit.time, 0.5, NEAR);
  assert_true(hit.time < 0.5);
  const double weight[4] = {1, -0.4, -0.3, -0.3}, up[3] = {0, 0, 1};
  for (int i = 0; i < 4; i++) assert_near(hit.weight[i], weight[i], 1e-5);
  for (int k = 0; k < 3; k++) assert_near(hit.normal[k], up[k], 1e-12);
  /* Two edges that cross at right angles; the upper one falls through after 0.2. */
  const points edges = {{-1, 0, 0.2}, {1, 0, 0.2}, {0, -1, 0}, {0, 3, 0}},
               through = {{-1, 0, -0.8}, {1, 0, -0.8}, {0, -1, 0}, {0, 3, 0}};
  assert_int_equal(sim_ccd(SIM_EDGE_EDGE, edges, through, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 0.2, 3 * NEAR);
  const double crossed[4] = {0.5, 0.5, -0.75, -0.25};
  for (int i = 0; i < 4; i++) assert_near(hit.weight[i], crossed[i], 1e-5);
  /* An edge turns about its end point by half a turn (its other end runs straight through the axis) and meets
   * the post in the middle. */
  const points post = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.1, -1}, {0.2, 0.1, 1}},
               turned = {{0, 0, 0}, {0, 1, 0}, {0.2, 0.1, -1}, {0.2, 0.1, 1}};
  assert_int_equal(sim_ccd(SIM_EDGE_EDGE, post, turned, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 1.0 / 3, 1e-5); /* (1 - t, t) is parallel to (0.2, 0.1) */
}

/* In the plane of the triangle, from the side; onto a corner; along the face without coming nearer; away. */
static void coplanar_and_grazing(void **state) {
  (void)state;
  sim_ccd_hit hit;
  const points beside = {{-1, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  points end;
  shifted(beside, 2, 0, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, beside, (const sim_vec3 *)end, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 0.5, NEAR);
  for (int k = 0; k < 2; k++) { /* passes an edge's line at the given height */
    const double height = k == 0 ? 0.999 * NEAR : 2.001 * NEAR;
    points start;
    memcpy(start, beside, sizeof start);
    start[0][2] = height;
    start[0][1] = 0;
    shifted((const sim_vec3 *)start, 2, 0, 0, end);
    assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)start, (const sim_vec3 *)end, NEAR, &hit),
                     k == 0 ? SIM_CCD_HIT : SIM_CCD_APART);
  }
  points low;
  shifted(triangle_below, 0, 0, 2 * NEAR - 1, low);
  shifted((const sim_vec3 *)low, 0.3, 0.2, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)low, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_APART);
  shifted((const sim_vec3 *)low, 0, 0, 1e6, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)low, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_APART);
  /* Nearer than `near` at the start, and staying so. */
  shifted(triangle_below, 0, 0, 1e-9 - 1, low);
  shifted((const sim_vec3 *)low, 0.3, 0.2, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)low, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_APART);
  shifted((const sim_vec3 *)low, 0.3, 0.2, -1e-9, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)low, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_HIT);
  shifted(triangle_below, 0, 0, -1, low);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)low, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_MET);
}

static void parallel_and_degenerate(void **state) {
  (void)state;
  sim_ccd_hit hit;
  const points parallel = {{0, 0, 1}, {1, 0, 1}, {0.5, 0, 0}, {1.5, 0, 0}},
               met = {{0, 0, -1}, {1, 0, -1}, {0.5, 0, 0}, {1.5, 0, 0}};
  assert_int_equal(sim_ccd(SIM_EDGE_EDGE, parallel, met, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 0.5, NEAR);
  const points behind = {{0, 0, 1}, {1, 0, 1}, {1.5, 0, 0}, {2.5, 0, 0}},
               past = {{0, 0, -1}, {1, 0, -1}, {1.5, 0, 0}, {2.5, 0, 0}};
  assert_int_equal(sim_ccd(SIM_EDGE_EDGE, behind, past, NEAR, &hit), SIM_CCD_APART);
  /* A triangle that is a line, one that is a point; edges that are points. */
  const points line = {{0.5, 1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  points end;
  shifted(line, 0, -2, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, line, (const sim_vec3 *)end, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 0.5, NEAR);
  const points dot = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  shifted(dot, 0, -2, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, dot, (const sim_vec3 *)end, NEAR, &hit), SIM_CCD_HIT);
  assert_near(hit.time, 0.5, NEAR);
  points beside;
  shifted(dot, 3 * NEAR, 0, 0, beside);
  shifted(dot, 3 * NEAR, -2, 0, end);
  assert_int_equal(sim_ccd(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)beside, (const sim_vec3 *)end, NEAR, &hit),
                   SIM_CCD_APART);
}

/* det(p1 - p0, p2 - p0, p3 - p0) as a polynomial in t, from its values at four times. */
static void cubic(const points a, const points b, long double c[4]) {
  long double f[4];
  for (int n = 0; n < 4; n++) {
    long double t = (long double)n / 3, e[3][3];
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        e[i][k] = (1 - t) * ((long double)a[i + 1][k] - a[0][k]) + t * ((long double)b[i + 1][k] - b[0][k]);
    f[n] = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  }
  /* Newton's differences on 0, 1/3, 2/3, 1 */
  long double d1 = f[1] - f[0], d2 = f[2] - 2 * f[1] + f[0], d3 = f[3] - 3 * f[2] + 3 * f[1] - f[0];
  c[0] = f[0];
  c[1] = 3 * d1 - 1.5L * d2 + d3;
  c[2] = 4.5L * d2 - 4.5L * d3;
  c[3] = 4.5L * d3;
}

static long double value(const long double c[4], long double t) {
  return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/* Roots in (0, 1) where the sign changes, by bisection between the extremes. */
static int roots(const long double c[4], long double root[3]) {
  long double cut[4] = {0, 1, 1, 1};
  int cuts = 1, n = 0;
  long double a = 3 * c[3], b = 2 * c[2], disc = b * b - 4 * a * c[1];
  if (disc > 0) {
    long double q = -0.5L * (b + (b < 0 ? -sqrtl(disc) : sqrtl(disc))), x = a != 0 ? q / a : 2,
                y = q != 0 ? c[1] / q : 2;
    if (x > y) {
      long double z = x;
      x = y;
      y = z;
    }
    if (x > 0 && x < 1) cut[cuts++] = x;
    if (y > 0 && y < 1) cut[cuts++] = y;
  }
  cut[cuts] = 1;
  for (int i = 0; i < cuts; i++) {
    long double lo = cut[i], hi = cut[i + 1], f = value(c, lo);
    if (f == 0 || (f > 0) == (value(c, hi) > 0)) continue;
    for (int k = 0; k < 80; k++) {
      long double t = (lo + hi) / 2;
      if ((value(c, t) > 0) == (f > 0)) {
        lo = t;
      } else {
        hi = t;
      }
    }
    root[n++] = lo;
  }
  return n;
}

static void draw(cb_rng *rng, int family, points a, points b) {
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      a[i][k] = cb_rng_uniform(rng);
      b[i][k] = family == 1 ? a[i][k] + 0.3 * (cb_rng_uniform(rng) - 0.5) : cb_rng_uniform(rng);
      if (family == 2) { /* on a coarse grid: coplanar, parallel, of no length */
        a[i][k] = floor(4 * a[i][k]);
        b[i][k] = floor(4 * b[i][k]);
      }
      if (family == 3 && k == 2) { /* thin slivers that turn over */
        a[i][k] *= 1e-5;
        b[i][k] *= 1e-5;
      }
    }
}

/* No root of the cubic at which the features meet is missed or reported late; what is reported is that
 * near. */
static void random_pairs(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  int hits = 0, met = 0, truths = 0, grazing[4] = {0};
  for (int n = 0; n < 500000; n++) {
    const sim_pair pair = n & 1 ? SIM_EDGE_EDGE : SIM_VERTEX_TRIANGLE;
    points a, b;
    draw(&rng, n / 2 % 4, a, b);
    sim_ccd_hit hit;
    const sim_ccd_outcome outcome = sim_ccd(pair, (const sim_vec3 *)a, (const sim_vec3 *)b, NEAR, &hit);
    met += outcome == SIM_CCD_MET;
    if (outcome == SIM_CCD_MET) continue;
    hits += outcome == SIM_CCD_HIT;
    const double start = distance_at(pair, (const sim_vec3 *)a, (const sim_vec3 *)b, 0),
                 level = fmin(NEAR, start / 4);
    if (outcome == SIM_CCD_HIT) {
      double d = distance_at(pair, (const sim_vec3 *)a, (const sim_vec3 *)b, hit.time);
      grazing[n / 2 % 4] += d > 2 * level + 1e-14; /* out of strides: those that touch as a parabola does */
    }
    long double c[4], root[3];
    cubic((const sim_vec3 *)a, (const sim_vec3 *)b, c);
    const int n_roots = roots(c, root);
    for (int i = 0; i < n_roots; i++) {
      if (distance_at(pair, (const sim_vec3 *)a, (const sim_vec3 *)b, (double)root[i]) > 1e-13) continue;
      truths++;
      if (outcome != SIM_CCD_HIT)
        fail_msg("pair %d: they meet at t = %.17g, and that was missed", n, (double)root[i]);
      if (hit.time > (double)root[i] + 1e-12)
        fail_msg("pair %d: they meet at t = %.17g; found at %.17g", n, (double)root[i], hit.time);
    }
    for (int i = 1; i <= 8 && outcome == SIM_CCD_APART; i++)
      if (distance_at(pair, (const sim_vec3 *)a, (const sim_vec3 *)b, i / 8.0) < level)
        fail_msg("pair %d: nearer than the distance at t = %g", n, i / 8.0);
  }
  assert_true(truths > 10000);
  assert_true(hits >= truths / 3 && hits < 150000);
  assert_true(grazing[0] < 30 && grazing[1] < 5 && grazing[2] < 1000 && grazing[3] < 30);
  assert_true(met < 30000); /* of the grid's */
}

static void triangles(void **state) {
  (void)state;
  const double x[8][3] = {{0, 0, 0},     {1, 0, 0}, {0, 1, 0},         {0.2, 0.2, -1},
                          {0.2, 0.2, 1}, {3, 3, 1}, {0.2, 0.2, 1e-15}, {0.5, -0.5, 0.5}};
  const int base[3] = {0, 1, 2}, piercing[3] = {3, 4, 5}, above[3] = {6, 4, 5}, shares[3] = {0, 3, 4},
            beside[3] = {0, 7, 4}, over[3] = {0, 1, 4};
  assert_true(sim_triangles_cross(x, base, piercing));
  assert_true(sim_triangles_cross(x, piercing, base));
  assert_false(sim_triangles_cross(x, base, above));
  assert_true(sim_triangles_cross(x, base, shares));
  assert_false(sim_triangles_cross(x, base, beside));
  assert_false(sim_triangles_cross(x, base, over));
  assert_false(sim_triangles_cross(x, base, base));
}

/* Flat strips of cells, turned at random: the corners are rounded, so that neighbours are not quite in one
 * plane. A flat strip does not cross itself. */
static void flat_strips(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 11, 0);
  for (int n = 0; n < 2000; n++) {
    double along[3], down[3], x[9][3];
    for (int k = 0; k < 3; k++)
      along[k] = cb_rng_normal(&rng), down[k] = n % 2 ? cb_rng_normal(&rng) : (k == 2);
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < 3; k++) x[i][k] = 0.1 * k + i % 3 * along[k] / 3 - i / 3 * 0.05 * down[k];
    int cell[8][3];
    for (int i = 0; i < 4; i++) {
      const int a = i / 2 * 3 + i % 2;
      const int first[] = {a, a + 3, a + 1}, second[] = {a + 1, a + 3, a + 4};
      memcpy(cell[2 * i], first, sizeof first);
      memcpy(cell[2 * i + 1], second, sizeof second);
    }
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < a; b++) assert_false(sim_triangles_cross((const sim_vec3 *)x, cell[a], cell[b]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_times),
      cmocka_unit_test(coplanar_and_grazing),
      cmocka_unit_test(parallel_and_degenerate),
      cmocka_unit_test(random_pairs),
      cmocka_unit_test(triangles),
      cmocka_unit_test(flat_strips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
