/* The projection onto limits of strain: closed forms, what is kept, what every triangle ends with. */
#include <omp.h>

#include "particletest.h"
#include "sim_limit.h"
#include "sim_limit_project.h"
#include "sim_self.h"
#include "sim_vec.h"

#define KINDS SIM_LIMIT_KINDS
#define WITHIN 1e-3 /* "its limit + 0.1 %" */

static const sim_limit_kind kinds[] = {SIM_LIMIT_PRINCIPAL, SIM_LIMIT_WARP_WEFT, SIM_LIMIT_MAPPED,
                                       SIM_LIMIT_PRINCIPAL_OWN};

static double *masses(const sim_mesh *mesh) {
  double *m = calloc((size_t)mesh->n_vertices, sizeof *m);
  assert_non_null(m);
  for (int i = 0; i < mesh->n_vertices; i++) m[i] = 0.2 * mesh->vertex_area_m2[i];
  return m;
}

static vec3 *copy(int n, const vec3 *x) {
  vec3 *y = cm_vectors(n);
  memcpy(y, x, (size_t)n * sizeof *y);
  return y;
}

/* ---- one triangle: equal masses on an equilateral one make the distance that of W, column by column ---- */

static void equilateral(double turned_rad, sim_mesh *out) {
  vec3 x[3] = {{0}};
  double corner[1][3][2];
  for (int k = 0; k < 3; k++) {
    const double angle = turned_rad + 2 * acos(-1) / 3 * k;
    x[k][0] = corner[0][k][0] = cos(angle);
    x[k][1] = corner[0][k][1] = sin(angle);
  }
  const int t[1][3] = {{0, 1, 2}};
  assert_ok(sim_mesh_build((const vec3 *)x, 3, t, (const double(*)[3][2])corner, 1, out, err));
}

/* x = W X, W symmetric with stretches s[0] at `angle`, s[1] across it. */
static void stretch(const sim_mesh *m, const double s[2], double angle, vec3 *x) {
  const double c = cos(angle), d = sin(angle);
  const double w[2][2] = {{s[0] * c * c + s[1] * d * d, (s[0] - s[1]) * c * d},
                          {(s[0] - s[1]) * c * d, s[0] * d * d + s[1] * c * c}};
  for (int i = 0; i < m->n_vertices; i++)
    for (int r = 0; r < 3; r++)
      x[i][r] = r < 2 ? w[r][0] * m->position_m[i][0] + w[r][1] * m->position_m[i][1] : 0;
}

static void one_triangle(sim_limit_kind kind, const sim_limit_range range[2], const double from[2],
                         double angle, const double to[2]) {
  for (int k = 0; k < 5; k++) {
    sim_mesh m;
    vec3 x[3], wanted[3];
    sim_limit *l;
    sim_limit_report r;
    equilateral(0.3 * k, &m);
    sim_limit_setup s = sim_limit_setup_default(&m, (const double[3]){0.1, 0.1, 0.1});
    s.kind = kind;
    s.tolerance = 1e-7;
    memcpy(s.range, range, sizeof s.range);
    assert_ok(sim_limit_new(&s, &l, err));
    stretch(&m, from, angle, x);
    stretch(&m, to, angle, wanted);
    assert_ok(sim_limit_project(l, x, &r, err));
    assert_true(r.within);
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < 3; a++) assert_near(x[i][a], wanted[i][a], 1e-6);
    sim_limit_free(l);
    sim_mesh_clear(&m);
  }
}

static void test_one_triangle(void **state) {
  (void)state;
  const sim_limit_range same[2] = {{0.95, 1.05}, {0.95, 1.05}}, stiff[2] = {{0.99, 1.01}, {0.95, 1.05}};
  /* principal: each singular value goes to the nearest that is allowed, whatever its direction */
  for (int k = 0; k < 4; k++) {
    one_triangle(SIM_LIMIT_PRINCIPAL, same, (const double[2]){1.3, 0.8}, 0.4 * k,
                 (const double[2]){1.05, 0.95});
    one_triangle(SIM_LIMIT_PRINCIPAL, stiff, (const double[2]){1.3, 0.9}, 0.4 * k,
                 (const double[2]){1.01, 0.99});
  }
  /* each its own: the larger has the range of warp */
  for (int k = 0; k < 4; k++)
    one_triangle(SIM_LIMIT_PRINCIPAL_OWN, stiff, (const double[2]){1.3, 0.8}, 0.4 * k,
                 (const double[2]){1.01, 0.95});
  /* along warp and weft the kinds that know directions agree */
  for (int k = 1; k < 3; k++) {
    one_triangle(kinds[k], stiff, (const double[2]){1.3, 0.8}, 0, (const double[2]){1.01, 0.95});
    one_triangle(kinds[k], stiff, (const double[2]){1.3, 0.8}, acos(0), (const double[2]){1.05, 0.99});
  }
}

/* Stretched at 45 degrees, mapped: the limit is the tighter one times sqrt 2, less by what the blur of 0.025
 * takes. The distance is that of the two ratios, and how much of the smaller to give up is a search along one
 * line. */
static void test_slant(void **state) {
  (void)state;
  const sim_limit_range same[2] = {{0.95, 1.05}, {0.95, 1.05}};
  const double blur = 0.5 * 0.05, from = 1.3;
  double best[2] = {0, 0}, least = INFINITY;
  for (int k = 0; k < 200000; k++) {
    const double s2 = 0.99 + 1e-7 * k;
    double s1 = 1.07;
    for (int i = 0; i < 20; i++) {
      const double d = s1 * s1 - s2 * s2;
      s1 = 1 + 0.05 / sqrt(1 - d * d / (d * d + blur * blur) / 2);
    }
    const double far = (s1 - from) * (s1 - from) + (s2 - 1) * (s2 - 1);
    if (far < least) least = far, best[0] = s1, best[1] = s2;
  }
  assert_true(best[0] > 1 + 0.97 * 0.05 * sqrt(2) && best[0] < 1 + 0.05 * sqrt(2));
  one_triangle(SIM_LIMIT_MAPPED, same, (const double[2]){from, 1}, acos(0) / 2, best);
}

/* ---- a sheet ---- */

typedef struct sheet {
  sim_mesh mesh;
  double *mass;
  sim_limit_setup setup;
} sheet;

static void make(double jitter, sheet *s) {
  cm_sheet(0.3, 0.2, 9, 6, jitter, &s->mesh);
  s->mass = masses(&s->mesh);
  s->setup = sim_limit_setup_default(&s->mesh, s->mass);
}

static void clear(sheet *s) {
  free(s->mass);
  sim_mesh_clear(&s->mesh);
}

static sim_limit_report project(const sim_limit_setup *s, vec3 *x) {
  sim_limit *l;
  sim_limit_report r;
  assert_ok(sim_limit_new(s, &l, err));
  assert_ok(sim_limit_project(l, x, &r, err));
  sim_limit_free(l);
  return r;
}

/* Pulled evenly by 30 % along warp. Rows along warp are straight; on each no two places may be further apart
 * than 1.05 times what they were, and the nearest such places to even ones are even: with equal masses the
 * whole sheet is, about its centre. */
static void test_even(void **state) {
  (void)state;
  sheet s;
  make(0, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = cm_vectors(n);
  for (int i = 0; i < n; i++) s.mass[i] = 1e-4;
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    s.setup.tolerance = 1e-7;
    for (int i = 0; i < n; i++) {
      x[i][0] = 1.3 * s.mesh.position_m[i][0] + 1;
      x[i][1] = 0.5;
      x[i][2] = s.mesh.position_m[i][1];
    }
    assert_true(project(&s.setup, x).within);
    for (int i = 0; i < n; i++) {
      assert_near(x[i][0], 1.05 * (s.mesh.position_m[i][0] - 0.15) + 1.3 * 0.15 + 1, 1e-6);
      assert_near(x[i][1], 0.5, 1e-9);
      assert_near(x[i][2], s.mesh.position_m[i][1], 1e-6);
    }
  }
  free(x);
  clear(&s);
}

/* The same, held on one side: about that. Held vertices stay to the bit. */
static void test_held(void **state) {
  (void)state;
  sheet s;
  make(0, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = cm_vectors(n);
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  for (int i = 0; i < n; i++) held[i] = s.mesh.position_m[i][0] == 0;
  s.setup.held = held;
  s.setup.range[0].high = 1.02;
  s.setup.tolerance = 1e-7;
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    for (int i = 0; i < n; i++)
      for (int a = 0; a < 3; a++) x[i][a] = (a == 0 ? 1.3 : 1) * s.mesh.position_m[i][a];
    assert_true(project(&s.setup, x).within);
    for (int i = 0; i < n; i++) {
      assert_near(x[i][0], 1.02 * s.mesh.position_m[i][0], 1e-6);
      if (held[i]) assert_memory_equal(x[i], s.mesh.position_m[i], sizeof x[i]);
    }
  }
  free(held);
  free(x);
  clear(&s);
}

/* ---- any state ---- */

/* Pulled, pressed, sheared and crumpled by up to some 20 %. */
static void any_state(const sheet *s, uint64_t seed, vec3 *x) {
  crumple(&s->mesh, 1.08, 0.95, 0.003, seed, x);
}

static double outside(const sheet *s, const vec3 *x) {
  sim_limit_look look;
  sim_limit_see(&s->setup, x, &look);
  return look.excess;
}

static void test_every_triangle(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  vec3 *x = cm_vectors(s.mesh.n_vertices);
  for (int k = 0; k < KINDS; k++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      s.setup.kind = kinds[k];
      s.setup.range[0] = (sim_limit_range){seed == 2 ? 0 : 0.97, seed == 1 ? INFINITY : 1.03};
      any_state(&s, seed, x);
      assert_true(outside(&s, (const vec3 *)x) > 20 * WITHIN);
      const sim_limit_report r = project(&s.setup, x);
      assert_true(r.within);
      assert_true(outside(&s, (const vec3 *)x) <= WITHIN);
      assert_near(outside(&s, (const vec3 *)x), r.excess, 1e-9);
    }
  free(x);
  clear(&s);
}

/* Within the limits, nothing happens: to the bit. */
static void test_idle(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = cm_vectors(n);
  sim_limit_look flat;
  sim_limit_see(&s.setup, (const vec3 *)s.mesh.position_m, &flat); /* as it was made: no direction is a
                                                                      principal one */
  assert_true(flat.excess == 0 && flat.outside == 0);
  for (int side = 0; side < 2; side++) assert_near(flat.any[side], 1, 1e-14);
  crumple(&s.mesh, 1.02, 0.99, 1e-4, 1, x);
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    s.setup.range[0] = s.setup.range[1] = (sim_limit_range){0.7, 1.4};
    assert_true(outside(&s, (const vec3 *)x) == 0);
    vec3 *before = copy(n, (const vec3 *)x);
    const sim_limit_report r = project(&s.setup, x);
    assert_true(r.within && r.rounds == 0);
    assert_memory_equal(x, before, (size_t)n * sizeof *x);
    free(before);
  }
  free(x);
  clear(&s);
}

/* Momentum to rounding; the corrections' moment about the places at the end to the tolerance. */
static void test_momentum(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = cm_vectors(n);
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    s.setup.tolerance = 1e-6;
    any_state(&s, 7, x);
    vec3 *before = copy(n, (const vec3 *)x);
    assert_true(project(&s.setup, x).within);
    double momentum[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, size = 0, arm = 0;
    for (int i = 0; i < n; i++) {
      double d[3], m[3];
      sim_sub(x[i], before[i], d);
      sim_cross(x[i], d, m);
      sim_add(momentum, s.mass[i], d);
      sim_add(moment, s.mass[i], m);
      size += s.mass[i] * sim_norm(d);
      arm += s.mass[i] * sim_norm(d) * sim_norm(x[i]);
    }
    assert_true(size > 1e-6);
    assert_true(sim_norm(momentum) <= 1e-13 * size);
    assert_true(sim_norm(moment) <= 1e-4 * arm);
    free(before);
  }
  free(x);
  clear(&s);
}

/* Turned and moved in space it is the same projection. */
static void test_turned(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  const int n = s.mesh.n_vertices;
  const double turn[3] = {0.7, -1.1, 0.4};
  vec3 *x = cm_vectors(n), *y = cm_vectors(n);
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    s.setup.tolerance = 1e-6;
    crumple(&s.mesh, 1.08, 1, 5e-4, 5, x);
    for (int i = 0; i < n; i++) {
      memcpy(y[i], x[i], sizeof y[i]);
      sim_turn(y[i], turn, 1);
      y[i][1] += 2;
    }
    assert_true(project(&s.setup, x).within && project(&s.setup, y).within);
    for (int i = 0; i < n; i++) {
      sim_turn(x[i], turn, 1);
      x[i][1] += 2;
      for (int a = 0; a < 3; a++) assert_near(x[i][a], y[i][a], 2e-6);
    }
  }
  free(x);
  free(y);
  clear(&s);
}

/* Limits of warp and weft exchanged: a principal limit of one range is the same to the bit; the others are
 * others. */
static void test_swap(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  const int n = s.mesh.n_vertices;
  const sim_limit_range stiff = {0.99, 1.01}, soft = {0.95, 1.05};
  vec3 *x[2] = {cm_vectors(n), cm_vectors(n)};
  for (int k = 0; k < KINDS; k++) {
    double off = 0;
    for (int swap = 0; swap < 2; swap++) {
      s.setup.kind = kinds[k];
      s.setup.range[swap] = stiff;
      s.setup.range[1 - swap] = soft;
      crumple(&s.mesh, 1.08, 1.07, 5e-4, 5, x[swap]);
      assert_true(project(&s.setup, x[swap]).within);
    }
    for (int i = 0; i < n; i++)
      for (int a = 0; a < 3; a++) off = fmax(off, fabs(x[0][i][a] - x[1][i][a]));
    if (kinds[k] == SIM_LIMIT_PRINCIPAL)
      assert_true(off == 0);
    else
      assert_true(off > 0.02 * 0.2 / 2); /* half of what 4 % of the shorter side differ by */
  }
  free(x[0]);
  free(x[1]);
  clear(&s);
}

/* A sheet drawn tight over a ball: its limits draw it through, and with the ball known, down to it and no
 * further. */
static void test_ball(void **state) {
  (void)state;
  sheet s;
  make(0, &s);
  const int n = s.mesh.n_vertices;
  const sim_body ball = {.shape = SIM_SPHERE,
                         .origin_m = {0.15, 0.1, -0.1},
                         .axis = {0, 0, 1},
                         .radius_m = 0.12,
                         .friction = {0, 0}};
  vec3 *x = cm_vectors(n);
  for (int k = 0; k < KINDS; k++) {
    sim_limit *l;
    sim_limit_report r;
    s.setup.kind = kinds[k];
    assert_ok(sim_limit_new(&s.setup, &l, err));
    double deepest[2] = {0, 0};
    for (int with = 0; with < 2; with++) {
      for (int i = 0; i < n; i++) { /* drawn over the ball, all of it 1 mm or more outside */
        sim_touch touch;
        const double at[3] = {1.3 * (s.mesh.position_m[i][0] - 0.15) + 0.15, s.mesh.position_m[i][1],
                              -0.3 * fabs(s.mesh.position_m[i][0] - 0.15)};
        memcpy(x[i], at, sizeof at);
        sim_body_touch(&ball, at, &touch);
        if (touch.distance_m < 1e-3) sim_add(x[i], 1e-3 - touch.distance_m, touch.normal);
      }
      sim_limit_forget(l);
      sim_limit_keep_out(l, &ball, with, (const vec3 *)x);
      assert_ok(sim_limit_project(l, x, &r, err));
      assert_true(r.within && r.excess_before > 0.1 && r.excess <= WITHIN);
      for (int i = 0; i < n; i++) {
        sim_touch touch;
        sim_body_touch(&ball, x[i], &touch);
        deepest[with] = fmin(deepest[with], touch.distance_m);
      }
    }
    assert_true(deepest[0] < -1e-3);   /* there was something to do */
    assert_true(deepest[1] > -2.5e-5); /* tolerance x side of a triangle, 33 mm, and a half */
    sim_limit_free(l);
  }
  free(x);
  clear(&s);
}

static void test_threads(void **state) {
  (void)state;
  sheet s;
  make(0.2, &s);
  const int n = s.mesh.n_vertices;
  vec3 *one = cm_vectors(n), *two = cm_vectors(n);
  for (int k = 0; k < KINDS; k++) {
    s.setup.kind = kinds[k];
    any_state(&s, 3, one);
    any_state(&s, 3, two);
    omp_set_num_threads(1);
    (void)project(&s.setup, one);
    omp_set_num_threads(2);
    (void)project(&s.setup, two);
    omp_set_num_threads(1);
    assert_memory_equal(one, two, (size_t)n * sizeof *one);
  }
  free(one);
  free(two);
  clear(&s);
}

/* Scenes that are played side by side, as drawn laws are, share a BLAS that is not safe in two threads. */
static void test_side_by_side(void **state) {
  (void)state;
  enum { SHEETS = 12 };
  sheet s;
  vec3 *alone[SHEETS], *beside[SHEETS];
  cm_sheet(0.3, 0.2, 24, 16, 0.2, &s.mesh);
  s.mass = masses(&s.mesh);
  s.setup = sim_limit_setup_default(&s.mesh, s.mass);
  s.setup.kind = SIM_LIMIT_MAPPED;
  const size_t n = (size_t)s.mesh.n_vertices;
  for (int i = 0; i < SHEETS; i++) {
    alone[i] = cm_vectors((int)n);
    any_state(&s, (uint64_t)i + 1, alone[i]);
    beside[i] = copy((int)n, (const vec3 *)alone[i]);
    (void)project(&s.setup, alone[i]);
  }
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < SHEETS; i++) (void)project(&s.setup, beside[i]);
  for (int i = 0; i < SHEETS; i++) {
    assert_memory_equal(alone[i], beside[i], n * sizeof *alone[i]);
    free(alone[i]), free(beside[i]);
  }
  clear(&s);
}

/* Grips that are further apart than the limits let them be: an outcome. */
static void test_impossible(void **state) {
  (void)state;
  sheet s;
  make(0, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = cm_vectors(n);
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  s.setup.held = held;
  s.setup.rounds = 5;
  for (int i = 0; i < n; i++) {
    held[i] = s.mesh.position_m[i][0] == 0 || s.mesh.position_m[i][0] > 0.299;
    for (int a = 0; a < 3; a++) x[i][a] = (a == 0 ? 1.2 : 1) * s.mesh.position_m[i][a];
  }
  const sim_limit_report r = project(&s.setup, x);
  assert_true(!r.within && r.rounds == 5);
  assert_true(r.excess > 0.1 && r.excess < 0.2); /* 20 % in the mean, 5 % allowed */
  free(held);
  free(x);
  clear(&s);
}

/* After it, a projection of the cloth at rest hardly moves it: multipliers of a large penalty are dropped. */
static void test_after_impossible(void **state) {
  (void)state;
  sheet s;
  sim_limit *l;
  sim_limit_report r;
  make(0, &s);
  const int n = s.mesh.n_vertices;
  vec3 *x = copy(n, (const vec3 *)s.mesh.position_m);
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  s.setup.held = held;
  for (int i = 0; i < n; i++) {
    x[i][0] *= 1.3;
    held[i] = s.mesh.position_m[i][0] == 0 || s.mesh.position_m[i][0] > 0.299;
  }
  assert_ok(sim_limit_new(&s.setup, &l, err));
  assert_ok(sim_limit_project(l, x, &r, err));
  assert_true(!r.within && r.penalty_kg > 0);
  memcpy(x, s.mesh.position_m, (size_t)n * sizeof *x);
  assert_ok(sim_limit_project(l, x, &r, err));
  assert_true(r.within);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) assert_near(x[i][k], s.mesh.position_m[i][k], 1e-4);
  sim_limit_free(l);
  free(held);
  free(x);
  clear(&s);
}

/* ---- with a cloth ---- */

/* A strip that hangs from its upper edge, so soft that its weight would draw it to twice its length: it hangs
 * at its limit, still. */
static void test_hangs(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.1, 9, 3, 0, &mesh);
  const int n = mesh.n_vertices;
  sim_material m = sim_material_isotropic(0.15, 0.3, 1e-6);
  m.drag_per_s = 20;
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  for (int i = 0; i < n; i++) held[i] = mesh.position_m[i][0] == 0;
  sim_cloth_setup setup = sim_cloth_setup_default(&mesh, &m);
  setup.gripped = held;
  setup.gravity_m_per_s2[2] = 0;
  setup.gravity_m_per_s2[0] = 9.80665; /* along warp */
  for (int k = 0; k < KINDS; k++) {
    sim_cloth *cloth;
    sim_limit *l;
    sim_limit_report r;
    assert_ok(sim_cloth_new(&setup, &cloth, err));
    sim_limit_setup s = sim_limit_setup_default(&mesh, sim_cloth_mass(cloth));
    s.held = held;
    s.kind = kinds[k];
    s.tolerance = 1e-5;
    s.range[0].low = s.range[1].low = 0.5; /* it may grow narrow */
    assert_ok(sim_limit_new(&s, &l, err));
    for (int step = 0; step < 100; step++) {
      assert_ok(sim_limit_step(l, cloth, 0, 0.01, NULL, &r, err));
      assert_true(r.within);
    }
    for (int i = 0; i < n; i++) {
      assert_near(sim_cloth_position(cloth)[i][0], 1.05 * mesh.position_m[i][0], 1e-4);
      assert_true(sim_norm(sim_cloth_velocity(cloth)[i]) < 1e-3);
    }
    sim_limit_free(l);
    sim_cloth_free(cloth);
  }
  free(held);
  sim_mesh_clear(&mesh);
}

/* A sheet held all around and blown up to a dome of 30 mm, over a patch that floats 5 mm below its top. Its
 * limits draw the dome down, through the patch where the cloth does not meet itself. */
static bool comes_through(bool self_collision) {
  sim_mesh part[2], mesh;
  cm_sheet(0.2, 0.2, 12, 12, 0, &part[0]);
  cm_sheet(0.02, 0.02, 3, 3, 0, &part[1]);
  sim_mesh_place(&part[1], (const double[]){0, 0, 0}, (const double[]){0.09, 0.09, 0.025});
  const int rows = part[0].n_vertices;
  assert_ok(sim_mesh_join(part, 2, &mesh, err));
  bool *held = calloc((size_t)mesh.n_vertices, sizeof *held);
  assert_non_null(held);
  sim_material m = sim_material_isotropic(0.15, 1, 1e-6);
  m.thickness_m = 1e-3;
  sim_cloth_setup setup = sim_cloth_setup_default(&mesh, &m);
  setup.gripped = held;
  setup.self_collision = self_collision;
  memset(setup.gravity_m_per_s2, 0, sizeof setup.gravity_m_per_s2);
  for (int i = 0; i < rows; i++) {
    const double *x = mesh.position_m[i];
    held[i] = fmin(fmin(x[0], 0.2 - x[0]), fmin(x[1], 0.2 - x[1])) < 1e-9;
  }
  sim_cloth *cloth;
  sim_limit *l;
  sim_limit_report r;
  assert_ok(sim_cloth_new(&setup, &cloth, err));
  vec3 *x = sim_cloth_position(cloth);
  for (int i = 0; i < rows; i++)
    x[i][2] = 0.03 * sin(acos(-1) * x[i][0] / 0.2) * sin(acos(-1) * x[i][1] / 0.2);
  sim_limit_setup s = sim_limit_setup_default(&mesh, sim_cloth_mass(cloth));
  s.held = held;
  s.range[0] = s.range[1] = (sim_limit_range){0.5, 1.01};
  assert_ok(sim_limit_new(&s, &l, err));
  assert_ok(sim_limit_step(l, cloth, 0, 1e-3, NULL, &r, err));
  double top_m = 0, patch_m = 0;
  for (int i = 0; i < rows; i++) top_m = fmax(top_m, x[i][2]);
  for (int i = rows; i < mesh.n_vertices; i++) patch_m = fmax(patch_m, x[i][2]);
  print_message("top of the dome at %g mm, of the patch at %g\n", 1e3 * top_m, 1e3 * patch_m);
  assert_true(top_m < 0.03);
  sim_self *self;
  const sim_self_options o = {.thickness_m = 1e-3, .rounds = 1};
  assert_ok(sim_self_new((const sim_mesh *const[]){&part[0], &part[1]}, NULL, 2, &o, &self, err));
  const bool through = patch_m > top_m || sim_self_crossings(self, (const vec3 *)x) > 0;
  sim_self_free(self);
  sim_limit_free(l);
  sim_cloth_free(cloth);
  free(held);
  sim_mesh_clear(&mesh);
  for (int k = 0; k < 2; k++) sim_mesh_clear(&part[k]);
  return through;
}

static void test_apart(void **state) {
  (void)state;
  assert_true(comes_through(false));
  assert_false(comes_through(true));
}

/* ---- from a law, bad input ---- */

static void test_law(void **state) {
  (void)state;
  cb_stretch_law law = {.n = 2};
  for (int k = 0; k < 2; k++) {
    cb_stretch_direction *d = &law.directions[k];
    d->angle_deg = 90 * k;
    d->n_knots = 3;
    for (int i = 1; i < 3; i++)
      d->knots[i] = (cb_stretch_knot){.strain = 0.05 * (k + 1) * i, .force_N_per_m = 100 * i}; /* straight */
  }
  sim_limit_range range[2] = {{0.9, 2}, {0.8, 2}};
  assert_ok(sim_limit_of_law(&law, 50, range, err));
  assert_near(range[0].high, 1.025, 1e-9);
  assert_near(range[1].high, 1.05, 1e-9);
  assert_ok(sim_limit_of_law(&law, 1e4, range, err)); /* beyond what was measured: its end */
  assert_near(range[0].high, 1.1, 1e-12);
  assert_near(range[1].high, 1.2, 1e-12);
  assert_ok(sim_limit_of_law(&law, INFINITY, range, err));
  assert_near(range[0].high, 1.1, 1e-12);
  assert_near(range[0].low, 0.9, 0);
  assert_fails(CB_E_RANGE, "warp gives by 0", sim_limit_of_law(&law, 0, range, err));
  law.n = 1;
  assert_fails(CB_E_RANGE, "weft was not tested", sim_limit_of_law(&law, 50, range, err));
}

static void test_bad_input(void **state) {
  (void)state;
  sheet s;
  make(0, &s);
  sim_limit *l;
  const struct {
    sim_limit_setup setup;
    const char *text;
  } bad[] = {
      {.text = "kind 7", .setup = {.kind = (sim_limit_kind)7}},
      {.text = "lower ratio of warp", .setup = {.range = {{1, 1.05}, {0.9, 1.1}}}},
      {.text = "lower ratio of weft", .setup = {.range = {{0.9, 1.05}, {-0.1, 1.1}}}},
      {.text = "upper ratio of warp", .setup = {.range = {{0.9, 1}, {0.9, 1.1}}}},
      {.text = "upper ratio of weft", .setup = {.range = {{0.9, INFINITY}, {0.9, 1e4}}}},
      {.text = "tolerance", .setup = {.range = {{0.9, 1.1}, {0.9, 1.1}}, .tolerance = 0.1, .rounds = 1}},
      {.text = "rounds", .setup = {.range = {{0.9, 1.1}, {0.9, 1.1}}, .tolerance = 1e-3}},
  };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    sim_limit_setup b = bad[k].setup;
    b.mesh = &s.mesh;
    b.mass_kg = s.mass;
    assert_fails(CB_E_RANGE, bad[k].text, sim_limit_new(&b, &l, err));
    assert_null(l);
  }
  s.mass[3] = 0;
  assert_fails(CB_E_RANGE, "vertex 3 has a mass of 0 kg", sim_limit_new(&s.setup, &l, err));
  s.mass[3] = 1;
  assert_ok(sim_limit_new(&s.setup, &l, err));
  vec3 *x = copy(s.mesh.n_vertices, (const vec3 *)s.mesh.position_m);
  x[5][1] = NAN;
  assert_fails(CB_E_NUM, "vertex 5 is nowhere", sim_limit_project(l, x, NULL, err));
  sim_limit_free(l);
  sim_limit_free(NULL);
  free(x);
  clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_triangle),
                                     cmocka_unit_test(test_slant),
                                     cmocka_unit_test(test_even),
                                     cmocka_unit_test(test_held),
                                     cmocka_unit_test(test_every_triangle),
                                     cmocka_unit_test(test_idle),
                                     cmocka_unit_test(test_momentum),
                                     cmocka_unit_test(test_turned),
                                     cmocka_unit_test(test_swap),
                                     cmocka_unit_test(test_ball),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_side_by_side),
                                     cmocka_unit_test(test_impossible),
                                     cmocka_unit_test(test_after_impossible),
                                     cmocka_unit_test(test_hangs),
                                     cmocka_unit_test(test_apart),
                                     cmocka_unit_test(test_law),
                                     cmocka_unit_test(test_bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
