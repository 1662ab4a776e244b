/* Strain limiting: what it must keep - momentum, energy, bits - and what it must reach: no edge over its
 * limit, no body through a cloth that would stretch. */
#include "sim_edge_limit.h"

#include <omp.h>

#include "cb_num.h"
#include "cbtest.h"
#include "sim_layered.h"
#include "sim_vec.h"

#define CHECK(holds, ...)                \
  do {                                   \
    if (!(holds)) fail_msg(__VA_ARGS__); \
  } while (0)

typedef struct free_sheet {
  sim_mesh mesh;
  double *most_m, *mass_kg, (*x)[3], (*v)[3];
  sim_edge_limit limit;
} free_sheet;

/* A sheet that is stretched in its middle, by up to 20 %, goes on growing and turns. Limits are 5 % over the
 * rest. */
static void sheet_make(free_sheet *s) {
  const sim_rectangle r = {
      .length_m = .2, .width_m = .2, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = 20};
  assert_ok(sim_mesh_rectangle(&r, &s->mesh, err));
  const size_t n = (size_t)s->mesh.n_vertices;
  s->most_m = malloc((size_t)s->mesh.n_edges * sizeof *s->most_m);
  s->mass_kg = malloc(n * sizeof *s->mass_kg);
  s->x = malloc(n * sizeof *s->x);
  s->v = malloc(n * sizeof *s->v);
  assert_true(s->most_m && s->mass_kg && s->x && s->v);
  for (int e = 0; e < s->mesh.n_edges; e++) {
    double d[3];
    sim_sub(s->mesh.position_m[s->mesh.edge[e].vertex[0]], s->mesh.position_m[s->mesh.edge[e].vertex[1]], d);
    s->most_m[e] = 1.05 * sim_norm(d);
  }
  for (size_t i = 0; i < n; i++) {
    const double *p = s->mesh.position_m[i];
    s->mass_kg[i] = 1e-5 * (1 + (double)(i % 3));
    const double arm[3] = {p[0] - .1, p[1] - .1, 0};
    const double grown = .2 * exp(-sim_dot(arm, arm) / (.03 * .03));
    for (int a = 0; a < 3; a++) {
      s->x[i][a] = p[a] + grown * arm[a];
      s->v[i][a] = 15 * grown * arm[a] + (a == 2);
    }
    s->v[i][0] -= 5 * arm[1];
    s->v[i][1] += 5 * arm[0];
  }
  assert_ok(sim_edge_limit_init(&s->mesh, s->most_m, &s->limit, err));
}

static void sheet_clear(free_sheet *s) {
  sim_edge_limit_clear(&s->limit);
  sim_mesh_clear(&s->mesh);
  free(s->most_m);
  free(s->mass_kg);
  free(s->x);
  free(s->v);
}

/* Momentum, angular momentum, and kinetic energy. */
static void sums_of(const free_sheet *s, double out[7]) {
  for (int k = 0; k < 7; k++) out[k] = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    double turn[3];
    sim_cross(s->x[i], s->v[i], turn);
    sim_add(out, s->mass_kg[i], s->v[i]);
    sim_add(out + 3, s->mass_kg[i], turn);
    out[6] += s->mass_kg[i] * sim_dot(s->v[i], s->v[i]) / 2;
  }
}

static void test_shortening_keeps_momentum(void **state) {
  (void)state;
  free_sheet s = {.most_m = NULL};
  double before[7], after[7];
  int at_limit;
  sheet_make(&s);
  sums_of(&s, before);
  const double longest = sim_edge_limit_longest(&s.limit, (const sim_vec3 *)s.x, &at_limit);
  CHECK(longest > 1.1, "the longest edge is %g of its limit at first", longest);
  const sim_edge_limit_cloth cloth = {s.x, s.v, s.mass_kg, NULL, NULL};
  CHECK(sim_edge_limit_enforce(&s.limit, &cloth, 1e-3) > 0, "nothing was corrected");
  const double reached = sim_edge_limit_longest(&s.limit, (const sim_vec3 *)s.x, &at_limit);
  sums_of(&s, after);
  CHECK(reached < 1 + SIM_EDGE_LIMIT_TOLERANCE, "the longest edge is %g of its limit", reached);
  for (int k = 0; k < 3; k++) assert_near(after[k], before[k], 1e-12 * before[2]);
  /* Only what shifts move has another arm afterwards. */
  CHECK(fabs(after[5] / before[5] - 1) < 0.01, "spin %g, it was %g", after[5], before[5]);
  CHECK(after[6] < before[6], "energy %g J, it was %g", after[6], before[6]);
  CHECK(sim_edge_limit_enforce(&s.limit, &cloth, 1e-3) == 0, "corrected again");
  sheet_clear(&s);
}

/* ---- a ball in a soft sheet ---- */

typedef struct hammock {
  sim_mesh mesh;
  sim_tets tets;
  sim_material material;
  bool *held;
  sim_layered_body body;
  sim_layered_setup setup;
  sim_layered *layered;
} hammock;

static void hammock_make(hammock *h, bool limited) {
  const sim_rectangle sheet = {
      .length_m = .3, .width_m = .3, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = 16};
  *h = (hammock){.material = sim_material_isotropic(0.1, 40, 5e-6)};
  h->material.damping_s = 1e-3;
  assert_ok(sim_mesh_rectangle(&sheet, &h->mesh, err));
  h->held = calloc((size_t)h->mesh.n_vertices, sizeof *h->held);
  assert_non_null(h->held);
  for (int i = 0; i < h->mesh.n_vertices; i++) h->held[i] = fabs(h->mesh.position_m[i][0] - .15) > .149;
  h->body = sim_layered_body_default(&h->mesh);
  const double low = 1.02 * h->body.offset.thickness_m;
  const sim_block block = {{.1, .1, low}, {.2, .2, low + .1}, {3, 3, 3}};
  assert_ok(sim_tets_block(&block, &h->tets, err));
  h->body.elastic.tets = &h->tets;
  h->body.elastic.young_Pa = 1e5;
  h->body.elastic.damping_s = 3e-3;
  h->body.elastic.density_kg_per_m3 = 200;
  h->body.offset.friction = (sim_friction){.mu_kinetic = .4, .mu_static = .4};
  if (!limited) h->body.offset.edge_most_m = 0;
  h->setup = sim_layered_setup_default(&h->mesh, &h->material);
  h->setup.cloth.gripped = h->held;
  h->setup.bodies = &h->body;
  h->setup.n_bodies = 1;
  assert_ok(sim_layered_new(&h->setup, &h->layered, err));
  for (int i = 0; i < h->tets.n_vertices; i++) sim_layered_body_velocity(h->layered, 0)[i][2] = -1;
}

static void hammock_clear(hammock *h) {
  sim_layered_free(h->layered);
  sim_mesh_clear(&h->mesh);
  sim_tets_clear(&h->tets);
  free(h->held);
}

/* The longest edge between vertices of which one moves, over L. */
static double longest_edge(const hammock *h) {
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(sim_layered_cloth(h->layered));
  const double most_m = 1.5 * h->body.offset.thickness_m;
  double longest = 0, d[3];
  for (int e = 0; e < h->mesh.n_edges; e++) {
    sim_sub(x[h->mesh.edge[e].vertex[0]], x[h->mesh.edge[e].vertex[1]], d);
    longest = fmax(longest, sim_norm(d) / most_m);
  }
  return longest;
}

#define STEPS 90

static double play_longest(hammock *h, int steps, int *taut) {
  double longest = 0;
  for (int s = 0; s < steps; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(h->layered, 1e-3, &r, err));
    longest = fmax(longest, longest_edge(h));
    *taut = r.limit.at_limit > *taut ? r.limit.at_limit : *taut;
    for (int i = 0; i < h->mesh.n_vertices; i++)
      CHECK(sim_layered_closest(h->layered, 0)[i].distance_m > 0, "vertex %d is inside after step %d", i, s);
  }
  return longest;
}

/* A block of 0.2 kg falls at 1 m/s on a sheet of 9 g that is held by two edges. Its stretch alone would let
 * edges grow by far more than L. */
static void test_block_in_a_hammock(void **state) {
  (void)state;
  hammock h;
  int taut = 0;
  hammock_make(&h, false);
  const double without = play_longest(&h, STEPS, &taut);
  CHECK(without > 1.05 && taut == 0, "without limits the longest edge is %g of L", without);
  hammock_clear(&h);
  hammock_make(&h, true);
  const double with = play_longest(&h, STEPS, &taut);
  CHECK(with < 1 + SIM_EDGE_LIMIT_TOLERANCE, "the longest edge is %g of L", with);
  CHECK(taut > 20, "only %d edges were held", taut);
  hammock_clear(&h);
}

static void test_same_bits(void **state) {
  (void)state;
  hammock one, two;
  int taut = 0;
  omp_set_num_threads(2);
  hammock_make(&one, true);
  hammock_make(&two, true);
  omp_set_num_threads(1);
  (void)play_longest(&one, STEPS - 20, &taut);
  omp_set_num_threads(2);
  (void)play_longest(&two, STEPS - 20, &taut);
  omp_set_num_threads(1);
  CHECK(taut > 5, "only %d edges were held", taut);
  const size_t bytes = (size_t)one.mesh.n_vertices * 3 * sizeof(double);
  assert_memory_equal(sim_cloth_position(sim_layered_cloth(one.layered)),
                      sim_cloth_position(sim_layered_cloth(two.layered)), bytes);
  assert_memory_equal(sim_cloth_velocity(sim_layered_cloth(one.layered)),
                      sim_cloth_velocity(sim_layered_cloth(two.layered)), bytes);
  hammock_clear(&one);
  hammock_clear(&two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shortening_keeps_momentum),
      cmocka_unit_test(test_block_in_a_hammock),
      cmocka_unit_test(test_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
