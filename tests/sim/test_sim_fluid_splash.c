/* Fluid and cloth together: nobody passes, momenta stay, weights are borne. */
#include <omp.h>

#include "cb_num.h"
#include "clothmesh.h"
#include "fluidtest.h"
#include "sim_splash_impl.h"
#include "sim_wet_cloth.h"
#include "sim_splash.h"

#define G 9.80665

typedef struct pour {
  sim_mesh mesh;
  sim_fluid *fluid;
  sim_wet_cloth *sheet;
  sim_splash *splash;
} pour;

static void make(pour *p, const sim_fluid_setup *f, sim_wet_cloth_setup *s, double gap_m) {
  assert_ok(sim_fluid_new(f, &p->fluid, err));
  s->mesh = &p->mesh;
  assert_ok(sim_wet_cloth_new(s, &p->sheet, err));
  assert_ok(sim_splash_new(p->fluid, p->sheet, gap_m, &p->splash, err));
}

static void end(pour *p) {
  sim_splash_free(p->splash);
  sim_wet_cloth_free(p->sheet);
  sim_fluid_free(p->fluid);
  sim_mesh_clear(&p->mesh);
}

/* How many layers of the sheet lie above a point: of a sheet without a hole an odd number means that the
 * point is below it, folds or not.
 */
static int layers_above(const sim_wet_cloth *s, const vec3 *x, const double p[3]) {
  const sim_mesh *m = sim_wet_cloth_mesh(s);
  int n = 0;
  for (int t = 0; t < m->n_triangles; t++) {
    const double *a = x[m->triangle[t][0]], *b = x[m->triangle[t][1]], *c = x[m->triangle[t][2]];
    const double whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const double u = ((p[0] - a[0]) * (c[1] - a[1]) - (p[1] - a[1]) * (c[0] - a[0])) / whole;
    const double v = ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / whole;
    n += u >= 0 && v >= 0 && u + v <= 1 && a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]) > p[2];
  }
  return n;
}

/* Cloth across a shaft, held around its edge outside the walls: a column of water falls on it and stays.
 * speed: at which it begins. */
static void shaft(pour *p, const double lo[3], const double hi[3], double speed, double d, double viscosity,
                  double drag) {
  const int cells = 10;
  sim_fluid_setup f = sim_fluid_setup_default(d, 20000);
  f.box_hi_m[0] = f.box_hi_m[1] = 0.16;
  f.viscosity_m2_per_s = viscosity;
  cm_sheet(0.2, 0.2, cells, cells, 0, &p->mesh);
  bool held[121] = {false};
  for (int i = 0; i < 121; i++) {
    p->mesh.position_m[i][0] -= 0.02, p->mesh.position_m[i][1] -= 0.02, p->mesh.position_m[i][2] = 0.4;
    held[i] = i % 11 == 0 || i % 11 == 10 || i / 11 == 0 || i / 11 == 10;
  }
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&p->mesh);
  s.held = held;
  s.drag_per_s = drag;
  s.stretch_N_per_m = 2e4;
  make(p, &f, &s, 0);
  const double v[3] = {0, 0, -speed};
  assert_ok(fluid_add_block(p->fluid, lo, hi, v, err));
}

static int below(const pour *p) {
  int n = 0;
  for (int i = 0; i < sim_fluid_count(p->fluid); i++) {
    const double *x = sim_fluid_position(p->fluid)[i];
    n += layers_above(p->sheet, (const vec3 *)sim_wet_cloth_position(p->sheet), x) % 2;
  }
  return n;
}

/* At rest the cloth bears the weight of the water. The impact, at 0.9 m/s, compresses it little. */
static void test_shaft(void **state) {
  (void)state;
  pour p;
  const double lo[3] = {0, 0, 0.44}, hi[3] = {0.16, 0.16, 0.6};
  shaft(&p, lo, hi, 0.5, 0.016, 2e-3, 10);
  const double weight = sim_fluid_count(p.fluid) * p.fluid->mass * G, dt_s = 2e-3;
  double borne = 0, compression = 0;
  int guarded = 0;
  for (int k = 0; k < 2500; k++) {
    sim_splash_report r;
    assert_ok(sim_splash_step(p.splash, dt_s, &r, err));
    guarded += r.guarded;
    assert_int_equal(r.stuck, 0);
    if (k % 50 == 0) assert_int_equal(below(&p), 0);
    if (k >= 1000) borne += r.given_Ns[2] / (1500 * dt_s);
    compression = fmax(compression, r.fluid.compression_mean);
  }
  printf("shaft: %d guarded, compression %.4f, cloth bears %.5f of the weight\n", guarded, compression,
         borne / weight);
  assert_near(borne / weight, 1, 0.01);
  assert_true(compression < 0.01);
  assert_int_equal(below(&p), 0);
  end(&p);
}

/* Darcy: V' = -k F, F = rho g V, so that what lies on the cloth falls by exp(-k rho g t). */
static void test_seepage(void **state) {
  (void)state;
  pour p;
  const double lo[3] = {0, 0, 0.41}, hi[3] = {0.16, 0.16, 0.49}, k_m_per_s_Pa = 3e-5, dt_s = 2e-3;
  shaft(&p, lo, hi, 0, 0.01, 2e-3, 10);
  for (int k = 0; k < 500; k++) assert_ok(sim_splash_step(p.splash, dt_s, NULL, err));
  assert_int_equal(below(&p), 0);
  const int all = sim_fluid_count(p.fluid);
  int seeped = 0;
  assert_ok(sim_splash_seep(p.splash, k_m_per_s_Pa, err));
  for (int k = 0; k < 1500; k++) {
    sim_splash_report r;
    assert_ok(sim_splash_step(p.splash, dt_s, &r, err));
    seeped += r.seeped;
    assert_int_equal(r.stuck, 0);
  }
  const double left = 1 - (double)below(&p) / all, wanted = exp(-k_m_per_s_Pa * 1000 * G * 1500 * dt_s);
  printf("seepage: %d of %d went through, %.4f are left, %.4f wanted\n", seeped, all, left, wanted);
  assert_near(left, wanted, 0.03); /* particles go whole: half a layer of 256 is on its way */
  assert_int_equal(seeped, below(&p));
  assert_fails(CB_E_RANGE, "seepage", sim_splash_seep(p.splash, -1, err));
  end(&p);
}

/* A jet of 8 m/s in steps of four fifths of a spacing. */
static void test_jet(void **state) {
  (void)state;
  pour p;
  const double lo[3] = {0.06, 0.06, 0.44}, hi[3] = {0.1, 0.1, 0.84};
  shaft(&p, lo, hi, 8, 0.01, 1e-5, 1);
  int guarded = 0;
  for (int k = 0; k < 300; k++) {
    sim_splash_report r;
    assert_ok(sim_splash_step(p.splash, 1e-3, &r, err));
    guarded += r.guarded;
    assert_int_equal(r.stuck, 0);
    if (k % 10 == 0) assert_int_equal(below(&p), 0);
  }
  printf("jet: %d guarded\n", guarded);
  assert_int_equal(below(&p), 0);
  end(&p);
}

/* A block flies against a free cloth, without weight: what the one loses the other gets, and nobody gets
 * more. */
static void collide(pour *p, int steps, double drift[3], double *size) {
  sim_fluid_setup f = sim_fluid_setup_default(0.01, 5000);
  f.gravity_m_per_s2[2] = 0;
  for (int k = 0; k < 3; k++) f.box_lo_m[k] = -1, f.box_hi_m[k] = 2;
  cm_sheet(0.3, 0.3, 12, 12, 0.1, &p->mesh);
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&p->mesh);
  s.gravity_m_per_s2[2] = 0;
  make(p, &f, &s, 0);
  const double lo[3] = {0.1, 0.1, 0.02}, hi[3] = {0.2, 0.2, 0.12}, v[3] = {0.2, 0.1, -3};
  assert_ok(fluid_add_block(p->fluid, lo, hi, v, err));
  const int n = sim_fluid_count(p->fluid);
  const double mass = p->fluid->mass;
  for (int k = 0; k < 3; k++) drift[k] = -mass * n * v[k];
  *size = mass * n * 3;
  const double energy_J = mass * n * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  for (int k = 0; k < steps; k++) {
    sim_splash_report r;
    assert_ok(sim_splash_step(p->splash, 2e-3, &r, err));
    assert_true(r.energy_J < energy_J * (1 + 1e-9));
    assert_true(r.fluid.compression_mean < 0.01);
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) drift[k] += mass * sim_fluid_velocity(p->fluid)[i][k];
    for (int i = 0; i < p->mesh.n_vertices; i++)
      drift[k] += sim_wet_cloth_velocity(p->sheet)[i][k] / sim_wet_cloth_inverse_mass(p->sheet)[i];
  }
}

static void test_momentum(void **state) {
  (void)state;
  pour p;
  double drift[3], size, carried = 0;
  int crossings;
  collide(&p, 150, drift, &size);
  for (int k = 0; k < 3; k++) assert_near(drift[k], 0, 1e-10 * size);
  for (int i = 0; i < p.mesh.n_vertices; i++)
    carried += sim_wet_cloth_velocity(p.sheet)[i][2] / sim_wet_cloth_inverse_mass(p.sheet)[i];
  assert_true(carried < -1e-3 * size);
  assert_ok(sim_wet_cloth_crossings(p.sheet, &crossings, err));
  assert_int_equal(crossings, 0);
  end(&p);
}

static void test_threads(void **state) {
  (void)state;
  pour p[2];
  double drift[3], size;
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(1 + k);
    collide(&p[k], 40, drift, &size);
  }
  assert_memory_equal(sim_fluid_position(p[0].fluid), sim_fluid_position(p[1].fluid),
                      (size_t)sim_fluid_count(p[0].fluid) * sizeof(vec3));
  assert_memory_equal(sim_wet_cloth_position(p[0].sheet), sim_wet_cloth_position(p[1].sheet),
                      (size_t)p[0].mesh.n_vertices * sizeof(vec3));
  end(&p[0]);
  end(&p[1]);
}

/* Random motions against 20000 places in time: where the signed volume changes its sign within the triangle
 * there is a passage, from the side of its last sign, and none before the first. */
static double volume(const double p[3], const double x[3][3], double weight[3]) {
  double e[3], f[3], r[3], n[3];
  for (int k = 0; k < 3; k++) e[k] = x[1][k] - x[0][k], f[k] = x[2][k] - x[0][k], r[k] = p[k] - x[0][k];
  for (int k = 0; k < 3; k++) n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
  const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  weight[1] = weight[2] = 0;
  for (int k = 0; k < 3; k++) {
    weight[1] += (r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3]) * n[k] / square;
    weight[2] += (e[(k + 1) % 3] * r[(k + 2) % 3] - e[(k + 2) % 3] * r[(k + 1) % 3]) * n[k] / square;
  }
  weight[0] = 1 - weight[1] - weight[2];
  return r[0] * n[0] + r[1] * n[1] + r[2] * n[2];
}

static double first_by_looking(const double p[2][3], const double x[2][3][3], double *side) {
  const int places = 20000;
  double last = 0;
  for (int j = 0; j <= places; j++) {
    const double t = (double)j / places;
    double at[3], corner[3][3], weight[3];
    for (int k = 0; k < 3; k++) {
      at[k] = p[0][k] + t * (p[1][k] - p[0][k]);
      for (int c = 0; c < 3; c++) corner[c][k] = x[0][c][k] + t * (x[1][c][k] - x[0][c][k]);
    }
    const double now = volume(at, (const sim_vec3 *)corner, weight);
    if (j && now * last < 0 && weight[0] > 0 && weight[1] > 0 && weight[2] > 0) {
      *side = last > 0 ? 1 : -1;
      return t;
    }
    last = now;
  }
  return 2;
}

static void test_impact(void **state) {
  (void)state;
  cb_rng rng;
  int hits = 0;
  cb_rng_init(&rng, 7, 0);
  for (int k = 0; k < 300; k++) {
    double p[2][3], x[2][3][3], side = 0;
    sim_impact hit;
    for (int e = 0; e < 2; e++)
      for (int a = 0; a < 3; a++) {
        p[e][a] = 0.6 * cb_rng_uniform(&rng) + 0.2;
        for (int c = 0; c < 3; c++) x[e][c][a] = cb_rng_uniform(&rng);
      }
    const double wanted = first_by_looking((const sim_vec3 *)p, (const double(*)[3][3])x, &side);
    const bool found = sim_impact_find(p[0], p[1], (const sim_vec3 *)x[0], (const sim_vec3 *)x[1], &hit);
    assert_int_equal(found, wanted < 2);
    if (!found) continue;
    hits++;
    assert_near(hit.time, wanted, 1.01 / 20000);
    assert_true(hit.side == side);
  }
  assert_true(hits > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_impact), cmocka_unit_test(test_momentum), cmocka_unit_test(test_threads),
      cmocka_unit_test(test_shaft),  cmocka_unit_test(test_seepage),  cmocka_unit_test(test_jet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
