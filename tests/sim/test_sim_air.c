/* Air between cloth and body against closed forms: leakage, spreading along a strip, two chambers, an open
 * border, isothermal compression; sealed air to rounding; pressures and amounts positive over ten decades;
 * both solvers and any number of threads. */
#include "cbtest.h"

#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_air_layer.h"
#include "sim_mesh.h"
#include "sim_layered.h"

typedef struct layer {
  sim_mesh mesh;
  double *area, *gap, *outside;
  sim_air_place place;
} layer;

static void layer_make(layer *l, double length, double width, int across, sim_pattern pattern, double gap) {
  const sim_rectangle r = {.length_m = length, .width_m = width, .pattern = pattern, .cells_across = across};
  assert_ok(sim_mesh_rectangle(&r, &l->mesh, err));
  size_t n = (size_t)l->mesh.n_vertices;
  l->gap = malloc(n * sizeof *l->gap);
  l->outside = malloc(n * sizeof *l->outside);
  for (size_t i = 0; i < n; i++) l->gap[i] = gap, l->outside[i] = SIM_ATMOSPHERE_PA;
  l->place =
      (sim_air_place){(const sim_vec3 *)l->mesh.position_m, l->mesh.vertex_area_m2, l->gap, l->outside};
}
static void layer_clear(layer *l) {
  free(l->gap);
  free(l->outside);
  sim_mesh_clear(&l->mesh);
}

static double sum_of(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}

/* Over-pressure behind a leaking sheet: it falls by 1/(1 + dt kappa P_amb / (d dP0)) per step, and as
 * exp(-kappa P_amb t / (d dP0)) for short steps. */
static void leaks(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 8, SIM_PATTERN_IRREGULAR, 0.02);
  for (int solver = 0; solver < 2; solver++) {
    sim_air_setup s = sim_air_setup_default(&l.mesh);
    s.kappa_m_per_s = 0.05;
    s.kappa_at_Pa = 200;
    s.solver = (sim_air_solver)solver;
    s.tolerance = 1e-13;
    sim_air *a;
    sim_air_report r;
    assert_ok(sim_air_new(&s, &a, err));
    sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA + 500);
    const double rate = 0.05 * SIM_ATMOSPHERE_PA / (0.02 * 200), dt = 1e-5;
    const int steps = 80;
    double before = sum_of(sim_air_amount_J(a), l.mesh.n_vertices), leaked = 0;
    for (int k = 0; k < steps; k++) {
      assert_ok(sim_air_step(a, &l.place, dt, &r, err));
      leaked += r.leaked_J;
    }
    double over = sim_air_pressure_Pa(a)[7] - SIM_ATMOSPHERE_PA;
    assert_near(over / 500, pow(1 + dt * rate, -steps), 1e-8);
    assert_near(over / 500, exp(-rate * dt * steps), 0.01 * exp(-rate * dt * steps));
    assert_near((before - leaked) / r.total_J, 1, 1e-13);
    sim_air_free(a);
  }
  layer_clear(&l);
}

/* Through a power law v = c dP^n: d dP'/dt = -P_amb c dP^n, dP^(1-n) falls on a straight line. */
static void leaks_by_a_law(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 4, SIM_PATTERN_RIGHT, 0.02);
  const cb_permeability_law law = {.material = "case",
                                   .reference_Pa = 100,
                                   .curve = {CB_PERMEABILITY_POWER, 0.02, 0.7},
                                   .dof_level = INFINITY,
                                   .dof_shape = INFINITY,
                                   .min_Pa = 10,
                                   .max_Pa = 1000};
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.law = &law;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA + 800);
  const double dt = 2e-6, c = 0.02 / pow(100, 0.7);
  const int steps = 500;
  for (int k = 0; k < steps; k++) assert_ok(sim_air_step(a, &l.place, dt, &r, err));
  double fall = 0.3 * SIM_ATMOSPHERE_PA * c / 0.02 * dt * steps, wanted = pow(pow(800, 0.3) - fall, 1 / 0.3);
  assert_true(wanted < 600); /* it has fallen by so much that the curve tells */
  assert_near((sim_air_pressure_Pa(a)[3] - SIM_ATMOSPHERE_PA) / wanted, 1, 2e-3);
  sim_air_free(a);
  layer_clear(&l);
}

/* A cosine along a strip of squares cut alike is an eigenvector of the flow: by rows of cells, the section
 * between two columns is their edges' together. */
static void spreads(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.4, 0.1, 10, SIM_PATTERN_RIGHT, 0.01);
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = 50;
  s.tolerance = 1e-12;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  const double cell = 0.01, dt = 1e-4;
  for (int i = 0; i < l.mesh.n_vertices; i++)
    sim_air_amount_J(a)[i] = l.mesh.vertex_area_m2[i] * l.gap[i] *
                             (SIM_ATMOSPHERE_PA + 100 * cos(CB_PI * l.mesh.position_m[i][0] / 0.4));
  double before = sum_of(sim_air_amount_J(a), l.mesh.n_vertices);
  for (int k = 0; k < 20; k++) assert_ok(sim_air_step(a, &l.place, dt, &r, err));
  assert_near(r.total_J / before, 1, 1e-14);
  /* Between columns: inside a row of cells an edge along x and a diagonal. Sections: sqrt(2)/3 of the cell
   * for the diagonal's, sqrt(5)/3 for an edge along the row, half of one at the border; columns are uniform
   * across only as far as the sections are. */
  double along = sqrt(5) / 3 * cell * 0.01, slant = sqrt(2) / 3 * cell * 0.01;
  double per_row = 50 * (along + slant), volume = cell * cell * 0.01;
  double rate = per_row / volume * 2 * (1 - cos(CB_PI * cell / 0.4)), share = pow(1 + dt * rate, -20),
         seen = 0, weight = 0;
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    double y = l.mesh.position_m[i][1], c = cos(CB_PI * l.mesh.position_m[i][0] / 0.4);
    if (fabs(y - 0.05) > 1e-9) continue;
    seen += (sim_air_pressure_Pa(a)[i] - SIM_ATMOSPHERE_PA) * c;
    weight += 100 * c * c;
  }
  assert_near(seen / weight, share, 0.01 * share);
  sim_air_free(a);
  layer_clear(&l);
}

/* The middle of a triangle, and half of the way an edge's section spans. */
static double section_of(const layer *l, const sim_edge *e) {
  double from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 3; c++) from[k] += l->mesh.position_m[l->mesh.triangle[e->triangle[0]][c]][k] / 3;
    for (int c = 0; c < 3 && e->triangle[1] >= 0; c++)
      to[k] += l->mesh.position_m[l->mesh.triangle[e->triangle[1]][c]][k] / 3;
    for (int c = 0; c < 2 && e->triangle[1] < 0; c++) to[k] += l->mesh.position_m[e->vertex[c]][k] / 2;
  }
  return hypot(from[0] - to[0], from[1] - to[1]) * (l->gap[e->vertex[0]] + l->gap[e->vertex[1]]) / 2;
}

/* Conductance between what lies left of `low` and right of `high`, by relaxing the potentials of the vertices
 * between: Kirchhoff's laws. */
static double conductance(const layer *l, double low, double high) {
  const sim_mesh *m = &l->mesh;
  static double u[2000], sum[2000], weight[2000];
  double g = 0;
  assert_true(m->n_vertices <= 2000);
  for (int i = 0; i < m->n_vertices; i++) u[i] = m->position_m[i][0] < low ? 1 : 0;
  for (int sweep = 0; sweep < 5000; sweep++) {
    for (int i = 0; i < m->n_vertices; i++) sum[i] = weight[i] = 0;
    for (int e = 0; e < m->n_edges; e++) {
      const int *v = m->edge[e].vertex;
      double s = section_of(l, &m->edge[e]);
      for (int k = 0; k < 2; k++) sum[v[k]] += s * u[v[1 - k]], weight[v[k]] += s;
    }
    for (int i = 0; i < m->n_vertices; i++) {
      double x = m->position_m[i][0];
      if (x > low && x < high) u[i] += 0.9 * (sum[i] / weight[i] - u[i]);
    }
  }
  for (int e = 0; e < m->n_edges; e++) {
    const int *v = m->edge[e].vertex;
    int left = m->position_m[v[0]][0] < low ? 0 : 1;
    bool starts = m->position_m[v[left]][0] < low && m->position_m[v[1 - left]][0] > low;
    if (starts) g += section_of(l, &m->edge[e]) * (1 - u[v[1 - left]]);
  }
  return g;
}

/* Two chambers and a low passage: the difference decays at k G (1/V1 + 1/V2), after a start in which the
 * passage fills. */
static void two_chambers(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.3, 0.02, 4, SIM_PATTERN_IRREGULAR, 0.05);
  const double low = 0.13, high = 0.17, k = 200;
  double volume[2] = {0, 0};
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    double x = l.mesh.position_m[i][0];
    if (x > low && x < high) l.gap[i] = 2e-6;
    volume[x > 0.15] += l.gap[i] * l.mesh.vertex_area_m2[i];
  }
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = k;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  int left = 0, right = 0;
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    double x = l.mesh.position_m[i][0];
    sim_air_amount_J(a)[i] = l.mesh.vertex_area_m2[i] * l.gap[i] * (SIM_ATMOSPHERE_PA + (x < 0.15 ? 300 : 0));
    if (x < l.mesh.position_m[left][0]) left = i;
    if (x > l.mesh.position_m[right][0]) right = i;
  }
  double rate = k * conductance(&l, low, high) * (1 / volume[0] + 1 / volume[1]), dt = 0.01 / rate, start = 0;
  const double *p = sim_air_pressure_Pa(a);
  for (int step = 0; step < 110; step++) {
    assert_ok(sim_air_step(a, &l.place, dt, &r, err));
    if (step == 9) start = p[left] - p[right];
  }
  assert_near(log(start / (p[left] - p[right])) / (100 * dt * rate), 1, 0.01);
  sim_air_free(a);
  layer_clear(&l);
}

/* A sealed layer that is pressed to half: P V stays, at every vertex alike where nothing flows, over the
 * layer where it does. */
static void compression(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 8, SIM_PATTERN_IRREGULAR, 0.03);
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = 1e4;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
  double total = sum_of(sim_air_amount_J(a), l.mesh.n_vertices);
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  for (int k = 1; k <= 50; k++) {
    double volume = 0;
    for (int i = 0; i < l.mesh.n_vertices; i++) {
      l.gap[i] = 0.03 * (1 - 0.01 * k) * (1 + 0.2 * (2 * cb_rng_uniform(&rng) - 1));
      volume += l.gap[i] * l.mesh.vertex_area_m2[i];
    }
    assert_ok(sim_air_step(a, &l.place, 0.01, &r, err));
    assert_near(r.total_J / total, 1, 1e-12);
    for (int i = 0; i < l.mesh.n_vertices; i++)
      assert_near(sim_air_pressure_Pa(a)[i] * volume / total, 1, 1e-3);
  }
  sim_air_free(a);
  layer_clear(&l);
}

/* Pistons of 0.1 kg/m2, one per vertex, on 5 cm of air, by an implicit step with the pressure that is
 * expected and its stiffness. Short steps: small motions have the period of sqrt(P / (rho d)). Long ones:
 * they rest, and nothing grows. */
static double piston(double dt, int steps, double *most) {
  layer l;
  layer_make(&l, 0.1, 0.1, 4, SIM_PATTERN_RIGHT, 0.0501);
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = 0;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA * 0.05 / 0.0501);
  const size_t n = (size_t)l.mesh.n_vertices;
  double *v = calloc(n, sizeof *v), *p = calloc(n, sizeof *p), *stiff = calloc(n, sizeof *stiff), crossed = 0;
  *most = 0;
  for (int k = 0; k < steps; k++) {
    double before = l.gap[0];
    sim_air_answer answer = {p, stiff, false};
    assert_ok(sim_air_expect(a, &l.place, dt, &answer, err));
    assert_false(answer.spreads);
    for (size_t i = 0; i < n; i++) {
      double area = l.mesh.vertex_area_m2[i], mass = 0.1 * area,
             step = dt * (p[i] - SIM_ATMOSPHERE_PA) * area;
      v[i] = (mass * v[i] + step) / (mass + dt * dt * stiff[i] * area * area);
      l.gap[i] += dt * v[i];
    }
    assert_ok(sim_air_step(a, &l.place, dt, &r, err));
    *most = k > steps / 2 ? fmax(*most, fabs(l.gap[0] - 0.05)) : 0;
    if (crossed == 0 && l.gap[0] < 0.05) crossed = dt * (k + (before - 0.05) / (before - l.gap[0]));
  }
  free(v);
  free(p);
  free(stiff);
  sim_air_free(a);
  layer_clear(&l);
  return crossed;
}

static void pistons(void **state) {
  (void)state;
  double most, quarter = CB_PI / 2 / sqrt(SIM_ATMOSPHERE_PA / (0.1 * 0.05));
  assert_near(piston(quarter / 1000, 1100, &most) / quarter, 1, 5e-3);
  (void)piston(1e-3, 400, &most);
  assert_true(most < 1e-6);
  (void)piston(5e-3, 400, &most);
  assert_true(most < 1e-6);
}

static void open_border(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 10, SIM_PATTERN_IRREGULAR, 0.01);
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = 5;
  s.open_border = true;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA + 1000);
  double total = sum_of(sim_air_amount_J(a), l.mesh.n_vertices), vented = 0;
  for (int k = 0; k < 100; k++) {
    assert_ok(sim_air_step(a, &l.place, 0.01, &r, err));
    vented += r.vented_J;
    assert_near((r.total_J + vented) / total, 1, 1e-13);
  }
  for (int i = 0; i < l.mesh.n_vertices; i++) assert_near(sim_air_pressure_Pa(a)[i], SIM_ATMOSPHERE_PA, 1e-3);
  sim_air_free(a);
  layer_clear(&l);
}

/* Wind: 20 Pa more outside on the left half, 10 less on the right; what comes in leaves, in between lies the
 * inside. */
static void wind(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.2, 0.1, 8, SIM_PATTERN_IRREGULAR, 0.02);
  for (int i = 0; i < l.mesh.n_vertices; i++) l.outside[i] += l.mesh.position_m[i][0] < 0.1 ? 20 : -10;
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.kappa_m_per_s = 0.1;
  s.flow_m_per_s = 1e6;
  sim_air *a;
  sim_air_report r;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
  for (int k = 0; k < 50; k++) assert_ok(sim_air_step(a, &l.place, 0.005, &r, err));
  double wanted = 0, area = 0;
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    wanted += l.mesh.vertex_area_m2[i] * l.outside[i];
    area += l.mesh.vertex_area_m2[i];
  }
  assert_near(sim_air_pressure_Pa(a)[l.mesh.n_vertices / 2], wanted / area, 0.01);
  assert_near(r.leaked_J / r.total_J, 0, 1e-9);
  sim_air_free(a);
  layer_clear(&l);
}

/* Gaps of ten decades, permeability of ten decades, jumps of them from step to step, steps of 5 ms. */
static void extremes(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 10, SIM_PATTERN_IRREGULAR, 0.01);
  for (int kappa = -8; kappa <= 2; kappa += 2)
    for (int solver = 0; solver < 2; solver++) {
      sim_air_setup s = sim_air_setup_default(&l.mesh);
      s.kappa_m_per_s = pow(10, kappa);
      s.flow_m_per_s = pow(10, 2 - kappa / 2.0);
      s.solver = (sim_air_solver)solver;
      sim_air *a;
      sim_air_report r;
      cb_rng rng;
      cb_rng_init(&rng, (uint64_t)(kappa + 20), 0);
      assert_ok(sim_air_new(&s, &a, err));
      sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
      double total = sum_of(sim_air_amount_J(a), l.mesh.n_vertices);
      for (int k = 0; k < 20; k++) {
        for (int i = 0; i < l.mesh.n_vertices; i++) l.gap[i] = pow(10, -9 + 10 * cb_rng_uniform(&rng));
        cb_err e = {""};
        cb_status st = sim_air_step(a, &l.place, 0.005, &r, &e);
        if (st != CB_OK && solver == SIM_AIR_BICGSTAB) break; /* it may break down, and says so */
        if (st != CB_OK) fail_msg("kappa 1e%d, step %d: %s", kappa, k, e.msg);
        total -= r.leaked_J;
        assert_near(r.total_J / total, 1, 1e-11);
        for (int i = 0; i < l.mesh.n_vertices; i++)
          assert_true(sim_air_amount_J(a)[i] > 0 && sim_air_pressure_Pa(a)[i] > 0);
      }
      sim_air_free(a);
    }
  layer_clear(&l);
}

static void threads(void **state) {
  (void)state;
  layer l;
  double *seen[2];
  layer_make(&l, 0.3, 0.3, 70, SIM_PATTERN_RIGHT, 0.01);
  size_t n = (size_t)l.mesh.n_vertices;
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(1 + k);
    sim_air_setup s = sim_air_setup_default(&l.mesh);
    s.kappa_m_per_s = 0.01;
    sim_air *a;
    sim_air_report r;
    assert_ok(sim_air_new(&s, &a, err));
    sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
    for (size_t i = 0; i < n; i += 3) sim_air_amount_J(a)[i] *= 1.01;
    for (int step = 0; step < 3; step++) assert_ok(sim_air_step(a, &l.place, 0.001, &r, err));
    seen[k] = malloc(n * sizeof *seen[k]);
    memcpy(seen[k], sim_air_amount_J(a), n * sizeof *seen[k]);
    sim_air_free(a);
  }
  assert_memory_equal(seen[0], seen[1], n * sizeof *seen[0]);
  free(seen[0]);
  free(seen[1]);
  layer_clear(&l);
}

static void refusals(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.1, 0.1, 4, SIM_PATTERN_RIGHT, 0.01);
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  sim_air *a;
  sim_air_report r;
  s.kappa_m_per_s = -1;
  assert_fails(CB_E_RANGE, "air: permeability", sim_air_new(&s, &a, err));
  s.kappa_m_per_s = 0;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
  l.gap[5] = 0;
  assert_fails(CB_E_NUM, "air: vertex 5: ", sim_air_step(a, &l.place, 0.001, &r, err));
  sim_air_free(a);
  layer_clear(&l);
}

/* What sim_air_respond says for growth, and what the pressures that are expected fall by when the gaps grow
 * by a millionth of it. */
static void fall_both_ways(sim_air *a, layer *l, double dt, const double *growth, double *said,
                           double *true_fall) {
  const int n = l->mesh.n_vertices;
  double *stiff = calloc((size_t)n, sizeof *stiff), *after = calloc((size_t)n, sizeof *after);
  const double part = 1e-6;
  for (int i = 0; i < n; i++) l->gap[i] += part * growth[i] / l->area[i];
  assert_ok(sim_air_expect(a, &l->place, dt, &(sim_air_answer){after, stiff, false}, err));
  for (int i = 0; i < n; i++) l->gap[i] -= part * growth[i] / l->area[i];
  sim_air_answer now = {true_fall, stiff, false};
  assert_ok(sim_air_expect(a, &l->place, dt, &now, err));
  assert_true(now.spreads);
  sim_air_respond(a, growth, said);
  for (int i = 0; i < n; i++) true_fall[i] = (true_fall[i] - after[i]) / part;
  free(stiff);
  free(after);
}

static double product(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

/* The answer to volumes: symmetric, never softer than the air; stiffer by no more than half a percent where
 * all gain alike, and a third where what grows is as wide as pressure runs in the step. */
static void answers(void **state) {
  (void)state;
  layer l;
  layer_make(&l, 0.3, 0.3, 24, SIM_PATTERN_IRREGULAR, 0.02);
  l.area = (double *)l.mesh.vertex_area_m2;
  sim_air_setup s = sim_air_setup_default(&l.mesh);
  s.flow_m_per_s = 100;
  s.tolerance = 1e-13;
  sim_air *a;
  assert_ok(sim_air_new(&s, &a, err));
  sim_air_fill(a, &l.place, SIM_ATMOSPHERE_PA);
  const int n = l.mesh.n_vertices;
  double *g[3], *said[3], *fall[3];
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  for (int k = 0; k < 3; k++) {
    g[k] = calloc((size_t)n, sizeof **g);
    said[k] = calloc((size_t)n, sizeof **said);
    fall[k] = calloc((size_t)n, sizeof **fall);
    for (int i = 0; i < n; i++) {
      const double *x = l.mesh.position_m[i];
      double shape = k == 0   ? 1
                     : k == 1 ? sin(CB_PI * x[0] / 0.15) * sin(CB_PI * x[1] / 0.15)
                              : cb_rng_uniform(&rng) - 0.5;
      g[k][i] = shape * l.area[i] * 1e-3;
    }
    fall_both_ways(a, &l, 1e-3, g[k], said[k], fall[k]);
  }
  assert_near(product(g[1], said[2], n) / product(g[2], said[1], n), 1, 1e-9);
  assert_near(product(g[0], said[0], n) / product(g[0], fall[0], n), 1, 5e-3);
  for (int k = 0; k < 3; k++) assert_true(product(g[k], said[k], n) > 0.999 * product(g[k], fall[k], n));
  assert_true(product(g[1], said[1], n) < 1.33 * product(g[1], fall[1], n));
  for (int k = 0; k < 3; k++) {
    free(g[k]);
    free(said[k]);
    free(fall[k]);
  }
  sim_air_free(a);
  layer_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaks),        cmocka_unit_test(leaks_by_a_law), cmocka_unit_test(spreads),
      cmocka_unit_test(two_chambers), cmocka_unit_test(compression),    cmocka_unit_test(pistons),
      cmocka_unit_test(open_border),  cmocka_unit_test(wind),           cmocka_unit_test(extremes),
      cmocka_unit_test(threads),      cmocka_unit_test(refusals),       cmocka_unit_test(answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
