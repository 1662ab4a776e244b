#include "traverse_bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_vec.h"

const char *const body_kind_names[BODY_KINDS] = {"smooth", "bumpy",  "spiky",  "plate",
                                                 "slots",  "sheets", "bricks", "slivers"};

static void *room(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (p) return p;
  (void)fprintf(stderr, "out of memory\n");
  exit(1);
}

static void begin(body *b, int n_most, int nt_most) {
  b->n_most = n_most;
  b->nt_most = nt_most;
  b->rest = room((size_t)n_most, sizeof *b->rest);
  b->triangle = room((size_t)nt_most, sizeof *b->triangle);
}

static int put_vertex(body *b, double x, double y, double z) {
  const double at[3] = {x, y, z};
  memcpy(b->rest[b->n], at, sizeof at);
  return b->n++;
}

static void put_triangle(body *b, int p, int q, int r) {
  const int t[3] = {p, q, r};
  memcpy(b->triangle[b->nt++], t, sizeof t);
}

static void put_quad(body *b, int p, int q, int r, int s) {
  put_triangle(b, p, q, r);
  put_triangle(b, p, r, s);
}

/* ---- round ones ---- */

static void torus(body *b, int around) {
  begin(b, around * around, 2 * around * around);
  for (int i = 0; i < around; i++)
    for (int j = 0; j < around; j++) {
      double phi = 2 * CB_PI * i / around, psi = 2 * CB_PI * j / around, out = 0.35 + 0.15 * cos(psi);
      (void)put_vertex(b, out * cos(phi), out * sin(phi), 0.15 * sin(psi));
      int next = (i + 1) % around, up = (j + 1) % around;
      put_quad(b, i * around + j, next * around + j, next * around + up, i * around + up);
    }
}

static void ball(body *b, int rows, int around, cb_rng *rng) {
  begin(b, (rows - 1) * around + 2, 2 * (rows - 1) * around);
  for (int i = 1; i < rows; i++)
    for (int j = 0; j < around; j++) {
      double theta = CB_PI * i / rows, phi = 2 * CB_PI * j / around;
      (void)put_vertex(b, sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
    }
  int north = put_vertex(b, 0, 0, 1), south = put_vertex(b, 0, 0, -1);
  for (int j = 0; j < around; j++) {
    int next = (j + 1) % around, last = (rows - 2) * around;
    put_triangle(b, north, j, next);
    put_triangle(b, south, last + next, last + j);
    for (int i = 0; i + 2 < rows; i++)
      put_quad(b, i * around + j, (i + 1) * around + j, (i + 1) * around + next, i * around + next);
  }
  for (int k = 0; k < 2; k++) {
    b->radius[k] = room((size_t)b->n, sizeof(double));
    for (int i = 0; i < b->n; i++) b->radius[k][i] = 0.3 + 0.25 * cb_rng_uniform(rng);
  }
}

/* ---- of bricks ---- */

#define LINES 25

typedef struct bricks {
  int cells[3];
  double line[3][LINES]; /* where the cells' borders are along each axis */
  bool full[LINES][LINES][LINES];
  int vertex[LINES][LINES][LINES]; /* 0: none, else its number + 1 */
} bricks;

static bool is_full(const bricks *w, int a, int b, int c) {
  return a >= 0 && b >= 0 && c >= 0 && a < w->cells[0] && b < w->cells[1] && c < w->cells[2] &&
         w->full[a][b][c];
}

static int corner_of(body *b, bricks *w, const int at[3]) {
  int *v = &w->vertex[at[0]][at[1]][at[2]];
  if (*v == 0) *v = 1 + put_vertex(b, w->line[0][at[0]] - 0.5, w->line[1][at[1]] - 0.5, w->line[2][at[2]]);
  return *v - 1;
}

/* The face of a full cell towards an empty one; cut alike above and below, so that sheets can be bent without
 * meeting. */
static void put_face(body *b, bricks *w, const int cell[3], int axis, int side) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3, q[4];
  for (int k = 0; k < 4; k++) {
    int at[3] = {cell[0], cell[1], cell[2]};
    at[axis] += side;
    at[u] += k == 1 || k == 2;
    at[v] += k >= 2;
    q[k] = corner_of(b, w, at);
  }
  if (side)
    put_quad(b, q[0], q[1], q[2], q[3]);
  else
    put_quad(b, q[0], q[3], q[2], q[1]);
}

static void wrap(body *b, bricks *w) {
  int n = (w->cells[0] + 1) * (w->cells[1] + 1) * (w->cells[2] + 1);
  begin(b, n, 12 * n);
  for (int i = 0; i < w->cells[0]; i++)
    for (int j = 0; j < w->cells[1]; j++)
      for (int k = 0; k < w->cells[2]; k++)
        for (int f = 0; f < 6 && w->full[i][j][k]; f++) {
          const int cell[3] = {i, j, k};
          int beyond[3] = {i, j, k};
          beyond[f / 2] += f % 2 ? 1 : -1;
          if (!is_full(w, beyond[0], beyond[1], beyond[2])) put_face(b, w, cell, f / 2, f % 2);
        }
}

/* Where two cells meet at an edge alone the surface would have four triangles there: a third cell is
 * filled. */
static void fill_edges(bricks *w) {
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < w->cells[0]; i++)
      for (int j = 0; j < w->cells[1]; j++)
        for (int k = 0; k < w->cells[2]; k++)
          for (int f = 0; f < 6 && w->full[i][j][k]; f++) {
            int axis = f / 2, way = f % 2 ? 1 : -1, c[3] = {i, j, k}, one[3], other[3];
            c[(axis + 1) % 3] += 1;
            memcpy(one, c, sizeof c);
            c[(axis + 2) % 3] += way;
            memcpy(other, ((int[3]){i, j, k}), sizeof other);
            other[(axis + 2) % 3] += way;
            if (!is_full(w, c[0], c[1], c[2]) || is_full(w, one[0], one[1], one[2]) ||
                is_full(w, other[0], other[1], other[2]))
              continue;
            w->full[one[0]][one[1]][one[2]] = again = true;
          }
  }
}

static void lines(double *line, int n, double length) {
  for (int i = 0; i <= n; i++) line[i] = length * i / n;
}

static void build(body *b, body_kind kind, cb_rng *rng) {
  bricks *w = room(1, sizeof *w);
  const int cells[][3] = {{24, 24, 1}, {23, 10, 6}, {14, 14, 7}, {8, 8, 8}};
  memcpy(w->cells, cells[kind - BODY_PLATE], sizeof w->cells);
  for (int k = 0; k < 3; k++) lines(w->line[k], w->cells[k], 1);
  if (kind == BODY_PLATE) lines(w->line[2], 1, 0.003);
  for (int i = 0; i < 12 && kind == BODY_SLOTS; i++) {
    w->line[0][2 * i] = i * (1.0 / 12);
    w->line[0][2 * i + 1] = i * (1.0 / 12) + (1.0 / 12 - 0.004);
  }
  if (kind == BODY_SHEETS)
    for (int i = 0; i <= 7; i++) w->line[2][i] = 0.011 * (i / 2) + 0.01 * (i % 2);
  if (kind == BODY_BRICKS)
    for (int k = 0; k < 3; k++)
      for (int i = 1; i <= 8; i++) w->line[k][i] = w->line[k][i - 1] + 0.02 + 0.21 * cb_rng_uniform(rng);
  for (int i = 0; i < w->cells[0]; i++)
    for (int j = 0; j < w->cells[1]; j++)
      for (int k = 0; k < w->cells[2]; k++)
        w->full[i][j][k] = kind == BODY_PLATE    ? true
                           : kind == BODY_SLOTS  ? i % 2 == 0 || k == 0
                           : kind == BODY_SHEETS ? k % 2 == 0 || i == (k % 4 == 1 ? 0 : 13)
                                                 : cb_rng_uniform(rng) < 0.4;
  if (kind == BODY_BRICKS) fill_edges(w);
  wrap(b, w);
  free(w);
}

/* ---- slivers ---- */

#define NODES 9

typedef struct lattice {
  double value[NODES][NODES][NODES]; /* > 0 inside */
  int vertex[NODES][NODES][NODES][8];
} lattice;

static void node_of(int bits, const int cell[3], int out[3]) {
  for (int k = 0; k < 3; k++) out[k] = cell[k] + (bits >> k & 1);
}

/* On the edge from node p to node q, which is p + some of the three directions. */
static int cut_of(body *b, lattice *l, const int cell[3], int p, int q) {
  if ((p & q) != p) return cut_of(b, l, cell, q, p);
  int at[3], to[3];
  node_of(p, cell, at);
  node_of(q, cell, to);
  int *v = &l->vertex[at[0]][at[1]][at[2]][p ^ q];
  if (*v > 0) return *v - 1;
  double f = l->value[at[0]][at[1]][at[2]], g = l->value[to[0]][to[1]][to[2]],
         s = fmin(fmax(f / (f - g), 0.001), 0.999), x[3];
  for (int k = 0; k < 3; k++) x[k] = (at[k] + s * (to[k] - at[k])) / (NODES - 1) - 0.5;
  *v = 1 + put_vertex(b, x[0], x[1], x[2]);
  return *v - 1;
}

/* Middles of the edges a-b, c-d, e-f of the cell: do they turn counter-clockwise as seen from the node
 * `out`? */
static bool faces(const int pair[3][2], int in, int out) {
  double m[3][3], n[3], u[3], v[3], way = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) m[i][k] = 0.5 * ((pair[i][0] >> k & 1) + (pair[i][1] >> k & 1));
  sim_sub(m[1], m[0], u);
  sim_sub(m[2], m[0], v);
  sim_cross(u, v, n);
  for (int k = 0; k < 3; k++) way += n[k] * ((out >> k & 1) - (in >> k & 1));
  return way > 0;
}

static void put_cut(body *b, lattice *l, const int cell[3], const int pair[3][2], int in, int out) {
  int v[3];
  for (int i = 0; i < 3; i++) v[i] = cut_of(b, l, cell, pair[i][0], pair[i][1]);
  if (faces(pair, in, out))
    put_triangle(b, v[0], v[1], v[2]);
  else
    put_triangle(b, v[0], v[2], v[1]);
}

static void march(body *b, lattice *l, const int cell[3], const int node[4]) {
  int in[4], out[4], n_in = 0, n_out = 0;
  for (int i = 0; i < 4; i++) {
    int at[3];
    node_of(node[i], cell, at);
    if (l->value[at[0]][at[1]][at[2]] > 0)
      in[n_in++] = node[i];
    else
      out[n_out++] = node[i];
  }
  if (n_in == 1 || n_in == 3) {
    const int one = n_in == 1 ? in[0] : out[0], *rest = n_in == 1 ? out : in;
    put_cut(b, l, cell, (const int[3][2]){{one, rest[0]}, {one, rest[1]}, {one, rest[2]}}, in[0], out[0]);
  } else if (n_in == 2) {
    put_cut(b, l, cell, (const int[3][2]){{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}}, in[0], out[0]);
    put_cut(b, l, cell, (const int[3][2]){{in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]}}, in[1], out[0]);
  }
}

static void slivers(body *b, cb_rng *rng) {
  static const int path[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}; /* from node 0 to node 7 */
  lattice *l = room(1, sizeof *l);
  begin(b, 7 * NODES * NODES * NODES, 12 * NODES * NODES * NODES);
  for (int i = 0; i < NODES * NODES * NODES; i++) {
    int x = i % NODES, y = i / NODES % NODES, z = i / NODES / NODES, e = NODES - 1;
    double random = 2 * cb_rng_uniform(rng) - 0.8;
    l->value[x][y][z] =
        x == 0 || y == 0 || z == 0 || x == e || y == e || z == e ? -fabs(random) - 0.01 : random;
  }
  for (int i = 0; i < (NODES - 1) * (NODES - 1) * (NODES - 1); i++) {
    const int cell[3] = {i % (NODES - 1), i / (NODES - 1) % (NODES - 1), i / (NODES - 1) / (NODES - 1)};
    for (int t = 0; t < 6; t++) march(b, l, cell, (const int[4]){0, path[t][0], path[t][1], 7});
  }
  free(l);
}

/* ---- all ---- */

static void turn_round(body *b) {
  for (int t = 0; t < b->nt; t++) {
    int v = b->triangle[t][1];
    b->triangle[t][1] = b->triangle[t][2];
    b->triangle[t][2] = v;
  }
}

void body_make(body *b, body_kind kind, bool inside_out, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 17);
  *b = (body){.kind = kind};
  if (kind <= BODY_BUMPY)
    torus(b, 40);
  else if (kind == BODY_SPIKY)
    ball(b, 30, 60, &rng);
  else if (kind == BODY_SLIVERS)
    slivers(b, &rng);
  else
    build(b, kind, &rng);
  if (inside_out) turn_round(b);
  b->x = room((size_t)b->n, sizeof *b->x);
  cb_err err;
  if (sim_hull_build((const int(*)[3])b->triangle, b->nt, b->n, &b->hull, &err) != CB_OK) {
    (void)fprintf(stderr, "%s: %s\n", body_kind_names[kind], err.msg);
    exit(1);
  }
  body_at(b, 0, 0);
  for (int i = 0; i < 3 * b->nt; i++) {
    double d[3];
    sim_sub(b->x[b->triangle[i / 3][i % 3]], b->x[b->triangle[i / 3][(i + 1) % 3]], d);
    b->edge_m += sim_norm(d) / (3.0 * b->nt);
  }
}

void body_clear(body *b) {
  sim_hull_clear(&b->hull);
  void *const arrays[] = {b->rest, b->x, b->triangle, b->radius[0], b->radius[1]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}

/* Sheets are shifted along z alone, everywhere as the plane says: what lay over each other still does. */
static void deform(const body *b, int i, double t, double x[3]) {
  const double *r = b->rest[i];
  memcpy(x, r, sizeof b->rest[i]);
  if (b->kind <= BODY_BUMPY) {
    double phi = atan2(r[1], r[0]), psi = atan2(r[2], hypot(r[0], r[1]) - 0.35),
           bump = b->kind == BODY_BUMPY ? 0.25 : 0;
    double tube = 0.15 * (1 + 0.1 * sin(t) + bump * sin(5 * phi + t) * cos(7 * psi - t)),
           out = 0.35 + tube * cos(psi);
    x[0] = out * cos(phi), x[1] = out * sin(phi), x[2] = tube * sin(psi);
  } else if (b->kind == BODY_SPIKY) {
    double s = 0.5 - 0.5 * cos(t), radius = (1 - s) * b->radius[0][i] + s * b->radius[1][i];
    for (int k = 0; k < 3; k++) x[k] *= radius;
  } else if (b->kind == BODY_SLIVERS) {
    x[0] = (1 + 0.2 * sin(t)) * r[0] + 0.3 * sin(0.7 * t) * r[1];
    x[2] = (1 - 0.2 * sin(t)) * r[2] + 0.2 * cos(0.9 * t) * r[0];
  } else {
    x[2] += 0.1 * sin(5 * r[0] + t) * cos(4 * r[1] - 0.7 * t) + 0.05 * sin(11 * r[0] - t);
  }
}

void body_at(body *b, double time, double turn_rad) {
  const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, s = sin(turn_rad), c = cos(turn_rad);
  for (int i = 0; i < b->n; i++) {
    double x[3], across[3];
    deform(b, i, time, x);
    sim_cross(axis, x, across);
    double along = (1 - c) * sim_dot(axis, x);
    for (int k = 0; k < 3; k++) b->x[i][k] = c * x[k] + s * across[k] + along * axis[k];
  }
}
