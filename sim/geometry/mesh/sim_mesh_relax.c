#include "sim_mesh_draft.h"

#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"

/* Measured on rectangles and discs of 300 to 80,000 vertices: after two shakes and the relaxations hardly
 * more than half of the vertices have six neighbours; more shakes only make the smallest angle smaller, more
 * relaxations do not make it larger. */
#define SHAKES 2
#define SHAKE 0.35 /* of an edge */
#define RELAXATIONS 12
#define OVER 1.5      /* factor on the way to the mean in a relaxation */
#define THINNEST 0.02 /* least height over edge of the triangles around a moved vertex */
#define WIDENINGS 10
#define WIDE (35 * CB_DEG) /* triangles with smaller angles are widened */

typedef struct relaxer {
  sim_flip flip;
  const sim_sizing *sizing;
} relaxer;

/* Whether vertex v can move to a place. */
static bool fits(const relaxer *r, int v, const double to[2]) {
  const sim_draft *d = r->flip.draft;
  int first = r->flip.at[v], t = first, corner = 0;
  while (d->triangle[t][corner] != v) corner++;
  do {
    const double *a = d->point_m[d->triangle[t][(corner + 1) % 3]],
                 *b = d->point_m[d->triangle[t][(corner + 2) % 3]];
    double ax = a[0] - to[0], ay = a[1] - to[1], bx = b[0] - to[0], by = b[1] - to[1], cx = bx - ax,
           cy = by - ay;
    if (!(ax * by - ay * bx > THINNEST * fmax(ax * ax + ay * ay, fmax(bx * bx + by * by, cx * cx + cy * cy))))
      return false;
    t = sim_flip_next(&r->flip, v, t, &corner);
  } while (t != first);
  return true;
}

static void move_vertex(relaxer *r, int v, double dx, double dy) {
  double *p = r->flip.draft->point_m[v];
  for (int halving = 0; halving < 4; halving++, dx *= 0.5, dy *= 0.5) {
    const double to[2] = {p[0] + dx, p[1] + dy};
    if (fits(r, v, to)) {
      memcpy(p, to, sizeof to);
      return;
    }
  }
}

static void shake(relaxer *r, cb_rng *rng) {
  const sim_draft *d = r->flip.draft;
  for (int v = 0; v < d->n_vertices; v++) {
    if (d->curve[v]) continue;
    double far = SHAKE * r->sizing->edge_m(r->sizing->context, d->point_m[v]) * sqrt(cb_rng_uniform(rng));
    double angle = 2 * CB_PI * cb_rng_uniform(rng);
    move_vertex(r, v, far * cos(angle), far * sin(angle));
  }
  sim_flip_delaunay(&r->flip);
}

/* Moves a vertex to the mean of the centres of the triangles around it, weighted by their areas over the
 * squares of their wanted edges (Chen 2004, centroidal patch triangulation). */
static void relax_vertex(relaxer *r, int v) {
  const sim_draft *d = r->flip.draft;
  const double *p = d->point_m[v];
  double sum = 0, x = 0, y = 0;
  int first = r->flip.at[v], t = first, corner = 0;
  while (d->triangle[t][corner] != v) corner++;
  do {
    const double *a = d->point_m[d->triangle[t][(corner + 1) % 3]],
                 *b = d->point_m[d->triangle[t][(corner + 2) % 3]];
    const double centre[2] = {(p[0] + a[0] + b[0]) / 3, (p[1] + a[1] + b[1]) / 3};
    double edge = r->sizing->edge_m(r->sizing->context, centre);
    double w = ((a[0] - p[0]) * (b[1] - p[1]) - (a[1] - p[1]) * (b[0] - p[0])) / (edge * edge);
    sum += w;
    x += w * (centre[0] - p[0]);
    y += w * (centre[1] - p[1]);
    t = sim_flip_next(&r->flip, v, t, &corner);
  } while (t != first);
  move_vertex(r, v, OVER * x / sum, OVER * y / sum);
}

static void relax_draft(relaxer *r) {
  const sim_draft *d = r->flip.draft;
  for (int v = 0; v < d->n_vertices; v++)
    if (!d->curve[v]) relax_vertex(r, v);
  sim_flip_delaunay(&r->flip);
}

/* The smallest angle of a triangle. */
static double smallest_angle(const double *const p[3]) {
  double smallest = CB_PI;
  for (int k = 0; k < 3; k++) {
    const double *o = p[k], *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
    double ax = a[0] - o[0], ay = a[1] - o[1], bx = b[0] - o[0], by = b[1] - o[1];
    smallest = fmin(smallest, atan2(ax * by - ay * bx, ax * bx + ay * by)); /* < 0: turned over */
  }
  return smallest;
}

/* Smallest angle around vertex v, if it were at `there`. */
static double smallest_around(const relaxer *r, int v, const double there[2]) {
  const sim_draft *d = r->flip.draft;
  double smallest = CB_PI;
  int first = r->flip.at[v], t = first, corner = 0;
  while (d->triangle[t][corner] != v) corner++;
  do {
    const double *const p[3] = {there, d->point_m[d->triangle[t][(corner + 1) % 3]],
                                d->point_m[d->triangle[t][(corner + 2) % 3]]};
    smallest = fmin(smallest, smallest_angle(p));
    t = sim_flip_next(&r->flip, v, t, &corner);
  } while (t != first);
  return smallest;
}

/* Moves a vertex to the best of eight places around it, at smaller and smaller distances. */
static void widen_vertex(relaxer *r, int v) {
  static const double compass[8][2] = {{1, 0},     {0, 1},      {-1, 0},      {0, -1},
                                       {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}};
  double *p = r->flip.draft->point_m[v], best = smallest_around(r, v, p);
  if (best >= WIDE) return;
  double far = 0.2 * r->sizing->edge_m(r->sizing->context, p);
  for (int halving = 0; halving < 4; halving++, far *= 0.5) {
    const double from[2] = {p[0], p[1]};
    for (int i = 0; i < 8; i++) {
      const double to[2] = {from[0] + far * compass[i][0], from[1] + far * compass[i][1]};
      double angle = smallest_around(r, v, to);
      if (angle <= best) continue;
      best = angle;
      memcpy(p, to, sizeof to);
    }
  }
}

static void widen_angles(relaxer *r) {
  const sim_draft *d = r->flip.draft;
  for (int v = 0; v < d->n_vertices; v++)
    if (!d->curve[v]) widen_vertex(r, v);
  sim_flip_delaunay(&r->flip);
}

cb_status sim_draft_relax(sim_draft *d, const sim_sizing *sizing, uint64_t seed, cb_err *err) {
  relaxer r = {.sizing = sizing};
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  CB_TRY(sim_flip_init(&r.flip, d, err));
  for (int i = 0; i < SHAKES; i++) shake(&r, &rng);
  for (int i = 0; i < RELAXATIONS; i++) relax_draft(&r);
  for (int i = 0; i < WIDENINGS; i++) widen_angles(&r);
  sim_flip_clear(&r.flip);
  return CB_OK;
}
