/* Meshes that follow a metric: what must stay, what the metric asks for, what is refused. */
#include "cb_num.h"
#include "clothmesh.h"
#include "sim_mesh.h"
#include "meshquality.h"
#include "sim_remesh.h"
#include "sim_mesh_edit.h"
#include "sim_remesh_state.h"

#define DENSITY 0.15

/* ---- fields of metrics ---- */

typedef void (*field)(const double uv[2], double m[3]);

static void along(double angle, double shorter, double longer, double m[3]) {
  const double c = cos(angle), s = sin(angle), a = 1 / (shorter * shorter), b = 1 / (longer * longer);
  m[0] = a * c * c + b * s * s;
  m[1] = (a - b) * c * s;
  m[2] = a * s * s + b * c * c;
}
static void fine(const double uv[2], double m[3]) { (void)uv, along(0, 0.02, 0.02, m); }
static void coarse(const double uv[2], double m[3]) { (void)uv, along(0, 0.3, 0.3, m); }
static void slanted(const double uv[2], double m[3]) { (void)uv, along(0.7, 0.02, 0.08, m); }
static void ringed(const double uv[2], double m[3]) {
  const double u = uv[0] - 0.3, v = uv[1] - 0.2, r = hypot(u, v), h = fmin(0.01 + 0.3 * fabs(r - 0.15), 0.1);
  along(atan2(v, u), h, fmin(3 * h, 0.1), m);
}
static const field fields[] = {ringed, fine, coarse, slanted};

static const sim_remesh_rules rules = {.edge_min_m = 0.005, .edge_max_m = 0.4, .aspect = 8};

static double (*metric_of(const sim_remesh_state *s, field f))[3] {
  vec3 *m = cm_vectors(s->mesh.n_vertices);
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const int corner = s->mesh.fan[s->mesh.fan_start[i]];
    f(s->mesh.corner_m[corner / 3][corner % 3], m[i]);
  }
  return m;
}

/* A new mesh by a metric, which is brought within the rules first. *out is empty after an error. */
static cb_status remesh(const sim_remesh_rules *by, const sim_remesh_state *sheet, const vec3 *metric,
                        double areal_density_kg_per_m2, sim_remesh_state *out, sim_remesh_report *report,
                        cb_err *err) {
  sim_mesh_edit p;
  sim_remesh_report own;
  *out = (sim_remesh_state){0};
  CB_TRY(sim_remesh_rules_check(by, err));
  cb_status st = sim_mesh_edit_init(sheet, metric, areal_density_kg_per_m2, &p, err);
  for (int i = 0; st == CB_OK && i < p.n_vertices; i++) sim_remesh_limit(by, p.vertex[i].metric);
  if (st == CB_OK) st = sim_remesh_rounds(&p, report ? report : &own, err);
  if (st == CB_OK) st = sim_mesh_edit_finish(&p, out, err);
  sim_mesh_edit_clear(&p);
  return st;
}

static void step(sim_remesh_state *s, field f, sim_remesh_report *report) {
  sim_remesh_state next;
  vec3 *m = metric_of(s, f);
  assert_ok(remesh(&rules, s, (const vec3 *)m, DENSITY, &next, report, err));
  free(m);
  sim_remesh_state_clear(s);
  *s = next;
}

/* A rectangle 0.6 m x 0.4 m, its warp turned; one half of the left is gripped. */
static void sheet(double warp_rad, sim_remesh_state *out) {
  sim_mesh mesh;
  const sim_rectangle r = {.length_m = 0.6,
                           .width_m = 0.4,
                           .pattern = SIM_PATTERN_IRREGULAR,
                           .edge_m = 0.05,
                           .warp_rad = warp_rad,
                           .seed = 3};
  assert_ok(sim_mesh_rectangle(&r, &mesh, err));
  assert_ok(sim_remesh_state_init(&mesh, out, err));
  sim_mesh_clear(&mesh);
}

static void disturb(sim_remesh_state *s) {
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      s->v_m_per_s[i][k] = 2 * cb_rng_uniform(&rng) - 1;
      s->x_m[i][k] += k == 2 ? 0.02 * sin(20 * s->x_m[i][0]) : 0;
    }
  for (int t = 0; t < s->mesh.n_triangles; t++)
    for (int k = 0; k < SIM_REMESH_HISTORY; k++) s->history[t][k] = cb_rng_uniform(&rng);
}

typedef struct kept {
  double area, mass, momentum[3], history[SIM_REMESH_HISTORY];
} kept;

static kept keeps(const sim_remesh_state *s) {
  kept k = {0};
  for (int t = 0; t < s->mesh.n_triangles; t++) {
    k.area += s->mesh.area_m2[t];
    for (int i = 0; i < SIM_REMESH_HISTORY; i++) k.history[i] += s->mesh.area_m2[t] * s->history[t][i];
  }
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const double mass = DENSITY * s->mesh.vertex_area_m2[i] + s->load_kg[i];
    k.mass += mass;
    for (int c = 0; c < 3; c++) k.momentum[c] += mass * s->v_m_per_s[i][c];
  }
  return k;
}

/* Area, mass, momentum, memory: eight meshes one after the other, coarse, fine, slanted; the sheet crumpled,
 * its vertices in all directions. */
static void test_conservation(void **state) {
  (void)state;
  sim_remesh_state s;
  double worst_area = 0, worst_momentum = 0, worst_history = 0;
  sheet(0.4, &s);
  disturb(&s);
  const kept before = keeps(&s);
  assert_near(before.area, 0.24, 1e-15);
  for (int round = 0; round < 8; round++) {
    sim_remesh_report r;
    step(&s, fields[round % 4], &r);
    const kept now = keeps(&s);
    worst_area = fmax(worst_area, fabs(now.area / before.area - 1));
    worst_area = fmax(worst_area, fabs(now.mass / before.mass - 1));
    for (int c = 0; c < 3; c++)
      worst_momentum = fmax(worst_momentum, fabs(now.momentum[c] - before.momentum[c]) / before.mass);
    for (int i = 0; i < SIM_REMESH_HISTORY; i++)
      worst_history = fmax(worst_history, fabs(now.history[i] / before.history[i] - 1));
    assert_true(r.splits + r.collapses > 10); /* something happened */
    const sim_mesh_quality q = sim_mesh_quality_of(&s.mesh);
    print_message(
        "%5d vertices, longest %.3f, %2.0f %% in [1/2, 1], quality >= %.3f, angles %.1f to %.1f deg\n",
        r.vertices, r.longest, 100 * r.good, r.quality_min, q.angle_min_rad / CB_DEG,
        q.angle_max_rad / CB_DEG);
    assert_int_equal(q.euler, 1);
    assert_near(q.border_m, 2.0, 1e-12);
    assert_true(r.quality_min >= 0.2);
    assert_true(r.longest <= 1);
  }
  print_message("area and mass to %.1e, momentum to %.1e m/s, memory to %.1e\n", worst_area, worst_momentum,
                worst_history);
  assert_near(worst_area, 0, 1e-12);
  assert_near(worst_momentum, 0, 1e-12);
  assert_near(worst_history, 0, 1e-12);
  sim_remesh_state_clear(&s);
}

/* A disc's border has a corner at every vertex: all of them stay, and the triangles over them. */
static void test_round_border(void **state) {
  (void)state;
  sim_mesh mesh;
  sim_remesh_state s;
  const sim_disc d = {.n_circles = 3,
                      .circle = {{0.05, 0.02}, {0.1, 0.02}, {0.15, 0.02}},
                      .pattern = SIM_PATTERN_IRREGULAR,
                      .seed = 2};
  assert_ok(sim_mesh_disc(&d, &mesh, err));
  assert_ok(sim_remesh_state_init(&mesh, &s, err));
  const sim_mesh_quality before = sim_mesh_quality_of(&mesh);
  for (int round = 0; round < 4; round++) {
    step(&s, fields[round], NULL);
    const sim_mesh_quality now = sim_mesh_quality_of(&s.mesh);
    assert_near(now.area_m2 / before.area_m2, 1, 1e-12);
    assert_near(now.border_m / before.border_m, 1, 1e-12);
    assert_int_equal(now.euler, 0);
  }
  sim_remesh_state_clear(&s);
  sim_mesh_clear(&mesh);
}

/* What is linear in the cloth stays so to rounding, through anything; what moves as one keeps its
 * velocity. */
static void test_linear(void **state) {
  (void)state;
  sim_remesh_state s;
  sheet(0.4, &s);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const double x = s.mesh.position_m[i][0], y = s.mesh.position_m[i][1];
    const double at[3] = {1.1 * x + 0.2 * y, 0.9 * y, 0.5 * x - 0.3 * y}, v[3] = {0.3, -2, 7};
    memcpy(s.x_m[i], at, sizeof at);
    memcpy(s.v_m_per_s[i], v, sizeof v);
  }
  for (int round = 0; round < 4; round++) step(&s, fields[round], NULL);
  double worst = 0;
  const double c = cos(0.4), w = sin(0.4);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const int corner = s.mesh.fan[s.mesh.fan_start[i]];
    const double *uv = s.mesh.corner_m[corner / 3][corner % 3], x = c * uv[0] - w * uv[1],
                 y = w * uv[0] + c * uv[1];
    const double at[3] = {1.1 * x + 0.2 * y, 0.9 * y, 0.5 * x - 0.3 * y}, v[3] = {0.3, -2, 7},
                 made[3] = {x, y, 0};
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(s.x_m[i][k] - at[k]));
      worst = fmax(worst, fabs(s.mesh.position_m[i][k] - made[k]));
      worst = fmax(worst, fabs(s.v_m_per_s[i][k] - v[k]));
    }
  }
  assert_near(worst, 0, 1e-13);
  sim_remesh_state_clear(&s);
}

/* Where the metric is the same everywhere a second time finds nothing to do: what was split is not taken
 * back, nor flipped to and fro. */
static void test_settles(void **state) {
  (void)state;
  for (int k = 1; k < 4; k++) {
    sim_remesh_state s;
    sim_remesh_report r;
    sheet(0.4, &s);
    step(&s, fields[k], &r);
    step(&s, fields[k], &r);
    assert_int_equal(r.splits + r.collapses + r.flips, 0);
    sim_remesh_state_clear(&s);
  }
}

/* How many it takes: equilateral triangles of edge 1 in the metric would be area sqrt(det M) 4 / sqrt(3);
 * bisected ones, whose edges lie between 1/2 and 1, one to four times as many. */
static void test_number(void **state) {
  (void)state;
  sim_remesh_state s;
  sim_remesh_report r;
  const double wanted[2] = {0.24 / (0.02 * 0.02) * 4 / sqrt(3), 0.24 / (0.02 * 0.08) * 4 / sqrt(3)};
  for (int k = 0; k < 2; k++) {
    sheet(0.4, &s);
    step(&s, k == 0 ? fine : slanted, &r);
    print_message("%d triangles, of edge 1 %.0f; %.0f %% of edges within [1/2, 1]\n", r.triangles, wanted[k],
                  100 * r.good);
    assert_true(r.triangles > wanted[k] && r.triangles < 4 * wanted[k]);
    assert_true(r.good > 0.95);
    sim_remesh_state_clear(&s);
  }
}

/* The gripped quarter keeps its outline, and what lies within it stays gripped: its area is rigid before and
 * after. */
static void test_grips(void **state) {
  (void)state;
  sim_mesh mesh;
  sim_remesh_state s;
  const sim_rectangle rectangle = {
      .length_m = 0.6, .width_m = 0.4, .pattern = SIM_PATTERN_ALTERNATING, .edge_m = 0.05};
  assert_ok(sim_mesh_rectangle(&rectangle, &mesh, err));
  assert_ok(sim_remesh_state_init(&mesh, &s, err));
  for (int i = 0; i < mesh.n_vertices; i++)
    s.gripped[i] = mesh.position_m[i][0] < 0.301 && mesh.position_m[i][1] < 0.201;
  for (int round = 0; round < 4; round++) {
    double rigid = 0;
    step(&s, fields[round], NULL);
    for (int t = 0; t < s.mesh.n_triangles; t++) {
      const int *v = s.mesh.triangle[t];
      if (s.gripped[v[0]] && s.gripped[v[1]] && s.gripped[v[2]]) rigid += s.mesh.area_m2[t];
    }
    assert_near(rigid, 0.06, 1e-12);
    for (int i = 0; i < s.mesh.n_vertices; i++)
      assert_int_equal(s.gripped[i], s.mesh.position_m[i][0] < 0.301 && s.mesh.position_m[i][1] < 0.201);
  }
  sim_remesh_state_clear(&s);
  sim_mesh_clear(&mesh);
}

/* A load stays on its vertex while all around it goes. */
static void test_load(void **state) {
  (void)state;
  sim_remesh_state s;
  int at = 0;
  sheet(0, &s);
  for (int i = 0; i < s.mesh.n_vertices; i++)
    if (hypot(s.x_m[i][0] - 0.3, s.x_m[i][1] - 0.2) < hypot(s.x_m[at][0] - 0.3, s.x_m[at][1] - 0.2)) at = i;
  const double x[2] = {s.x_m[at][0], s.x_m[at][1]};
  s.load_kg[at] = 0.5;
  const double mass = keeps(&s).mass;
  step(&s, coarse, NULL);
  assert_near(keeps(&s).mass / mass, 1, 1e-12);
  int found = -1;
  for (int i = 0; i < s.mesh.n_vertices; i++)
    if (s.load_kg[i] > 0) found = i;
  assert_true(found >= 0 && s.from[found] == at);
  assert_true(s.x_m[found][0] == x[0] && s.x_m[found][1] == x[1]);
  sim_remesh_state_clear(&s);
}

/* ---- what sizes are wanted ---- */

/* k h^4 K^4 / 1152 is the share of B K^2 / 2 at h = sqrt(soft / K). */
static void test_softness(void **state) {
  (void)state;
  const sim_material m = sim_material_isotropic(0.15, 500, 1e-5);
  const double K = 20, h = sqrt(sim_remesh_soft_m(&m, 0.1) / K);
  assert_near(500 * pow(K * h, 4) / 1152, 0.1 * 1e-5 * K * K / 2, 1e-15);
}

/* By turn: a cylinder of 0.1 m turns 10 deg in 0.01745 m across, and never along. By velocity: 3 m/s per m,
 * 0.1 m/s: 1/30 m. By compression: 5 % short of 10 % : twice the smallest edge. */
static void test_sizes(void **state) {
  (void)state;
  sim_remesh_state s;
  sheet(0, &s);
  const int n = s.mesh.n_vertices, nt = s.mesh.n_triangles;
  vec3 *curvature = cm_vectors(nt), *m = cm_vectors(n);
  sim_remesh_rules r = sim_remesh_rules_default(0.001, 0.5);
  r.aspect = 100;
  r.turn_rad = 10 * CB_DEG;
  for (int t = 0; t < nt; t++) memcpy(curvature[t], ((vec3){0, 10, 0}), sizeof(vec3));
  sim_remesh_sizes(&r, &s, (const vec3 *)curvature, NULL, 0, m);
  for (int i = 0; i < n; i++) {
    assert_near(1 / sqrt(m[i][2]), 0.1 * 10 * CB_DEG, 1e-12);
    assert_near(1 / sqrt(m[i][0]), 0.5, 1e-12);
    assert_near(m[i][1], 0, 1e-9);
  }
  r.soft_m = 1e-3; /* the smaller of the two: sqrt(1e-3 / 10) = 0.01 m */
  sim_remesh_sizes(&r, &s, (const vec3 *)curvature, NULL, 0, m);
  for (int i = 0; i < n; i++) assert_near(1 / sqrt(m[i][2]), 0.01, 1e-12);
  r.soft_m = 0;
  r.change_m_per_s = 0.1;
  r.turn_rad = 0;
  for (int i = 0; i < n; i++) s.v_m_per_s[i][2] = 3 * s.x_m[i][0];
  sim_remesh_sizes(&r, &s, NULL, NULL, 0, m);
  for (int i = 0; i < n; i++) assert_near(1 / sqrt(m[i][0]), 0.1 / 3, 1e-12);
  r.change_m_per_s = 0;
  for (int i = 0; i < n; i++) s.x_m[i][1] *= 0.95;
  sim_remesh_sizes(&r, &s, NULL, NULL, 0, m);
  for (int i = 0; i < n; i++) {
    assert_near(1 / sqrt(m[i][2]), 0.002, 1e-12);
    assert_near(1 / sqrt(m[i][0]), 0.2, 1e-12); /* aspect 100 */
  }
  free(curvature), free(m);
  sim_remesh_state_clear(&s);
}

/* A sphere that touches the middle of the sheet: near_edge_m there, as large as may be far away. */
static void test_near(void **state) {
  (void)state;
  sim_remesh_state s;
  sheet(0, &s);
  sim_remesh_rules r = sim_remesh_rules_default(0.001, 0.5);
  r.near_m = 0.05;
  r.near_edge_m = 0.004;
  const sim_body ball = {
      .shape = SIM_SPHERE, .origin_m = {s.x_m[9][0], s.x_m[9][1], 0.1}, .axis = {0, 0, 1}, .radius_m = 0.1};
  vec3 *m = cm_vectors(s.mesh.n_vertices);
  sim_remesh_sizes(&r, &s, NULL, &ball, 1, m);
  assert_near(1 / sqrt(m[9][0]), 1 / sqrt(1 / (0.004 * 0.004)), 1e-9);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const double gap =
        hypot(hypot(s.x_m[i][0] - ball.origin_m[0], s.x_m[i][1] - ball.origin_m[1]), 0.1) - 0.1;
    const double wanted = gap < 0.05 ? fmin(0.004 / (1 - gap / 0.05), 0.5) : 0.5;
    assert_near(1 / sqrt(m[i][2]), wanted, 1e-9);
  }
  free(m);
  sim_remesh_state_clear(&s);
}

/* ---- what is refused ---- */

static void test_refused(void **state) {
  (void)state;
  sim_remesh_state s, out;
  sim_remesh_rules r = rules;
  sheet(0, &s);
  vec3 *m = metric_of(&s, fine);
  r.edge_max_m = 0.001;
  assert_fails(CB_E_RANGE, "largest edge", remesh(&r, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  r = rules, r.aspect = 0.5;
  assert_fails(CB_E_RANGE, "aspect", remesh(&r, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  m[7][0] = NAN;
  assert_fails(CB_E_NUM, "metric of vertex 7", remesh(&rules, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  m[7][0] = -1;
  assert_fails(CB_E_NUM, "metric of vertex 7", remesh(&rules, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  fine(NULL, m[7]);
  s.mesh.corner_m[4][0][0] += 0.01;
  assert_fails(CB_E_RANGE, "without seams", remesh(&rules, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  free(m);
  sim_remesh_state_clear(&s);
  const vec3 x[] = {{0, 0, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}};
  const int t[][3] = {{0, 1, 2}, {0, 3, 4}};
  double corner[2][3][2];
  for (int i = 0; i < 6; i++) memcpy(corner[i / 3][i % 3], x[t[i / 3][i % 3]], sizeof corner[0][0]);
  sim_mesh bow;
  assert_ok(sim_mesh_build(x, 5, t, (const double(*)[3][2])corner, 2, &bow, err));
  assert_ok(sim_remesh_state_init(&bow, &s, err));
  m = metric_of(&s, fine);
  assert_fails(CB_E_RANGE, "meet in vertex 0", remesh(&rules, &s, (const vec3 *)m, DENSITY, &out, NULL, err));
  free(m);
  sim_remesh_state_clear(&s);
  sim_mesh_clear(&bow);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conservation), cmocka_unit_test(test_round_border),
      cmocka_unit_test(test_linear),       cmocka_unit_test(test_settles),
      cmocka_unit_test(test_number),       cmocka_unit_test(test_grips),
      cmocka_unit_test(test_load),         cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_softness),     cmocka_unit_test(test_near),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
