#include "traverse_proof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_rng.h"
#include "sim_vec.h"
#include "traverse_truth.h"

#define POINTS 10000
#define SAMPLE_EVERY 997
#define ROUNDING_M                                                                        \
  1e-12 /* places of order 1: nearer to the surface rounding decides; thousandfold of one \
           \ */

const char *const proof_motion_names[PROOF_MOTIONS] = {"follow", "jump", "spin", "lost"};

typedef struct proof {
  const proof_case *c;
  body b;
  sim_traverse *traverse;
  cb_rng rng;
  double reach_m, body_m; /* body_m: how far any vertex of the surface went in this step */
  double time, turn_rad, dt;
  double (*p)[3], (*before)[3];
  sim_closest_point *walked, *exhausted;
} proof;

static double share_of_body(const proof *w) {
  return w->c->motion == PROOF_FOLLOW ? 0.1 : w->c->motion == PROOF_SPIN ? 0.5 : 0.2;
}

static void expect(cb_status st, const cb_err *err) {
  if (st == CB_OK) return;
  (void)fprintf(stderr, "%s\n", err->msg);
  exit(1);
}

/* ---- motion ---- */

/* A place over any triangle, or over this one; often exactly over an edge or a corner. */
static void over(proof *w, int triangle, double height_m, double out[3]) {
  const int *v = w->b.triangle[triangle];
  double s = cb_rng_uniform(&w->rng), t = cb_rng_uniform(&w->rng), e1[3], e2[3], n[3];
  int special = (int)(cb_rng_uniform(&w->rng) * 12);
  if (s + t > 1) s = 1 - s, t = 1 - t;
  if (special == 0) t = 0;
  if (special == 1) s = t = 0;
  sim_sub(w->b.x[v[1]], w->b.x[v[0]], e1);
  sim_sub(w->b.x[v[2]], w->b.x[v[0]], e2);
  sim_cross(e1, e2, n);
  double length = sim_norm(n);
  for (int k = 0; k < 3; k++)
    out[k] = w->b.x[v[0]][k] + s * e1[k] + t * e2[k] + (length > 0 ? height_m * n[k] / length : 0);
}

static int any_triangle(proof *w) { return (int)(cb_rng_uniform(&w->rng) * w->b.nt); }

/* Over where the closest point is, or beyond the next edges; at most `most` away. */
static void move(proof *w, int i, double most) {
  double to[3], d[3];
  int triangle = w->walked[i].triangle;
  for (int k = (int)(cb_rng_uniform(&w->rng) * 4); k > 0; k--)
    triangle = w->b.hull.across[triangle][(int)(cb_rng_uniform(&w->rng) * 3)];
  over(w, triangle, 1.5 * w->reach_m * (2 * cb_rng_uniform(&w->rng) - 1), to);
  sim_sub(to, w->p[i], d);
  double way = sim_norm(d), part = w->c->motion == PROOF_FOLLOW ? cb_rng_uniform(&w->rng) : 1;
  if (way > 0) sim_add(w->p[i], fmin(part, 1) * fmin(1, most / way), d);
}

/* The body goes by about its share of the reach, never by more than 1.5 times that. */
static void move_body(proof *w) {
  double wanted = share_of_body(w) * w->reach_m;
  memcpy(w->before, w->b.x, (size_t)w->b.n * sizeof *w->before);
  for (;;) {
    body_at(&w->b, w->time + w->dt, w->turn_rad + (w->c->motion == PROOF_SPIN ? 0.5 * w->dt : 0));
    w->body_m = 0;
    for (int i = 0; i < w->b.n; i++) {
      double d[3];
      sim_sub(w->b.x[i], w->before[i], d);
      w->body_m = fmax(w->body_m, sim_norm(d));
    }
    if (w->body_m <= 1.5 * wanted) break;
    w->dt /= 2;
  }
  w->time += w->dt;
  if (w->c->motion == PROOF_SPIN) w->turn_rad += 0.5 * w->dt;
  if (w->body_m < 0.7 * wanted) w->dt *= 1.3;
}

static void lose(proof *w, int i) {
  double s = cb_rng_uniform(&w->rng);
  w->walked[i] = (sim_closest_point){any_triangle(w), {s, 1 - s, 0}, cb_rng_uniform(&w->rng) - 0.5, {NAN}, 0};
}

/* ---- comparing ---- */

static void compare(proof *w, proof_counts *out) {
  for (int i = 0; i < POINTS; i++) {
    double is = w->walked[i].distance_m, truth = w->exhausted[i].distance_m;
    if (!(fabs(truth) <= w->reach_m)) continue;
    out->within++;
    bool wrong = (is >= 0) != (truth >= 0) && fabs(truth) > ROUNDING_M;
    out->wrong_signs += wrong;
    out->missed += wrong && truth < 0;
    out->shorter += fabs(is) < fabs(truth) - ROUNDING_M;
  }
}

/* Some of them against the whole surface. */
static void sample(proof *w, int64_t number, proof_counts *out) {
  for (int i = (int)(number % SAMPLE_EVERY); i < POINTS; i += SAMPLE_EVERY) {
    double truth = truth_distance((const sim_vec3 *)w->b.x, (const int(*)[3])w->b.triangle, w->b.nt, w->p[i]);
    if (fabs(truth) <= ROUNDING_M) continue;
    if (w->c->inside_out) truth = -truth;
    double is = w->walked[i].distance_m, grid = w->exhausted[i].distance_m;
    bool near = fabs(truth) <= w->reach_m;
    out->sampled++;
    out->sampled_wrong += (near || w->c->motion != PROOF_LOST) && (is >= 0) != (truth >= 0);
    out->doubted += near && fabs(grid - truth) > 1e3 * ROUNDING_M;
  }
}

static void step(proof *w, int64_t number, proof_counts *out) {
  cb_err err;
  move_body(w);
  double most = w->c->motion == PROOF_FOLLOW ? 0.1 * w->reach_m : w->reach_m - w->body_m;
  for (int i = 0; i < POINTS; i++) {
    move(w, i, (1 - 1e-12) * most);
    if (w->c->motion == PROOF_LOST && i % 3 == 0) lose(w, i);
    w->exhausted[i].distance_m = INFINITY;
  }
  expect(sim_traverse_surface(w->traverse, (const sim_vec3 *)w->b.x, w->reach_m, &err), &err);
  sim_traverse_step(w->traverse, SIM_TRAVERSE, (const sim_vec3 *)w->p, POINTS, w->walked, &out->walk);
  sim_traverse_step(w->traverse, SIM_EXHAUSTIVE, (const sim_vec3 *)w->p, POINTS, w->exhausted, &out->all);
  out->vertex_steps += POINTS;
  compare(w, out);
  sample(w, number, out);
}

proof_case proof_case_of(int number) {
  return (proof_case){(body_kind)(number / 2 / PROOF_MOTIONS), number % 2 == 1,
                      (proof_motion)(number / 2 % PROOF_MOTIONS), (uint64_t)number + 1};
}

void proof_run(const proof_case *c, int64_t vertex_steps, proof_counts *out) {
  cb_err err;
  proof w = {.c = c, .dt = 0.05};
  body_make(&w.b, c->kind, c->inside_out, c->seed);
  cb_rng_init(&w.rng, c->seed, 18 + (uint64_t)c->motion);
  w.reach_m = w.b.edge_m * (0.1 + 0.5 * cb_rng_uniform(&w.rng));
  w.p = calloc(POINTS, sizeof *w.p);
  w.before = calloc((size_t)w.b.n, sizeof *w.before);
  w.walked = calloc(POINTS, sizeof *w.walked);
  w.exhausted = calloc(POINTS, sizeof *w.exhausted);
  if (!w.p || !w.before || !w.walked || !w.exhausted) expect(CB_E_NOMEM, &(cb_err){.msg = "out of memory"});
  for (int i = 0; i < POINTS; i++)
    over(&w, any_triangle(&w), 2 * w.reach_m * (2 * cb_rng_uniform(&w.rng) - 1), w.p[i]);
  expect(sim_traverse_new(&w.b.hull, &w.traverse, &err), &err);
  expect(sim_traverse_surface(w.traverse, (const sim_vec3 *)w.b.x, w.reach_m, &err), &err);
  expect(sim_traverse_start(w.traverse, (const sim_vec3 *)w.p, POINTS, w.walked, &err), &err);
  for (int64_t k = 0; k * POINTS < vertex_steps; k++) step(&w, k, out);
  sim_traverse_free(w.traverse);
  body_clear(&w.b);
  void *const arrays[] = {w.p, w.before, w.walked, w.exhausted};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}
