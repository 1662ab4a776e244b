/* Cloth against itself: every near pair is found, nothing comes through anything, momentum stays, and the
 * bits do not depend on threads. */
#include <omp.h>

#include "cbtest.h"

#include "cb_rng.h"
#include "sim_mesh.h"
#include "sim_query.h"
#include "sim_self.h"
#include "sim_self_look.h"

#define THICKNESS 1e-3
#define PI 3.14159265358979323846

typedef double vec[3];

static sim_mesh sheet(double length_m, double width_m, int cells, sim_pattern pattern) {
  sim_mesh m;
  const sim_rectangle r = {
      .length_m = length_m, .width_m = width_m, .pattern = pattern, .cells_across = cells, .seed = 3};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  return m;
}

static sim_self *made(const sim_mesh *const *mesh, const bool *body, int n, const sim_self_options *o) {
  sim_self *s;
  assert_ok(sim_self_new(mesh, body, n, o, &s, err));
  return s;
}

static sim_self *searcher(const sim_mesh *const *mesh, const bool *body, int n) {
  return made(mesh, body, n, &(sim_self_options){.thickness_m = THICKNESS, .rounds = 20});
}

/* Positions of several meshes in a row, the k-th shifted by shift[k]. */
static vec *positions(const sim_mesh *const *mesh, const vec *shift, int n_meshes, int *n) {
  *n = 0;
  for (int m = 0; m < n_meshes; m++) *n += mesh[m]->n_vertices;
  vec *x = malloc((size_t)*n * sizeof *x);
  assert_non_null(x);
  for (int m = 0, at = 0; m < n_meshes; at += mesh[m++]->n_vertices)
    for (int v = 0; v < mesh[m]->n_vertices; v++)
      for (int k = 0; k < 3; k++) x[at + v][k] = mesh[m]->position_m[v][k] + shift[m][k];
  return x;
}

static vec *copy(const vec *x, int n) {
  vec *y = malloc((size_t)n * sizeof *y);
  assert_non_null(y);
  memcpy(y, x, (size_t)n * sizeof *y);
  return y;
}

/* All pairs of triangles of one mesh, without trees. */
static int crossings(const sim_mesh *m, const vec *x) {
  int n = 0;
  for (int a = 0; a < m->n_triangles; a++)
    for (int b = 0; b < a; b++) n += sim_triangles_cross((const sim_vec3 *)x, m->triangle[a], m->triangle[b]);
  return n;
}

/* In the middle of the way, too. */
static void assert_whole(sim_self *s, const sim_mesh *alone, const vec *x, const vec *end, int n) {
  vec *y = copy(x, n);
  for (int i = 1; i <= 4; i++) {
    for (int v = 0; v < n; v++)
      for (int k = 0; k < 3; k++) y[v][k] = x[v][k] + i / 4.0 * (end[v][k] - x[v][k]);
    assert_int_equal(sim_self_crossings(s, i == 4 ? (const sim_vec3 *)end : (const sim_vec3 *)y), 0);
  }
  if (alone) assert_int_equal(crossings(alone, end), 0);
  free(y);
}

/* Over and over, a cylinder that grows by 1.2 mm per turn; or a zigzag of sharp folds. Both a little askew,
 * so that no edges are parallel (of those, rounding decides whether they are nearest in their midst). */
static void rolled(const sim_mesh *m, vec *x) {
  for (int v = 0; v < m->n_vertices; v++) {
    double s = m->position_m[v][0], a = 120 * s + 5 * m->position_m[v][1], r = 8e-3 + 1.2e-3 * a / (2 * PI);
    x[v][0] = r * cos(a);
    x[v][1] = m->position_m[v][1];
    x[v][2] = r * sin(a);
  }
}

static void folded(const sim_mesh *m, double fold_m, double gap_m, vec *x) {
  for (int v = 0; v < m->n_vertices; v++) {
    double s = m->position_m[v][0] / fold_m, layer = floor(s), along = s - layer;
    bool back = fmod(layer, 2) == 1;
    double t = m->position_m[v][0], y = m->position_m[v][1];
    x[v][0] = fold_m * (back ? 1 - along : along) + 1e-3 * sin(60 * y + 40 * t);
    x[v][1] = y + 1e-3 * sin(50 * t + 70 * y);
    x[v][2] = gap_m * (layer + along);
  }
}

static bool shares(const int *a, int na, const int *b, int nb) {
  for (int i = 0; i < na; i++)
    for (int j = 0; j < nb; j++)
      if (a[i] == b[j]) return true;
  return false;
}

/* Whether the nearest points lie within both features, so that only this pair can report them. */
static int within(const sim_mesh *m, const vec *x, sim_pair pair, const int vertex[4], double reach) {
  double p[4][3], q[4][3], w[4], unused[4];
  for (int i = 0; i < 4; i++) {
    memcpy(p[i], x[vertex[i]], sizeof p[i]);
    memcpy(q[i], m->position_m[vertex[i]], sizeof q[i]);
  }
  double d = sim_closest(pair, (const sim_vec3 *)p, w), rest = sim_closest(pair, (const sim_vec3 *)q, unused);
  return d < reach && d < SIM_BVH_FLAT * rest && w[0] != 0 && w[1] != 0 && w[2] != 0 && w[3] != 0;
}

static void count_within(const sim_mesh *m, const vec *x, double reach, int count[2]) {
  count[0] = count[1] = 0;
  for (int v = 0; v < m->n_vertices; v++)
    for (int t = 0; t < m->n_triangles; t++) {
      const int *c = m->triangle[t], four[4] = {v, c[0], c[1], c[2]};
      if (!shares(&v, 1, c, 3)) count[0] += within(m, x, SIM_VERTEX_TRIANGLE, four, reach);
    }
  for (int e = 0; e < m->n_edges; e++)
    for (int f = 0; f < e; f++) {
      const int *a = m->edge[e].vertex, *b = m->edge[f].vertex, four[4] = {a[0], a[1], b[0], b[1]};
      if (!shares(a, 2, b, 2)) count[1] += within(m, x, SIM_EDGE_EDGE, four, reach);
    }
}

/* Trees, shortcuts and ownership lose nothing and repeat nothing: the same count as over all pairs of
 * features. */
static void all_pairs_are_found(void **state) {
  (void)state;
  for (int shape = 0; shape < 4; shape++) {
    const sim_pattern pattern = shape & 1 ? SIM_PATTERN_IRREGULAR : SIM_PATTERN_RIGHT;
    sim_mesh m = sheet(0.1, 0.05, 10, pattern);
    const sim_mesh *const meshes[] = {&m};
    sim_self *s = searcher(meshes, NULL, 1);
    vec *x = copy((const vec *)m.position_m, m.n_vertices);
    if (shape < 2) {
      rolled(&m, x);
    } else {
      folded(&m, 0.0321, 2e-3, x);
    }
    for (double reach = 1e-3; reach < 0.02; reach *= 2.3) {
      const sim_self_contact *list;
      int n, count[2], found[2] = {0};
      assert_ok(sim_self_contacts(s, (const sim_vec3 *)x, reach, &list, &n, err));
      for (int i = 0; i < n; i++) {
        const double *w = list[i].weight;
        assert_near(w[0] + w[1] + w[2] + w[3], 0, 1e-15);
        double gap = 0;
        for (int k = 0; k < 4; k++)
          gap += w[k] *
                 (x[list[i].vertex[k]][0] * list[i].normal[0] + x[list[i].vertex[k]][1] * list[i].normal[1] +
                  x[list[i].vertex[k]][2] * list[i].normal[2]);
        assert_near(gap, list[i].distance_m, 1e-15);
        assert_true(list[i].distance_m < reach);
        if (w[0] != 0 && w[1] != 0 && w[2] != 0 && w[3] != 0) found[list[i].pair]++;
      }
      count_within(&m, (const vec *)x, reach, count);
      assert_int_equal(found[0], count[0]);
      assert_int_equal(found[1], count[1]);
      if (reach > 3e-3) assert_true(count[0] > 50 && count[1] > 20);
    }
    free(x);
    sim_self_free(s);
    sim_mesh_clear(&m);
  }
}

/* A sheet over another: each vertex within the other's outline has one triangle to itself; the second is
 * turned in its material. */
static void two_sheets(void **state) {
  (void)state;
  sim_mesh a = sheet(0.1, 0.1, 20, SIM_PATTERN_RIGHT), b;
  const sim_rectangle r = {.length_m = 0.2,
                           .width_m = 0.2,
                           .pattern = SIM_PATTERN_IRREGULAR,
                           .cells_across = 31,
                           .warp_rad = 0.5,
                           .seed = 1};
  assert_ok(sim_mesh_rectangle(&r, &b, err));
  const sim_mesh *const meshes[] = {&a, &b};
  sim_self *s = searcher(meshes, NULL, 2);
  int n, contacts, vertices = 0, down = 0;
  const vec shift[2] = {{0.0512, 0.0487, 0.6e-3}, {0, 0, 0}};
  vec *x = positions(meshes, shift, 2, &n);
  const sim_self_contact *list;
  assert_ok(sim_self_contacts(s, (const sim_vec3 *)x, THICKNESS, &list, &contacts, err));
  for (int i = 0; i < contacts; i++) {
    const sim_self_contact *c = &list[i];
    if (c->weight[0] * c->weight[1] * c->weight[2] * c->weight[3] == 0) continue; /* beside the border */
    assert_near(c->distance_m, 0.6e-3, 1e-15);
    const bool of_a = c->vertex[0] < a.n_vertices;
    assert_near(c->normal[2], of_a ? 1 : -1, 1e-12);
    assert_int_equal(c->vertex[3] < a.n_vertices, !of_a);
    for (int l = 0; l < 2; l++) assert_near(c->place[l][0] + c->place[l][1] + c->place[l][2], 1, 1e-15);
    assert_true(c->area_m2 > 0);
    if (c->pair != SIM_VERTEX_TRIANGLE) continue;
    vertices += of_a;
    down += !of_a;
    double frame[2][3];
    sim_self_to_cloth(s, (const sim_vec3 *)x, c->triangle[of_a], frame);
    assert_near(frame[0][0], cos(0.5), 1e-6);
    assert_near(frame[0][1], sin(0.5), 1e-6);
    assert_near(frame[1][0], -sin(0.5), 1e-6);
    sim_self_to_cloth(s, (const sim_vec3 *)x, c->triangle[!of_a], frame);
    assert_near(frame[0][0], 1, 1e-6);
    assert_near(frame[1][1], 1, 1e-6);
  }
  int under = 0;
  for (int v = 0; v < b.n_vertices; v++)
    under += fabs(b.position_m[v][0] - 0.1012) < 0.05 && fabs(b.position_m[v][1] - 0.0987) < 0.05;
  assert_int_equal(vertices, a.n_vertices);
  assert_int_equal(down, under);
  free(x);
  sim_self_free(s);
  sim_mesh_clear(&a);
  sim_mesh_clear(&b);
}

/* A flat cloth thicker than its edges are long is not near itself. */
static void thick_cloth_is_not_near_itself(void **state) {
  (void)state;
  sim_mesh m = sheet(0.02, 0.02, 30, SIM_PATTERN_ALTERNATING);
  const sim_mesh *const meshes[] = {&m};
  sim_self *s = searcher(meshes, NULL, 1);
  const sim_self_contact *list;
  int n;
  for (int flat = 0; flat < 2; flat++) {
    vec *x = copy((const vec *)m.position_m, m.n_vertices);
    for (int v = 0; v < m.n_vertices && !flat; v++)
      x[v][2] = 2e-3 * sin(x[v][0] / 1e-3); /* too steep to be flat */
    assert_ok(sim_self_contacts(s, (const sim_vec3 *)x, 2e-3, &list, &n, err));
    if (flat) assert_int_equal(n, 0);
    free(x);
  }
  sim_self_free(s);
  sim_mesh_clear(&m);
}

static void momentum(const vec *x, const vec *y, const double *inverse_mass, int n, vec out) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int v = 0; v < n; v++) out[k] += (y[v][k] - x[v][k]) / (inverse_mass ? inverse_mass[v] : 1);
  }
}

/* Layers of the mesh below the point, those that lie face down subtracted. */
static int layers_below(const sim_mesh *m, const vec *x, const vec p) {
  int n = 0;
  for (int t = 0; t < m->n_triangles; t++) {
    const double *a = x[m->triangle[t][0]], *b = x[m->triangle[t][1]], *c = x[m->triangle[t][2]];
    double u = (b[0] - p[0]) * (c[1] - p[1]) - (b[1] - p[1]) * (c[0] - p[0]),
           v = (c[0] - p[0]) * (a[1] - p[1]) - (c[1] - p[1]) * (a[0] - p[0]);
    double w = (a[0] - p[0]) * (b[1] - p[1]) - (a[1] - p[1]) * (b[0] - p[0]), sum = u + v + w;
    if ((u > 0) != (v > 0) || (v > 0) != (w > 0) || (u * a[2] + v * b[2] + w * c[2]) / sum > p[2]) continue;
    n += sum > 0 ? 1 : -1;
  }
  return n;
}

static void sheets_do_not_tunnel(void **state) {
  (void)state;
  sim_mesh a = sheet(0.1, 0.1, 12, SIM_PATTERN_IRREGULAR), b = sheet(0.13, 0.13, 9, SIM_PATTERN_RIGHT);
  const sim_mesh *const meshes[] = {&a, &b};
  sim_self *s = searcher(meshes, NULL, 2);
  int n;
  const vec shift[2] = {{0, 0, 0.05}, {-0.013, -0.017, 0}};
  vec *x = positions(meshes, shift, 2, &n), *y = copy((const vec *)x, n), *z;
  double *inverse_mass = malloc((size_t)n * sizeof *inverse_mass);
  assert_non_null(inverse_mass);
  for (int v = 0; v < n; v++) {
    inverse_mass[v] = 1000 + v % 7 * 300;
    y[v][2] += v < a.n_vertices ? -0.5 : 0.3; /* 100 and 60 m/s at 5 ms */
    y[v][0] += v < a.n_vertices ? 0.02 : 0;
  }
  sim_self_set_inverse_mass(s, inverse_mass);
  z = copy((const vec *)y, n);
  sim_self_report r;
  assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, z, &r, err));
  assert_true(r.outcome == SIM_SELF_RESOLVED || r.outcome == SIM_SELF_JOINED);
  assert_true(r.impacts > 100);
  assert_whole(s, NULL, (const vec *)x, (const vec *)z, n);
  for (int v = 0; v < a.n_vertices; v++)
    if (hypot(a.position_m[v][0] - 0.05, a.position_m[v][1] - 0.05) < 0.03)
      assert_int_equal(layers_below(&b, (const vec *)z + a.n_vertices, z[v]), 1);
  vec before, after;
  momentum((const vec *)x, (const vec *)y, inverse_mass, n, before);
  momentum((const vec *)x, (const vec *)z, inverse_mass, n, after);
  for (int k = 0; k < 3; k++) assert_near(after[k], before[k], 1e-12 * n * 0.5 / 1000);
  free(x);
  free(y);
  free(z);
  free(inverse_mass);
  sim_self_free(s);
  sim_mesh_clear(&a);
  sim_mesh_clear(&b);
}

/* Folded cloth whose vertices fly wherever they like, step after step. */
static void crumple(const sim_mesh *m, sim_self *s, uint64_t seed, double step_m, int steps, int outcomes[4],
                    vec *x) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  vec *y = malloc((size_t)m->n_vertices * sizeof *y),
      *y_given = malloc((size_t)m->n_vertices * sizeof *y_given);
  assert_true(y && y_given);
  folded(m, 0.0321, 2e-3, x);
  assert_int_equal(sim_self_crossings(s, (const sim_vec3 *)x), 0);
  for (int i = 0; i < steps; i++) {
    const double wave = 40 + 80 * cb_rng_uniform(&rng), phase = 6 * cb_rng_uniform(&rng);
    for (int v = 0; v < m->n_vertices; v++)
      for (int k = 0; k < 3; k++)
        y[v][k] = x[v][k] + step_m * (sin(wave * x[v][(k + 1) % 3] + phase + k) - 20 * (x[v][k] - 0.01)) +
                  0.1 * step_m * cb_rng_normal(&rng);
    sim_self_report r;
    memcpy(y_given, y, (size_t)m->n_vertices * sizeof *y);
    assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
    assert_int_equal(r.met, 0);
    assert_whole(s, i % 6 == 0 ? m : NULL, (const vec *)x, (const vec *)y, m->n_vertices);
    outcomes[r.outcome]++;
    vec before, after;
    momentum((const vec *)x, (const vec *)y_given, NULL, m->n_vertices, before);
    momentum((const vec *)x, (const vec *)y, NULL, m->n_vertices, after);
    for (int k = 0; k < 3; k++) assert_near(after[k], before[k], 1e-12 * m->n_vertices * step_m);
    memcpy(x, y, (size_t)m->n_vertices * sizeof *x);
  }
  free(y);
  free(y_given);
}

static void crumpled_cloth_stays_whole(void **state) {
  (void)state;
  sim_mesh m = sheet(0.1, 0.05, 12, SIM_PATTERN_IRREGULAR);
  const sim_mesh *const meshes[] = {&m};
  sim_self *s = searcher(meshes, NULL, 1);
  vec *x = copy((const vec *)m.position_m, m.n_vertices);
  int outcomes[4] = {0};
  for (uint64_t seed = 0; seed < 4; seed++)
    crumple(&m, s, seed, seed < 2 ? 2e-3 : 2e-2, seed < 2 ? 12 : 4, outcomes, x);
  assert_int_equal(outcomes[SIM_SELF_BLOCKED], 0);
  assert_true(outcomes[SIM_SELF_RESOLVED] > 16);
  free(x);
  sim_self_free(s);
  sim_mesh_clear(&m);
}

/* Without impulses, or with too few: what collides moves as one. Momentum stays here, too. */
static void what_impulses_leave_moves_as_one(void **state) {
  (void)state;
  sim_mesh m = sheet(0.1, 0.05, 12, SIM_PATTERN_IRREGULAR);
  const sim_mesh *const meshes[] = {&m};
  vec *x = copy((const vec *)m.position_m, m.n_vertices);
  for (int rounds = 0; rounds < 2; rounds++) {
    sim_self *s = made(meshes, NULL, 1, &(sim_self_options){.thickness_m = THICKNESS, .rounds = rounds});
    int outcomes[4] = {0};
    crumple(&m, s, 9, rounds == 0 ? 2e-3 : 2e-2, 6, outcomes, x);
    assert_int_equal(outcomes[SIM_SELF_BLOCKED], 0);
    assert_true(outcomes[SIM_SELF_JOINED] >= 3);
    sim_self_free(s);
  }
  free(x);
  sim_mesh_clear(&m);
}

static void threads_do_not_change_the_bits(void **state) {
  (void)state;
  sim_mesh m = sheet(0.1, 0.05, 12, SIM_PATTERN_IRREGULAR);
  const sim_mesh *const meshes[] = {&m};
  vec *x[3];
  const int threads = omp_get_max_threads();
  for (int k = 0; k < 3; k++) {
    omp_set_num_threads(k + 1);
    sim_self *s = searcher(meshes, NULL, 1);
    int outcomes[4] = {0};
    x[k] = copy((const vec *)m.position_m, m.n_vertices);
    crumple(&m, s, 5, 4e-3, 6, outcomes, x[k]);
    sim_self_free(s);
  }
  omp_set_num_threads(threads);
  for (int k = 1; k < 3; k++) assert_memory_equal(x[0], x[k], (size_t)m.n_vertices * sizeof *x[k]);
  for (int k = 0; k < 3; k++) free(x[k]);
  sim_mesh_clear(&m);
}

static int by_vertices(const void *a, const void *b) {
  const sim_self_contact *p = a, *q = b;
  if (p->pair != q->pair) return p->pair < q->pair ? -1 : 1;
  for (int k = 0; k < 4; k++)
    if (p->vertex[k] != q->vertex[k]) return p->vertex[k] < q->vertex[k] ? -1 : 1;
  return 0;
}

static sim_self_contact *in_order(const sim_self_contact *list, int n) {
  sim_self_contact *all = malloc((size_t)n * sizeof *all);
  assert_non_null(all);
  memcpy(all, list, (size_t)n * sizeof *all);
  qsort(all, (size_t)n, sizeof *all, by_vertices);
  return all;
}

static void expect_as_fresh(sim_self *s, sim_self *fresh, const vec *x) {
  const sim_self_contact *list, *wanted;
  int n, n_wanted;
  assert_ok(sim_self_contacts(s, (const sim_vec3 *)x, 3e-3, &list, &n, err));
  assert_ok(sim_self_contacts(fresh, (const sim_vec3 *)x, 3e-3, &wanted, &n_wanted, err));
  assert_true(n > 100);
  assert_int_equal(n, n_wanted);
  sim_self_contact *p = in_order(list, n), *q = in_order(wanted, n); /* the trees' tasks differ */
  for (int i = 0; i < n; i++) {
    assert_int_equal(by_vertices(&p[i], &q[i]), 0);
    assert_memory_equal(p[i].weight, q[i].weight, sizeof p[i].weight);
    assert_true(p[i].distance_m == q[i].distance_m);
  }
  free(p);
  free(q);
}

/* What resolve found for the next step is what a search of its own finds; also where a few were moved
 * since. */
static void at_hand(bool collides) {
  sim_mesh m = sheet(0.1, 0.05, 12, SIM_PATTERN_IRREGULAR);
  const sim_mesh *const meshes[] = {&m};
  sim_self *s = searcher(meshes, NULL, 1);
  vec *x = copy((const vec *)m.position_m, m.n_vertices), *y;
  const sim_self_contact *list;
  int n;
  folded(&m, 0.0321, 2e-3, x);
  y = copy((const vec *)x, m.n_vertices);
  assert_ok(sim_self_contacts(s, (const sim_vec3 *)x, 3e-3, &list, &n, err));
  for (int v = 0; v < m.n_vertices; v++)
    y[v][2] =
        0.9 * x[v][2] +
        (collides && hypot(x[v][0] - 0.016, x[v][1] - 0.02) < 0.01 ? 0.05 * (0.005 - x[v][2]) / 0.005 : 0);
  sim_self_report r;
  assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
  assert_int_equal(r.outcome, collides ? SIM_SELF_RESOLVED : SIM_SELF_FREE);
  for (int round = 0; round < 4; round++) {
    sim_self *fresh = searcher(meshes, NULL, 1);
    expect_as_fresh(s, fresh, (const vec *)y);
    for (int v = round; v < m.n_vertices; v += 9)
      for (int k = 0; k < 3; k++) y[v][k] += 3e-4 * sin(v + 5 * k + round);
    sim_self_free(fresh);
  }
  free(x);
  free(y);
  sim_self_free(s);
  sim_mesh_clear(&m);
}

static void contacts_are_at_hand(void **state) {
  (void)state;
  at_hand(false);
  at_hand(true);
}

/* Between two plates that close: first with room left, then without. */
static void pinched(void **state) {
  (void)state;
  sim_mesh cloth = sheet(0.05, 0.05, 8, SIM_PATTERN_IRREGULAR), plate = sheet(0.2, 0.2, 3, SIM_PATTERN_RIGHT);
  const sim_mesh *const meshes[] = {&cloth, &plate, &plate};
  const bool body[] = {false, true, true};
  sim_self *s = searcher(meshes, body, 3);
  int n;
  const vec shift[3] = {{0.07, 0.08, 0}, {0, 0, -0.004}, {0, 0, 0.004}};
  vec *x = positions(meshes, shift, 3, &n), *y = copy((const vec *)x, n);
  for (int step = 0; step < 2; step++) {
    const double close = step == 0 ? 0.0035 : 0.002;
    for (int v = 0; v < n; v++) {
      for (int k = 0; k < 3; k++) y[v][k] = x[v][k];
      if (v >= cloth.n_vertices) y[v][2] += v < cloth.n_vertices + plate.n_vertices ? close : -close;
      if (v < cloth.n_vertices) y[v][2] += 0.01 * sin(100 * x[v][0]);
    }
    sim_self_report r;
    assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
    assert_whole(s, NULL, (const vec *)x, (const vec *)y, n);
    assert_true(step == 0 ? r.outcome != SIM_SELF_BLOCKED && r.share == 1
                          : r.outcome == SIM_SELF_BLOCKED && r.share > 0 && r.share < 1);
    for (int v = 0; v < cloth.n_vertices; v++) {
      assert_true(y[v][2] > y[cloth.n_vertices][2]);
      assert_true(y[v][2] < y[n - 1][2]);
    }
    memcpy(x, y, (size_t)n * sizeof *x);
  }
  free(x);
  free(y);
  sim_self_free(s);
  sim_mesh_clear(&cloth);
  sim_mesh_clear(&plate);
}

static double coefficient(void *context, const sim_self_contact *contact, const double direction[3]) {
  assert_near(direction[0] * contact->normal[0] + direction[1] * contact->normal[1] +
                  direction[2] * contact->normal[2],
              0, 1e-12);
  return *(double *)context;
}

/* A sheet thrown onto a plate at 45 degrees loses of its speed along the plate what Coulomb takes: mu times
 * what it loses across. */
static void friction(void **state) {
  (void)state;
  sim_mesh cloth = sheet(0.05, 0.05, 8, SIM_PATTERN_IRREGULAR), plate = sheet(0.2, 0.2, 3, SIM_PATTERN_RIGHT);
  const sim_mesh *const meshes[] = {&cloth, &plate};
  const bool body[] = {false, true};
  const double wanted[3] = {0.01, 0.01 - 0.3 * 0.0085, 0.0015}, mu[3] = {0, 0.3, 0.85 / 0.85};
  for (int i = 0; i < 3; i++) {
    double context = mu[i];
    sim_self *s = made(meshes, body, 2, &(sim_self_options){THICKNESS, coefficient, &context, 20});
    int n;
    const vec shift[2] = {{0.07, 0.08, 2e-3}, {0, 0, 0}};
    vec *x = positions(meshes, shift, 2, &n), *y = copy((const vec *)x, n);
    for (int v = 0; v < cloth.n_vertices; v++) {
      y[v][0] += 0.01;
      y[v][2] -= 0.01;
    }
    sim_self_report r;
    assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
    assert_int_equal(r.outcome, SIM_SELF_RESOLVED);
    double mean[3] = {0};
    for (int v = 0; v < cloth.n_vertices; v++)
      for (int k = 0; k < 3; k++) mean[k] += (y[v][k] - x[v][k]) / cloth.n_vertices;
    assert_near(mean[2], -1.5e-3, 2e-4); /* down to half of the thickness */
    assert_near(mean[0], wanted[i], 3e-4);
    free(x);
    free(y);
    sim_self_free(s);
  }
  sim_mesh_clear(&cloth);
  sim_mesh_clear(&plate);
}

static void bad(void **state) {
  (void)state;
  sim_mesh m = sheet(0.05, 0.05, 4, SIM_PATTERN_RIGHT);
  const sim_mesh *const meshes[] = {&m};
  sim_self *s;
  assert_fails(CB_E_RANGE, "thickness = 0 m: must be finite and > 0",
               sim_self_new(meshes, NULL, 1, &(sim_self_options){0}, &s, err));
  assert_null(s);
  s = searcher(meshes, NULL, 1);
  vec *x = copy((const vec *)m.position_m, m.n_vertices), *y = copy((const vec *)x, m.n_vertices);
  sim_self_report r;
  y[3][1] = (double)NAN;
  assert_fails(CB_E_NUM, "vertex 3 goes from", sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
  /* What crosses at the start is not made worse, and nothing hangs: a vertex on another. */
  y[3][1] = x[3][1];
  memcpy(x[0], x[20], sizeof x[0]);
  memcpy(y[0], x[0], sizeof y[0]);
  assert_ok(sim_self_resolve(s, (const sim_vec3 *)x, y, &r, err));
  assert_true(r.met > 0);
  free(x);
  free(y);
  sim_self_free(s);
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_pairs_are_found),
      cmocka_unit_test(two_sheets),
      cmocka_unit_test(thick_cloth_is_not_near_itself),
      cmocka_unit_test(sheets_do_not_tunnel),
      cmocka_unit_test(crumpled_cloth_stays_whole),
      cmocka_unit_test(what_impulses_leave_moves_as_one),
      cmocka_unit_test(threads_do_not_change_the_bits),
      cmocka_unit_test(contacts_are_at_hand),
      cmocka_unit_test(pinched),
      cmocka_unit_test(friction),
      cmocka_unit_test(bad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
