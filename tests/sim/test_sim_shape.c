/* Bodies by formula: distances and gradients against closed forms, what is made of them against the bounds
 * that the header promises. */
#include "cbtest.h"

#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_mesh.h"
#include "sim_mesh_skin.h"
#include "meshquality.h"
#include "sim_shape.h"
#include "sim_shape_field.h"
#include "sim_shape_impl.h"
#include "sim_solid.h"
#include "sim_tets_impl.h"
#include "sim_traverse.h"

static double distance_at(const sim_shape_body *body, const double x_m[3], double gradient[3]) {
  sim_shape_field f;
  sim_shape_field_init(&f, body);
  return sim_shape_field_at(&f, x_m, gradient);
}

/* Cells for the ready-made, three to ten of them across the thinnest place. */
static const double cell_m[] = {0.08, 0.14, 0.035, 0.02, 0.026, 0.06, 0.03};
static const int euler[] = {
    2, 2, 2, 2, -4, 2, 2}; /* the vest is a tube with two arms and two ends, thick: three handles */
#define READY 7

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void edge_of(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = b[k] - a[k];
}
static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void direction(cb_rng *rng, double out[3]) {
  double z = 2 * cb_rng_uniform(rng) - 1, phi = 2 * CB_PI * cb_rng_uniform(rng), s = sqrt(1 - z * z);
  out[0] = s * cos(phi);
  out[1] = s * sin(phi);
  out[2] = z;
}

/* ---- the function ---- */

/* From a place on the surface along its normal the distance is the way gone: outwards always, inwards up to
 * the least radius of curvature, c^2 / a for half axes down to c and up to a. */
static void ellipsoids(void **state) {
  (void)state;
  static const double half[][3] = {{1, 1, 1}, {1, 0.8, 0.6}, {3, 0.5, 0.2}, {0.1, 2, 2}, {1, 1, 0.05}};
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  for (int s = 0; s < 5; s++) {
    const double *r = half[s], least = fmin(r[0], fmin(r[1], r[2])), most = fmax(r[0], fmax(r[1], r[2]));
    sim_shape_body b = {.n_parts = 1, .part = {{SIM_SHAPE_ELLIPSOID, .half_m = {r[0], r[1], r[2]}}}};
    for (int i = 0; i < 2000; i++) {
      double u[3], n[3], x[3], g[3],
          way = i % 2 ? 3 * cb_rng_uniform(&rng) : -least * least / most * cb_rng_uniform(&rng);
      direction(&rng, u);
      if (i % 10 == 3) u[i / 10 % 3] = 0;
      for (int k = 0; k < 3; k++) n[k] = u[k] / r[k];
      double length = norm(n);
      for (int k = 0; k < 3; k++) x[k] = r[k] * u[k] / norm(u) + way * n[k] / length;
      assert_near(distance_at(&b, x, g), way, 1e-12 * most);
      for (int k = 0; k < 3 && fabs(way) > 1e-3; k++) assert_near(g[k], n[k] / length, 1e-7);
    }
    const double middle[3] = {0, 0, 0};
    assert_near(distance_at(&b, middle, NULL), -least, 1e-14);
  }
  /* In the middle plane of a flat one, well inside: up to the surface right or left of the plane. */
  sim_shape_body lens = {.n_parts = 1, .part = {{SIM_SHAPE_ELLIPSOID, .half_m = {2, 2, 0.5}}}};
  const double x[3] = {0.9, 0, 0};
  double y = 0.9 * 4 / (4 - 0.25), z = 0.5 * sqrt(1 - y * y / 4);
  assert_near(distance_at(&lens, x, NULL), -hypot(y - 0.9, z), 1e-14);
}

static void boxes_and_capsules(void **state) {
  (void)state;
  /* The box is turned by a quarter about z: its x lies along y. */
  sim_shape_body box = {.n_parts = 1,
                        .part = {{SIM_SHAPE_BOX, {1, 2, 3}, {0, 0, CB_PI / 2}, {0.5, 0.2, 0.3}, 0.1}}};
  const double side[3] = {1, 2.9, 3}, edge[3] = {1 + 0.1 + 0.3, 2 + 0.4 + 0.4, 3}, in[3] = {1.1, 2, 3};
  assert_near(distance_at(&box, side, NULL), 0.4, 1e-14);
  assert_near(distance_at(&box, edge, NULL), 0.5 - 0.1, 1e-14);
  assert_near(distance_at(&box, in, NULL), -0.1, 1e-14);
  /* Along x. */
  sim_shape_body pill = {.n_parts = 1,
                         .part = {{SIM_SHAPE_CAPSULE, {0, 0, 0}, {0, CB_PI / 2, 0}, {0, 0, 2}, 0.5}}};
  const double beside[3] = {-1.5, 0.6, 0.8}, beyond[3] = {2.3, 0.4, 0};
  assert_near(distance_at(&pill, beside, NULL), 0.5, 1e-14);
  assert_near(distance_at(&pill, beyond, NULL), 0, 1e-14);
}

/* Two balls as far from a place as each other: less by a quarter of the blend; further apart than it: the
 * nearer one's. A shell and a cut: the largest of the three. */
static void together(void **state) {
  (void)state;
  sim_shape_body b = {.n_parts = 2,
                      .part = {{SIM_SHAPE_ELLIPSOID, {-1, 0, 0}, .half_m = {0.8, 0.8, 0.8}},
                               {SIM_SHAPE_ELLIPSOID, {1, 0, 0}, .half_m = {0.8, 0.8, 0.8}}},
                      .blend_m = 0.3};
  const double between[3] = {0, 0, 0}, beside[3] = {1, 0.9, 0}, top[3] = {0, 0, 0.93}, low[3] = {0, 0, -0.93};
  assert_near(distance_at(&b, between, NULL), 0.2 - 0.3 / 4, 1e-14);
  assert_near(distance_at(&b, beside, NULL), 0.1, 1e-14);
  b = (sim_shape_body){.n_parts = 1,
                       .n_cuts = 1,
                       .part = {{SIM_SHAPE_ELLIPSOID, .half_m = {0.8, 0.8, 0.8}}},
                       .cut = {{SIM_SHAPE_BOX, {0, 0, 1}, .half_m = {1, 1, 0.5}}},
                       .shell_m = {0.1, 0.15}};
  assert_near(distance_at(&b, low, NULL), -0.02, 1e-14);
  assert_near(distance_at(&b, between, NULL), 0.9, 1e-14);
  assert_near(distance_at(&b, top, NULL), 0.43, 1e-14);
}

/* Central differences; and nowhere does it grow faster than the distance, but by the car's bumps. */
static void gradients(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  for (int w = 0; w < READY; w++) {
    sim_shape_body b = sim_shape_make((sim_shape_ready)w, 1);
    assert_ok(sim_shape_check(&b, err));
    double steepest = w == SIM_SHAPE_CAR ? 1 + 2 / sqrt(3) * 2 * CB_PI * 0.04 / 0.45 : 1;
    int off = 0;
    for (int i = 0; i < 3000; i++) {
      double x[3], y[3], g[3], change[3];
      for (int k = 0; k < 3; k++) {
        x[k] = 1.4 * cb_rng_uniform(&rng) - 0.7;
        y[k] = x[k] + 0.1 * (cb_rng_uniform(&rng) - 0.5);
      }
      double f = distance_at(&b, x, g), length = norm(g), h = 1e-6;
      edge_of(x, y, change);
      assert_true(length <= steepest + 1e-12);
      assert_true(fabs(distance_at(&b, y, NULL) - f) <= steepest * norm(change) + 1e-14);
      for (int k = 0; k < 3; k++) {
        memcpy(y, x, sizeof y);
        y[k] = x[k] + h;
        double more = distance_at(&b, y, NULL);
        y[k] = x[k] - h;
        off += !(fabs((more - distance_at(&b, y, NULL)) / (2 * h) - g[k]) < 1e-5);
      }
    }
    assert_true(off <= 3); /* the differences may straddle a place that is as far from one wall as from
                              another */
  }
}

/* ---- tetrahedra ---- */

typedef struct angles {
  double least, most;
} angles;

static void dihedral(const sim_tets *t, angles *a) {
  static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (int i = 0; i < t->n_tets; i++) {
    double n[4][3];
    for (int f = 0; f < 4; f++) {
      double d[3], e[3];
      edge_of(t->position_m[t->tet[i][face[f][0]]], t->position_m[t->tet[i][face[f][1]]], d);
      edge_of(t->position_m[t->tet[i][face[f][0]]], t->position_m[t->tet[i][face[f][2]]], e);
      cross(d, e, n[f]);
    }
    for (int f = 0; f < 4; f++)
      for (int g = f + 1; g < 4; g++) {
        double angle = acos(-dot(n[f], n[g]) / (norm(n[f]) * norm(n[g]))) / CB_DEG;
        a->least = fmin(a->least, angle);
        a->most = fmax(a->most, angle);
      }
  }
}

/* Vertices less edges plus triangles of a closed surface. */
static int euler_of(int n_triangles, const int (*triangle)[3], int n_vertices) {
  sim_hull hull;
  assert_ok(sim_hull_build(triangle, n_triangles, n_vertices, &hull, err));
  int on = 0;
  for (int v = 0; v < n_vertices; v++) on += hull.fan_start[v + 1] > hull.fan_start[v];
  sim_hull_clear(&hull);
  return on - 3 * n_triangles / 2 + n_triangles;
}

/* The bounds of the paper's proof; the surface closed, of the right kind, its vertices on the body's. */
static void stuffed(void **state) {
  (void)state;
  for (int w = 0; w < READY; w++) {
    sim_shape_body b = sim_shape_make((sim_shape_ready)w, 0);
    sim_tets t;
    angles a = {180, 0};
    assert_ok(sim_shape_tets(&b, cell_m[w], &t, err));
    dihedral(&t, &a);
    if (!(a.least > 10.7 && a.most < 164.8))
      fail_msg("%s: angles from %g to %g", sim_shape_ready_names[w], a.least, a.most);
    assert_int_equal(euler_of(t.n_surface, (const int(*)[3])t.surface, t.n_vertices), euler[w]);
    for (int i = 0; i < 3 * t.n_surface; i++)
      assert_near(distance_at(&b, t.position_m[t.surface[i / 3][i % 3]], NULL), 0, 1e-8 * cell_m[w]);
    sim_tets_clear(&t);
  }
}

/* Balls, pills and sharp boxes strewn about, cells from fine to far too coarse: tetrahedra within the bounds,
 * or a sentence. */
static void stuffed_at_random(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 9, 0);
  angles a = {180, 0};
  int made = 0;
  for (int i = 0; i < 150; i++) {
    sim_shape_body b = {.n_parts = 1 + i % 6, .blend_m = i % 3 * 0.1};
    for (int p = 0; p < b.n_parts; p++) {
      b.part[p] =
          (sim_shape_part){.kind = (sim_shape_kind)(p % 3), .round_m = p % 3 == SIM_SHAPE_CAPSULE ? 0.2 : 0};
      for (int k = 0; k < 3; k++) {
        b.part[p].origin_m[k] = cb_rng_uniform(&rng) - 0.5;
        b.part[p].turned_rad[k] = 6 * cb_rng_uniform(&rng) - 3;
        b.part[p].half_m[k] = 0.15 + 0.3 * cb_rng_uniform(&rng);
      }
    }
    sim_tets t;
    cb_err err = {""};
    cb_status st = sim_shape_tets(&b, 0.06 + 0.3 * cb_rng_uniform(&rng), &t, &err);
    assert_true(st == CB_OK || (st == CB_E_RANGE && strstr(err.msg, "too large")));
    if (st == CB_OK) dihedral(&t, &a);
    made += st == CB_OK;
    sim_tets_clear(&t);
  }
  assert_true(made > 100);
  if (!(a.least > 10.7 && a.most < 164.8)) fail_msg("angles from %g to %g", a.least, a.most);
}

/* What tetrahedra with corners on a ball leave out goes with the cells' size squared. */
static void volumes(void **state) {
  (void)state;
  sim_shape_body b = sim_shape_make(SIM_SHAPE_BALL, 2);
  double left_out[2];
  for (int i = 0; i < 2; i++) {
    sim_tets t;
    assert_ok(sim_shape_tets(&b, i ? 0.1 : 0.2, &t, err));
    left_out[i] = 4 * CB_PI / 3 - sim_tets_volume_m3(&t);
    sim_tets_clear(&t);
  }
  assert_true(left_out[1] > 0 && left_out[1] < 0.01 * 4 * CB_PI / 3);
  assert_near(left_out[0] / left_out[1], 4, 0.6);
}

/* ---- skins and cases ---- */

typedef struct evenness {
  double shortest, mean, longest, angle; /* edges; the least angle, deg */
} evenness;

static evenness evenness_of(const double (*x)[3], const int (*triangle)[3], int n) {
  evenness e = {INFINITY, 0, 0, 180};
  for (int i = 0; i < 3 * n; i++) {
    const int *t = triangle[i / 3];
    double p[3], q[3], c[3];
    edge_of(x[t[i % 3]], x[t[(i + 1) % 3]], p);
    edge_of(x[t[i % 3]], x[t[(i + 2) % 3]], q);
    cross(p, q, c);
    e.shortest = fmin(e.shortest, norm(p));
    e.longest = fmax(e.longest, norm(p));
    e.mean += norm(p) / (3.0 * n);
    e.angle = fmin(e.angle, atan2(norm(c), dot(p, q)) / CB_DEG);
  }
  return e;
}

static void check_even(const char *name, const evenness *e) {
  if (!(e->longest < 1.8 * e->mean && e->shortest > 0.35 * e->mean && e->angle > 22))
    fail_msg("%s: edges from %g to %g of the mean, least angle %g", name, e->shortest / e->mean,
             e->longest / e->mean, e->angle);
}

static void skins(void **state) {
  (void)state;
  static const double offset[] = {0, 0, 0, 0.004, 0.004, 0.01, -0.01};
  for (int w = 0; w < READY; w++) {
    sim_shape_body b = sim_shape_make((sim_shape_ready)w, 0);
    sim_shape_surface s;
    const int wanted = w == SIM_SHAPE_VEST ? 12000 : 5000;
    assert_ok(sim_shape_skin(&b, offset[w], wanted, &s, err));
    assert_near(s.n_vertices, wanted, 0.04 * wanted);
    assert_int_equal(euler_of(s.n_triangles, (const int(*)[3])s.triangle, s.n_vertices), euler[w]);
    evenness e = evenness_of((const sim_vec3 *)s.x_m, (const int(*)[3])s.triangle, s.n_triangles);
    check_even(sim_shape_ready_names[w], &e);
    for (int v = 0; v < s.n_vertices; v++)
      assert_near(distance_at(&b, s.x_m[v], NULL), offset[w], 1e-3 * e.mean);
    sim_shape_surface_clear(&s);
  }
}

/* The distance by the solid's own search; warp along y wherever the cloth does not stand across it. */
static void cases(void **state) {
  (void)state;
  static const int vertices[] = {3000, 4000, 4000, 4000, 9000, 3000, 4000};
  for (int w = 0; w < READY; w++) {
    sim_shape_body b = sim_shape_make((sim_shape_ready)w, 0);
    sim_tets t;
    sim_solid *solid;
    sim_mesh m;
    assert_ok(sim_shape_tets(&b, cell_m[w], &t, err));
    assert_ok(sim_solid_new((const sim_vec3 *)t.position_m, t.n_vertices, (const int(*)[3])t.surface,
                            t.n_surface, &solid, err));
    const sim_shape_case c = {
        cell_m[w] / 10, vertices[w], {0, 2, 0}, (const sim_vec3 *)t.position_m, (const int(*)[3])t.surface,
        t.n_vertices,   t.n_surface};
    assert_ok(sim_shape_sew(&b, &c, &m, err));
    sim_mesh_quality q = sim_mesh_quality_of(&m);
    assert_int_equal(q.euler, euler[w]);
    assert_int_equal(q.n_border_edges, 0);
    evenness e = evenness_of((const sim_vec3 *)m.position_m, (const int(*)[3])m.triangle, m.n_triangles);
    check_even(sim_shape_ready_names[w], &e);
    double furthest = 0, normal[3], to_cloth[2][3];
    for (int v = 0; v < m.n_vertices; v++) {
      double d = sim_solid_distance(solid, m.position_m[v], normal);
      assert_true(d >= c.offset_m * (1 - 1e-9));
      furthest = fmax(furthest, d);
      if (fabs(normal[1]) > 0.8) continue;
      sim_mesh_to_cloth(&m, (const sim_vec3 *)m.position_m, v, to_cloth);
      assert_true(to_cloth[0][1] > 0.3);
    }
    /* Sewn around it: at most where parts flow together the function grows slower than the distance. */
    if (!(furthest < c.offset_m + cell_m[w] / 2 + b.blend_m / 2))
      fail_msg("%s: %g m off", sim_shape_ready_names[w], furthest);
    sim_mesh_clear(&m);
    sim_solid_free(solid);
    sim_tets_clear(&t);
  }
}

static void threads(void **state) {
  (void)state;
  sim_shape_body b = sim_shape_make(SIM_SHAPE_TOY, 0);
  sim_shape_surface s[2];
  sim_tets t[2];
  for (int i = 0; i < 2; i++) {
    omp_set_num_threads(1 + i);
    assert_ok(sim_shape_skin(&b, 0, 3000, &s[i], err));
    assert_ok(sim_shape_tets(&b, 0.02, &t[i], err));
  }
  assert_memory_equal(s[0].x_m, s[1].x_m, (size_t)s[0].n_vertices * sizeof *s[0].x_m);
  assert_memory_equal(s[0].triangle, s[1].triangle, (size_t)s[0].n_triangles * sizeof *s[0].triangle);
  assert_memory_equal(t[0].position_m, t[1].position_m, (size_t)t[0].n_vertices * sizeof *t[0].position_m);
  assert_memory_equal(t[0].tet, t[1].tet, (size_t)t[0].n_tets * sizeof *t[0].tet);
  for (int i = 0; i < 2; i++) {
    sim_shape_surface_clear(&s[i]);
    sim_tets_clear(&t[i]);
  }
}

static void refusals(void **state) {
  (void)state;
  sim_shape_body b = {0};
  sim_tets t;
  sim_shape_surface s;
  sim_mesh m;
  assert_fails(CB_E_RANGE, "shape: 0 parts and 0 cuts", sim_shape_tets(&b, 0.1, &t, err));
  b = (sim_shape_body){.n_parts = 1, .part = {{SIM_SHAPE_BOX, .half_m = {1, 1, 0.1}, .round_m = 0.2}}};
  assert_fails(CB_E_RANGE, "part 0: box: rounded by 0.2 m", sim_shape_check(&b, err));
  b.part[0] = (sim_shape_part){SIM_SHAPE_ELLIPSOID, {NAN, 0, 0}, .half_m = {1, 1, 1}};
  assert_fails(CB_E_NUM, "part 0: ellipsoid", sim_shape_check(&b, err));
  b = sim_shape_make(SIM_SHAPE_VEST, 0);
  b.shell_m[1] = 0.01;
  assert_fails(CB_E_RANGE, "shell from 0.012 to 0.01 m", sim_shape_check(&b, err));
  b = sim_shape_make(SIM_SHAPE_BALL, 1);
  assert_fails(CB_E_RANGE, "cells of 5 m are too large: nothing of it is left",
               sim_shape_tets(&b, 5, &t, err));
  assert_fails(CB_E_RANGE, "cells of 0.0001 m are too small", sim_shape_tets(&b, 1e-4, &t, err));
  b = sim_shape_make(SIM_SHAPE_VEST, 0);
  assert_fails(CB_E_RANGE, "cells of 0.06 m are too large for it", sim_shape_tets(&b, 0.06, &t, err));
  assert_fails(CB_E_RANGE, "vertices of the skin", sim_shape_skin(&b, 0, 3, &s, err));
  const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int open[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {1, 2, 3}};
  assert_fails(CB_E_RANGE, "warp along (0, 0, 0)",
               sim_mesh_skin_along(x, 4, open, (const double[3]){0, 0, 0}, 2, &m, err));
  sim_shape_case c = {0.01, 1000, {1, 0, 0}, x, open, 4, 4};
  assert_fails(CB_E_RANGE, "edge of vertices", sim_shape_sew(&b, &c, &m, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ellipsoids), cmocka_unit_test(boxes_and_capsules),
                                     cmocka_unit_test(together),   cmocka_unit_test(gradients),
                                     cmocka_unit_test(stuffed),    cmocka_unit_test(stuffed_at_random),
                                     cmocka_unit_test(volumes),    cmocka_unit_test(skins),
                                     cmocka_unit_test(cases),      cmocka_unit_test(threads),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
