/* The shirt: areas and seams of its panels, and that it hangs on its mannequin, within its limits, through
 * neither it nor itself. */
#include "playtest.h"
#include "sim_limit.h"
#include "sim_limit_pattern.h"
#include "sim_mesh_skin.h"
#include "sim_self.h"
#include "sim_vec.h"

static double area_of(const sim_mesh *m) {
  double sum = 0;
  for (int t = 0; t < m->n_triangles; t++) sum += m->area_m2[t];
  return sum;
}

/* Straight chords cut an arc short by a share that goes with the square of their length. */
static void test_area(void **state) {
  (void)state;
  const double wanted = sim_limit_pattern_area_m2();
  double off[2];
  for (int k = 0; k < 2; k++) {
    sim_mesh m;
    assert_ok(sim_limit_pattern(0.04 / (1 + 3 * k), &m, err));
    off[k] = fabs(area_of(&m) / wanted - 1);
    sim_mesh_clear(&m);
  }
  assert_true(off[0] < 3e-3 && off[1] < off[0] / 10);
  /* hem to underarm, front and back: 4 x 0.28 m x 0.30 m; the rest is above it and less than the box */
  assert_true(wanted > 4 * 0.28 * 0.30 && wanted < 2 * 0.856 * (0.6257 - 0.02));
}

/* Length of the border around the open end that `first` lies on, in edges; marks them. */
static int walk_border(const sim_mesh *m, int first, bool *walked) {
  int n = 0;
  for (int e = first; !walked[e]; n++) {
    walked[e] = true;
    for (int next = 0; next < m->n_edges; next++) /* each border is walked in the sense of its triangles */
      if (m->edge[next].triangle[1] < 0 && m->edge[next].vertex[0] == m->edge[e].vertex[1]) {
        e = next;
        break;
      }
  }
  return n;
}

/* Four open ends: hem, neck, two cuffs. What is sewn is one vertex: a sphere with four holes. */
static void test_seams(void **state) {
  (void)state;
  const double edge_m = 0.03;
  const sim_limit_seams n = sim_limit_pattern_seams(edge_m);
  const int columns = 2 * (n.shoulder + n.neck), rows = n.side + n.armhole;
  sim_mesh m;
  assert_ok(sim_limit_pattern(edge_m, &m, err));
  assert_int_equal(m.n_vertices,
                   2 * (columns + 1) * (rows + 1) - 2 * (n.side + n.shoulder + 2) + 4 * n.armhole * n.sleeve);
  assert_int_equal(m.n_triangles, 4 * columns * rows + 8 * n.armhole * n.sleeve);
  assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 2 - 4);
  bool *walked = calloc((size_t)m.n_edges, sizeof *walked);
  int ends = 0, lengths[3] = {0}; /* hem, neck, cuffs */
  assert_non_null(walked);
  for (int e = 0; e < m.n_edges; e++) {
    if (m.edge[e].triangle[1] >= 0 || walked[e]) continue;
    const double *x = m.position_m[m.edge[e].vertex[0]];
    const int which = x[2] < 0.05 ? 0 : fabs(x[0]) < 0.12 ? 1 : 2;
    lengths[which] += walk_border(&m, e, walked);
    ends++;
  }
  assert_int_equal(ends, 4);
  assert_int_equal(lengths[0], 2 * columns);
  assert_int_equal(lengths[1], 4 * n.neck);
  assert_int_equal(lengths[2], 4 * n.armhole);
  free(walked);
  sim_mesh_clear(&m);
}

/* Without its bulge the sewn shirt lies flat, and no triangle is strained. */
static void test_flat(void **state) {
  (void)state;
  sim_mesh m;
  assert_ok(sim_limit_pattern(0.02, &m, err));
  for (int t = 0; t < m.n_triangles; t++) {
    double slope[2][3], w[2][3] = {{0}};
    sim_mesh_slopes((const double(*)[2])m.corner_m[t], slope);
    for (int a = 0; a < 2; a++)
      for (int k = 0; k < 3; k++) {
        const double *x = m.position_m[m.triangle[t][k]], flat[3] = {x[0], 0, x[2]};
        sim_add(w[a], slope[a][k], flat);
      }
    assert_near(sim_norm(w[0]), 1, 1e-9);
    assert_near(sim_norm(w[1]), 1, 1e-9);
    assert_near(sim_dot(w[0], w[1]), 0, 1e-9);
  }
  sim_mesh_clear(&m);
}

/* Pairs of triangles that cross, of the cloth with itself and with the drawn mannequin. */
static int crossings(const sim_drawn drawn[2]) {
  static const double up[3] = {0, 0, 1};
  sim_mesh mesh[2];
  sim_self *self;
  const int n = drawn[0].n_vertices + drawn[1].n_vertices;
  sim_vec3 *x = calloc((size_t)n, sizeof *x);
  assert_non_null(x);
  for (int k = 0; k < 2; k++) {
    assert_ok(sim_mesh_skin_along(drawn[k].position_m, drawn[k].n_vertices, drawn[k].triangle, up,
                                  drawn[k].n_triangles, &mesh[k], err));
    memcpy(x + k * drawn[0].n_vertices, drawn[k].position_m, (size_t)drawn[k].n_vertices * sizeof *x);
  }
  const sim_self_options o = {.thickness_m = 1e-3, .rounds = 1};
  assert_ok(sim_self_new((const sim_mesh *const[]){&mesh[0], &mesh[1]}, (const bool[]){false, true}, 2, &o,
                         &self, err));
  const int out = sim_self_crossings(self, (const sim_vec3 *)x);
  sim_self_free(self);
  for (int k = 0; k < 2; k++) sim_mesh_clear(&mesh[k]);
  free(x);
  return out;
}

static void test_worn(void **state) {
  (void)state;
  sim_play *s;
  sim_drawn drawn[SIM_PLAY_SURFACES];
  assert_ok(
      parse_play("name: a\ntime: {duration_s: 0.1, step_ms: 5}\nsheet: {shape: shirt, vertices: 700}\n"
                 "material: {areal_density_g_per_m2: 150, thickness_mm: 1, stretch_N_per_m: 30, "
                 "bend_uN_m: 10, drag_per_s: 5}\nlimited: {method: warp-weft, self_collision: true}\n",
                 &s, err));
  assert_int_equal(sim_play_surfaces(s, drawn), 2);
  assert_near(drawn[0].n_vertices, 700, 40);
  const double hem_m = sim_play_value(s, "lowest_m");
  assert_near(hem_m, 0.07, 0.03);
  while (sim_play_done(s) < sim_play_steps(s)) {
    assert_ok(sim_play_step(s, NULL, err));
    assert_true(sim_play_value(s, "excess") <= 1e-3);
    assert_true(sim_play_value(s, "sunk_m") < 5e-4);
    assert_int_equal(sim_play_value(s, "crossings"), 0);
  }
  (void)sim_play_surfaces(s, drawn);
  assert_int_equal(crossings(drawn), 0);
  assert_near(sim_play_value(s, "lowest_m"), hem_m, 0.03); /* a free fall would be 0.05 m */
  assert_true(sim_play_value(s, "warp_most") > 1.045);
  free_play(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_area), cmocka_unit_test(test_seams),
                                     cmocka_unit_test(test_flat), cmocka_unit_test(test_worn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
