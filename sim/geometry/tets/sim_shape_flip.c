#include "sim_shape_impl.h"

#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

#define PASSES 8

cb_status sim_shape_flip_init(sim_shape_flip *f, sim_shape_surface *s, cb_err *err) {
  sim_hull hull;
  *f = (sim_shape_flip){.surface = s};
  cb_status st = sim_hull_build((const int(*)[3])s->triangle, s->n_triangles, s->n_vertices, &hull, err);
  if (st == CB_OK) {
    f->across = hull.across;
    hull.across = NULL;
    f->valence = malloc((size_t)s->n_vertices * sizeof *f->valence);
    if (!f->valence) st = cb_no_memory(err, "shape, %d vertices", s->n_vertices);
  }
  for (int v = 0; v < s->n_vertices && st == CB_OK; v++)
    f->valence[v] = hull.fan_start[v + 1] - hull.fan_start[v];
  sim_hull_clear(&hull);
  return st;
}

void sim_shape_flip_clear(sim_shape_flip *f) {
  free(f->across);
  free(f->valence);
  *f = (sim_shape_flip){0};
}

/* The two triangles at an edge: t = (p, a, b) and u = (q, b, a). */
typedef struct pair {
  int t, u, k, m; /* corners of p in t and of q in u */
  int p, a, b, q;
} pair;

static pair pair_at(const sim_shape_flip *f, int t, int k) {
  const int *v = f->surface->triangle[t];
  pair e = {.t = t, .u = f->across[t][k], .k = k, .p = v[k], .a = v[(k + 1) % 3], .b = v[(k + 2) % 3]};
  const int *w = f->surface->triangle[e.u];
  while (w[e.m] == e.a || w[e.m] == e.b) e.m++;
  e.q = w[e.m];
  return e;
}

static void relink(const sim_shape_flip *f, int triangle, int from, int to) {
  for (int k = 0; k < 3; k++)
    if (f->across[triangle][k] == from) {
      f->across[triangle][k] = to;
      return;
    }
}

static void flip_pair(sim_shape_flip *f, const pair *e) {
  int *x = f->across[e->t], *y = f->across[e->u];
  int bp = x[(e->k + 1) % 3], pa = x[(e->k + 2) % 3], aq = y[(e->m + 1) % 3], qb = y[(e->m + 2) % 3];
  const int t[3] = {e->p, e->a, e->q}, t_across[3] = {aq, e->u, pa}, u[3] = {e->q, e->b, e->p},
            u_across[3] = {bp, e->t, qb};
  memcpy(f->surface->triangle[e->t], t, sizeof t);
  memcpy(f->surface->triangle[e->u], u, sizeof u);
  memcpy(x, t_across, sizeof t_across);
  memcpy(y, u_across, sizeof u_across);
  relink(f, aq, e->u, e->t);
  relink(f, bp, e->t, e->u);
  f->valence[e->a]--;
  f->valence[e->b]--;
  f->valence[e->p]++;
  f->valence[e->q]++;
}

/* ---- conditions of a flip ---- */

/* Whether p and q are joined already; walks around p from triangle t. */
static bool joined(const sim_shape_flip *f, const pair *e) {
  int t = e->t;
  do {
    const int *v = f->surface->triangle[t];
    int k = v[0] == e->p ? 0 : v[1] == e->p ? 1 : 2;
    if (v[(k + 1) % 3] == e->q || v[(k + 2) % 3] == e->q) return true;
    t = f->across[t][(k + 1) % 3];
  } while (t != e->t);
  return false;
}

static void normal_of(const sim_shape_flip *f, int a, int b, int c, double n[3]) {
  double(*x)[3] = f->surface->x_m, d[3], e[3];
  sim_sub(x[b], x[a], d);
  sim_sub(x[c], x[a], e);
  sim_cross(d, e, n);
}

/* Whether both new triangles keep enough area and turn by at most 45 degrees from the surface. */
static bool lies_flat(const sim_shape_flip *f, const pair *e) {
  double old[2][3], new[2][3], mean[3];
  normal_of(f, e->p, e->a, e->b, old[0]);
  normal_of(f, e->q, e->b, e->a, old[1]);
  normal_of(f, e->p, e->a, e->q, new[0]);
  normal_of(f, e->q, e->b, e->p, new[1]);
  for (int k = 0; k < 3; k++) mean[k] = old[0][k] + old[1][k];
  double all = sim_norm(mean);
  for (int i = 0; i < 2; i++) {
    double along = sim_dot(new[i], mean);
    if (!(along > 0.7 * all * sim_norm(new[i]) && along > 0.1 * all * all)) return false;
  }
  return true;
}

static int valence_spread(const sim_shape_flip *f, const pair *e, int change) {
  int a = f->valence[e->a] - change - 6, b = f->valence[e->b] - change - 6, p = f->valence[e->p] + change - 6,
      q = f->valence[e->q] + change - 6;
  return a * a + b * b + p * p + q * q;
}

static double cotangent(const sim_shape_flip *f, int at, int b, int c) {
  double(*x)[3] = f->surface->x_m, d[3], e[3], n[3];
  sim_sub(x[b], x[at], d);
  sim_sub(x[c], x[at], e);
  sim_cross(d, e, n);
  return sim_dot(d, e) / sim_norm(n);
}

static bool better(const sim_shape_flip *f, const pair *e, bool delaunay) {
  if (f->valence[e->a] <= 4 || f->valence[e->b] <= 4) return false;
  if (delaunay ? !(cotangent(f, e->p, e->a, e->b) + cotangent(f, e->q, e->b, e->a) < -1e-9)
               : valence_spread(f, e, 1) >= valence_spread(f, e, 0))
    return false;
  return lies_flat(f, e) && !joined(f, e);
}

static int flip_pass(sim_shape_flip *f, bool delaunay) {
  int n = 0;
  for (int t = 0; t < f->surface->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      if (f->across[t][k] < t) continue;
      pair e = pair_at(f, t, k);
      if (!better(f, &e, delaunay)) continue;
      flip_pair(f, &e);
      n++;
    }
  return n;
}

int sim_shape_flip_all(sim_shape_flip *f, bool delaunay) {
  int n = 0, more = 1;
  for (int i = 0; i < PASSES && more > 0; i++) n += more = flip_pass(f, delaunay);
  return n;
}
