#include "traverse_pillows.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "bench_lab.h"
#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_vec.h"

#define PILLOWS 3
#define STEP_S 1e-3
#define GAP_M 8e-3   /* between body and case, at rest */
#define LOW_M 0.05   /* the upper ones begin so much higher */
#define STRETCH 1.05 /* of the cloth's longest edge */

static const double half_m[3] = {0.25, 0.18, 0.06};

/* Places of all pillows' vertices one after the other; `of` says whose. */
typedef struct heap {
  int n, nt;
  double (*rest)[3], (*x)[3], (*before)[3];
  int *of, (*triangle)[3];
} heap;

typedef struct pillows {
  heap body, cloth;
  sim_hull hull;
  double buffer_m;
  sim_closest_point *closest[2];
} pillows;

static void *room(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) lab_die("out of memory");
  return p;
}

static void heap_up(heap *h, const sim_mesh *m) {
  int n = m->n_vertices, nt = m->n_triangles;
  *h = (heap){.n = PILLOWS * n, .nt = PILLOWS * nt};
  h->rest = room((size_t)h->n, sizeof *h->rest);
  h->x = room((size_t)h->n, sizeof *h->x);
  h->before = room((size_t)h->n, sizeof *h->before);
  h->of = room((size_t)h->n, sizeof *h->of);
  h->triangle = room((size_t)h->nt, sizeof *h->triangle);
  for (int i = 0; i < h->n; i++) {
    h->of[i] = i / n;
    memcpy(h->rest[i], m->position_m[i % n], sizeof h->rest[i]);
  }
  for (int i = 0; i < 3 * h->nt; i++)
    h->triangle[i / 3][i % 3] = m->triangle[i / 3 % nt][i % 3] + i / 3 / nt * n;
}

static void heap_clear(heap *h) {
  void *const arrays[] = {h->rest, h->x, h->before, h->of, h->triangle};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}

/* ---- motion ---- */

/* 0 before, then to 1 within `over` seconds, smoothly. */
static double ramp(double t, double from, double over) {
  double s = fmin(fmax((t - from) / over, 0), 1);
  return s * s * (3 - 2 * s);
}

/* Of their heights, after the fall: pressed together by a quarter, shaking like jelly. */
static double squeeze_at(double t, int k) {
  double landed = 0.1 + 0.03 * k, after = fmax(0, t - landed);
  return 0.25 * ramp(t, landed, 0.06) +
         0.05 * ramp(t, landed, 0.03) * exp(-8 * after) * sin(2 * CB_PI * 9 * after);
}

/* The same for body and case, so that the one stays around the other: pressed flat and broad, then sheared to
 * and fro along planes of equal height, which keep the pillows apart. */
static void deform(const double r[3], int k, double t, double x[3]) {
  double q = squeeze_at(t, k), below = 0, height = half_m[2] + GAP_M + 2e-3;
  for (int j = 0; j < k; j++) below += 2 * height * (1 - squeeze_at(t, j));
  double base = below + height * (1 - q) + k * LOW_M * (1 - ramp(t, 0, 0.1 + 0.03 * k));
  double rub = 0.03 * ramp(t, 0.2, 0.1) * sin(2 * CB_PI * 2 * (t - 0.2)),
         wave = 0.15 * exp(-4 * fmax(0, t - 0.1)) * ramp(t, 0.1, 0.05);
  x[0] = r[0] * (1 + 0.4 * q) + rub * (k + r[2] / half_m[2] / 2);
  x[1] = r[1] * (1 + 0.4 * q) * (1 + wave * 0.3 * sin(20 * r[0] - 40 * t)) + 0.3 * rub * r[2] / half_m[2];
  x[2] = base + r[2] * (1 - q);
}

/* The case creeps around its body by up to 1 cm while it is rubbed, and wrinkles. */
static void creep(const double r[3], double t, double out[3]) {
  double slip = 0.04 * ramp(t, 0.2, 0.1) * sin(2 * CB_PI * 3 * (t - 0.2)),
         s = 1 + 0.03 * (0.5 + 0.5 * sin(70 * r[0] + 45 * r[1] - 3 * t));
  out[0] = s * (r[0] * cos(slip) - r[1] * sin(slip) * half_m[0] / half_m[1]);
  out[1] = s * (r[1] * cos(slip) + r[0] * sin(slip) * half_m[1] / half_m[0]);
  out[2] = r[2];
}

/* How far the fastest went since the last time. */
static double move(heap *h, double t, bool creeps) {
  double most = 0;
  memcpy(h->before, h->x, (size_t)h->n * sizeof *h->x);
  for (int i = 0; i < h->n; i++) {
    double r[3], d[3];
    memcpy(r, h->rest[i], sizeof r);
    if (creeps) creep(h->rest[i], t, r);
    deform(r, h->of[i], t, h->x[i]);
    sim_sub(h->x[i], h->before[i], d);
    most = fmax(most, sim_norm(d));
  }
  return most;
}

/* ---- the pillows ---- */

static void make(pillows *p) {
  sim_mesh body, mesh;
  sim_case filling = {.exponent = {4, 2}, .cells = {41, 41}}, cover = {.exponent = {4, 2}, .cells = {64, 64}};
  for (int k = 0; k < 3; k++) {
    filling.half_m[k] = half_m[k];
    cover.half_m[k] = half_m[k] + GAP_M;
  }
  LAB_TRY(sim_mesh_case(&filling, &body, err));
  LAB_TRY(sim_mesh_case(&cover, &mesh, err));
  heap_up(&p->body, &body);
  heap_up(&p->cloth, &mesh);
  for (int i = 0; i < 3 * mesh.n_triangles; i++) {
    double d[3];
    sim_sub(mesh.position_m[mesh.triangle[i / 3][i % 3]], mesh.position_m[mesh.triangle[i / 3][(i + 1) % 3]],
            d);
    p->buffer_m = fmax(p->buffer_m, 2.0 / 3 * STRETCH * sim_norm(d));
  }
  for (int k = 0; k < 2; k++) p->closest[k] = room((size_t)p->cloth.n, sizeof *p->closest[k]);
  LAB_TRY(sim_hull_build((const int(*)[3])p->body.triangle, p->body.nt, p->body.n, &p->hull, err));
  sim_mesh_clear(&body);
  sim_mesh_clear(&mesh);
}

/* What the vertices visit that have any triangle's box within reach: each asked alone, from the closest
 * points of before. */
static void count_near(sim_traverse *t, const pillows *p, const sim_closest_point *before,
                       pillows_result *out) {
  out->near_of += p->cloth.n;
  for (int i = 0; i < p->cloth.n; i++) {
    if (!isfinite(p->closest[1][i].distance_m)) continue;
    sim_closest_point closest = before[i];
    sim_traverse_counts c = {0};
    sim_traverse_step(t, SIM_TRAVERSE, (const sim_vec3 *)p->cloth.x + i, 1, &closest, &c);
    out->near_points++;
    out->near_triangles += c.crossed + c.measured;
  }
}

static void compare(const pillows *p, double reach_m, pillows_result *out) {
  for (int i = 0; i < p->cloth.n; i++) {
    double truth = p->closest[1][i].distance_m;
    if (!(fabs(truth) <= reach_m)) continue;
    out->compared++;
    out->wrong += (p->closest[0][i].distance_m >= 0) != (truth >= 0);
  }
}

void pillows_run(int steps, pillows_result *out) {
  static double walk_s[PILLOWS_STEPS_MOST], all_s[PILLOWS_STEPS_MOST];
  pillows p = {.buffer_m = 0};
  sim_traverse *t;
  make(&p);
  sim_closest_point *before = room((size_t)p.cloth.n, sizeof *before);
  *out = (pillows_result){p.cloth.nt, p.body.nt, p.cloth.n, steps, .reach_m = {INFINITY, 0}};
  (void)move(&p.body, 0, false);
  (void)move(&p.cloth, 0, true);
  LAB_TRY(sim_traverse_new(&p.hull, &t, err));
  LAB_TRY(sim_traverse_surface(t, (const sim_vec3 *)p.body.x, p.buffer_m, err));
  LAB_TRY(sim_traverse_start(t, (const sim_vec3 *)p.cloth.x, p.cloth.n, p.closest[0], err));
  for (int k = 0; k < steps; k++) {
    double time = STEP_S * (k + 1),
           reach = 1.1 * p.buffer_m + move(&p.body, time, false) + move(&p.cloth, time, true);
    for (int i = 0; i < p.cloth.n; i++) p.closest[1][i].distance_m = INFINITY;
    memcpy(before, p.closest[0], (size_t)p.cloth.n * sizeof *before);
    double begin = lab_cpu_s();
    LAB_TRY(sim_traverse_surface(t, (const sim_vec3 *)p.body.x, reach, err));
    double laid = lab_cpu_s();
    sim_traverse_step(t, SIM_TRAVERSE, (const sim_vec3 *)p.cloth.x, p.cloth.n, p.closest[0], &out->walk);
    double walked = lab_cpu_s();
    sim_traverse_step(t, SIM_EXHAUSTIVE, (const sim_vec3 *)p.cloth.x, p.cloth.n, p.closest[1], &out->all);
    all_s[k] = lab_cpu_s() - walked;
    walk_s[k] = walked - laid;
    out->surface_s += (laid - begin) / steps;
    out->reach_m[0] = fmin(out->reach_m[0], reach);
    out->reach_m[1] = fmax(out->reach_m[1], reach);
    compare(&p, reach, out);
    if (k % 25 == 0) count_near(t, &p, before, out);
  }
  out->walk_s = median(walk_s, (size_t)steps);
  out->all_s = median(all_s, (size_t)steps);
  sim_traverse_free(t);
  sim_hull_clear(&p.hull);
  heap_clear(&p.body);
  heap_clear(&p.cloth);
  for (int k = 0; k < 2; k++) free(p.closest[k]);
  free(before);
}
