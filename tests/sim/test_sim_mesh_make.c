/* Made meshes against closed forms: areas, borders, angles, Euler's number; what is promised about circles,
 * warp, seeds and numbering. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_mesh.h"
#include "meshquality.h"

static const sim_disc cusick = {.n_circles = 3,
                                .circle = {{0, 0.012}, {0.09, 0.006}, {0.15, 0.006}},
                                .pattern = SIM_PATTERN_EQUILATERAL,
                                .seed = 3};

/* What holds for every mesh. */
static sim_mesh_quality check_mesh(const sim_mesh *m) {
  sim_mesh_quality q = sim_mesh_quality_of(m);
  double sum = 0;
  for (int v = 0; v < m->n_vertices; v++) {
    sum += m->vertex_area_m2[v];
    assert_true(m->position_m[v][2] == 0);
    for (int i = m->fan_start[v]; i < m->fan_start[v + 1]; i++)
      assert_int_equal(m->triangle[m->fan[i] / 3][m->fan[i] % 3], v);
  }
  assert_near(sum, q.area_m2, 1e-13 * q.area_m2);
  for (int e = 0; e < m->n_edges; e++) {
    const sim_edge *g = &m->edge[e];
    for (int k = 0; k < 2 && g->triangle[k] >= 0; k++) {
      const int *t = m->triangle[g->triangle[k]], o = g->opposite[k];
      assert_int_equal(m->triangle_edge[g->triangle[k]][o], e);
      assert_int_equal(t[(o + 1) % 3], g->vertex[k]); /* the second turns against the first */
      assert_int_equal(t[(o + 2) % 3], g->vertex[1 - k]);
    }
  }
  assert_int_equal(3 * m->n_triangles, 2 * m->n_edges - q.n_border_edges);
  return q;
}

static void rectangles(void **state) {
  (void)state;
  static const double angle_min_deg[] = {45, 45, 29, 30}, angle_max_deg[] = {90, 90, 91, 120};
  for (int p = 0; p < SIM_PATTERN_COUNT; p++)
    for (int across = 1; across <= 16; across += 3) {
      sim_rectangle r = {.length_m = 0.1, .width_m = 0.02, .pattern = p, .cells_across = across, .seed = 1};
      if (p < SIM_PATTERN_EQUILATERAL) r.length_m = 0.02 * 5;
      sim_mesh m;
      assert_ok(sim_mesh_rectangle(&r, &m, err));
      sim_mesh_quality q = check_mesh(&m);
      assert_near(q.area_m2, 0.002, 1e-15);
      assert_near(q.border_m, 0.24, 1e-14);
      assert_int_equal(q.euler, 1);
      if (across > 1) {
        assert_true(q.angle_min_rad > (angle_min_deg[p] - 1e-9) * CB_DEG &&
                    q.angle_max_rad < (angle_max_deg[p] + 1e-9) * CB_DEG);
        assert_near(q.edge_mean_m, 0.02 / across * 1.14, 0.04 / across * (p < 2 ? 0.05 : 0.1));
      }
      sim_mesh_clear(&m);
    }
}

static void fineness(void **state) {
  (void)state;
  static const int wanted[] = {4, 100, 5000, 20000};
  sim_mesh m;
  for (int p = 0; p < SIM_PATTERN_COUNT; p++)
    for (int i = 0; i < 4; i++) {
      sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = p, .about_vertices = wanted[i]};
      assert_ok(sim_mesh_rectangle(&r, &m, err));
      assert_in_range(m.n_vertices, wanted[i] - 1.5 * sqrt(wanted[i]), wanted[i] + 1.5 * sqrt(wanted[i]));
      sim_mesh_clear(&m);
    }
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++)
    for (int i = 1; i < 4; i++) {
      sim_disc d = cusick;
      d.pattern = p;
      d.about_vertices = wanted[i];
      assert_ok(sim_mesh_disc(&d, &m, err));
      assert_in_range(m.n_vertices, wanted[i] - 3 * sqrt(wanted[i]), wanted[i] + 3 * sqrt(wanted[i]));
      sim_mesh_clear(&m);
    }
  sim_rectangle r = {.length_m = 0.1, .width_m = 0.05, .edge_m = 0.01};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_int_equal(m.n_vertices, 11 * 6);
  sim_mesh_clear(&m);
}

/* A polygon of n sides inscribed in the circle. */
static double polygon_area(double r, int n) { return 0.5 * n * r * r * sin(2 * CB_PI / n); }
static double polygon_border(double r, int n) { return 2 * n * r * sin(CB_PI / n); }

static int vertices_on(const sim_mesh *m, double radius) {
  int n = 0;
  for (int v = 0; v < m->n_vertices; v++)
    n += fabs(hypot(m->position_m[v][0], m->position_m[v][1]) - radius) < 1e-15;
  return n;
}

/* Both of whose ends lie on the circle. */
static int edges_along(const sim_mesh *m, double radius) {
  int n = 0;
  for (int e = 0; e < m->n_edges; e++) {
    const double *a = m->position_m[m->edge[e].vertex[0]], *b = m->position_m[m->edge[e].vertex[1]];
    n += fabs(hypot(a[0], a[1]) - radius) < 1e-15 && fabs(hypot(b[0], b[1]) - radius) < 1e-15;
  }
  return n;
}

/* With six vertices more from ring to ring, a disc of m rings has 1 + 3 m (m + 1) vertices. */
static void hexagonal_disc(void **state) {
  (void)state;
  sim_disc d = {
      .n_circles = 2, .circle = {{0, CB_PI / 3}, {8, CB_PI / 3}}, .pattern = SIM_PATTERN_EQUILATERAL};
  sim_mesh m;
  assert_ok(sim_mesh_disc(&d, &m, err));
  assert_int_equal(m.n_vertices, 1 + 3 * 8 * 9);
  assert_int_equal(m.n_triangles, 6 * 8 * 8);
  assert_near(check_mesh(&m).area_m2, polygon_area(8, 48), 1e-12);
  sim_mesh_clear(&m);
}

static void discs(void **state) {
  (void)state;
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++) {
    sim_disc d = cusick;
    d.pattern = p;
    sim_mesh m;
    assert_ok(sim_mesh_disc(&d, &m, err));
    sim_mesh_quality q = check_mesh(&m);
    int border = vertices_on(&m, 0.15), support = vertices_on(&m, 0.09);
    assert_near(border, 2 * CB_PI * 0.15 / 0.006, 0.06 * border); /* whole rings: edges are fitted to them */
    assert_near(support, 2 * CB_PI * 0.09 / 0.006, 0.06 * support);
    assert_int_equal(edges_along(&m, 0.15), border);
    assert_int_equal(edges_along(&m, 0.09), support);
    assert_int_equal(q.n_border_edges, border);
    assert_near(q.border_m, polygon_border(0.15, border), 1e-12);
    assert_near(q.area_m2, polygon_area(0.15, border), 1e-14);
    assert_int_equal(q.euler, 1);
    assert_true(q.angle_min_rad > 30 * CB_DEG && q.angle_max_rad < 115 * CB_DEG);
    sim_mesh_clear(&m);
  }
}

static void ring_with_a_hole(void **state) {
  (void)state;
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++) {
    sim_disc d = {.n_circles = 2, .circle = {{0.1, 0.004}, {0.2, 0.01}}, .pattern = p, .seed = 5};
    sim_mesh m;
    assert_ok(sim_mesh_disc(&d, &m, err));
    sim_mesh_quality q = check_mesh(&m);
    int outer = vertices_on(&m, 0.2), inner = vertices_on(&m, 0.1);
    assert_int_equal(q.euler, 0);
    assert_int_equal(q.n_border_edges, outer + inner);
    assert_near(q.area_m2, polygon_area(0.2, outer) - polygon_area(0.1, inner), 1e-14);
    assert_true(q.angle_min_rad > 30 * CB_DEG);
    sim_mesh_clear(&m);
  }
}

/* Mean edge length in a band of radii. */
static double edge_near(const sim_mesh *m, double from, double to) {
  double sum = 0;
  int n = 0;
  for (int e = 0; e < m->n_edges; e++) {
    const double *a = m->position_m[m->edge[e].vertex[0]], *b = m->position_m[m->edge[e].vertex[1]];
    double r = hypot(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
    if (r < from || r > to) continue;
    sum += hypot(a[0] - b[0], a[1] - b[1]);
    n++;
  }
  assert_true(n > 50);
  return sum / n;
}

static void grading(void **state) {
  (void)state;
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++) {
    sim_disc d = {.n_circles = 2, .circle = {{0, 0.02}, {1, 0.1}}, .pattern = p, .seed = 2};
    sim_mesh m;
    assert_ok(sim_mesh_disc(&d, &m, err));
    for (double r = 0.3; r < 0.9; r += 0.2)
      assert_near(edge_near(&m, r - 0.1, r + 0.1) / (0.02 + 0.08 * r), 1.04, 0.08); /* cuts are longer */
    sim_mesh_clear(&m);
  }
}

/* The warp's direction in the plane is where the first material co-ordinate grows and the second does not. */
static void warp(void **state) {
  (void)state;
  sim_rectangle r = {
      .length_m = 3, .width_m = 2, .pattern = SIM_PATTERN_RIGHT, .cells_across = 2, .warp_rad = 30 * CB_DEG};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  for (int t = 0; t < m.n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      const double *p = m.position_m[m.triangle[t][k]], *c = m.corner_m[t][k];
      assert_near(p[0], c[0] * cos(30 * CB_DEG) - c[1] * sin(30 * CB_DEG), 1e-15);
      assert_near(p[1], c[0] * sin(30 * CB_DEG) + c[1] * cos(30 * CB_DEG), 1e-15);
    }
  sim_mesh_clear(&m);
}

static void seeds(void **state) {
  (void)state;
  sim_rectangle r = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 1000, .seed = 9};
  sim_mesh a, b, c;
  assert_ok(sim_mesh_rectangle(&r, &a, err));
  assert_ok(sim_mesh_rectangle(&r, &b, err));
  r.seed = 10;
  assert_ok(sim_mesh_rectangle(&r, &c, err));
  assert_memory_equal(a.position_m, b.position_m, (size_t)a.n_vertices * sizeof *a.position_m);
  assert_memory_equal(a.triangle, b.triangle, (size_t)a.n_triangles * sizeof *a.triangle);
  assert_int_equal(a.n_vertices, c.n_vertices);
  assert_memory_not_equal(a.position_m, c.position_m, (size_t)a.n_vertices * sizeof *a.position_m);
  sim_mesh_clear(&a);
  sim_mesh_clear(&b);
  sim_mesh_clear(&c);
}

/* No rows are left: many vertices have not six neighbours, and edges point everywhere alike. */
static void irregular(void **state) {
  (void)state;
  sim_rectangle r = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 5000, .seed = 4};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  sim_mesh_quality q = check_mesh(&m);
  assert_true(q.angle_min_rad > 30 * CB_DEG && q.angle_max_rad < 115 * CB_DEG);
  int six = 0;
  double c = 0, s = 0;
  for (int v = 0; v < m.n_vertices; v++) six += m.fan_start[v + 1] - m.fan_start[v] == 6;
  assert_in_range(six, m.n_vertices / 3, m.n_vertices * 2 / 3);
  for (int e = 0; e < m.n_edges; e++) {
    const double *a = m.position_m[m.edge[e].vertex[0]], *b = m.position_m[m.edge[e].vertex[1]];
    double angle = atan2(b[1] - a[1], b[0] - a[0]);
    c += cos(6 * angle) / m.n_edges; /* 1 where all triangles are equilateral and alike */
    s += sin(6 * angle) / m.n_edges;
  }
  assert_true(hypot(c, s) < 0.35);
  sim_mesh_clear(&m);
}

/* Rows of about sqrt(n) vertices follow each other, whatever the maker's own numbering was. */
static void numbering(void **state) {
  (void)state;
  sim_mesh m;
  for (int p = 0; p < SIM_PATTERN_COUNT; p++) {
    sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = p, .about_vertices = 5000};
    assert_ok(sim_mesh_rectangle(&r, &m, err));
    assert_true(sim_mesh_quality_of(&m).bandwidth < 2.5 * sqrt(m.n_vertices));
    for (int t = 1, low = 0; t < m.n_triangles; t++) {
      const int *v = m.triangle[t];
      int lowest = v[0] < v[1] ? v[0] : v[1];
      if (v[2] < lowest) lowest = v[2];
      assert_true(lowest >= low);
      low = lowest;
    }
    sim_mesh_clear(&m);
  }
}

static void bad(void **state) {
  (void)state;
  sim_mesh m;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .edge_m = 0.1, .about_vertices = 3};
  assert_fails(CB_E_RANGE, "exactly one must be > 0", sim_mesh_rectangle(&r, &m, err));
  r.about_vertices = 0;
  r.edge_m = 1e-5;
  assert_fails(CB_E_RANGE, "1.00002e+10 vertices", sim_mesh_rectangle(&r, &m, err));
  r.width_m = NAN;
  assert_fails(CB_E_RANGE, "width_m = nan", sim_mesh_rectangle(&r, &m, err));
  sim_disc d = cusick;
  d.circle[1].radius_m = 0.15;
  assert_fails(CB_E_RANGE, "radius_m = 0.15 of circle 2", sim_mesh_disc(&d, &m, err));
  d = cusick;
  d.circle[0].edge_m = 0;
  assert_fails(CB_E_RANGE, "edge_m = 0 of circle 0", sim_mesh_disc(&d, &m, err));
  d.circle[0].edge_m = d.circle[1].edge_m = 1e-9;
  assert_fails(CB_E_RANGE, "vertices", sim_mesh_disc(&d, &m, err));
  d = cusick;
  d.pattern = SIM_PATTERN_RIGHT;
  assert_fails(CB_E_RANGE, "pattern 0", sim_mesh_disc(&d, &m, err));
  d = (sim_disc){.n_circles = 2, .circle = {{0.08, 1e-4}, {0.1, 0.1}}, .pattern = SIM_PATTERN_EQUILATERAL};
  assert_fails(CB_E_RANGE, "4 edges around r = 0.1 m cut into the ring of r = 0.08 m",
               sim_mesh_disc(&d, &m, err));
  d.n_circles = 1;
  assert_fails(CB_E_RANGE, "1 circles", sim_mesh_disc(&d, &m, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rectangles),
                                     cmocka_unit_test(fineness),
                                     cmocka_unit_test(hexagonal_disc),
                                     cmocka_unit_test(discs),
                                     cmocka_unit_test(ring_with_a_hole),
                                     cmocka_unit_test(grading),
                                     cmocka_unit_test(warp),
                                     cmocka_unit_test(seeds),
                                     cmocka_unit_test(irregular),
                                     cmocka_unit_test(numbering),
                                     cmocka_unit_test(bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
