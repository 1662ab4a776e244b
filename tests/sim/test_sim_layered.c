/* The three layers together: what must stay as it is stays, what is given passes on, and the same again gives
 * the same bits. The air's and the friction's own truths: test_sim_air, test_sim_offset. */
#include "sim_cloth_room.h"
#include "layered_state.h"

#include <omp.h>

#include "cb_num.h"
#include "cbtest.h"
#include "sim_mesh.h"

typedef struct pillow {
  sim_mesh mesh;
  sim_tets tets;
  sim_material material;
  sim_body ground;
  sim_layered_body body;
  sim_layered_setup setup;
  sim_layered *layered;
} pillow;

/* The sentence where it does not hold. */
#define CHECK(holds, ...)                \
  do {                                   \
    if (!(holds)) fail_msg(__VA_ARGS__); \
  } while (0)

static void pillow_make(pillow *p) {
  const sim_case cover = {{.2, .16, .07}, {4, 2}, {36, 28}};
  const sim_cushion filling = {{.17, .13, .05}, {4, 2}, {6, 5, 2}};
  *p = (pillow){.ground = {.shape = SIM_PLANE,
                           .origin_m = {0, 0, -.1},
                           .axis = {0, 0, 1},
                           .friction = {.mu_kinetic = .3, .mu_static = .4}}};
  assert_ok(sim_mesh_case(&cover, &p->mesh, err));
  assert_ok(sim_tets_cushion(&filling, &p->tets, err));
  p->material = sim_material_isotropic(0.12, 300, 5e-6);
  p->material.damping_s = 1e-3;
  p->body = sim_layered_body_default(&p->mesh);
  p->body.elastic.tets = &p->tets;
  p->body.elastic.young_Pa = 2e4;
  p->body.elastic.damping_s = 2e-3;
  p->body.offset.friction = (sim_friction){.mu_kinetic = .3, .mu_static = .3};
  p->body.friction = p->body.offset.friction;
  p->body.has_air = true;
  p->setup = sim_layered_setup_default(&p->mesh, &p->material);
  p->setup.bodies = &p->body;
  p->setup.n_bodies = 1;
  p->setup.cloth.bodies = &p->ground;
  p->setup.cloth.n_bodies = 1;
}

static void pillow_start(pillow *p) { assert_ok(sim_layered_new(&p->setup, &p->layered, err)); }

static void pillow_clear(pillow *p) {
  sim_layered_free(p->layered);
  sim_mesh_clear(&p->mesh);
  sim_tets_clear(&p->tets);
}

static void momentum(const pillow *p, double out[3]) {
  sim_cloth *cloth = sim_layered_cloth(p->layered);
  sim_elastic *e = sim_layered_elastic(p->layered, 0);
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int i = 0; i < p->mesh.n_vertices; i++)
      out[k] += sim_cloth_mass(cloth)[i] * sim_cloth_velocity(cloth)[i][k];
    for (int i = 0; i < p->tets.n_vertices; i++)
      out[k] += sim_elastic_mass(e)[i] * sim_elastic_velocity(e)[i][k];
  }
}

/* A body that is thrown against its case carries it along: through contact offset, friction and air nothing
 * comes to the sum and nothing goes, but for what the solvers' single precision leaves. */
static void thrown(int iterations) {
  pillow p;
  pillow_make(&p);
  for (int k = 0; k < 3; k++) p.setup.cloth.gravity_m_per_s2[k] = p.body.elastic.gravity_m_per_s2[k] = 0;
  p.setup.cloth.n_bodies = 0;
  p.setup.cloth.iterations = iterations;
  p.setup.cloth.solve_tolerance = p.body.elastic.tolerance = 1e-8;
  p.body.air_Pa = SIM_ATMOSPHERE_PA + 30;
  p.body.air.kappa_m_per_s = 3; /* lets the body come to its case */
  pillow_start(&p);
  double before[3], after[3], most = 0, speed = 0;
  for (int i = 0; i < p.tets.n_vertices; i++) sim_layered_body_velocity(p.layered, 0)[i][0] = 2;
  momentum(&p, before);
  int contacts = 0;
  for (int s = 0; s < 120; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(p.layered, 1e-3, &r, err));
    contacts += r.offset.contacts;
  }
  momentum(&p, after);
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(after[k] - before[k]));
  for (int i = 0; i < p.mesh.n_vertices; i++)
    speed += sim_cloth_velocity(sim_layered_cloth(p.layered))[i][0] / p.mesh.n_vertices;
  CHECK(contacts > 50, "%d contacts", contacts);
  CHECK(speed > 0.5, "the case was left behind: %g m/s", speed);
  CHECK(most < 1e-6 * before[0], "momentum is off by %g of %g kg m/s", most, before[0]);
  pillow_clear(&p);
}

static void test_momentum_stays(void **state) {
  (void)state;
  thrown(1);
}

/* The same where Newton's method iterates. What it takes back: test_sim_spring. */
static void test_momentum_stays_in_iterations(void **state) {
  (void)state;
  thrown(4);
}

static double energy_J(const pillow *p) {
  sim_cloth_energies cloth;
  sim_cloth_energy(sim_layered_cloth(p->layered), &cloth);
  sim_elastic_energy body = sim_elastic_energy_of(sim_layered_elastic(p->layered, 0));
  return cloth.kinetic + cloth.stretch + cloth.bending + cloth.gravity + body.kinetic + body.elastic +
         body.gravity;
}

/* A case that rubs on its body as the two fall on the ground: what is light and stiff is not thrown across
 * its springs by friction. Air goes through as it likes. (Rubbed by masses alone at the step's end: twice of
 * what there was, in steps of 1 ms.) */
static void friction_makes_no_energy(double dt_s) {
  pillow p;
  pillow_make(&p);
  p.ground.origin_m[2] = -.08;
  p.material = sim_material_isotropic(0.05, 2e4, 5e-6);
  p.body.air.kappa_m_per_s = 10;
  p.body.offset.friction = (sim_friction){.mu_kinetic = .8, .mu_static = .8};
  pillow_start(&p);
  for (int i = 0; i < p.mesh.n_vertices; i++) sim_cloth_velocity(sim_layered_cloth(p.layered))[i][2] = -1;
  for (int i = 0; i < p.tets.n_vertices; i++) sim_layered_body_velocity(p.layered, 0)[i][2] = -1;
  const double first = energy_J(&p);
  double before = first, made = 0;
  for (int s = 0; s < lround(0.1 / dt_s); s++) {
    assert_ok(sim_layered_step(p.layered, dt_s, NULL, err));
    const double now = energy_J(&p);
    made += fmax(0, now - before);
    before = now;
  }
  CHECK(before < first, "%g ms: %g J of %g J", 1e3 * dt_s, before, first);
  CHECK(made < 0.1 * first, "%g ms: %g J made, %g J at first", 1e3 * dt_s, made, first);
  pillow_clear(&p);
}

static void test_friction_makes_no_energy(void **state) {
  (void)state;
  friction_makes_no_energy(1e-3);
  friction_makes_no_energy(4e-3);
}

/* A sealed pillow falls, is squeezed and bounces: its air is all there, and no vertex of the case is in the
 * body. */
static void test_sealed_air_stays(void **state) {
  (void)state;
  pillow p;
  pillow_make(&p);
  pillow_start(&p);
  double first = 0, most = 0, deepest = 0;
  for (int s = 0; s < 150; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(p.layered, 2e-3, &r, err));
    if (s == 0) first = r.air.total_J;
    most = fmax(most, fabs(r.air.total_J / first - 1));
    for (int i = 0; i < p.mesh.n_vertices; i++) {
      deepest = fmin(deepest, sim_layered_closest(p.layered, 0)[i].distance_m);
      CHECK(sim_air_amount_J(sim_layered_air(p.layered, 0))[i] > 0, "vertex %d has %g J of air", i,
            sim_air_amount_J(sim_layered_air(p.layered, 0))[i]);
    }
  }
  CHECK(most < 1e-12, "air is off by %g", most);
  CHECK(deepest >= 0, "a vertex of the case is %g mm inside of the body", -1e3 * deepest);
  pillow_clear(&p);
}

/* What lies on the ground is borne by it: the ground's force is the weight of case and body. But for the
 * drag: cloth and body fall for a step by themselves before the contact offset stops them, which the drag
 * takes h drag = 0.4 % of. */
static void test_weight_reaches_the_ground(void **state) {
  (void)state;
  pillow p;
  pillow_make(&p);
  p.body.air.kappa_m_per_s = 1;
  p.body.elastic.drag_per_s = p.material.drag_per_s = 2;
  pillow_start(&p);
  double force[3], sum = 0, weight = 0;
  int steps = 0;
  for (int s = 0; s < 400; s++) {
    assert_ok(sim_layered_step(p.layered, 2e-3, NULL, err));
    sim_cloth_body_force(sim_layered_cloth(p.layered), 0, force);
    if (s >= 300) sum += force[2], steps++;
  }
  for (int i = 0; i < p.mesh.n_vertices; i++)
    weight += CB_STANDARD_GRAVITY_M_PER_S2 * sim_cloth_mass(sim_layered_cloth(p.layered))[i];
  for (int i = 0; i < p.tets.n_vertices; i++)
    weight += CB_STANDARD_GRAVITY_M_PER_S2 * sim_elastic_mass(sim_layered_elastic(p.layered, 0))[i];
  CHECK(fabs(sum / steps / weight - 1) < 0.01, "the ground bears %g N, the weight is %g N", sum / steps,
        weight);
  pillow_clear(&p);
}

/* Without a case the body lies on the ground by itself, and slides as Coulomb says. */
static void test_bare_body_on_the_ground(void **state) {
  (void)state;
  pillow p;
  pillow_make(&p);
  const sim_block block = {{-.1, -.1, 0}, {.1, .1, .1}, {4, 4, 2}};
  sim_tets_clear(&p.tets);
  assert_ok(sim_tets_block(&block, &p.tets, err));
  for (int i = 0; i < p.mesh.n_vertices; i++) p.mesh.position_m[i][2] += 1;
  for (int k = 0; k < 3; k++) p.setup.cloth.gravity_m_per_s2[k] = 0;
  p.ground.origin_m[2] = 0;
  p.body.has_air = false;
  p.body.elastic.young_Pa = 1e6;
  p.body.elastic.gravity_m_per_s2[0] = 0.5 * CB_STANDARD_GRAVITY_M_PER_S2;
  pillow_start(&p);
  double before = 0, after = 0;
  const double dt = 1e-3;
  for (int s = 0; s < 400; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(p.layered, dt, &r, err));
    double mean = 0;
    for (int i = 0; i < p.tets.n_vertices; i++)
      mean += sim_layered_body_velocity(p.layered, 0)[i][0] / p.tets.n_vertices;
    if (s == 99) before = mean;
    after = mean;
  }
  double got = (after - before) / (300 * dt), want = (0.5 - 0.3) * CB_STANDARD_GRAVITY_M_PER_S2;
  CHECK(fabs(got / want - 1) < 0.01, "it slides with %g m/s2, %g was to be", got, want);
  pillow_clear(&p);
}

static double energy(const pillow *p) {
  sim_cloth_energies cloth;
  double sum;
  sim_cloth_energy(sim_layered_cloth(p->layered), &cloth);
  sum = cloth.kinetic + cloth.stretch + cloth.bending;
  for (int b = 0; b < 2; b++) {
    sim_elastic_energy body = sim_elastic_energy_of(sim_layered_elastic(p->layered, b));
    sum += body.kinetic + body.elastic;
  }
  return sum;
}

/* A block of 0.2 kg that moves down at 1 m/s, light cloth, soft foam. */
static void between_make(pillow *p, sim_layered_body body[2], sim_tets tets[2]) {
  const sim_rectangle sheet = {
      .length_m = .2, .width_m = .2, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = 24};
  *p = (pillow){.material = sim_material_isotropic(0.15, 300, 5e-6)};
  assert_ok(sim_mesh_rectangle(&sheet, &p->mesh, err));
  double h = 1.02 * sim_layered_body_default(&p->mesh).offset.thickness_m;
  const sim_block block[2] = {{{-.05, -.05, -.1 - h}, {.25, .25, -h}, {6, 6, 3}},
                              {{.05, .05, h}, {.15, .15, h + .1}, {3, 3, 3}}};
  p->setup = sim_layered_setup_default(&p->mesh, &p->material);
  p->setup.cloth.solve_tolerance = 1e-5;
  for (int b = 0; b < 2; b++) {
    body[b] = sim_layered_body_default(&p->mesh);
    assert_ok(sim_tets_block(&block[b], &tets[b], err));
    body[b].elastic.tets = &tets[b];
    body[b].elastic.young_Pa = b ? 1e5 : 5e3;
    body[b].elastic.density_kg_per_m3 = b ? 200 : 25;
    body[b].elastic.damping_s = 1e-3;
    for (int k = 0; k < 3; k++) p->setup.cloth.gravity_m_per_s2[k] = body[b].elastic.gravity_m_per_s2[k] = 0;
  }
  p->setup.bodies = body;
  p->setup.n_bodies = 2;
  pillow_start(p);
  for (int i = 0; i < tets[1].n_vertices; i++) sim_layered_body_velocity(p->layered, 1)[i][2] = -1;
}

static void between_clear(pillow *p, sim_tets tets[2]) {
  sim_layered_free(p->layered);
  sim_mesh_clear(&p->mesh);
  for (int b = 0; b < 2; b++) sim_tets_clear(&tets[b]);
}

/* Most of its momentum goes on through the cloth, none is lost, and no step makes energy. */
static void test_block_through_cloth(void **state) {
  (void)state;
  pillow p;
  sim_layered_body body[2];
  sim_tets tets[2];
  between_make(&p, body, tets);
  double last = energy(&p), first = last, given = 0, sum = 0;
  for (int s = 0; s < 40; s++) {
    assert_ok(sim_layered_step(p.layered, 1e-3, NULL, err));
    CHECK(energy(&p) <= last + 1e-6 * first, "step %d made %g J of %g J", s, energy(&p) - last, first);
    last = energy(&p);
  }
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < tets[b].n_vertices; i++) {
      double z = sim_elastic_mass(sim_layered_elastic(p.layered, b))[i] *
                 sim_layered_body_velocity(p.layered, b)[i][2];
      sum += z;
      given += b ? 0 : z;
    }
  for (int i = 0; i < p.mesh.n_vertices; i++)
    sum += sim_cloth_mass(sim_layered_cloth(p.layered))[i] *
           sim_cloth_velocity(sim_layered_cloth(p.layered))[i][2];
  CHECK(fabs(sum + 0.2) < 1e-5 * 0.2, "momentum %g of -0.2 kg m/s", sum);
  CHECK(given < -0.6 * 0.2, "the foam got %g of -0.2 kg m/s", given);
  between_clear(&p, tets);
}

/* A hard blow is not over after all rounds, which the step says; later steps agree, some in a second round.
 */
static void test_rounds_that_do_not_agree_are_told(void **state) {
  (void)state;
  pillow p;
  sim_layered_body body[2];
  sim_tets tets[2];
  int told = 0, several = 0;
  between_make(&p, body, tets);
  const double near_m = 1e-3 * body[0].offset.thickness_m;
  for (int s = 0; s < 40; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(p.layered, 1e-3, &r, err));
    CHECK(r.cloth.residual <= 1e-5, "step %d: a residual of %g", s, r.cloth.residual);
    CHECK(r.agreed || (r.rounds == SIM_LAYERED_ROUNDS && r.offset.left_m > 0.01 * near_m),
          "step %d: %d rounds, %g mm left", s, r.rounds, 1e3 * r.offset.left_m);
    CHECK(!r.agreed || r.offset.left_m <= near_m, "step %d agreed with %g mm left", s, 1e3 * r.offset.left_m);
    told += !r.agreed;
    several += r.agreed && r.rounds > 1;
  }
  CHECK(told > 0 && told < 40, "%d steps did not agree", told);
  CHECK(several > 0, "no step agreed after its first round");
  between_clear(&p, tets);
}

/* Steps of 20 in which contacts and friction agreed, of a pillow that is thrown onto the ground. */
static int agreed_with(int solves) {
  pillow p;
  int n = 0;
  pillow_make(&p);
  p.setup.cloth.contact_iterations = solves;
  p.ground.origin_m[2] = -.04;
  pillow_start(&p);
  for (int i = 0; i < p.mesh.n_vertices; i++) sim_cloth_velocity(sim_layered_cloth(p.layered))[i][2] = -1;
  for (int i = 0; i < p.tets.n_vertices; i++) sim_layered_body_velocity(p.layered, 0)[i][2] = -1;
  for (int s = 0; s < 20; s++) {
    sim_layered_report r;
    assert_ok(sim_layered_step(p.layered, 1e-3, &r, err));
    n += r.cloth.contacts_agree;
  }
  pillow_clear(&p);
  return n;
}

static void test_contacts_that_do_not_agree_are_told(void **state) {
  (void)state;
  const int six = agreed_with(6), one = agreed_with(1);
  CHECK(six == 20 && one < 10, "%d steps of 20 agreed with six solves, %d with one", six, one);
}

static void play(pillow *p, int threads, int steps) {
  omp_set_num_threads(threads);
  for (int s = 0; s < steps; s++) assert_ok(sim_layered_step(p->layered, 2e-3, NULL, err));
  omp_set_num_threads(1);
}

static void assert_same(pillow *a, pillow *b, const char *what) {
  size_t bytes = layered_state_bytes(a->layered);
  unsigned char *state = malloc(2 * bytes);
  assert_non_null(state);
  layered_state_take(a->layered, state);
  layered_state_take(b->layered, state + bytes);
  CHECK(memcmp(state, state + bytes, bytes) == 0, "%s", what);
  free(state);
}

static void give_over(pillow *from, pillow *to) {
  unsigned char *state = malloc(layered_state_bytes(from->layered));
  assert_non_null(state);
  layered_state_take(from->layered, state);
  layered_state_give(to->layered, state);
  free(state);
}

static void test_same_bits(void **state) {
  (void)state;
  pillow one, two;
  omp_set_num_threads(2); /* working memory is for as many as there are when it is made */
  pillow_make(&one);
  pillow_start(&one);
  pillow_make(&two);
  pillow_start(&two);
  play(&one, 1, 60);
  play(&two, 2, 60);
  assert_same(&one, &two, "one thread and two differ");
  play(&one, 1, 20);
  pillow_clear(&two);
  pillow_make(&two);
  pillow_start(&two);
  give_over(&one, &two);
  play(&one, 1, 20);
  play(&two, 1, 20);
  assert_same(&one, &two, "a new pillow with the old one's state went another way");
  pillow_clear(&one);
  pillow_clear(&two);
}

/* A thread is drawn in until it is 2 % longer than the contact offset is thick. Its force acts on case and
 * body alike, so neither momentum nor spin comes of it. */
static void test_stitches(void **state) {
  (void)state;
  pillow p;
  bool *stitched;
  pillow_make(&p);
  stitched = calloc((size_t)p.mesh.n_vertices, sizeof *stitched);
  assert_non_null(stitched);
  int n = 0;
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    const double *x = p.mesh.position_m[i];
    n += stitched[i] = fabs(x[0]) < .01 && fabs(x[1]) < .06;
  }
  CHECK(n > 5, "%d stitches", n);
  p.body.stitched = stitched;
  p.body.has_air = false;
  for (int k = 0; k < 3; k++) p.setup.cloth.gravity_m_per_s2[k] = p.body.elastic.gravity_m_per_s2[k] = 0;
  p.setup.cloth.n_bodies = 0;
  p.setup.cloth.solve_tolerance = p.body.elastic.tolerance = 1e-6;
  pillow_start(&p);
  double sum[3], far_m = 0, furthest_m = 0;
  for (int s = 0; s < 45; s++) assert_ok(sim_layered_step(p.layered, 2e-3, NULL, err));
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    const double m = sim_layered_closest(p.layered, 0)[i].distance_m;
    if (stitched[i])
      far_m = fmax(far_m, m);
    else
      furthest_m = fmax(furthest_m, m);
  }
  CHECK(far_m < 1.05 * p.body.offset.thickness_m, "a stitch is %g of the offset away",
        far_m / p.body.offset.thickness_m);
  CHECK(furthest_m > 1.2 * p.body.offset.thickness_m, "no chamber: %g",
        furthest_m / p.body.offset.thickness_m);
  momentum(&p, sum);
  for (int k = 0; k < 3; k++) assert_near(sum[k], 0, 2e-7);
  pillow_clear(&p);
  free(stitched);
}

/* A body in a case whose lower side is held, without ground: the held cloth carries it. */
static void test_held_case_carries(void **state) {
  (void)state;
  pillow p;
  double z_m[2], sum[3], kg = 0, least_m = INFINITY;
  pillow_make(&p);
  bool *gripped = calloc((size_t)p.mesh.n_vertices, sizeof *gripped);
  assert_non_null(gripped);
  for (int i = 0; i < p.mesh.n_vertices; i++) gripped[i] = p.mesh.position_m[i][2] < 0;
  p.setup.cloth.gripped = gripped;
  p.setup.cloth.n_bodies = 0;
  p.body.has_air = false;
  pillow_start(&p);
  for (int part = 0; part < 2; part++) {
    for (int s = 0; s < 60; s++) assert_ok(sim_layered_step(p.layered, 2e-3, NULL, err));
    z_m[part] = 0;
    for (int i = 0; i < p.tets.n_vertices; i++)
      z_m[part] += sim_elastic_position(sim_layered_elastic(p.layered, 0))[i][2] / p.tets.n_vertices;
  }
  for (int i = 0; i < p.tets.n_vertices; i++) kg += sim_elastic_mass(sim_layered_elastic(p.layered, 0))[i];
  for (int i = 0; i < p.mesh.n_vertices; i++)
    least_m = fmin(least_m, sim_layered_closest(p.layered, 0)[i].distance_m);
  momentum(&p, sum);
  CHECK(least_m > p.body.offset.thickness_m / 2, "the cloth came to %g of the offset",
        least_m / p.body.offset.thickness_m);
  CHECK(fabs(z_m[1] - z_m[0]) < 5e-4, "it sank from %g to %g m", z_m[0], z_m[1]);
  CHECK(fabs(sum[2]) < 0.01 * kg, "it moves by %g m/s", sum[2] / kg);
  pillow_clear(&p);
  free(gripped);
}

/* Wind on one side: air goes in there and out on the other, and the pillow is pushed along. */
static void test_wind_goes_through(void **state) {
  (void)state;
  pillow p;
  pillow_make(&p);
  for (int k = 0; k < 3; k++) p.setup.cloth.gravity_m_per_s2[k] = p.body.elastic.gravity_m_per_s2[k] = 0;
  p.setup.cloth.n_bodies = 0;
  p.setup.wind_m_per_s[0] = 5;
  p.body.air.kappa_m_per_s = 0.5;
  pillow_start(&p);
  for (int s = 0; s < 20; s++) assert_ok(sim_layered_step(p.layered, 1e-3, NULL, err));
  double front = 0, back = 0, pushed[3];
  int n[2] = {0, 0};
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    double over = sim_air_pressure_Pa(sim_layered_air(p.layered, 0))[i] - SIM_ATMOSPHERE_PA;
    if (p.mesh.position_m[i][0] < -.19) front += over, n[0]++;
    if (p.mesh.position_m[i][0] > .19) back += over, n[1]++;
  }
  momentum(&p, pushed);
  CHECK(front / n[0] > 0 && back / n[1] < 0, "pressures %g Pa in front, %g Pa behind", front / n[0],
        back / n[1]);
  CHECK(pushed[0] > 0, "pushed by %g Ns", pushed[0]);
  pillow_clear(&p);
}

/* How fast the wind of one short step makes the cloth's left and right ends, along x. */
static void blow_once(const sim_gusts *gusts, double end_m_per_s[2]) {
  pillow p;
  pillow_make(&p);
  for (int k = 0; k < 3; k++) p.setup.cloth.gravity_m_per_s2[k] = p.body.elastic.gravity_m_per_s2[k] = 0;
  p.setup.cloth.n_bodies = 0;
  p.setup.wind_m_per_s[0] = 5;
  p.setup.gusts = *gusts;
  p.body.air.kappa_m_per_s = 0.5;
  pillow_start(&p);
  assert_ok(sim_layered_step(p.layered, 1e-5, NULL, err));
  int n[2] = {0, 0};
  end_m_per_s[0] = end_m_per_s[1] = 0;
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    const double x = p.mesh.position_m[i][0];
    if (fabs(x) < .19) continue;
    end_m_per_s[x > 0] += sim_cloth_velocity(sim_layered_cloth(p.layered))[i][0];
    n[x > 0]++;
  }
  for (int e = 0; e < 2; e++) end_m_per_s[e] /= n[e];
  pillow_clear(&p);
}

/* A front of gusts: at 5 m/s and with a period of 0.16 s it has its crest at x = -0.2 m and no wind at x =
 * 0.2 m. The pressure is the square of the speed; from 0.19 to 0.2 m the sine is 0.997 and more. */
static void test_gusts_come_as_a_front(void **state) {
  (void)state;
  const sim_gusts steady = {.part = 0}, front = {1, 0.16, 5}, at_once = {1, 0.16, 0};
  double calm[2], gusty[2], same[2];
  blow_once(&steady, calm);
  blow_once(&front, gusty);
  blow_once(&at_once, same); /* it begins at its mean */
  CHECK(calm[0] > 1e-5 && calm[1] > 1e-5, "steady: %g and %g m/s", calm[0], calm[1]);
  assert_near(gusty[0] / calm[0], 4, 0.02);
  assert_near(gusty[1] / calm[1], 0, 0.02);
  for (int e = 0; e < 2; e++) assert_near(same[e] / calm[e], 1, 1e-12);
}

static void test_bad_input(void **state) {
  (void)state;
  pillow p;
  pillow_make(&p);
  p.body.air.kappa_m_per_s = -1;
  assert_fails(CB_E_RANGE, "permeability", sim_layered_new(&p.setup, &p.layered, err));
  p.body.air.kappa_m_per_s = 0;
  p.body.n_vertices = p.mesh.n_vertices + 1;
  assert_fails(CB_E_RANGE, "meet it", sim_layered_new(&p.setup, &p.layered, err));
  p.body.n_vertices = 0;
  for (int i = 0; i < p.mesh.n_vertices; i++) p.mesh.position_m[i][2] += .03;
  assert_fails(CB_E_RANGE, "body 1 in the layers: vertex ", sim_layered_new(&p.setup, &p.layered, err));
  pillow_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_momentum_stays),
      cmocka_unit_test(test_momentum_stays_in_iterations),
      cmocka_unit_test(test_friction_makes_no_energy),
      cmocka_unit_test(test_sealed_air_stays),
      cmocka_unit_test(test_weight_reaches_the_ground),
      cmocka_unit_test(test_bare_body_on_the_ground),
      cmocka_unit_test(test_block_through_cloth),
      cmocka_unit_test(test_rounds_that_do_not_agree_are_told),
      cmocka_unit_test(test_contacts_that_do_not_agree_are_told),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_stitches),
      cmocka_unit_test(test_held_case_carries),
      cmocka_unit_test(test_wind_goes_through),
      cmocka_unit_test(test_gusts_come_as_a_front),
      cmocka_unit_test(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
