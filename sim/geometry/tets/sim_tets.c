#include "sim_shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_tets_impl.h"
#include "sim_vec.h"

#define MAX_TETS (1 << 26)

void sim_tets_clear(sim_tets *t) {
  free(t->position_m);
  free(t->tet);
  free(t->surface);
  *t = (sim_tets){0};
}

static double volume_of(const double (*x)[3], const int v[4]) {
  double e[3][3], n[3];
  for (int k = 0; k < 3; k++) sim_sub(x[v[k + 1]], x[v[0]], e[k]);
  sim_cross(e[0], e[1], n);
  return sim_dot(n, e[2]) / 6;
}

double sim_tets_volume_m3(const sim_tets *t) {
  double sum = 0;
  for (int i = 0; i < t->n_tets; i++) sum += volume_of((const sim_vec3 *)t->position_m, t->tet[i]);
  return sum;
}

/* ---- input checks ---- */

static double edges2_of(const double (*x)[3], const int v[4]) {
  double sum = 0, e[3];
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++) {
      sim_sub(x[v[b]], x[v[a]], e);
      sum += sim_dot(e, e);
    }
  return sum;
}

static cb_status check_tet(const double (*x)[3], int n_vertices, const int v[4], int i, cb_err *err) {
  for (int k = 0; k < 4; k++) {
    if (v[k] < 0 || v[k] >= n_vertices)
      return cb_fail(err, CB_E_RANGE, "body: tetrahedron %d: vertex %d: must be 0 to %d", i, v[k],
                     n_vertices - 1);
    for (int c = 0; c < 3; c++)
      if (!isfinite(x[v[k]][c]))
        return cb_fail(err, CB_E_NUM, "body: vertex %d: a co-ordinate is not finite", v[k]);
  }
  double volume = volume_of(x, v), edges2 = edges2_of(x, v);
  if (!(volume >= 0))
    return cb_fail(err, CB_E_RANGE, "body: tetrahedron %d is turned inside out: its volume is %g m3", i,
                   volume);
  double quality = edges2 > 0 ? 12 * cbrt(9 * volume * volume) / edges2 : 0;
  if (!(quality >= SIM_TETS_QUALITY))
    return cb_fail(
        err, CB_E_RANGE,
        "body: tetrahedron %d is nearly flat: quality %.2g of a regular one's 1, at least %g was wanted", i,
        quality, SIM_TETS_QUALITY);
  return CB_OK;
}

static cb_status check_tets(const double (*x)[3], int n_vertices, const int (*tet)[4], int n_tets,
                            cb_err *err) {
  if (n_vertices < 4 || n_tets < 1 || n_tets > MAX_TETS)
    return cb_fail(err, CB_E_RANGE,
                   "body: %d vertices and %d tetrahedra: at least 4 and 1, at most %d tetrahedra were wanted",
                   n_vertices, n_tets, MAX_TETS);
  bool *used = calloc((size_t)n_vertices, sizeof *used);
  if (!used) return cb_no_memory(err, "body, %d vertices", n_vertices);
  cb_status st = CB_OK;
  for (int i = 0; i < n_tets && st == CB_OK; i++) {
    st = check_tet(x, n_vertices, tet[i], i, err);
    for (int k = 0; k < 4 && st == CB_OK; k++) used[tet[i][k]] = true;
  }
  for (int v = 0; v < n_vertices && st == CB_OK; v++)
    if (!used[v]) st = cb_fail(err, CB_E_RANGE, "body: vertex %d belongs to no tetrahedron", v);
  free(used);
  return st;
}

/* ---- the surface ---- */

typedef struct face {
  int sorted[3], corner[3], tet;
} face;

static int by_corners(const void *a, const void *b) {
  const face *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->sorted[k] != q->sorted[k]) return p->sorted[k] < q->sorted[k] ? -1 : 1;
  return p->tet < q->tet ? -1 : p->tet > q->tet;
}
static int by_tet(const void *a, const void *b) {
  const face *p = a, *q = b;
  return p->tet != q->tet ? (p->tet < q->tet ? -1 : 1) : by_corners(a, b);
}

static void order(int v[3]) {
  for (int i = 0; i < 3; i++) {
    int a = i % 2, low = v[a] < v[a + 1] ? v[a] : v[a + 1], high = v[a] + v[a + 1] - low;
    v[a] = low;
    v[a + 1] = high;
  }
}

/* The face opposite to each corner, counter-clockwise from outside. */
static void faces_of(const int (*tet)[4], int n_tets, face *f) {
  static const int corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (int i = 0; i < 4 * n_tets; i++) {
    for (int k = 0; k < 3; k++) f[i].sorted[k] = f[i].corner[k] = tet[i / 4][corner[i % 4][k]];
    order(f[i].sorted);
    f[i].tet = i / 4;
  }
}

/* Whether the face's turn, from its least corner on, is ascending. */
static bool upwards(const face *f) {
  int k = 0;
  while (f->corner[k] != f->sorted[0]) k++;
  return f->corner[(k + 1) % 3] == f->sorted[1];
}

/* Keeps faces that belong to one tetrahedron only. */
static cb_status skin_faces(face *f, int *n, cb_err *err) {
  int kept = 0;
  for (int i = 0, run; i < *n; i += run) {
    for (run = 1; i + run < *n && memcmp(f[i + run].sorted, f[i].sorted, sizeof f->sorted) == 0;) run++;
    if (run > 2)
      return cb_fail(
          err, CB_E_RANGE,
          "body: the face of vertices %d, %d and %d belongs to %d tetrahedra: at most two were wanted",
          f[i].sorted[0], f[i].sorted[1], f[i].sorted[2], run);
    if (run == 2 && upwards(&f[i]) == upwards(&f[i + 1]))
      return cb_fail(err, CB_E_RANGE,
                     "body: tetrahedra %d and %d lie on the same side of the face of vertices %d, %d and %d",
                     f[i].tet, f[i + 1].tet, f[i].sorted[0], f[i].sorted[1], f[i].sorted[2]);
    if (run == 1) f[kept++] = f[i];
  }
  *n = kept;
  return CB_OK;
}

static cb_status find_surface(sim_tets *t, cb_err *err) {
  int n = 4 * t->n_tets;
  face *f = malloc((size_t)n * sizeof *f);
  if (!f) return cb_no_memory(err, "body, the faces of %d tetrahedra", t->n_tets);
  faces_of((const int(*)[4])t->tet, t->n_tets, f);
  qsort(f, (size_t)n, sizeof *f, by_corners);
  cb_status st = skin_faces(f, &n, err);
  if (st == CB_OK) {
    qsort(f, (size_t)n, sizeof *f, by_tet);
    t->surface = malloc((size_t)n * sizeof *t->surface + 1);
    if (!t->surface) st = cb_no_memory(err, "body, a surface of %d triangles", n);
  }
  for (int i = 0; i < n && st == CB_OK; i++) memcpy(t->surface[i], f[i].corner, sizeof f->corner);
  t->n_surface = st == CB_OK ? n : 0;
  free(f);
  return st;
}

cb_status sim_tets_build(const double (*x)[3], int n_vertices, const int (*tet)[4], int n_tets, sim_tets *out,
                         cb_err *err) {
  *out = (sim_tets){0};
  CB_TRY(check_tets(x, n_vertices, tet, n_tets, err));
  *out = (sim_tets){.n_vertices = n_vertices,
                    .n_tets = n_tets,
                    .position_m = malloc((size_t)n_vertices * sizeof *out->position_m),
                    .tet = malloc((size_t)n_tets * sizeof *out->tet)};
  cb_status st = out->position_m && out->tet ? CB_OK : cb_no_memory(err, "body, %d tetrahedra", n_tets);
  if (st == CB_OK) {
    memcpy(out->position_m, x, (size_t)n_vertices * sizeof *x);
    memcpy(out->tet, tet, (size_t)n_tets * sizeof *tet);
    st = find_surface(out, err);
  }
  if (st != CB_OK) sim_tets_clear(out);
  return st;
}
