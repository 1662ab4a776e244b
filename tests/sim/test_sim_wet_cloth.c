/* The position-based cloth against closed forms and what must be conserved. */
#include <omp.h>

#include "cb_num.h"
#include "clothmesh.h"
#include "sim_wet_cloth.h"

#define G 9.80665

static sim_wet_cloth *sheet_of(const sim_wet_cloth_setup *s) {
  sim_wet_cloth *sheet;
  assert_ok(sim_wet_cloth_new(s, &sheet, err));
  return sheet;
}

static void test_setup(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.1, 0.1, 2, 2, 0, &mesh);
  const sim_wet_cloth_setup good = sim_wet_cloth_setup_default(&mesh);
  assert_ok(sim_wet_cloth_setup_check(&good, err));
#define REFUSED(change, text)                                   \
  do {                                                          \
    sim_wet_cloth_setup s = good;                               \
    sim_wet_cloth *sheet;                                       \
    cb_err err_ = {""};                                         \
    change;                                                     \
    assert_true(sim_wet_cloth_new(&s, &sheet, &err_) != CB_OK); \
    assert_non_null(strstr(err_.msg, text));                    \
    assert_null(sheet);                                         \
  } while (0)
  REFUSED(s.areal_density_kg_per_m2 = 0, "areal density");
  REFUSED(s.stretch_N_per_m = NAN, "stretch");
  REFUSED(s.bend_Nm = -1, "bend");
  REFUSED(s.damping_s = -1, "damping");
  REFUSED(s.drag_per_s = -1, "drag");
  REFUSED(s.guest_N_per_m = 0, "contact");
  REFUSED(s.thickness_m = 2, "thickness");
  REFUSED(s.tear_strain = -1, "tears");
  REFUSED(s.gravity_m_per_s2[0] = INFINITY, "gravity");
  REFUSED(s.substeps = 0, "small steps");
  sim_mesh none;
  assert_ok(sim_mesh_empty(&none, err));
  REFUSED(s.mesh = &none, "without vertices");
  sim_mesh_clear(&none);
  sim_wet_cloth *sheet = sheet_of(&good);
  cb_err err_;
  sim_wet_cloth_position(sheet)[4][2] = NAN;
  assert_int_equal(sim_wet_cloth_step(sheet, 1e-3, NULL, 0, NULL, &err_), CB_E_NUM);
  sim_wet_cloth_free(sheet);
  sim_mesh_clear(&mesh);
}

/* Hung by its upper edge: across every row the edges bear what is below, k (l - l0) along z summed = weight
 * below. One iteration per small step h leaves an error that falls with h^2. */
static double hanging_error(int substeps) {
  enum { NU = 6, NV = 6 };
  double worst = 0;
  sim_mesh mesh;
  bool held[(NU + 1) * (NV + 1)] = {false};
  cm_sheet(0.3, 0.3, NU, NV, 0, &mesh);
  for (int i = 0; i <= NU; i++) held[NV * (NU + 1) + i] = true;
  for (int i = 0; i < mesh.n_vertices; i++)
    mesh.position_m[i][2] = mesh.position_m[i][1], mesh.position_m[i][1] = 0;
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.held = held;
  s.stretch_N_per_m = 50;
  s.drag_per_s = 5;
  s.substeps = substeps;
  sim_wet_cloth *sheet = sheet_of(&s);
  const sim_mesh *m = sim_wet_cloth_mesh(sheet);
  for (int k = 0; k < 1500; k++) assert_ok(sim_wet_cloth_step(sheet, 4e-3, NULL, 0, NULL, err));
  for (int row = 0; row < NV; row++) {
    double below = 0, borne = 0;
    for (int i = 0; i < (row + 1) * (NU + 1); i++) below += G / sim_wet_cloth_inverse_mass(sheet)[i];
    for (int e = 0; e < m->n_edges; e++) {
      const int *v = m->edge[e].vertex, a = v[0] < v[1] ? v[0] : v[1], b = v[0] + v[1] - a;
      if (!(a / (NU + 1) == row && b / (NU + 1) == row + 1)) continue;
      const double *from = sim_wet_cloth_position(sheet)[a], *to = sim_wet_cloth_position(sheet)[b];
      const double l0 = sqrt(pow(m->position_m[a][0] - m->position_m[b][0], 2) +
                             pow(m->position_m[a][2] - m->position_m[b][2], 2));
      const double l = sqrt(pow(to[0] - from[0], 2) + pow(to[1] - from[1], 2) + pow(to[2] - from[2], 2));
      const double area = m->area_m2[m->edge[e].triangle[0]] +
                          (m->edge[e].triangle[1] < 0 ? 0 : m->area_m2[m->edge[e].triangle[1]]);
      borne += 50 * area / (l0 * l0) * (l - l0) * (to[2] - from[2]) / l;
    }
    worst = fmax(worst, fabs(borne / below - 1));
  }
  sim_wet_cloth_free(sheet);
  sim_mesh_clear(&mesh);
  return worst;
}

static void test_hanging(void **state) {
  (void)state;
  const double coarse = hanging_error(16), fine = hanging_error(64);
  printf("hanging: error %.5f with 16 small steps, %.5f with 64\n", coarse, fine);
  assert_true(fine < 4e-3);
  assert_true(fine < coarse / 8); /* 16, were it all of second order */
}

static void momentum_of(sim_wet_cloth *s, double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int i = 0; i < sim_wet_cloth_mesh(s)->n_vertices; i++)
      out[k] += sim_wet_cloth_velocity(s)[i][k] / sim_wet_cloth_inverse_mass(s)[i];
  }
}

/* Crumpled and thrown, without weight: momentum stays. Tears, too. */
static void test_momentum(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 12, 8, 0.2, &mesh);
  for (int tears = 0; tears < 2; tears++) {
    sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
    s.gravity_m_per_s2[2] = 0;
    if (tears) s.tear_strain = 0.05, s.stretch_N_per_m = 10;
    sim_wet_cloth *sheet = sheet_of(&s);
    cb_rng rng;
    cb_rng_init(&rng, 4, 0);
    double begin[3], end[3], size = 0;
    int torn = 0, crossings;
    for (int i = 0; i < mesh.n_vertices; i++)
      for (int k = 0; k < 3; k++) sim_wet_cloth_velocity(sheet)[i][k] = 4 * cb_rng_uniform(&rng) - 2;
    momentum_of(sheet, begin);
    for (int i = 0; i < mesh.n_vertices; i++) size += 2 / sim_wet_cloth_inverse_mass(sheet)[i];
    for (int k = 0; k < 100; k++) {
      assert_ok(sim_wet_cloth_step(sheet, 4e-3, NULL, 0, NULL, err));
      assert_ok(sim_wet_cloth_tear(sheet, &torn, err));
    }
    momentum_of(sheet, end);
    for (int k = 0; k < 3; k++) assert_near(end[k], begin[k], 1e-12 * size);
    assert_ok(sim_wet_cloth_crossings(sheet, &crossings, err));
    assert_int_equal(crossings, 0);
    assert_int_equal(torn > 0, tears);
    sim_wet_cloth_free(sheet);
  }
  sim_mesh_clear(&mesh);
}

/* A guest of mass m rests at the depth m g/k under the gap, and the cloth feels its weight. */
static void test_guest(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.1, 0.1, 2, 2, 0, &mesh);
  bool held[9];
  memset(held, true, sizeof held);
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.held = held;
  s.guest_N_per_m = 200;
  s.substeps = 1; /* the weight comes once per step */
  sim_wet_cloth *sheet = sheet_of(&s);
  const int *t = mesh.triangle[3];
  const double mass = 1e-3, dt_s = 1e-3, gap = 5e-3;
  sim_wet_cloth_guest g = {.inverse_mass_per_kg = 1 / mass,
                           .vertex = {t[0], t[1], t[2]},
                           .weight = {0.2, 0.3, 0.5},
                           .normal = {0, 0, 1},
                           .gap_m = gap};
  g.x[2] = 0.01;
  for (int k = 0; k < 3000; k++) {
    g.v[2] -= G * dt_s;
    assert_ok(sim_wet_cloth_step(sheet, dt_s, &g, 1, NULL, err));
  }
  assert_near(g.x[2], gap - mass * G / 200, 1e-8);
  assert_near(g.impulse_Ns, mass * G * dt_s, 1e-9);
  sim_wet_cloth_free(sheet);
  sim_mesh_clear(&mesh);
}

/* Two triangles, held at both ends of the edge between them: a corner that is pulled out by little swings as
 * a mass on two springs at right angles, k = 2 k_side/2, and dies out as exp(-omega^2 damping/2 t). */
static void test_damping(void **state) {
  (void)state;
  const double side = 0.1, stretch = 10, damping = 4e-3;
  sim_mesh mesh;
  cm_sheet(side, side, 1, 1, 0, &mesh);
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.gravity_m_per_s2[2] = 0;
  s.stretch_N_per_m = stretch;
  s.damping_s = damping;
  s.bend_Nm = 0;
  s.thickness_m = 0;
  s.substeps = 200;
  bool held[4] = {false};
  const sim_edge *diagonal = NULL;
  for (int e = 0; e < mesh.n_edges; e++)
    if (mesh.edge[e].triangle[1] >= 0) diagonal = &mesh.edge[e];
  held[diagonal->vertex[0]] = held[diagonal->vertex[1]] = true;
  s.held = held;
  sim_wet_cloth *sheet = sheet_of(&s);
  const int loose = held[0] ? 1 : 0;
  const double k_side = stretch * (side * side / 2) / (side * side),
               w = sim_wet_cloth_inverse_mass(sheet)[loose], omega2 = k_side * w;
  const double off = 1e-5, period = 2 * CB_PI / sqrt(omega2 * (1 - omega2 * damping * damping / 4));
  double *x = sim_wet_cloth_position(sheet)[loose];
  const double at[2] = {x[0], x[1]}, out = loose == 0 ? -1 : 1;
  x[0] += out * off / sqrt(2), x[1] += (loose == 0 ? -1 : -1) * off / sqrt(2);
  for (int k = 0; k < 10; k++) assert_ok(sim_wet_cloth_step(sheet, period / 10, NULL, 0, NULL, err));
  const double left = hypot(x[0] - at[0], x[1] - at[1]) / off;
  assert_near(left, exp(-omega2 * damping / 2 * period), 0.01);
  sim_wet_cloth_free(sheet);
  sim_mesh_clear(&mesh);
}

/* Two triangles, one held: the other hangs down by the angle at which m g arm cos(angle) = k angle. */
static void test_bending(void **state) {
  (void)state;
  const double x[4][3] = {{0, 0, 0}, {0, 0.1, 0}, {-0.1, 0.05, 0}, {0.1, 0.05, 0}}, stiff = 1e-4;
  const double corner[2][3][2] = {{{0, 0}, {0, 0.1}, {-0.1, 0.05}}, {{0, 0.1}, {0, 0}, {0.1, 0.05}}};
  const int triangle[2][3] = {{0, 1, 2}, {1, 0, 3}};
  const bool held[4] = {true, true, true, false};
  sim_mesh mesh;
  assert_ok(sim_mesh_build(x, 4, triangle, corner, 2, &mesh, err));
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.held = held;
  s.bend_Nm = stiff;
  s.drag_per_s = 20;
  s.stretch_N_per_m = 1e6;
  s.substeps = 32;
  sim_wet_cloth *sheet = sheet_of(&s);
  for (int k = 0; k < 3000; k++) assert_ok(sim_wet_cloth_step(sheet, 1e-3, NULL, 0, NULL, err));
  const double *at = sim_wet_cloth_position(sheet)[3], angle = atan2(-at[2], at[0]);
  const double weight = G / sim_wet_cloth_inverse_mass(sheet)[3], k = 3 * stiff * 0.1 * 0.1 / (2 * 0.005);
  assert_true(angle > 0.1);
  assert_near(weight * 0.1 * cos(angle) / (k * angle), 1, 1e-3);
  sim_wet_cloth_free(sheet);
  sim_mesh_clear(&mesh);
}

/* Folded over by its fall onto itself: whole afterwards, and the same bits for one thread and two. */
static void fold(sim_wet_cloth **out, const sim_mesh *mesh, const bool *held) {
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(mesh);
  s.held = held;
  s.drag_per_s = 1;
  s.thickness_m = 4e-3;
  *out = sheet_of(&s);
  for (int k = 0; k < 300; k++) assert_ok(sim_wet_cloth_step(*out, 4e-3, NULL, 0, NULL, err));
}

static void test_fold(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.4, 0.4, 16, 16, 0.1, &mesh);
  bool held[17 * 17] = {false};
  held[0] = held[17 * 17 - 1] = true; /* two corners across: it falls over its diagonal */
  sim_wet_cloth *s[2];
  int crossings;
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(1 + k);
    fold(&s[k], &mesh, held);
    assert_ok(sim_wet_cloth_crossings(s[k], &crossings, err));
    assert_int_equal(crossings, 0);
  }
  assert_memory_equal(sim_wet_cloth_position(s[0]), sim_wet_cloth_position(s[1]),
                      (size_t)mesh.n_vertices * sizeof(vec3));
  for (int k = 0; k < 2; k++) sim_wet_cloth_free(s[k]);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_setup), cmocka_unit_test(test_hanging), cmocka_unit_test(test_momentum),
      cmocka_unit_test(test_guest), cmocka_unit_test(test_damping), cmocka_unit_test(test_bending),
      cmocka_unit_test(test_fold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
