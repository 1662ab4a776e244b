/* Closest points over closed surfaces: the sign of every point within reach is that of the exhaustive search,
 * on bumpy, deforming and sharp bodies, with closest points that start anywhere; distances are upper bounds;
 * bits for any number of threads; what is no closed surface, by its sentence. */
#include "cbtest.h"

#include <omp.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_solid.h"
#include "sim_traverse.h"
#include "sim_vec.h"
#include "traverse_proof.h"

#define POINTS 4000
/* Places of order 1 to 10: a dozen roundings of their differences. The same place found over a plane and by
 * its nearest point. */
#define ROUNDING 1e-14

typedef struct donut {
  int n, nt;
  double (*rest)[3], (*x)[3];
  int (*triangle)[3];
  sim_hull hull;
} donut;

/* n x n quads around a torus: closed, with saddles and a hole. */
static void donut_make(donut *b, int n) {
  b->n = n * n;
  b->nt = 2 * n * n;
  b->rest = malloc((size_t)b->n * sizeof *b->rest);
  b->x = malloc((size_t)b->n * sizeof *b->x);
  b->triangle = malloc((size_t)b->nt * sizeof *b->triangle);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double phi = 2 * CB_PI * i / n, psi = 2 * CB_PI * j / n, r = 1 + 0.4 * cos(psi);
      const double at[3] = {r * cos(phi), r * sin(phi), 0.4 * sin(psi)};
      memcpy(b->rest[i * n + j], at, sizeof at);
      int p = i * n + j, q = (i + 1) % n * n + j, s = (i + 1) % n * n + (j + 1) % n, t = i * n + (j + 1) % n;
      const int quad[2][3] = {{p, q, s}, {p, s, t}};
      memcpy(b->triangle[2 * p], quad, sizeof quad);
    }
  memcpy(b->x, b->rest, (size_t)b->n * sizeof *b->x);
  assert_ok(sim_hull_build((const int(*)[3])b->triangle, b->nt, b->n, &b->hull, err));
}

static void donut_clear(donut *b) {
  free(b->rest);
  free(b->x);
  free(b->triangle);
  sim_hull_clear(&b->hull);
}

/* Bumps that travel around the tube, and a tube that breathes: smooth in time, never through itself. */
static void deform(donut *b, double bumps, double t) {
  for (int i = 0; i < b->n; i++) {
    const double *r = b->rest[i];
    double phi = atan2(r[1], r[0]), ring = hypot(r[0], r[1]), psi = atan2(r[2], ring - 1);
    double tube = 0.4 * (1 + 0.1 * sin(t) + bumps * sin(5 * phi + t) * cos(7 * psi - t)),
           out = 1 + tube * cos(psi);
    b->x[i][0] = out * cos(phi);
    b->x[i][1] = out * sin(phi);
    b->x[i][2] = tube * sin(psi);
  }
}

static void scatter(cb_rng *rng, int n, double (*p)[3]) {
  for (int i = 0; i < n; i++) {
    double phi = 2 * CB_PI * cb_rng_uniform(rng), psi = 2 * CB_PI * cb_rng_uniform(rng),
           tube = 0.4 + 0.15 * (2 * cb_rng_uniform(rng) - 1);
    double r = 1 + tube * cos(psi);
    const double at[3] = {r * cos(phi), r * sin(phi), tube * sin(psi)};
    memcpy(p[i], at, sizeof at);
  }
}

typedef struct tally {
  long checked, wrong, shorter;
  sim_traverse_counts walk, all;
} tally;

/* The same points by both modes: signs alike wherever the surface is within reach, walked distances never
 * below the true ones. */
static void compare(sim_traverse *t, const double (*p)[3], int n, double reach, sim_closest_point *walked,
                    sim_closest_point *exhausted, tally *out) {
  for (int i = 0; i < n; i++) exhausted[i] = (sim_closest_point){.distance_m = INFINITY};
  sim_traverse_step(t, SIM_TRAVERSE, p, n, walked, &out->walk);
  sim_traverse_step(t, SIM_EXHAUSTIVE, p, n, exhausted, &out->all);
  for (int i = 0; i < n; i++) {
    double is = walked[i].distance_m, truth = exhausted[i].distance_m;
    if (!(fabs(truth) <= reach)) continue;
    out->checked++;
    out->wrong += (is >= 0) != (truth >= 0);
    out->shorter += fabs(is) < fabs(truth) - ROUNDING;
  }
}

static tally play(double bumps, bool anywhere, uint64_t seed) {
  donut b;
  donut_make(&b, 40);
  deform(&b, bumps, 0);
  sim_traverse *t;
  assert_ok(sim_traverse_new(&b.hull, &t, err));
  static double p[POINTS][3];
  static sim_closest_point walked[POINTS], exhausted[POINTS];
  const double reach = 0.06;
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  scatter(&rng, POINTS, p);
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, reach, err));
  assert_ok(sim_traverse_start(t, (const sim_vec3 *)p, POINTS, walked, err));
  tally out = {0};
  for (int step = 1; step <= 40; step++) {
    deform(&b, bumps, 0.05 * step);
    for (int i = 0; i < 3 * POINTS; i++) p[i / 3][i % 3] += 0.01 * cb_rng_normal(&rng);
    if (anywhere)
      for (int i = 0; i < POINTS; i += 3)
        walked[i] = (sim_closest_point){(int)(cb_rng_uniform(&rng) * b.nt), {0.5, 0.5, 0}, 0, {NAN}, 0};
    assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, reach, err));
    compare(t, (const sim_vec3 *)p, POINTS, reach, walked, exhausted, &out);
  }
  sim_traverse_free(t);
  donut_clear(&b);
  return out;
}

static void expect_right(tally t) {
  assert_true(t.checked > 30000);
  assert_int_equal(t.wrong, 0);
  assert_int_equal(t.shorter, 0);
}

/* That is its point, where closest points are kept. */
static void expect_less_work(tally t) {
  assert_true(2 * (t.walk.measured + t.walk.crossed) < t.all.measured);
}

static void smooth(void **state) {
  (void)state;
  tally t = play(0, false, 1);
  expect_right(t);
  expect_less_work(t);
}
static void bumpy(void **state) {
  (void)state;
  tally t = play(0.25, false, 2);
  expect_right(t);
  expect_less_work(t);
}
/* Closest points put anywhere: walks end far from the nearest point, on the wrong side too, and are
 * caught. */
static void lost_points(void **state) {
  (void)state;
  tally t = play(0.25, true, 3);
  expect_right(t);
  assert_true(t.walk.restarts > 0);
}

/* A box, two of its corners drawn far out: sharp edges and slivers, points on all its planes. */
static void sharp(void **state) {
  (void)state;
  double x[8][3] = {{-1, -1, -1}, {1, -1, -1}, {6, 5, -1}, {-1, 1, -1},
                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-5, 4, 3}};
  const int triangle[12][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                               {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  sim_hull hull;
  sim_traverse *t;
  static double p[POINTS][3];
  static sim_closest_point walked[POINTS], exhausted[POINTS];
  cb_rng rng;
  cb_rng_init(&rng, 4, 0);
  assert_ok(sim_hull_build(triangle, 12, 8, &hull, err));
  assert_ok(sim_traverse_new(&hull, &t, err));
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)x, 2, err));
  tally out = {0};
  for (int round = 0; round < 25; round++) {
    for (int i = 0; i < POINTS; i++) {
      for (int k = 0; k < 3; k++) p[i][k] = 8 * cb_rng_uniform(&rng) - 4;
      if (i % 5 == 0) p[i][i / 5 % 3] = (double)(i / 15 % 3) - 1;
      walked[i] = (sim_closest_point){i % 12, {1, 0, 0}, 0, {NAN}, 0};
    }
    compare(t, (const sim_vec3 *)p, POINTS, 2, walked, exhausted, &out);
  }
  assert_true(out.checked > 50000);
  assert_int_equal(out.wrong, 0);
  assert_int_equal(out.shorter, 0);
  sim_traverse_free(t);
  sim_hull_clear(&hull);
}

/* Against another implementation of the distance. */
static void start(void **state) {
  (void)state;
  donut b;
  donut_make(&b, 40);
  deform(&b, 0.25, 1);
  sim_traverse *t;
  sim_solid *solid;
  static double p[POINTS][3];
  static sim_closest_point closest[POINTS];
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  scatter(&rng, POINTS, p);
  assert_ok(sim_traverse_new(&b.hull, &t, err));
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, 0.05, err));
  assert_ok(sim_traverse_start(t, (const sim_vec3 *)p, POINTS, closest, err));
  assert_ok(sim_solid_new((const sim_vec3 *)b.x, b.n, (const int(*)[3])b.triangle, b.nt, &solid, err));
  for (int i = 0; i < POINTS; i++) {
    double normal[3], at[3], own[3], d = sim_solid_distance(solid, p[i], normal), r = 0;
    assert_near(closest[i].distance_m, d, 1e-14);
    sim_traverse_closest(t, &closest[i], at, own);
    for (int k = 0; k < 3; k++) r += (p[i][k] - at[k]) * (p[i][k] - at[k]);
    assert_near(sqrt(r), fabs(d), 1e-14);
    assert_near(closest[i].weight[0] + closest[i].weight[1] + closest[i].weight[2], 1, 1e-14);
  }
  sim_solid_free(solid);
  sim_traverse_free(t);
  donut_clear(&b);
}

static void threads(void **state) {
  (void)state;
  donut b;
  donut_make(&b, 30);
  static double p[POINTS][3];
  static sim_closest_point closest[2][POINTS];
  sim_traverse_counts counts[2] = {{0}};
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(1 + k);
    sim_traverse *t;
    cb_rng rng;
    cb_rng_init(&rng, 6, 0);
    scatter(&rng, POINTS, p);
    assert_ok(sim_traverse_new(&b.hull, &t, err));
    assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, 0.05, err));
    assert_ok(sim_traverse_start(t, (const sim_vec3 *)p, POINTS, closest[k], err));
    for (int i = 0; i < 3 * POINTS; i++) p[i / 3][i % 3] += 0.03 * cb_rng_normal(&rng);
    sim_traverse_step(t, SIM_TRAVERSE, (const sim_vec3 *)p, POINTS, closest[k], &counts[k]);
    sim_traverse_free(t);
  }
  assert_memory_equal(closest[0], closest[1], sizeof closest[0]);
  assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
  donut_clear(&b);
}

/* Two million vertex-steps on the bodies of ./run bench traverse, which does a hundred. */
static void hard_bodies(void **state) {
  (void)state;
  proof_counts c = {0};
  for (int i = 0; i < PROOF_CASES; i++) {
    proof_case which = proof_case_of(i);
    proof_run(&which, 2000000 / PROOF_CASES, &c);
  }
  assert_true(c.vertex_steps >= 2000000 && c.within > 1000000 && c.sampled > 1000);
  assert_true(c.walk.restarts > 10000);
  assert_int_equal(c.wrong_signs, 0);
  assert_int_equal(c.missed, 0);
  assert_int_equal(c.shorter, 0);
  assert_int_equal(c.sampled_wrong, 0);
  assert_int_equal(c.doubted, 0);
}

/* Far from the surface, where nothing is asked, a walk that starts on the wrong side ends there: the sign
 * stays what it was. */
static void far_signs(void **state) {
  (void)state;
  donut b;
  donut_make(&b, 40);
  sim_traverse *t;
  sim_closest_point closest;
  sim_traverse_counts counts = {0};
  const double p[1][3] = {{0, 0, 0}}, q[1][3] = {{0.01, 0, 0}}; /* the hole's middle: outside, 0.6 from all */
  assert_ok(sim_traverse_new(&b.hull, &t, err));
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, 0.05, err));
  assert_ok(sim_traverse_start(t, p, 1, &closest, err));
  assert_near(closest.distance_m, 0.6, 0.01);
  for (int i = 0; i < b.nt; i++) {
    closest.triangle = i;
    closest.weight[0] = closest.weight[1] = closest.weight[2] = 1.0 / 3;
    closest.distance_m = 0.6;
    sim_traverse_step(t, SIM_TRAVERSE, q, 1, &closest, &counts);
    assert_true(closest.distance_m > 0);
  }
  sim_traverse_free(t);
  donut_clear(&b);
}

/* A wrong sign beside the surface, with all that is known of before: the walk says otherwise, and is
 * believed. */
static void wrong_before(void **state) {
  (void)state;
  donut b;
  donut_make(&b, 40);
  sim_traverse *t;
  static double p[POINTS][3];
  static sim_closest_point closest[POINTS], truth[POINTS];
  sim_traverse_counts counts = {0};
  int checked = 0;
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  scatter(&rng, POINTS, p);
  assert_ok(sim_traverse_new(&b.hull, &t, err));
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b.x, 0.06, err));
  assert_ok(sim_traverse_start(t, (const sim_vec3 *)p, POINTS, truth, err));
  memcpy(closest, truth, sizeof closest);
  for (int i = 0; i < POINTS; i++) closest[i].distance_m = -closest[i].distance_m;
  sim_traverse_step(t, SIM_TRAVERSE, (const sim_vec3 *)p, POINTS, closest, &counts);
  for (int i = 0; i < POINTS; i++) {
    if (fabs(truth[i].distance_m) > 0.06) continue;
    checked++;
    assert_near(closest[i].distance_m, truth[i].distance_m, ROUNDING);
  }
  assert_true(checked > POINTS / 4);
  sim_traverse_free(t);
  donut_clear(&b);
}

static void resumed_step(donut *b, sim_traverse *t, int step, sim_closest_point *closest) {
  static double p[POINTS][3];
  sim_traverse_counts counts = {0};
  cb_rng rng;
  cb_rng_init(&rng, 9, 0);
  scatter(&rng, POINTS, p);
  for (int i = 0; i < 3 * POINTS; i++) p[i / 3][i % 3] += 0.003 * step * cb_rng_normal(&rng);
  deform(b, 0.25, 0.02 * step);
  assert_ok(sim_traverse_surface(t, (const sim_vec3 *)b->x, 0.06, err));
  if (step == 0)
    assert_ok(sim_traverse_start(t, (const sim_vec3 *)p, POINTS, closest, err));
  else
    sim_traverse_step(t, SIM_TRAVERSE, (const sim_vec3 *)p, POINTS, closest, &counts);
}

/* A new one that is given the closest points and the state goes on to the bit, though its grid is another. */
static void resumed(void **state) {
  (void)state;
  donut b;
  donut_make(&b, 40);
  sim_traverse *t[2];
  static sim_closest_point closest[2][POINTS];
  for (int k = 0; k < 2; k++) assert_ok(sim_traverse_new(&b.hull, &t[k], err));
  for (int step = 0; step < 8; step++) resumed_step(&b, t[0], step, closest[0]);
  unsigned char *kept = malloc(sim_traverse_state_bytes(t[0]));
  assert_non_null(kept);
  sim_traverse_state_take(t[0], kept);
  sim_traverse_state_give(t[1], kept);
  memcpy(closest[1], closest[0], sizeof closest[0]);
  for (int step = 8; step < 14; step++) {
    for (int k = 0; k < 2; k++) resumed_step(&b, t[k], step, closest[k]);
    assert_memory_equal(closest[0], closest[1], sizeof closest[0]);
  }
  for (int k = 0; k < 2; k++) sim_traverse_free(t[k]);
  free(kept);
  donut_clear(&b);
}

static void refusals(void **state) {
  (void)state;
  const int closed[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  int t[4][3];
  sim_hull h;
  assert_ok(sim_hull_build(closed, 4, 4, &h, err));
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      int beyond = h.across[i][k];
      assert_int_not_equal(beyond, i);
      /* a tetrahedron: all but that corner */
      for (int j = 0; j < 3; j++) assert_int_not_equal(h.triangle[beyond][j], h.triangle[i][k]);
    }
  sim_hull_clear(&h);
  assert_fails(CB_E_RANGE, "at least 4", sim_hull_build(closed, 3, 4, &h, err));
  sim_hull_clear(&h);
  memcpy(t, closed, sizeof t);
  t[2][1] = 7;
  assert_fails(CB_E_RANGE, "surface: triangle 2: vertex 7: must be 0 to 3",
               sim_hull_build((const int(*)[3])t, 4, 4, &h, err));
  sim_hull_clear(&h);
  memcpy(t, closed, sizeof t);
  t[0][1] = 1, t[0][2] = 2;
  assert_fails(CB_E_RANGE, "turn against each other", sim_hull_build((const int(*)[3])t, 4, 4, &h, err));
  sim_hull_clear(&h);
  memcpy(t, closed, sizeof t);
  t[3][0] = 4;
  assert_fails(CB_E_RANGE, "the surface is open", sim_hull_build((const int(*)[3])t, 4, 5, &h, err));
  sim_hull_clear(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth),      cmocka_unit_test(bumpy),     cmocka_unit_test(lost_points),
      cmocka_unit_test(sharp),       cmocka_unit_test(start),     cmocka_unit_test(threads),
      cmocka_unit_test(hard_bodies), cmocka_unit_test(far_signs), cmocka_unit_test(wrong_before),
      cmocka_unit_test(resumed),     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
