/* A cloth's search for itself: the AABB tree of sim_query.h against one of 18-DOPs (kdop.h).
 *
 *   bench_kdop [--json]
 *
 * Three cloths (hung in folds, crumpled, a sphere) of about 5 and 20 thousand triangles move through POSES
 * steps of 5 ms, at up to 0.45 m/s, with REACH_M around every vertex. Three searches of every step, on one
 * tree of sim_bvh_init:
 *
 * - aabb: boxes by the code of kdop.c, so that only the volumes differ from
 * - 18-DOP: by kdop.c;
 * - ours: sim_bvh as the cloth uses it, boxes that leave out flat pieces and neighbours that are hardly bent.
 *
 * Columns:
 *
 * - build: the tree, what finds flat pieces included, and the first refit
 * - refit, walk: of one step; the walk counts the pairs
 * - search: the walk with the first exact test on every pair, a plane across the line between the centres
 * - nodes, triangles: tests of two volumes; of ours they are not counted
 * - pairs: of triangles, as the walk gives them
 * - left, in DOP: of these, those that the plane leaves, and those whose 18-DOPs overlap
 * - near: by brute force on the smaller cloths, pairs nearer than 2 REACH_M at the start of the last step
 * - missed: near pairs at its start, middle and end that the list lacks (ours does on purpose)
 * - m/s: of the fastest vertex
 *
 * Times are processor time of one thread [ms], medians over the steps. Counts are of the last step. */
#include <omp.h>

#include "bench_lab.h"
#include "kdop.h"

#define POSES 11
#define REACH_M 5e-4
#define WAVES 10
#define PI 3.14159265358979323846

typedef void shape(const double material_m[3], double phase, double x[3]);

/* The angle of a meander, 2.1 rad times a sine of the arc length, is integrated: folds without strain that
 * almost touch. They sway along the cloth. */
static void folds(const double p[3], double phase, double x[3]) {
  const double turn = 2.1, folds = 4, to = 2 * PI * folds * p[0];
  const int steps = 64 + (int)(8 * to);
  double along = 0, across = 0;
  for (int i = 0; i < steps; i++) {
    const double angle = turn * sin((i + 0.5) * to / steps);
    along += cos(angle) * p[0] / steps;
    across += sin(angle) * p[0] / steps;
  }
  x[0] = along + 0.02 * p[1] * sin(20 * along + phase);
  x[1] = across * (1 + 0.3 * (1 - p[1])) + 0.04 * (1 - p[1]) * sin(phase);
  x[2] = p[1];
}

/* The sheet is compressed to 0.35 of its sides, and waves in all directions, shorter ones smaller, are added.
 * It crosses itself in places, which a search does not mind. */
static void crumpled(const double p[3], double phase, double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = k < 2 ? 0.35 * p[k] : 0;
  for (int i = 0; i < WAVES; i++) {
    const double wave_m = 0.5 * pow(0.75, i), angle = 2.4 * i, k = 2 * PI / wave_m;
    const double at = k * (cos(angle) * p[0] + sin(angle) * p[1]) + (1 + 0.3 * i) * phase;
    x[0] += 0.035 * wave_m * sin(at + 1.3 * i);
    x[1] += 0.035 * wave_m * sin(at + 2.9 * i);
    x[2] += 0.085 * wave_m * sin(at + 0.7 * i);
  }
}

/* A sphere of radius 0.3 m with waves that run over it. */
static void sphere(const double p[3], double phase, double x[3]) {
  const double swell = 1 + 0.06 * sin(20 * p[0] + phase) * cos(15 * p[1] - 10 * p[2]);
  for (int k = 0; k < 3; k++) x[k] = swell * p[k];
}

static void make_sheet(int triangles, sim_mesh *out) {
  const sim_rectangle r = {.length_m = 1,
                           .width_m = 1,
                           .pattern = SIM_PATTERN_IRREGULAR,
                           .about_vertices = triangles / 2 + (int)sqrt(2.0 * triangles),
                           .seed = 1};
  LAB_TRY(sim_mesh_rectangle(&r, out, err));
}

static void make_sphere(int triangles, sim_mesh *out) {
  const int cells = (int)lround(sqrt(triangles / 4.0));
  const sim_case c = {.half_m = {0.3, 0.3, 0.3}, .exponent = {2, 2}, .cells = {cells, cells}};
  LAB_TRY(sim_mesh_case(&c, out, err));
}

static const struct cloth {
  const char *name;
  void (*make)(int triangles, sim_mesh *out);
  shape *shape;
  double phase; /* of a step */
} cloths[] = {{"folds", make_sheet, folds, 0.06},
              {"crumpled", make_sheet, crumpled, 0.01},
              {"sphere", make_sphere, sphere, 0.12}};

/* ---- a search: one kind of volume, one cloth ---- */

typedef enum method { AABB, DOP, OURS, METHODS } method;
static const char *const method_text[METHODS] = {"aabb", "18-DOP", "ours"};

typedef struct outcome {
  double build_ms, refit_ms[POSES], walk_ms[POSES], search_ms[POSES];
  kdop_tests tests;
  long pairs, left, missed;
  long in_dop; /* pairs whose 18-DOPs overlap */
} outcome;

typedef struct scene {
  sim_mesh mesh;
  sim_bvh tree;
  kdop volume[2]; /* AABB, DOP */
  double (*start)[3], (*end)[3];
} scene;

/* The pairs of a walk. key NULL: only counted. */
typedef struct list {
  const scene *s;
  uint64_t *key;
  long n, left, in_dop;
} list;

static uint64_t key_of(int a, int b) {
  return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static void count(void *context, int a, int b) {
  (void)a;
  (void)b;
  ((list *)context)->n++;
}

/* As the first test of sim_self: the plane across the line between the centres keeps the triangles apart at
 * both ends. */
static bool lie_apart(const scene *s, const int a[3], const int b[3]) {
  const double(*const x[2])[3] = {(const sim_vec3 *)s->start, (const sim_vec3 *)s->end};
  double line[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) line[k] += x[0][a[i]][k] - x[0][b[i]][k];
  for (int end = 0; end < 2; end++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
      low = fmin(low, sim_dot(line, x[end][a[i]]));
      high = fmax(high, sim_dot(line, x[end][b[i]]));
    }
    if (low - high <= 2 * REACH_M * sim_norm(line)) return false;
  }
  return true;
}

static void test(void *context, int a, int b) {
  list *l = context;
  l->left += !lie_apart(l->s, l->s->tree.triangle[a], l->s->tree.triangle[b]);
}

static void note(void *context, int a, int b) {
  list *l = context;
  l->in_dop += kdop_overlap(&l->s->volume[DOP], a, b);
  l->key[l->n++] = key_of(a, b);
}

static kdop_tests walk(const scene *s, method m, sim_bvh_pair *pair, void *context) {
  if (m != OURS) return kdop_walk(&s->volume[m], pair, context);
  for (int t = 0; t < s->tree.n_tasks; t++) sim_bvh_walk(&s->tree, t, pair, context);
  return (kdop_tests){0};
}

static void refit(scene *s, method m) {
  const double(*start)[3] = (const sim_vec3 *)s->start, (*end)[3] = (const sim_vec3 *)s->end;
  if (m == OURS)
    sim_bvh_refit(&s->tree, start, end, REACH_M, NULL);
  else
    kdop_refit(&s->volume[m], start, end, REACH_M);
}

static double ms_since(double begin_s) { return 1e3 * (lab_cpu_s() - begin_s); }

static void measure(scene *s, method m, int pose, outcome *o) {
  list counted = {.s = s}, tested = {.s = s};
  double begin = lab_cpu_s();
  refit(s, m);
  o->refit_ms[pose] = ms_since(begin);
  begin = lab_cpu_s();
  o->tests = walk(s, m, count, &counted);
  o->walk_ms[pose] = ms_since(begin);
  begin = lab_cpu_s();
  (void)walk(s, m, test, &tested);
  o->search_ms[pose] = ms_since(begin);
  o->pairs = counted.n;
  o->left = tested.left;
}

/* ---- the lists of pairs ---- */

static int by_key(const void *a, const void *b) {
  return (*(const uint64_t *)a > *(const uint64_t *)b) - (*(const uint64_t *)a < *(const uint64_t *)b);
}

static bool holds(const list *l, uint64_t key) {
  return bsearch(&key, l->key, (size_t)l->n, sizeof key, by_key) != NULL;
}

static void collect(scene *s, method m, outcome *o, list *l) {
  *l = (list){.s = s, .key = malloc(((size_t)o->pairs + 1) * sizeof *l->key)};
  if (!l->key) lab_die("out of memory");
  (void)walk(s, m, note, l);
  o->in_dop = l->in_dop;
  qsort(l->key, (size_t)l->n, sizeof *l->key, by_key);
}

/* Whether two triangles come nearer than `near`, or cross, with their vertices at x. */
static bool are_near(const double (*x)[3], const int a[3], const int b[3], double near) {
  double weight[4], point[4][3];
  const int *const pair[2] = {a, b};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      const int v[4] = {pair[side][i], pair[!side][0], pair[!side][1], pair[!side][2]};
      for (int k = 0; k < 4; k++) memcpy(point[k], x[v[k]], sizeof point[k]);
      if (sim_closest(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight) < near) return true;
    }
  for (int i = 0; i < 9; i++) {
    const int v[4] = {a[i / 3], a[(i / 3 + 1) % 3], b[i % 3], b[(i % 3 + 1) % 3]};
    for (int k = 0; k < 4; k++) memcpy(point[k], x[v[k]], sizeof point[k]);
    if (sim_closest(SIM_EDGE_EDGE, (const sim_vec3 *)point, weight) < near) return true;
  }
  return sim_triangles_cross(x, a, b);
}

/* Per slot, from its first corner: the length of the longest side. Below 0: an empty slot. */
static void find_lengths(const sim_bvh *tree, const double (*x)[3], double *length) {
  for (int i = 0; i < tree->n_slots; i++) {
    const int *t = tree->triangle[i];
    double side[2][3];
    for (int k = 0; k < 2; k++) sim_sub(x[t[k + 1]], x[t[0]], side[k]);
    length[i] = tree->number[i] < 0 ? -1 : fmax(sim_norm(side[0]), sim_norm(side[1]));
  }
}

static long compare(const scene *s, const double (*x)[3], const double *length, const list of[2],
                    outcome o[2]) {
  const sim_bvh *tree = &s->tree;
  long found = 0;
  for (int a = 0; a < tree->n_slots; a++)
    for (int b = a + 1; b < tree->n_slots; b++) {
      const int *t = tree->triangle[a], *u = tree->triangle[b];
      const double reach = length[a] + length[b] + 2 * REACH_M;
      double d[3];
      sim_sub(x[t[0]], x[u[0]], d);
      if (length[a] < 0 || length[b] < 0 || sim_dot(d, d) > reach * reach || !are_near(x, t, u, 2 * REACH_M))
        continue;
      found++;
      for (int m = 0; m < 2; m++) o[m].missed += !holds(&of[m], key_of(a, b));
    }
  return found;
}

/* All pairs of triangles, at the start, the middle and the end of the step. Returns how many are near at the
 * start. */
static long brute_force(const scene *s, const list of[2], outcome o[2]) {
  sim_vec3 *x = malloc((size_t)s->tree.n_vertices * sizeof *x);
  double *length = malloc((size_t)s->tree.n_slots * sizeof *length);
  long found = 0;
  if (!x || !length) lab_die("out of memory");
  for (int time = 0; time < 3; time++) {
    for (int v = 0; v < s->tree.n_vertices; v++)
      for (int k = 0; k < 3; k++) x[v][k] = s->start[v][k] + time / 2.0 * (s->end[v][k] - s->start[v][k]);
    find_lengths(&s->tree, (const sim_vec3 *)x, length);
    const long near = compare(s, (const sim_vec3 *)x, length, of, o);
    if (time == 0) found = near;
  }
  free(x);
  free(length);
  return found;
}

/* sim_bvh with everything searched must miss no near pair. Its boxes move with their leaves, so that it finds
 * other pairs than the boxes of kdop.c. */
static void check_whole(scene *s) {
  list counted = {0}, whole;
  s->tree.everything = true;
  refit(s, OURS);
  (void)walk(s, OURS, count, &counted);
  outcome all = {.pairs = counted.n}, of_whole[2] = {0};
  collect(s, OURS, &all, &whole);
  (void)brute_force(s, (const list[2]){whole, whole}, of_whole);
  if (of_whole[0].missed > 0) lab_die("sim_bvh misses a near pair");
  free(whole.key);
}

/* 18-DOPs must give some of the pairs of the boxes of kdop.c. */
static long check(scene *s, outcome o[METHODS], bool brute) {
  list of[METHODS];
  for (method m = 0; m < METHODS; m++) collect(s, m, &o[m], &of[m]);
  for (long i = 0; i < of[DOP].n; i++)
    if (!holds(&of[AABB], of[DOP].key[i])) lab_die("18-DOPs overlap whose boxes do not");
  const long near = brute ? brute_force(s, of, o) : -1;
  if (brute) check_whole(s);
  for (method m = 0; m < METHODS; m++) free(of[m].key);
  return near;
}

/* ---- the rows ---- */

static void pose(const scene *s, const struct cloth *c, int i, double (*x)[3]) {
  for (int v = 0; v < s->mesh.n_vertices; v++) c->shape(s->mesh.position_m[v], c->phase * i, x[v]);
}

static double fastest_m_per_s(const scene *s) {
  double most = 0, d[3];
  for (int v = 0; v < s->mesh.n_vertices; v++) {
    sim_sub(s->end[v], s->start[v], d);
    most = fmax(most, sim_norm(d) / 0.005);
  }
  return most;
}

/* The build of all three has the tree, flatness included, and their own first refit. */
static void build(scene *s, outcome o[METHODS]) {
  const sim_mesh *const meshes[] = {&s->mesh};
  double begin = lab_cpu_s();
  LAB_TRY(sim_bvh_init(meshes, NULL, 1, &s->tree, err));
  const double tree_ms = ms_since(begin);
  begin = lab_cpu_s();
  refit(s, OURS);
  o[OURS].build_ms = tree_ms + ms_since(begin);
  for (method m = AABB; m < OURS; m++) {
    begin = lab_cpu_s();
    LAB_TRY(kdop_init(&s->tree, m == AABB ? 3 : 9, &s->volume[m], err));
    refit(s, m);
    o[m].build_ms = tree_ms + ms_since(begin);
  }
}

/* A count, or that it was not counted. */
static const char *number(long n, bool counted, bool json, char text[24]) {
  (void)snprintf(text, 24, "%ld", n);
  return counted ? text : json ? "null" : "-";
}

static void print(const scene *s, const char *name, outcome o[METHODS], long near, bool json) {
  static bool first = true;
  char text[4][24];
  for (method m = 0; m < METHODS; m++) {
    outcome *r = &o[m];
    const bool own = m != OURS, brute = near >= 0;
    if (json) printf(first ? "" : ",\n");
    first = false;
    printf(json ? "    {\"cloth\": \"%s\", \"triangles\": %d, \"method\": \"%s\", \"build_ms\": %.4g, "
                  "\"refit_ms\": %.4g, \"walk_ms\": %.4g, \"search_ms\": %.4g, \"node_tests\": %s, "
                  "\"triangle_tests\": %s, \"pairs\": %ld, \"left\": %ld, \"in_dop\": %ld, \"near\": %s, "
                  "\"missed\": %s, \"speed_m_per_s\": %.3g}"
                : "%-9s %8d %-7s %7.2f %6.2f %7.2f %7.2f %8s %9s %8ld %7ld %7ld %7s %6s %6.2f\n",
           name, s->mesh.n_triangles, method_text[m], r->build_ms, median(r->refit_ms, POSES),
           median(r->walk_ms, POSES), median(r->search_ms, POSES), number(r->tests.nodes, own, json, text[0]),
           number(r->tests.triangles, own, json, text[1]), r->pairs, r->left, r->in_dop,
           number(near, brute, json, text[2]), number(r->missed, brute && own, json, text[3]),
           fastest_m_per_s(s));
  }
}

/* The end of step i is the start of the next. */
static void step_on(scene *s, const struct cloth *c, int i) {
  double(*const start)[3] = s->start;
  s->start = s->end;
  s->end = start;
  pose(s, c, i + 2, s->end);
}

static void run(const struct cloth *c, int triangles, bool brute, bool json) {
  scene s = {0};
  outcome o[METHODS] = {{0}};
  c->make(triangles, &s.mesh);
  s.start = calloc((size_t)s.mesh.n_vertices, sizeof *s.start);
  s.end = calloc((size_t)s.mesh.n_vertices, sizeof *s.end);
  if (!s.start || !s.end) lab_die("out of memory");
  pose(&s, c, 0, s.start);
  pose(&s, c, 1, s.end);
  build(&s, o);
  for (int i = 0; i < POSES; i++) {
    measure(&s, OURS, i, &o[OURS]); /* first: the others take its drift */
    measure(&s, AABB, i, &o[AABB]);
    measure(&s, DOP, i, &o[DOP]);
    if (i + 1 < POSES) step_on(&s, c, i);
  }
  print(&s, c->name, o, check(&s, o, brute), json);
  for (int m = 0; m < 2; m++) kdop_clear(&s.volume[m]);
  sim_bvh_clear(&s.tree);
  sim_mesh_clear(&s.mesh);
  free(s.start);
  free(s.end);
}

int main(int argc, char **argv) {
  const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) lab_die("usage: bench_kdop [--json]");
  omp_set_num_threads(1);
  if (json)
    printf("{\n  \"rows\": [\n");
  else
    printf(
        "cloth    triangles method    build  refit    walk  search    nodes triangles    pairs    left  in "
        "DOP"
        "    near missed    m/s\n");
  for (int c = 0; c < 3; c++)
    for (int large = 0; large < 2; large++) run(&cloths[c], large ? 20000 : 5000, !large, json);
  if (json) printf("\n  ]\n}\n");
  return 0;
}
