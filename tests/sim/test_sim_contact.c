/* Vertices between two bodies against statics and Coulomb: the edge of a groove, and a plate on a sheet on
 * the ground. */
#include <math.h>
#include <string.h>

#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_cloth_room.h"
#include "sim_mesh.h"

#define G 9.80665
#define VERTICES 600

typedef struct lab {
  sim_mesh mesh;
  sim_material material;
  sim_body body[2];
  double load_kg[VERTICES], share[VERTICES], weight_N, area_m2;
  sim_tether tether;
  sim_cloth_setup setup;
  sim_cloth *cloth;
} lab;

static void lab_init(lab *l, double length_m, double width_m, int about) {
  sim_rectangle r = {
      .length_m = length_m, .width_m = width_m, .pattern = SIM_PATTERN_RIGHT, .about_vertices = about};
  *l = (lab){0};
  assert_ok(sim_mesh_rectangle(&r, &l->mesh, err));
  assert_true(l->mesh.n_vertices <= VERTICES);
  l->material = sim_material_isotropic(0.2, 500, 1e-5);
  l->material.thickness_m = 5e-4;
  l->setup = sim_cloth_setup_default(&l->mesh, &l->material);
  l->setup.bodies = l->body;
  l->setup.n_bodies = 2;
  l->setup.load_kg = l->load_kg;
  l->setup.solve_tolerance = 1e-6;
  l->setup.contact_tolerance = 1e-6;
  l->setup.contact_iterations = 20;
  l->setup.solve_iterations = 60; /* what rounding leaves is found in vain */
}

static void start(lab *l) {
  assert_ok(sim_cloth_new(&l->setup, &l->cloth, err));
  for (int i = 0; i < l->mesh.n_vertices; i++) {
    l->weight_N += G * sim_cloth_mass(l->cloth)[i];
    l->area_m2 += l->mesh.vertex_area_m2[i];
  }
}

static void run(lab *l, double dt_s, int steps) {
  sim_step_report r;
  for (int k = 0; k < steps; k++) assert_ok(sim_cloth_step(l->cloth, dt_s, &r, err));
}

static void lab_clear(lab *l) {
  sim_cloth_free(l->cloth);
  sim_mesh_clear(&l->mesh);
}

/* ---- the edge of a groove ---- */

/* Planes that rise at angles alpha to the left and beta to the right of the y axis: N_1 sin(alpha) = N_2
 * sin(beta), and both carry the weight. A light ribbon, folded along the edge, whose middle row is loaded. */
static void test_groove(void **state) {
  (void)state;
  static const double angle[][2] = {{0.5, 0.5}, {0.4, 0.9}, {1.0, 1.2}, {0.1, 0.2}};
  for (size_t c = 0; c < sizeof angle / sizeof *angle; c++)
    for (int scheme = 0; scheme < 2; scheme++) {
      static lab l;
      double a = angle[c][0], b = angle[c][1], force[2][3];
      lab_init(&l, 0.005, 0.06, 75);
      l.setup.scheme = (sim_cloth_scheme)scheme;
      l.material = sim_material_isotropic(0.05, 500, 1e-7);
      l.material.thickness_m = 5e-4;
      l.material.drag_per_s = 20;
      l.body[0] = (sim_body){.shape = SIM_PLANE, .axis = {sin(a), 0, cos(a)}};
      l.body[1] = (sim_body){.shape = SIM_PLANE, .axis = {-sin(b), 0, cos(b)}};
      int row = 0;
      for (int i = 0; i < l.mesh.n_vertices; i++) row += fabs(l.mesh.position_m[i][0] - 0.0025) < 1e-9;
      assert_true(row > 5);
      for (int i = 0; i < l.mesh.n_vertices; i++) {
        double *x = l.mesh.position_m[i], u = x[0] - 0.0025;
        if (fabs(u) < 1e-9) l.load_kg[i] = 0.02 / row;
      }
      start(&l);
      for (int i = 0; i < l.mesh.n_vertices; i++) {
        double *x = sim_cloth_position(l.cloth)[i], u = x[0] - 0.0025;
        x[0] = u * cos(u < 0 ? a : b);
        x[2] = fabs(u) * sin(u < 0 ? a : b) + 1e-3;
      }
      run(&l, 0.005, 80);
      for (int k = 0; k < 2; k++) sim_cloth_body_force(l.cloth, k, force[k]);
      double n0 = l.weight_N * sin(b) / sin(a + b), n1 = l.weight_N * sin(a) / sin(a + b);
      for (int d = 0; d < 3; d++) {
        assert_near(force[0][d], n0 * l.body[0].axis[d], 1e-4 * l.weight_N);
        assert_near(force[1][d], n1 * l.body[1].axis[d], 1e-4 * l.weight_N);
      }
      /* The loaded row lies half a thickness from either plane. */
      for (int i = 0; i < l.mesh.n_vertices; i++)
        for (int k = 0; k < 2; k++) {
          const double *x = sim_cloth_position(l.cloth)[i], *n = l.body[k].axis,
                       h = x[0] * n[0] + x[2] * n[2];
          if (l.load_kg[i] > 0) assert_near(h, 2.5e-4, 2e-8);
          assert_true(h > 2.5e-4 - 1e-6);
        }
      lab_clear(&l);
    }
}

/* Laid into a rough groove that is tilted along its edge: holds up to tan(tilt) = mu (N_1 + N_2) / (weight
 * across), and then slides with what is left. */
static void test_groove_holds_along_its_edge(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    static lab l;
    double a = 0.6, mu = 0.3, limit = atan(mu / cos(a)), tilt = limit + (k == 0 ? -0.01 : 0.1), before, after;
    lab_init(&l, 0.005, 0.06, 75);
    l.material = sim_material_isotropic(0.001, 500, 1e-7);
    l.material.thickness_m = 5e-4;
    for (int e = 0; e < 2; e++)
      l.body[e] = (sim_body){.shape = SIM_PLANE,
                             .axis = {e ? -sin(a) : sin(a), 0, cos(a)},
                             .friction = {.mu_kinetic = mu, .mu_static = mu}};
    for (int i = 0; i < l.mesh.n_vertices; i++)
      if (fabs(l.mesh.position_m[i][0] - 0.0025) < 1e-9) l.load_kg[i] = 0.01;
    l.setup.gravity_m_per_s2[1] = G * sin(tilt);
    l.setup.gravity_m_per_s2[2] = -G * cos(tilt);
    start(&l);
    for (int i = 0; i < l.mesh.n_vertices; i++) {
      double *x = sim_cloth_position(l.cloth)[i], u = x[0] - 0.0025;
      x[0] = u * cos(a);
      x[2] = fabs(u) * sin(a) + 2.5e-4 / cos(a);
    }
    run(&l, 0.002, 50);
    before = sim_cloth_velocity(l.cloth)[l.mesh.n_vertices / 2][1];
    run(&l, 0.002, 100);
    after = sim_cloth_velocity(l.cloth)[l.mesh.n_vertices / 2][1];
    if (k == 0) {
      for (int i = 0; i < l.mesh.n_vertices; i++)
        if (l.load_kg[i] > 0) assert_near(sim_cloth_position(l.cloth)[i][1], l.mesh.position_m[i][1], 1e-9);
    } else {
      double expected = G * (sin(tilt) - mu * cos(tilt) / cos(a));
      assert_near((after - before) / 0.2, expected, 5e-3 * expected);
    }
    lab_clear(&l);
  }
}

/* ---- squeezed ---- */

/* A sheet on the ground (body 0) under a plate (body 1) at `gap`. */
static void squeeze(lab *l, double gap_m, double mu_ground, double mu_plate) {
  lab_init(l, 0.06, 0.04, 425);
  l->body[0] = (sim_body){.shape = SIM_PLANE,
                          .axis = {0, 0, 1},
                          .friction = {.mu_kinetic = mu_ground, .mu_static = 1.2 * mu_ground}};
  l->body[1] = (sim_body){.shape = SIM_PLANE,
                          .origin_m = {0, 0, gap_m},
                          .axis = {0, 0, -1},
                          .friction = {.mu_kinetic = mu_plate, .mu_static = 1.2 * mu_plate}};
}

static double pressing_N(const lab *l, double gap_m) {
  return l->area_m2 * SIM_COMPRESSION_PA * (5e-4 / gap_m - 1);
}

/* F = mu_plate N + mu_ground (N + weight), once it slides; that much more at rest. */
static void test_pulled_from_under_a_plate(void **state) {
  (void)state;
  for (int scheme = 0; scheme < 2; scheme++) {
    static lab l;
    double gap = 4.5e-4, top = 0, force[3];
    squeeze(&l, gap, 0.35, 0.2);
    l.setup.scheme = (sim_cloth_scheme)scheme;
    l.setup.tethers = &l.tether;
    l.setup.n_tethers = 1;
    l.setup.load_kg = l.load_kg;
    double area = 0;
    for (int i = 0; i < l.mesh.n_vertices; i++) area += l.mesh.vertex_area_m2[i];
    for (int i = 0; i < l.mesh.n_vertices; i++)
      l.share[i] = l.mesh.vertex_area_m2[i] / area, l.load_kg[i] = 0.3 * l.share[i];
    l.tether = (sim_tether){
        .direction = {1, 0, 0}, .share = l.share, .stiffness_N_per_m = 200, .damping_Ns_per_m = 20};
    start(&l);
    for (int i = 0; i < l.mesh.n_vertices; i++) sim_cloth_position(l.cloth)[i][2] = gap / 2;
    for (int k = 1; k <= 1500; k++) {
      sim_tether *t = sim_cloth_tethers(l.cloth);
      t->anchor_m = 2e-5 * k;
      t->anchor_m_per_s = 0.02;
      run(&l, 0.001, 1);
      top = fmax(top, sim_cloth_tension_N(l.cloth, 0));
    }
    double N = pressing_N(&l, gap), slides = 0.2 * N + 0.35 * (N + l.weight_N), holds = 1.2 * slides;
    assert_true(N > 2 && l.weight_N > 1); /* so that both terms show */
    print_message("%s: slides at %.6f N (%.6f), broke away at %.6f (%.6f)\n", sim_cloth_scheme_names[scheme],
                  sim_cloth_tension_N(l.cloth, 0), slides, top, holds);
    assert_near(sim_cloth_tension_N(l.cloth, 0), slides, 2e-3 * slides);
    assert_near(top, holds, 1e-2 * holds); /* the spring gains 4 mN per step */
    sim_cloth_body_force(l.cloth, 1, force);
    assert_near(force[2], -N, 1e-6 * N);
    assert_near(force[0], -0.2 * N, 1e-4 * N);
    sim_cloth_body_force(l.cloth, 0, force);
    assert_near(force[2], N + l.weight_N, 1e-5 * N);
    for (int i = 0; i < l.mesh.n_vertices; i++) assert_near(sim_cloth_position(l.cloth)[i][2], gap / 2, 1e-9);
    lab_clear(&l);
  }
}

/* The plate moves: the sheet stays with what holds it better, to the bit of a creep, and feels the other's
 * sliding friction. */
static void test_plate_moves(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    static lab l;
    double gap = 4e-4, force[3], mu_plate = k == 0 ? 0.2 : 0.5;
    squeeze(&l, gap, 0.35, mu_plate);
    l.body[1].velocity_m_per_s[0] = 0.05;
    start(&l);
    for (int i = 0; i < l.mesh.n_vertices; i++) sim_cloth_position(l.cloth)[i][2] = gap / 2;
    run(&l, 0.002, 200);
    sim_cloth_body_force(l.cloth, 1, force);
    double N = pressing_N(&l, gap);
    if (k == 0) {
      assert_near(force[0], mu_plate * N, 1e-4 * N);
    } else {
      sim_cloth_body_force(l.cloth, 0, force);
      assert_near(force[0], -0.35 * (N + l.weight_N), 1e-4 * N);
    }
    for (int i = 0; i < l.mesh.n_vertices; i++)
      assert_near(sim_cloth_velocity(l.cloth)[i][0], k == 0 ? 0 : 0.05, 1e-9);
    double way = sim_cloth_position(l.cloth)[0][0] - l.mesh.position_m[0][0];
    if (k == 0) assert_near(way, 0, 5e-4); /* before it is known that it does not go with the plate */
    lab_clear(&l);
  }
}

/* Bodies that close in altogether win: the cloth is in the middle, nothing is not finite, and it comes free
 * as they open again. */
static void test_closed_altogether(void **state) {
  (void)state;
  static lab l;
  squeeze(&l, 2e-3, 0.3, 0.3);
  l.body[1].velocity_m_per_s[2] = -0.02;
  start(&l);
  for (int i = 0; i < l.mesh.n_vertices; i++) sim_cloth_position(l.cloth)[i][2] = 2.5e-4;
  run(&l, 0.002, 60); /* the plate is 0.4 mm below the ground */
  for (int i = 0; i < l.mesh.n_vertices; i++) assert_near(sim_cloth_position(l.cloth)[i][2], -2e-4, 1e-9);
  sim_cloth_bodies(l.cloth)[1].velocity_m_per_s[2] = 0.02;
  run(&l, 0.002, 100);
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    assert_near(sim_cloth_position(l.cloth)[i][2], 2.5e-4, 1e-8);
    assert_near(sim_cloth_velocity(l.cloth)[i][2], 0, 1e-6);
  }
  lab_clear(&l);
}

/* ---- between rods ---- */

#define ROD_M 0.01
#define CLOSED_S 0.02 /* until then the rods close from 4 mm to 0.4 mm, by 90 mm/s each */
#define END_S 0.06

/* A sheet that falls from rest between two rods, upright. */
static void close_rods(lab *l, double mu, double dt_s) {
  lab_init(l, 0.01, 0.08, 250);
  l->material.thickness_m = 5e-4;
  l->material.bending_Nm[0][0] = l->material.bending_Nm[1][1] = 2e-5;
  for (int k = 0; k < 2; k++) {
    const double side = k == 0 ? -1 : 1;
    l->body[k] = (sim_body){.shape = SIM_CYLINDER,
                            .origin_m = {0, side * (ROD_M + 2e-3), 0},
                            .axis = {1, 0, 0},
                            .radius_m = ROD_M,
                            .velocity_m_per_s = {0, -side * 0.09, 0},
                            .friction = {.mu_kinetic = mu, .mu_static = mu}};
  }
  l->setup.contact_tolerance = 1e-2;
  l->setup.contact_iterations = 6;
  start(l);
  for (int i = 0; i < l->mesh.n_vertices; i++) {
    double *x = sim_cloth_position(l->cloth)[i];
    x[2] = x[1] - 0.04;
    x[1] = 0;
  }
  const int closing = (int)lround(CLOSED_S / dt_s);
  run(l, dt_s, closing);
  for (int k = 0; k < 2; k++) sim_cloth_bodies(l->cloth)[k].velocity_m_per_s[1] = 0;
  run(l, dt_s, (int)lround(END_S / dt_s) - closing);
}

/* The sheet may have the energy of its fall, and no more. Rods that hold it have stopped it by then. Without
 * friction nothing does: the squeeze is opposite. */
static void test_pinched_between_rods(void **state) {
  (void)state;
  static const double mu[] = {0, 0.5, 1, 2, 50}, dt_s[] = {2e-3, 5e-4};
  for (size_t m = 0; m < sizeof mu / sizeof *mu; m++)
    for (size_t d = 0; d < sizeof dt_s / sizeof *dt_s; d++) {
      static lab l;
      sim_cloth_energies e;
      double fallen_m = 0;
      close_rods(&l, mu[m], dt_s[d]);
      sim_cloth_energy(l.cloth, &e);
      for (int i = 0; i < l.mesh.n_vertices; i++)
        fallen_m -=
            (sim_cloth_position(l.cloth)[i][2] - (l.mesh.position_m[i][1] - 0.04)) / l.mesh.n_vertices;
      print_message("mu %g, %g ms: fell %.3f mm, %.3g J in motion, %.3g J in strain\n", mu[m], 1e3 * dt_s[d],
                    1e3 * fallen_m, e.kinetic, e.stretch + e.bending);
      const double mass_kg = l.weight_N / G, free_J = mass_kg * pow(G * END_S, 2) / 2,
                   at_grip_J = mass_kg * pow(G * CLOSED_S, 2) / 2;
      if (mu[m] == 0) {
        assert_near(e.kinetic, free_J, 0.01 * free_J);
      } else { /* the rods touch it 0.6 ms before they are closed, or a step of 2 ms */
        assert_near(fallen_m, G * CLOSED_S * CLOSED_S / 2, 6e-4);
        assert_true(e.kinetic + e.stretch + e.bending < 0.2 * at_grip_J);
      }
      lab_clear(&l);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groove),
      cmocka_unit_test(test_groove_holds_along_its_edge),
      cmocka_unit_test(test_pulled_from_under_a_plate),
      cmocka_unit_test(test_plate_moves),
      cmocka_unit_test(test_closed_altogether),
      cmocka_unit_test(test_pinched_between_rods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
