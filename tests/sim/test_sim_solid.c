/* Solids of triangles against closed forms: a box (exact, faces, edges and corners), finely cut spheres and
 * tori (to the height of their facets), their sign also where the nearest part is a sharp edge; what is no
 * solid, by its sentence; bodies that move. */
#include "cbtest.h"

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_frame.h"
#include "sim_mesh.h"
#include "sim_solid.h"
#include "sim_solid_tree.h"

/* A box of half sides a, b, c, faces outwards. */
#define BOX_FACES "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
static const char box_text[] =
    "v -1 -2 -3\nv 1 -2 -3\nv 1 2 -3\nv -1 2 -3\nv -1 -2 3\nv 1 -2 3\nv 1 2 3\nv -1 2 3\n" BOX_FACES;

static double box_distance(const double x[3]) {
  const double half[3] = {1, 2, 3};
  double outside = 0, inside = -INFINITY;
  for (int k = 0; k < 3; k++) {
    double d = fabs(x[k]) - half[k];
    outside += fmax(d, 0) * fmax(d, 0);
    inside = fmax(inside, d);
  }
  return outside > 0 ? sqrt(outside) : inside;
}

static void random_point(cb_rng *rng, double size, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = size * (2 * cb_rng_uniform(rng) - 1);
}

static void box(void **state) {
  (void)state;
  sim_solid *s;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  assert_ok(sim_solid_parse(box_text, sizeof box_text - 1, "box", 1, &s, err));
  assert_near(sim_solid_volume_m3(s), 48, 1e-12);
  for (int i = 0; i < 20000; i++) {
    double x[3], n[3], d, near_d, near_n[3];
    random_point(&rng, 4, x);
    if (i % 4 == 0) x[i / 4 % 3] = (double)(i / 12 % 3) - 1; /* on planes of symmetry and faces */
    d = sim_solid_distance(s, x, n);
    assert_near(d, box_distance(x), 1e-14);
    assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-12);
    bool is_near = sim_solid_near(s, x, 0.3, &near_d, near_n);
    assert_true(is_near == (d < 0.3));
    if (!is_near) continue;
    assert_near(near_d, d, 0);
    assert_memory_equal(n, near_n, sizeof n);
  }
  sim_solid_free(s);
}

/* The normal is the direction in which the distance grows. */
static void normals(void **state) {
  (void)state;
  sim_solid *s;
  assert_ok(sim_solid_parse(box_text, sizeof box_text - 1, "box", 1, &s, err));
  static const double cases[][2][3] = {
      {{2, 0.1, 0.2}, {1, 0, 0}},
      {{0.5, 0.1, 0.2}, {1, 0, 0}},
      {{1, 0.1, 0.2}, {1, 0, 0}}, /* on the face */
      {{0.1, 3, 4}, {0, M_SQRT1_2, M_SQRT1_2}},
      {{0, 2, 3}, {0, M_SQRT1_2, M_SQRT1_2}}, /* on the edge */
      {{-2, -3, -4}, {-0.57735026918962576, -0.57735026918962576, -0.57735026918962576}},
      {{-1, -2, -3}, {-0.57735026918962576, -0.57735026918962576, -0.57735026918962576}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double n[3];
    (void)sim_solid_distance(s, cases[i][0], n);
    for (int k = 0; k < 3; k++) assert_near(n[k], cases[i][1][k], 1e-14);
  }
  sim_solid_free(s);
}

/* A torus of n x n quads lies inside of the true one by no more than the height of its facets; around the
 * hole, where it is a saddle, outside by no more than that of the hole's. */
static void torus(void **state) {
  (void)state;
  const double ring = 0.1, tube = 0.03;
  const int n = 96;
  double height = (ring + tube) * (1 - cos(CB_PI / n)) + tube * (1 - cos(CB_PI / n));
  double saddle = (ring - tube) * (1 - cos(CB_PI / n));
  sim_solid *s;
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  assert_ok(sim_solid_torus(ring, tube, n, &s, err));
  assert_near(sim_solid_volume_m3(s), 2 * CB_PI * CB_PI * ring * tube * tube,
              3e-3 * 2 * CB_PI * CB_PI * ring * tube * tube);
  for (int i = 0; i < 20000; i++) {
    double x[3], normal[3];
    random_point(&rng, 0.15, x);
    double wanted = hypot(hypot(x[0], x[1]) - ring, x[2]) - tube, d = sim_solid_distance(s, x, normal);
    if (!(d >= wanted - saddle && d <= wanted + height))
      fail_msg("at %g %g %g: %g, wanted %g to %g", x[0], x[1], x[2], d, wanted - saddle, wanted + height);
  }
  sim_solid_free(s);
}

static double cylinder_distance(const double x[3], double radius, double half) {
  const double across = hypot(x[0], x[1]) - radius, along = fabs(x[2]) - half;
  return across > 0 && along > 0 ? hypot(across, along) : fmax(across, along);
}

/* A prism of n sides lies inside of the round cylinder by no more than the height of a side; over the ends it
 * is exact. */
static void cylinder(void **state) {
  (void)state;
  const double radius = 0.09, half = 0.02;
  const int n = 64;
  const double height = radius * (1 - cos(CB_PI / n));
  sim_solid *s;
  cb_rng rng;
  cb_rng_init(&rng, 6, 0);
  assert_ok(sim_solid_cylinder(radius, 2 * half, n, &s, err));
  assert_near(sim_solid_volume_m3(s), n * radius * radius * sin(2 * CB_PI / n) * half, 1e-12);
  for (int i = 0; i < 20000; i++) {
    double x[3], normal[3];
    random_point(&rng, 0.12, x);
    const double wanted = cylinder_distance(x, radius, half), d = sim_solid_distance(s, x, normal);
    if (!(d >= wanted - 1e-12 && d <= wanted + height))
      fail_msg("at %g %g %g: %g, wanted %g to %g", x[0], x[1], x[2], d, wanted, wanted + height);
    if (hypot(x[0], x[1]) < radius - height && fabs(x[2]) > half) assert_near(fabs(normal[2]), 1, 1e-12);
  }
  sim_solid_free(s);
}

/* A needle: from the side of its tip the nearest part is the corner, where two of the three faces look away;
 * the angle-weighted normal gets the sign right all around. */
static void sharp_corner(void **state) {
  (void)state;
  static const char needle[] =
      "v 0 0 10\nv 1 0 0\nv -0.5 0.8 0\nv -0.5 -0.8 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";
  sim_solid *s;
  assert_ok(sim_solid_parse(needle, sizeof needle - 1, "needle", 1, &s, err));
  for (int i = 0; i < 360; i++) {
    double a = i * CB_DEG, n[3], x[3] = {0.3 * cos(a), 0.3 * sin(a), 10.1};
    assert_near(sim_solid_distance(s, x, n), hypot(0.3, 0.1), 1e-12);
  }
  const double inside[3] = {0, 0, 9.9};
  double n[3];
  assert_true(sim_solid_distance(s, inside, n) < 0);
  sim_solid_free(s);
}

static void what_is_no_solid(void **state) {
  (void)state;
#define POINTS "v -1 -2 -3\nv 1 -2 -3\nv 1 2 -3\nv -1 2 -3\nv -1 -2 3\nv 1 -2 3\nv 1 2 3\nv -1 2 3\n"
  static const struct {
    const char *text, *says;
  } cases[] = {
      {POINTS "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n",
       "s.obj: solid: the surface is open: the edge of vertices 0 and 3 belongs"},
      {POINTS "f 2 3 4 1\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n",
       "s.obj: solid: its volume is -48 m3: the triangles must run counter-"},
      {POINTS "f 1 4 3 2\nf 8 7 6 5\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
       "turn against each other over the edge of vertices 4 and 5"},
      {POINTS BOX_FACES "f 1 4 3\n", "the edge of vertices 0 and 2 has 3 triangles"},
      {POINTS "f 1 4 4 2\nf 1 2 3\nf 1 2 4\n", "solid: triangle 0 has no area"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "solid: 3 vertices and 1 triangles"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sim_solid *s;
    assert_fails(CB_E_RANGE, cases[i].says,
                 sim_solid_parse(cases[i].text, strlen(cases[i].text), "s.obj", 1, &s, err));
    assert_null(s);
  }
  sim_solid *s;
  assert_fails(CB_E_RANGE, "torus: ring 1 m, tube 2 m", sim_solid_torus(1, 2, 10, &s, err));
  assert_fails(CB_E_RANGE, "cylinder: radius 1 m, length 0 m", sim_solid_cylinder(1, 0, 10, &s, err));
  assert_fails(CB_E_RANGE, "2 around", sim_solid_cylinder(1, 1, 2, &s, err));
  assert_fails(CB_E_NUM, "b: solid: vertex 0: co-ordinate 0 is -1e+308 m",
               sim_solid_parse(box_text, sizeof box_text - 1, "b", 1e308, &s, err));
}

/* A body moved and turned: as if the point had been moved against it. Four quarter turns are none. */
static void moved(void **state) {
  (void)state;
  sim_solid *s;
  assert_ok(sim_solid_parse(box_text, sizeof box_text - 1, "box", 1, &s, err));
  sim_body b = {.shape = SIM_TRIANGLES,
                .solid = s,
                .origin_m = {5, 0, 0},
                .velocity_m_per_s = {0, 1, 0},
                .spin_rad_per_s = {0, 0, CB_PI / 2}};
  assert_ok(sim_body_check(&b, err));
  for (int k = 0; k < 10; k++) sim_body_move(&b, 0.1);
  assert_near(b.turned_rad[2], CB_PI / 2, 1e-12);
  sim_touch t;
  const double x[3] = {5 + 2.5, 1 + 0.3, 0.1}; /* its long side now lies along x */
  sim_body_touch(&b, x, &t);
  assert_near(t.distance_m, 0.5, 1e-12);
  assert_near(t.normal[0], 1, 1e-12);
  assert_near(t.velocity_m_per_s[0], -0.3 * CB_PI / 2, 1e-12);
  assert_near(t.velocity_m_per_s[1], 1 + 2.5 * CB_PI / 2, 1e-12);
  assert_false(sim_body_near(&b, x, 0.4, &t));
  for (int k = 0; k < 30; k++) sim_body_move(&b, 0.1);
  double whole = fabs(b.turned_rad[2]);
  assert_true(whole < 1e-12 || fabs(whole - 2 * CB_PI) < 1e-12);
  const double y[3] = {5 + 1.5, 4, 0};
  sim_body_touch(&b, y, &t);
  assert_near(t.distance_m, 0.5, 1e-12);
  b.solid = NULL;
  assert_fails(CB_E_RANGE, "triangles without a solid", sim_body_check(&b, err));
  sim_solid_free(s);
}

/* A cloth that lies on a slab presses on it with its weight and holds, as on a plane. */
static void carries_a_cloth(void **state) {
  (void)state;
  static const char slab[] =
      "v -9 -9 -1\nv 9 -9 -1\nv 9 9 -1\nv -9 9 -1\nv -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\n" BOX_FACES;
  sim_rectangle r = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 120};
  sim_material mat = sim_material_isotropic(0.2, 500, 1e-5);
  sim_friction friction = {.mu_kinetic = 0.3, .mu_static = 0.3};
  sim_solid *s;
  sim_mesh m;
  sim_frame f;
  assert_ok(sim_solid_parse(slab, sizeof slab - 1, "slab", 1, &s, err));
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_ok(sim_frame_init(&m, &f, err));
  const sim_body body = {.shape = SIM_TRIANGLES, .solid = s, .friction = friction};
  sim_cloth_setup setup = sim_cloth_setup_default(&m, &mat);
  setup.bodies = &body;
  setup.n_bodies = 1;
  setup.solve_tolerance = 1e-6;
  setup.gravity_m_per_s2[0] = 9.80665 * sin(10 * CB_DEG);
  setup.gravity_m_per_s2[2] = -9.80665 * cos(10 * CB_DEG);
  sim_cloth *c;
  assert_ok(sim_cloth_new(&setup, &c, err));
  for (int k = 0; k < 40; k++) assert_ok(sim_cloth_step(c, 0.005, NULL, err));
  assert_ok(sim_frame_take(c, &f, err));
  double weight = 0.2 * 0.01 * 9.80665 * cos(10 * CB_DEG), pressed = 0;
  for (int i = 0; i < m.n_vertices; i++) {
    pressed += f.pressure_Pa[i] * m.vertex_area_m2[i];
    assert_int_equal(f.body[i], 0);
    assert_near(f.slip_m_per_s[i], 0, 0);
    for (int k = 0; k < 3; k++) assert_near(f.position_m[i][k], m.position_m[i][k], 1e-9);
  }
  assert_near(pressed, weight, 1e-4 * weight);
  sim_cloth_free(c);
  sim_frame_clear(&f);
  sim_mesh_clear(&m);
  sim_solid_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(box),          cmocka_unit_test(normals),
                                     cmocka_unit_test(torus),        cmocka_unit_test(cylinder),
                                     cmocka_unit_test(sharp_corner), cmocka_unit_test(what_is_no_solid),
                                     cmocka_unit_test(moved),        cmocka_unit_test(carries_a_cloth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
