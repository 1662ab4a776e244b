/* What columns do to each other, to bodies, to a hand, to themselves; folds; threads; what is refused. */
#include <omp.h>

#include "curtaintest.h"
#include "sim_curtain_impl.h"
#include "sim_self.h"

/* ---- weft ---- */

static double *at(sim_curtain *c, int column, int node, int k) {
  return (double *)&c->next[3 * sim_curtain_at(c, column / SIM_CURTAIN_LANES, node) + k] +
         column % SIM_CURTAIN_LANES;
}

static double stretch_of_next(sim_curtain *c) {
  sim_f64x8 *x = c->x;
  c->x = c->next;
  const double out = sim_curtain_stretch(c);
  c->x = x;
  return out;
}

/* Rows of 21 columns on an arc, each edge longer than the cloth by up to 5 %: Newton's method, so that what
 * is left is squared by every round; the row's momentum stays, its two half columns weighing half. */
static void test_taut_row(void **state) {
  (void)state;
  sim_curtain_setup s = vacuum(21, 9, 0.05);
  sim_curtain *c;
  double before[3], after[3], miss[6];
  assert_ok(sim_curtain_new(&s, &c, err));
  for (int node = 0; node <= 9; node++)
    for (int column = 0; column < 21; column++) {
      const double radius = 0.05 * (1.01 + 0.004 * node) / 0.1, angle = 0.1 * column;
      *at(c, column, node, 0) = radius * sin(angle), *at(c, column, node, 1) = radius * cos(angle),
                           *at(c, column, node, 2) = -0.05 * node;
    }
  sim_f64x8 *work = c->work;
  for (int round = 0; round < 6; round++) {
    for (int k = 0; k < 3; k++) {
      before[k] = after[k] = 0;
      for (int column = 0; column < 21; column++)
        before[k] += sim_curtain_mass(c, column, 5) * *at(c, column, 5, k);
    }
    for (int i = 0; i < sim_curtain_eights(c); i++) sim_curtain_pull(c, i, round == 0, work);
    for (int k = 0; k < 3; k++) {
      for (int column = 0; column < 21; column++)
        after[k] += sim_curtain_mass(c, column, 5) * *at(c, column, 5, k);
      assert_near(after[k], before[k], 1e-15 * 21 * sim_curtain_mass(c, 5, 5));
    }
    miss[round] = stretch_of_next(c) - 1;
  }
  print_message("a row 5 %% too long is, round by round, too long by %.1e %.1e %.1e %.1e\n", miss[0], miss[1],
                miss[2], miss[3]);
  assert_true(miss[0] < 0.05 && miss[5] < 1e-10);
  sim_curtain_free(c);
}

/* Two columns: the pair comes to the cloth's width along the line between them; slack, to the bit, it stays
 * where it is. */
static void test_pair(void **state) {
  (void)state;
  for (int slack = 0; slack < 2; slack++) {
    sim_curtain_setup s = vacuum(2, 2, 0.05);
    sim_curtain *c;
    assert_ok(sim_curtain_new(&s, &c, err));
    const double place[2][3] = {{0, 0, -0.05}, {slack ? 0.01 : 0.06, 0.02, -0.08}};
    for (int column = 0; column < 2; column++)
      for (int k = 0; k < 3; k++) *at(c, column, 1, k) = place[column][k];
    sim_curtain_pull(c, 0, true, c->work);
    const double length = apart(place[0], place[1]);
    for (int k = 0; k < 3; k++) {
      const double moved = slack ? 0 : (place[1][k] - place[0][k]) * (1 - 0.05 / length) / 2;
      assert_near(*at(c, 0, 1, k), place[0][k] + moved, slack ? 0 : 1e-16);
      assert_near(*at(c, 1, 1, k), place[1][k] - moved, slack ? 0 : 1e-16);
    }
    sim_curtain_free(c);
  }
}

/* The bench's flag, 10 s: what two rounds leave (docs/method/curtain.md), rods that have their
 * length. */
static void test_flag(void **state) {
  (void)state;
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 16, s.nodes = 15, s.rod_m = 0.1, s.weft_m = s.spacing_m = 0.06;
  s.across[0] = 0, s.across[2] = -1, s.down[0] = 1, s.down[2] = 0;
  s.wind = (sim_curtain_wind){.centre_m = {-2, 0.3, -0.45},
                              .direction = {1, -0.1, 0},
                              .radius_m = 3,
                              .apex_m = 20,
                              .pressure_Pa = 40,
                              .passing = 0.1,
                              .thinning = 1,
                              .near_m = 4,
                              .falloff = 1,
                              .turbulence = 0.1,
                              .turbulence_m_per_s = 6,
                              .eddy_m = 0.15,
                              .seed = 1};
  sim_curtain *c;
  double mean = 0;
  assert_ok(sim_curtain_new(&s, &c, err));
  for (int n = 0; n < 600; n++) {
    sim_curtain_report r;
    assert_ok(sim_curtain_step(c, 1.0 / 60, &r, err));
    mean += r.stretch / 600;
    assert_true(worst_rod(c, &s) < 1e-12);
  }
  print_message("flag: on the mean of the frames the worst edge is %.3f of the cloth\n", mean);
  assert_true(mean < 1.05);
  sim_curtain_free(c);
}

/* ---- folds ---- */

/* All segments have their length, in one plane with the edge; out to one side and to the other in turn; ends
 * are the first layer. */
static void check_folds(sim_curtain *c, const sim_curtain_setup *s) {
  const int n = s->segments, width = sim_curtain_width(c);
  vec3 *x = calloc((size_t)sim_curtain_vertices(c), sizeof *x);
  assert_non_null(x);
  sim_curtain_places(c, x);
  for (int node = 0; node < s->nodes; node++)
    for (int edge = 0; edge < s->columns - 1; edge++) {
      vec3 *p = &x[node * width + edge * n];
      double own[3], next[3];
      sim_curtain_node(c, edge, node, own, NULL);
      sim_curtain_node(c, edge + 1, node, next, NULL);
      assert_true(apart(own, p[0]) == 0 && apart(next, p[n]) == 0);
      const double d = apart(own, next), over = fmax(1, d / s->weft_m);
      for (int j = 0; j < n && n > 1; j++) assert_near(apart(p[j], p[j + 1]), over * s->weft_m / n, 1e-12);
      for (int j = 1; j < n && d < 0.999 * s->weft_m && n > 1; j++) {
        const double *a = p[n / 2];
        double e[3], f[3], g[3];
        for (int k = 0; k < 3; k++) e[k] = next[k] - own[k], f[k] = a[k] - own[k], g[k] = p[j][k] - own[k];
        const double volume = g[0] * (e[1] * f[2] - e[2] * f[1]) + g[1] * (e[2] * f[0] - e[0] * f[2]) +
                              g[2] * (e[0] * f[1] - e[1] * f[0]);
        assert_near(volume, 0, 1e-15);
      }
    }
  free(x);
}

static void test_folds(void **state) {
  (void)state;
  static const double share[] = {0.01, 0.3, 0.5, 0.9, 1};
  for (int n = 1; n <= SIM_CURTAIN_SEGMENTS; n++)
    for (int k = 0; k < 5; k++) {
      sim_curtain_setup s = sim_curtain_setup_default();
      s.columns = 11, s.nodes = 8, s.segments = n, s.spacing_m = share[k] * s.weft_m;
      s.wind.pressure_Pa = 5, s.wind.turbulence = 1, s.wind.centre_m[1] = -0.3;
      s.self_collision = false; /* it flattens folds */
      sim_curtain *c;
      assert_ok(sim_curtain_new(&s, &c, err));
      assert_int_equal(sim_curtain_vertices(c), (10 * n + 1) * 8);
      check_folds(c, &s);
      for (int i = 0; i < 10; i++) assert_ok(sim_curtain_step(c, 0.02, NULL, err));
      check_folds(c, &s);
      sim_curtain_free(c);
    }
}

/* Hung at half of its width, of six segments: cos alpha = (6/2 - 2)/4 (equation (2)), so that a fold is 2 w/6
 * sin alpha deep, along the normal; and the surface has its triangles all to one side. */
static void test_fold_depth(void **state) {
  (void)state;
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 3, s.nodes = 3, s.segments = 6, s.spacing_m = s.weft_m / 2;
  sim_curtain *c;
  vec3 x[39];
  int triangle[48][3], used[39] = {0};
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_int_equal(sim_curtain_vertices(c), 39);
  assert_int_equal(sim_curtain_triangles(c), 48);
  sim_curtain_places(c, x);
  sim_curtain_surface(c, triangle);
  const double deep = 2 * s.weft_m / 6 * sqrt(1 - 1.0 / 16);
  for (int row = 0; row < 3; row++) {
    assert_near(fabs(x[13 * row + 2][1]), deep, 1e-15);
    assert_near(x[13 * row + 8][1], -x[13 * row + 2][1], 1e-15);
  }
  for (int t = 0; t < 48; t++) {
    double area = 0; /* as seen in (column, row) */
    for (int k = 0; k < 3; k++) {
      const int a = triangle[t][k], b = triangle[t][(k + 1) % 3];
      area += (a % 13) * (b / 13) - (b % 13) * (a / 13);
      used[a]++;
    }
    assert_near(area, -1, 0);
  }
  for (int i = 0; i < 39; i++) assert_true(used[i] >= 1 && used[i] <= 6);
  sim_curtain_free(c);
}

/* ---- bodies ---- */

/* Blown against a ball and onto the ground: how deep the worst node comes into them in a second, over the
 * thickness. */
static void test_bodies(void **state) {
  (void)state;
  const sim_body body[] = {{.shape = SIM_SPHERE,
                            .origin_m = {0.4, 0.25, -1},
                            .axis = {0, 0, 1},
                            .radius_m = 0.2,
                            .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}},
                           {.shape = SIM_PLANE,
                            .origin_m = {0, 0, -1.4},
                            .axis = {0, 0, 1},
                            .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}}};
  sim_curtain_setup s = sim_curtain_setup_default();
  s.wind.pressure_Pa = 10;
  s.wind.centre_m[1] = -1;
  s.thickness_m = 0.01;
  s.self_collision = false; /* where it keeps a node out of the cloth, the node may be in a body */
  s.body = body, s.n_bodies = 2;
  sim_curtain *c;
  double deepest = 0;
  int touching = 0, most = 0;
  assert_ok(sim_curtain_new(&s, &c, err));
  for (int n = 0; n < 120; n++) {
    sim_curtain_report r;
    assert_ok(sim_curtain_step(c, 1.0 / 60, &r, err));
    touching = r.touching;
    most = touching > most ? touching : most;
    for (int column = 0; column < s.columns && n > 20; column++)
      for (int node = 1; node < s.nodes; node++) {
        double x[3];
        sim_curtain_node(c, column, node, x, NULL);
        for (int b = 0; b < 2; b++) {
          sim_touch t;
          sim_body_touch(&body[b], x, &t);
          deepest = fmax(deepest, -t.distance_m);
        }
      }
  }
  print_message("up to %d nodes touch; the deepest was %.1e m in\n", most, deepest);
  assert_true(most > 20);
  assert_true(deepest < 0.05 * s.rod_m);
  assert_true(worst_rod(c, &s) < 1e-12);
  sim_curtain_free(c);
}

/* A wall that moves along the cloth and is pressed on drags it with friction, and not without. */
static void test_friction(void **state) {
  (void)state;
  double moved[2];
  for (int k = 0; k < 2; k++) {
    const sim_body wall = {.shape = SIM_PLANE,
                           .origin_m = {0, 0.02, 0},
                           .axis = {0, -1, 0},
                           .velocity_m_per_s = {1, 0, 0},
                           .friction = {.mu_kinetic = k, .mu_static = k}};
    sim_curtain_setup s = sim_curtain_setup_default();
    sim_curtain *c;
    double x[3];
    s.wind.pressure_Pa = 20, s.wind.apex_m = 1e6, s.wind.centre_m[1] = -0.1, s.wind.radius_m = 100;
    s.body = &wall, s.n_bodies = 1;
    assert_ok(sim_curtain_new(&s, &c, err));
    for (int n = 0; n < 30; n++) assert_ok(sim_curtain_step(c, 0.01, NULL, err));
    sim_curtain_node(c, 10, 30, x, NULL);
    moved[k] = x[0] - 0.5;
    sim_curtain_free(c);
  }
  assert_near(moved[0], 0, 1e-3);
  assert_true(moved[1] > 0.02);
}

/* ---- a hand ---- */

/* One rod that a spring holds at an angle: m g l sin a = k (target - x).tangent; and one whose target is out
 * of reach, towards it. */
static void test_hand(void **state) {
  (void)state;
  sim_curtain_setup s = vacuum(1, 1, 0.5);
  s.air.density_kg_per_m3 = 1.2, s.air.corner = 2;
  sim_curtain *c;
  sim_curtain_drag d = {
      .node = 1, .target_m = {0.4, 0, -0.4}, .stiffness_N_per_m = 0.02, .damping_Ns_per_m = 0.01};
  double x[3];
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_ok(sim_curtain_hold(c, &d, err));
  for (int n = 0; n < 4000; n++) assert_ok(sim_curtain_step(c, 0.01, NULL, err));
  sim_curtain_node(c, 0, 1, x, NULL);
  const double weight = sim_curtain_mass(c, 0, 1) * CB_STANDARD_GRAVITY_M_PER_S2,
               tangent[3] = {-x[2] / 0.5, 0, x[0] / 0.5};
  double pull = 0;
  for (int k = 0; k < 3; k++) pull += 0.02 * (d.target_m[k] - x[k]) * tangent[k];
  assert_true(x[0] > 0.01);
  assert_near(pull, weight * x[0] / 0.5, 1e-9 * weight);
  d = (sim_curtain_drag){.node = 1, .target_m = {3, 4, 0}, .stiffness_N_per_m = 1e6, .damping_Ns_per_m = 1e3};
  assert_ok(sim_curtain_hold(c, &d, err));
  for (int n = 0; n < 2000; n++) assert_ok(sim_curtain_step(c, 0.01, NULL, err));
  sim_curtain_node(c, 0, 1, x, NULL);
  const double reached[3] = {0.3, 0.4, 0};
  assert_near(apart(x, reached), 0, 1e-6);
  sim_curtain_let_go(c);
  for (int n = 0; n < 4000; n++) assert_ok(sim_curtain_step(c, 0.01, NULL, err));
  sim_curtain_node(c, 0, 1, x, NULL);
  assert_near(x[2], -0.5, 1e-6);
  d.node = 0;
  assert_fails(CB_E_RANGE, "node that is dragged", sim_curtain_hold(c, &d, err));
  sim_curtain_free(c);
}

/* ---- itself ---- */

/* Both layers as a mesh that can count its crossings. */
typedef struct counted {
  sim_mesh mesh;
  sim_self *self;
  vec3 *x;
} counted;

static counted count_begin(const sim_curtain *c) {
  counted out = {.x = calloc((size_t)sim_curtain_vertices(c), sizeof(vec3))};
  const int n = sim_curtain_triangles(c), width = sim_curtain_width(c);
  int(*triangle)[3] = calloc((size_t)n, sizeof *triangle);
  double(*flat)[3][2] = calloc((size_t)n, sizeof *flat);
  assert_true(out.x && triangle && flat);
  sim_curtain_surface(c, triangle);
  for (int i = 0; i < 3 * n; i++) {
    flat[i / 3][i % 3][0] = 0.01 * (triangle[i / 3][i % 3] % width);
    flat[i / 3][i % 3][1] = -0.01 * (int)(triangle[i / 3][i % 3] / width);
  }
  sim_curtain_places(c, out.x);
  assert_ok(sim_mesh_build((const sim_vec3 *)out.x, sim_curtain_vertices(c), (const int(*)[3])triangle,
                           (const double(*)[3][2])flat, n, &out.mesh, err));
  free(triangle);
  free(flat);
  return out;
}

static int crossings(counted *k, const sim_curtain *c) {
  const sim_mesh *mesh = &k->mesh;
  const sim_self_options opt = {.thickness_m = 1e-3, .rounds = 1};
  if (!k->self) assert_ok(sim_self_new(&mesh, NULL, 1, &opt, &k->self, err));
  sim_curtain_places(c, k->x);
  return sim_self_crossings(k->self, (const sim_vec3 *)k->x);
}

static void count_end(counted *k) {
  sim_self_free(k->self);
  sim_mesh_clear(&k->mesh);
  free(k->x);
}

static double energy(const sim_curtain *c, const sim_curtain_setup *s) {
  double e = 0;
  for (int i = 0; i < s->columns * s->nodes; i++) {
    double x[3], v[3];
    sim_curtain_node(c, i / s->nodes, i % s->nodes, x, v);
    e += sim_curtain_mass(c, i / s->nodes, i % s->nodes) *
         (norm3(v) * norm3(v) / 2 + CB_STANDARD_GRAVITY_M_PER_S2 * x[2]);
  }
  return e;
}

/* Gathered, with folds, and thrown about by a wind as gusty as it is strong. Returns the frames with
 * crossings of 120. */
static int frames_crossed(bool self_collision, int *corrected) {
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 12, s.nodes = 16, s.segments = 6;
  s.spacing_m = 0.02;
  s.thickness_m = 4e-3;
  s.wind.pressure_Pa = 5, s.wind.turbulence = 1, s.wind.eddy_m = 0.05, s.wind.centre_m[1] = -0.5,
  s.wind.seed = 3;
  s.self_collision = self_collision;
  sim_curtain *c;
  int frames = 0;
  *corrected = 0;
  assert_ok(sim_curtain_new(&s, &c, err));
  counted k = count_begin(c);
  for (int n = 0; n < 120; n++) {
    sim_curtain_report r;
    assert_ok(sim_curtain_step(c, 1.0 / 60, &r, err));
    *corrected += r.corrected;
    frames += crossings(&k, c) > 0;
    assert_true(worst_rod(c, &s) < 1e-12);
  }
  count_end(&k);
  sim_curtain_free(c);
  return frames;
}

static void test_itself(void **state) {
  (void)state;
  int corrected[2];
  const int without = frames_crossed(false, &corrected[0]), with = frames_crossed(true, &corrected[1]);
  print_message("frames of 120 with crossings: %d without self-collision, %d with it (%d rows corrected)\n",
                without, with, corrected[1]);
  assert_true(without > 60);
  assert_int_equal(with, 0);
  assert_int_equal(corrected[0], 0);
  assert_true(corrected[1] > 0);
}

static sim_curtain_setup gathered(void) {
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 11, s.nodes = 12, s.segments = 6, s.spacing_m = 0.03;
  return s;
}

/* Laid down at random, which crosses everywhere; the first step ends without a crossing. */
static void test_itself_crumpled(void **state) {
  (void)state;
  const sim_curtain_setup s = gathered();
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  sim_curtain *c;
  assert_ok(sim_curtain_new(&s, &c, err));
  for (int column = 0; column < s.columns; column++) {
    vec3 d[11];
    for (int i = 0; i < 33; i++) d[i / 3][i % 3] = cb_rng_normal(&rng);
    lay(c, column, (const sim_vec3 *)d);
  }
  counted k = count_begin(c);
  assert_true(crossings(&k, c) > 100);
  for (int n = 0; n < 5; n++) {
    assert_ok(sim_curtain_step(c, 1.0 / 60, NULL, err));
    assert_int_equal(crossings(&k, c), 0);
    assert_true(worst_rod(c, &s) < 1e-12);
  }
  count_end(&k);
  sim_curtain_free(c);
}

/* A wind as gusty as it is strong throws it about and stops. It comes to rest, and gains next to no energy in
 * any step of these 10 s. */
static void test_itself_energy(void **state) {
  (void)state;
  sim_curtain_setup s = gathered();
  s.wind.pressure_Pa = 5, s.wind.turbulence = 1, s.wind.eddy_m = 0.1, s.wind.centre_m[1] = -0.3;
  sim_curtain *c;
  assert_ok(sim_curtain_new(&s, &c, err));
  const double rest = energy(c, &s);
  int corrected = 0;
  for (int n = 0; n < 60; n++) assert_ok(sim_curtain_step(c, 1.0 / 60, NULL, err));
  c->source.pressure_Pa = 0;
  const double start = energy(c, &s);
  double before = start, gained = 0, total = 0;
  for (int n = 0; n < 600; n++) {
    sim_curtain_report r;
    assert_ok(sim_curtain_step(c, 1.0 / 60, &r, err));
    const double now = energy(c, &s);
    gained = fmax(gained, now - before);
    total += fmax(0, now - before);
    before = now;
    corrected += r.corrected;
  }
  print_message(
      "of its energy it gains %.1e in a step at most, %.1e in all; %d rows corrected; %.1e is left\n",
      gained / (start - rest), total / (start - rest), corrected, (before - rest) / (start - rest));
  assert_true(corrected > 20);
  assert_true(gained < 1e-4 * (start - rest));
  assert_true(before - rest < 0.05 * (start - rest));
  sim_curtain_free(c);
}

/* ---- threads ---- */

static void run_with(int threads, vec3 *out, int *n) {
  const sim_body ball = {.shape = SIM_SPHERE, .origin_m = {1, 0.3, -0.6}, .axis = {0, 0, 1}, .radius_m = 0.2};
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 75, s.nodes = 61, s.rod_m = 0.02, s.weft_m = 0.04, s.spacing_m = 0.025, s.segments = 6;
  s.wind.pressure_Pa = 10, s.wind.turbulence = 0.5, s.wind.centre_m[1] = -0.5;
  s.body = &ball, s.n_bodies = 1;
  omp_set_num_threads(threads);
  sim_curtain *c;
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_int_equal(c->threads, threads);
  sim_curtain_report r = {0};
  for (int k = 0; k < 40; k++) assert_ok(sim_curtain_step(c, 1.0 / 60, &r, err));
  sim_curtain_places(c, out);
  *n = r.touching;
  sim_curtain_free(c);
}

static void test_threads(void **state) {
  (void)state;
  const size_t n = (74 * 6 + 1) * 61;
  vec3 *one = calloc(n, sizeof *one), *two = calloc(n, sizeof *two);
  int touching[2];
  assert_true(one && two);
  run_with(1, one, &touching[0]);
  run_with(2, two, &touching[1]);
  assert_memory_equal(one, two, n * sizeof *one);
  assert_int_equal(touching[0], touching[1]);
  assert_true(touching[0] > 0);
  omp_set_num_threads(1);
  free(one);
  free(two);
}

/* A law that is Coulomb's, 0.2 whatever the load and direction, slides as the number does. */
static void test_law_of_friction(void **state) {
  (void)state;
  const cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                               .form = CB_FORM_ISOTROPIC,
                               .contact_area_m2 = 1e-3,
                               .model = CB_MODEL_COULOMB,
                               .exponent = 1,
                               .dof = 10,
                               .speed_m_per_s = NAN,
                               .n_knots = 1,
                               .knots = {{.normal_force_N = 1, .f_N = {0.2, 0, 0.2}}}};
  double moved[3];
  for (int k = 0; k < 3; k++) {
    const double mu = k == 0 ? 0.2 : 0;
    const sim_body wall = {
        .shape = SIM_PLANE,
        .origin_m = {0, 0.02, 0},
        .axis = {0, -1, 0},
        .velocity_m_per_s = {1, 0, 0},
        .friction = {.mu_kinetic = mu, .mu_static = mu, .kinetic_law = k == 1 ? &law : NULL}};
    sim_curtain_setup s = sim_curtain_setup_default();
    sim_curtain *c;
    double x[3];
    s.wind.pressure_Pa = 20, s.wind.apex_m = 1e6, s.wind.centre_m[1] = -0.1, s.wind.radius_m = 100;
    s.body = &wall, s.n_bodies = 1;
    assert_ok(sim_curtain_new(&s, &c, err));
    for (int n = 0; n < 10; n++) assert_ok(sim_curtain_step(c, 0.01, NULL, err));
    sim_curtain_node(c, 10, 30, x, NULL);
    moved[k] = x[0];
    sim_curtain_free(c);
  }
  assert_true(moved[0] - moved[2] > 1e-4); /* it is taken along */
  assert_near(moved[1], moved[0], 1e-6 * (moved[0] - moved[2]));
}

/* ---- what is refused ---- */

static void test_refused(void **state) {
  (void)state;
  sim_curtain *c;
#define REFUSED(text, ...) REFUSED_AS(CB_E_RANGE, text, __VA_ARGS__)
#define REFUSED_AS(status, text, ...)                         \
  do {                                                        \
    sim_curtain_setup s = sim_curtain_setup_default();        \
    __VA_ARGS__;                                              \
    assert_fails(status, text, sim_curtain_new(&s, &c, err)); \
    assert_null(c);                                           \
  } while (0)
  REFUSED("columns", s.columns = 0);
  REFUSED("nodes", s.nodes = 1);
  REFUSED("columns x nodes", s.columns = s.nodes = 100000);
  REFUSED_AS(CB_E_NUM, "rod", s.rod_m = NAN);
  REFUSED("weft", s.weft_m = 0);
  REFUSED("spacing", s.spacing_m = 0.051);
  REFUSED("segments", s.segments = 17);
  REFUSED("areal density", s.areal_density_kg_per_m2 = -1);
  REFUSED("pulls", s.pulls = -1);
  REFUSED("thickness", s.thickness_m = 0);
  const sim_body slick = {.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = {.mu_kinetic = INFINITY}};
  REFUSED("kinetic coefficient = inf", s.body = &slick, s.n_bodies = 1);
  REFUSED("self-collision needs both", s.spacing_m = 0);
  REFUSED("self-collision needs both", s.down[0] = 1, s.down[2] = 0);
  REFUSED_AS(CB_E_NUM, "top", s.top_m[1] = NAN);
  REFUSED_AS(CB_E_NUM, "gravity", s.gravity_m_per_s2[0] = NAN);
  REFUSED("across has the length 2: 1 was wanted", s.across[0] = 2);
  REFUSED("down has the length 0", s.down[2] = 0);
  REFUSED("density of the air", s.air.density_kg_per_m3 = -1);
  REFUSED_AS(CB_E_NUM, "threshold", s.air.threshold_m_per_s = NAN);
  REFUSED("damping of edges", s.air.edge = 0.5);
  REFUSED("damping of corners", s.air.corner = 1);
  REFUSED("damping of what is fast", s.air.fast = -1);
  REFUSED("radius of the window", s.wind.radius_m = 0);
  REFUSED("apex", s.wind.apex_m = 0);
  REFUSED("pressure", s.wind.pressure_Pa = -1);
  REFUSED("share of the air that passes", s.wind.passing = 1.1);
  REFUSED("power of what does not pass", s.wind.thinning = -1);
  REFUSED("near", s.wind.near_m = 0);
  REFUSED("falloff", s.wind.falloff = 5);
  REFUSED_AS(CB_E_NUM, "turbulence", s.wind.turbulence = NAN);
  REFUSED("speed of the turbulence", s.wind.turbulence_m_per_s = -1);
  REFUSED("eddy", s.wind.eddy_m = -1);
  REFUSED("direction of the wind = 0, 0, 0", s.wind.direction[1] = 0);
  const sim_curtain_setup s = sim_curtain_setup_default();
  assert_ok(sim_curtain_new(&s, &c, err));
  assert_fails(CB_E_RANGE, "curtain: step", sim_curtain_step(c, 0, NULL, err));
  vec3 nowhere[30];
  for (int k = 0; k < 30; k++) nowhere[k][0] = NAN, nowhere[k][1] = nowhere[k][2] = 0;
  lay(c, 3, (const double(*)[3])nowhere);
  assert_fails(CB_E_NUM, "a column is nowhere", sim_curtain_step(c, 0.01, NULL, err));
  sim_curtain_free(c);
  sim_curtain_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_taut_row),
                                     cmocka_unit_test(test_pair),
                                     cmocka_unit_test(test_flag),
                                     cmocka_unit_test(test_folds),
                                     cmocka_unit_test(test_fold_depth),
                                     cmocka_unit_test(test_bodies),
                                     cmocka_unit_test(test_friction),
                                     cmocka_unit_test(test_hand),
                                     cmocka_unit_test(test_itself),
                                     cmocka_unit_test(test_itself_crumpled),
                                     cmocka_unit_test(test_itself_energy),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_law_of_friction),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
