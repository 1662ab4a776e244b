#include "sim_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TERMS 5        /* x, y, x^2, x y, y^2 */
#define NEIGHBOURS 256 /* most vertices of a fit */
#define NOTHING 1e-9   /* fraction of its start value below which a pivot is rounding */
#define FLAT 1e-9      /* fraction of the extent */

/* A value and its quadratic around a vertex, in units of the distance to the farthest neighbour. */
typedef struct quadratic {
  double length_m, term[TERMS][3];
} quadratic;

typedef struct carrying {
  const sim_mesh *from;
  const double (*field)[3];
  quadratic *around; /* per vertex */
  int *seen;         /* per vertex: the last fit that met it, counted from 1 */
} carrying;

static void terms_at(double x, double y, double out[TERMS]) {
  const double t[TERMS] = {x, y, x * x, x * y, y * y};
  memcpy(out, t, sizeof t);
}

/* ---- the fits ---- */

/* Adds the vertices that share a triangle with `vertex` and are not in the fit `mark` yet. */
static int add_ring(const carrying *c, int vertex, int mark, int list[NEIGHBOURS], int n) {
  const sim_mesh *m = c->from;
  for (int f = m->fan_start[vertex]; f < m->fan_start[vertex + 1]; f++)
    for (int k = 0; k < 3; k++) {
      const int other = m->triangle[m->fan[f] / 3][k];
      if (c->seen[other] == mark || n == NEIGHBOURS) continue;
      c->seen[other] = mark;
      list[n++] = other;
    }
  return n;
}

static int two_rings(const carrying *c, int vertex, int list[NEIGHBOURS]) {
  c->seen[vertex] = vertex + 1;
  const int first = add_ring(c, vertex, vertex + 1, list, 0);
  int n = first;
  for (int k = 0; k < first; k++) n = add_ring(c, list[k], vertex + 1, list, n);
  return n;
}

/* Solves a x = b for a symmetric, not negative a; x replaces b. A term that the others determine already
 * stays 0: there are too few vertices, or all on one conic. */
static void solve_normal(double a[TERMS][TERMS], double b[TERMS][3]) {
  double start[TERMS];
  for (int j = 0; j < TERMS; j++) start[j] = a[j][j];
  for (int j = 0; j < TERMS; j++) {
    if (!(a[j][j] > NOTHING * start[j])) {
      for (int i = 0; i < TERMS; i++) a[i][j] = a[j][i] = 0;
      memset(b[j], 0, sizeof b[j]);
      a[j][j] = 1;
    }
    for (int i = j + 1; i < TERMS; i++) {
      const double share = a[i][j] / a[j][j];
      for (int k = j; k < TERMS; k++) a[i][k] -= share * a[j][k];
      for (int d = 0; d < 3; d++) b[i][d] -= share * b[j][d];
    }
  }
  for (int j = TERMS - 1; j >= 0; j--)
    for (int d = 0; d < 3; d++) {
      for (int k = j + 1; k < TERMS; k++) b[j][d] -= a[j][k] * b[k][d];
      b[j][d] /= a[j][j];
    }
}

/* Fits a vertex's quadratic, weighted with the inverse square of the distance. */
static void fit(const carrying *c, int vertex) {
  int list[NEIGHBOURS], n = two_rings(c, vertex, list);
  const double(*x)[3] = (const sim_vec3 *)c->from->position_m;
  quadratic *q = &c->around[vertex];
  double normal[TERMS][TERMS] = {{0}}, right[TERMS][3] = {{0}};
  *q = (quadratic){0};
  for (int k = 0; k < n; k++)
    q->length_m = fmax(q->length_m, hypot(x[list[k]][0] - x[vertex][0], x[list[k]][1] - x[vertex][1]));
  for (int k = 0; k < n; k++) {
    const int other = list[k];
    double t[TERMS], dx = (x[other][0] - x[vertex][0]) / q->length_m,
                     dy = (x[other][1] - x[vertex][1]) / q->length_m;
    const double weight = 1 / (dx * dx + dy * dy);
    terms_at(dx, dy, t);
    for (int i = 0; i < TERMS; i++) {
      for (int j = 0; j < TERMS; j++) normal[i][j] += weight * t[i] * t[j];
      for (int d = 0; d < 3; d++) right[i][d] += weight * t[i] * (c->field[other][d] - c->field[vertex][d]);
    }
  }
  solve_normal(normal, right);
  memcpy(q->term, right, sizeof right);
}

/* ---- location of a place ---- */

static double doubled_area(const double a[3], const double b[3], const double p[2]) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Barycentric co-ordinates of a place. Returns its distance beyond the side that it is farthest beyond; <= 0
 * inside. */
static double shares_of(const sim_mesh *m, int triangle, const double at[2], double share[3]) {
  const int *v = m->triangle[triangle];
  const double(*x)[3] = (const sim_vec3 *)m->position_m;
  const double whole = doubled_area(x[v[0]], x[v[1]], x[v[2]]);
  double beyond = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const double *a = x[v[(k + 1) % 3]], *b = x[v[(k + 2) % 3]];
    share[k] = doubled_area(a, b, at) / whole;
    beyond = fmax(beyond, -share[k] * fabs(whole) / hypot(b[0] - a[0], b[1] - a[1]));
  }
  return beyond;
}

/* Walks over the side that the place is farthest beyond, until it is inside. At a border or in a loop, tests
 * every triangle. */
static int find_triangle(const sim_mesh *m, int triangle, const double at[2], double share[3]) {
  for (int steps = 0; triangle >= 0 && steps < m->n_triangles; steps++) {
    if (shares_of(m, triangle, at, share) <= 0) return triangle;
    const int lowest = share[0] <= share[1] && share[0] <= share[2] ? 0 : share[1] <= share[2] ? 1 : 2;
    triangle = sim_mesh_across(m, triangle, lowest);
  }
  int nearest = 0;
  double least = INFINITY;
  for (int t = 0; t < m->n_triangles; t++) {
    const double beyond = shares_of(m, t, at, share);
    if (beyond < least) least = beyond, nearest = t;
  }
  (void)shares_of(m, nearest, at, share);
  return nearest;
}

static void blend(const carrying *c, int triangle, const double at[2], const double share[3], double out[3]) {
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < 3; k++) {
    const int i = c->from->triangle[triangle][k];
    const quadratic *q = &c->around[i];
    const double *x = c->from->position_m[i];
    double t[TERMS];
    terms_at((at[0] - x[0]) / q->length_m, (at[1] - x[1]) / q->length_m, t);
    for (int d = 0; d < 3; d++) {
      out[d] += share[k] * c->field[i][d];
      for (int j = 0; j < TERMS; j++) out[d] += share[k] * t[j] * q->term[j][d];
    }
  }
}

static cb_status check_flat(const sim_mesh *m, const char *which, cb_err *err) {
  double extent = 0;
  for (int i = 0; i < m->n_vertices; i++)
    extent = fmax(extent, hypot(m->position_m[i][0], m->position_m[i][1]));
  for (int i = 0; i < m->n_vertices; i++)
    if (fabs(m->position_m[i][2]) > FLAT * extent)
      return cb_fail(
          err, CB_E_RANGE,
          "carry: vertex %d of the mesh %s was made at z = %g m: a mesh made flat in z = 0 was wanted", i,
          which, m->position_m[i][2]);
  return CB_OK;
}

cb_status sim_mesh_carry(const sim_mesh *from, const double (*field)[3], const sim_mesh *to, double (*out)[3],
                         cb_err *err) {
  CB_TRY(check_flat(from, "it comes from", err));
  CB_TRY(check_flat(to, "it goes to", err));
  carrying c = {.from = from, .field = field};
  c.around = calloc((size_t)from->n_vertices, sizeof *c.around);
  c.seen = calloc((size_t)from->n_vertices, sizeof *c.seen);
  cb_status st = c.around && c.seen ? CB_OK : cb_no_memory(err, "carry, %d vertices", from->n_vertices);
  for (int i = 0; st == CB_OK && i < from->n_vertices; i++) fit(&c, i);
  for (int i = 0, triangle = 0; st == CB_OK && i < to->n_vertices; i++) {
    double share[3];
    triangle = find_triangle(from, triangle, to->position_m[i], share);
    blend(&c, triangle, to->position_m[i], share, out[i]);
  }
  free(c.around);
  free(c.seen);
  return st;
}
