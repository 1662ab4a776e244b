/* A tree of boxes around triangles, halved at the median of their centres along the longest side; and the
 * search for the nearest triangle. */
#include "sim_solid_tree.h"

#include <math.h>
#include <stdlib.h>

#include "sim_triangle.h"
#include "sim_vec.h"

#define LEAF 4
#define DEPTH 64 /* enough for a tree that is halved each time */

/* ---- building ---- */

static double middle_of(const sim_solid *s, int triangle, int axis) {
  const int *v = s->triangle[triangle];
  return s->x[v[0]][axis] + s->x[v[1]][axis] + s->x[v[2]][axis];
}

static void swap_numbers(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

/* Hoare's selection, ties by number: the `half` triangles with the lowest centres come first. */
static void halve_order(const sim_solid *s, int *order, int n, int half, int axis) {
  int low = 0, high = n - 1;
  while (low < high) {
    int pivot = order[(low + high) / 2], i = low, j = high;
    double at = middle_of(s, pivot, axis);
    while (i <= j) {
      for (;; i++) {
        double m = middle_of(s, order[i], axis);
        if (!(m < at || (m == at && order[i] < pivot))) break;
      }
      for (;; j--) {
        double m = middle_of(s, order[j], axis);
        if (!(m > at || (m == at && order[j] > pivot))) break;
      }
      if (i <= j) swap_numbers(&order[i++], &order[j--]);
    }
    if (half <= j)
      high = j;
    else if (half >= i)
      low = i;
    else
      return;
  }
}

static void enclose_triangles(const sim_solid *s, const int *order, int n, sim_solid_box *box) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = INFINITY;
    box->high[k] = -INFINITY;
  }
  for (int i = 0; i < 3 * n; i++) {
    const double *x = s->x[s->triangle[order[i / 3]][i % 3]];
    for (int k = 0; k < 3; k++) {
      box->low[k] = fmin(box->low[k], x[k]);
      box->high[k] = fmax(box->high[k], x[k]);
    }
  }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the number of triangles. */
static void plant(sim_solid *s, int first, int n) {
  sim_solid_box *box = &s->box[s->n_boxes++];
  enclose_triangles(s, s->order + first, n, box);
  box->first = first;
  box->count = n;
  if (n <= LEAF) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (box->high[k] - box->low[k] > box->high[axis] - box->low[axis]) axis = k;
  halve_order(s, s->order + first, n, n / 2, axis);
  box->count = 0;
  plant(s, first, n / 2);
  box->first = s->n_boxes;
  plant(s, first + n / 2, n - n / 2);
}

cb_status sim_solid_plant(sim_solid *s, cb_err *err) {
  s->order = calloc((size_t)s->n_triangles, sizeof *s->order);
  s->box = malloc(2 * (size_t)s->n_triangles * sizeof *s->box);
  if (!s->order || !s->box) return cb_no_memory(err, "solid, a tree of %d triangles", s->n_triangles);
  for (int t = 0; t < s->n_triangles; t++) s->order[t] = t;
  plant(s, 0, s->n_triangles);
  return CB_OK;
}

/* ---- searching ---- */

/* Plain comparisons, since fmax is a call. */
static double to_box2(const sim_solid_box *b, const double x[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double below = b->low[k] - x[k], above = x[k] - b->high[k], d = below > above ? below : above;
    sum += d > 0 ? d * d : 0;
  }
  return sum;
}

/* A box that waits for its turn. */
typedef struct waiting {
  int box;
  double distance2;
} waiting;

typedef struct found {
  int triangle, part;
  double distance2, point[3];
} found;

static void look_at(const sim_solid *s, const sim_solid_box *leaf, const double x[3], found *best) {
  for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
    const int t = s->order[i], *v = s->triangle[t];
    double p[3], d[3], weight[3];
    int part = sim_triangle_nearest(s->x[v[0]], s->x[v[1]], s->x[v[2]], x, weight, p);
    sim_sub(x, p, d);
    double d2 = sim_dot(d, d);
    if (!(d2 < best->distance2)) continue;
    *best = (found){t, part, d2, {p[0], p[1], p[2]}};
  }
}

int sim_solid_nearest(const sim_solid *s, const double x[3], double within_m, double point[3], int *part) {
  found best = {.triangle = -1, .distance2 = within_m * within_m};
  waiting stack[DEPTH];
  int n = 0;
  stack[n++] = (waiting){0, to_box2(&s->box[0], x)};
  while (n > 0) {
    const waiting next = stack[--n];
    const sim_solid_box *box = &s->box[next.box];
    if (!(next.distance2 < best.distance2)) continue;
    if (box->count > 0) {
      look_at(s, box, x, &best);
      continue;
    }
    const waiting one = {next.box + 1, to_box2(box + 1, x)},
                  other = {box->first, to_box2(&s->box[box->first], x)};
    const bool first = one.distance2 < other.distance2;
    stack[n++] = first ? other : one;
    stack[n++] = first ? one : other;
  }
  for (int k = 0; k < 3; k++) point[k] = best.point[k];
  *part = best.part;
  return best.triangle;
}
