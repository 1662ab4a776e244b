/* Makes tetrahedra and raw surfaces from the lattice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_num.h"
#include "sim_lattice.h"
#include "sim_shape_impl.h"
#include "sim_tets_impl.h"
#include "sim_traverse.h"

/* ---- collecting pieces ---- */

#define MOST_PIECES (1 << 26) /* their corners are counted in int */

typedef struct pile {
  const sim_lattice *lattice;
  int n, width; /* 4: tetrahedra, 3: triangles of the surface */
  size_t capacity;
  int *v;
} pile;

static cb_status put_piece(pile *p, const int *v, cb_err *err) {
  const size_t bytes = (size_t)p->width * sizeof *v;
  int *grown = p->n < MOST_PIECES ? cb_array_grow(p->v, &p->capacity, (size_t)p->n + 1, bytes) : NULL;
  if (!grown) return cb_no_memory(err, "shape, %d pieces", p->n + 1);
  p->v = grown;
  memcpy(p->v + (size_t)p->n++ * (size_t)p->width, v, bytes);
  return CB_OK;
}

static cb_status take_tet(void *context, const int v[4], cb_err *err) { return put_piece(context, v, err); }

/* The face of a piece on the surface. It is opposite to the only corner inside; a piece with more of them has
 * none. */
static cb_status take_face(void *context, const int v[4], cb_err *err) {
  static const int opposite[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  pile *p = context;
  int in = -1;
  for (int k = 0; k < 4; k++)
    if (p->lattice->sign[v[k]] < 0) {
      if (in >= 0) return CB_OK;
      in = k;
    }
  const int face[3] = {v[opposite[in][0]], v[opposite[in][1]], v[opposite[in][2]]};
  return put_piece(p, face, err);
}

/* ---- clean-up ---- */

/* Faces of pieces. A face with the body on both sides is no part of the surface. They are in chains by their
 * least vertex, so that partners are near. */
typedef struct faces {
  int n, n_vertices;
  int (*f)[3];
} faces;

static int least_of(const int f[3]) {
  return f[0] < f[1] ? (f[0] < f[2] ? f[0] : f[2]) : (f[1] < f[2] ? f[1] : f[2]);
}

static bool turned(const int a[3], const int b[3]) {
  for (int k = 0; k < 3; k++)
    if (a[0] == b[k] && a[1] == b[(k + 2) % 3] && a[2] == b[(k + 1) % 3]) return true;
  return false;
}

static cb_status drop_inner(faces *s, cb_err *err) {
  int *start = calloc((size_t)s->n_vertices + 1, sizeof *start),
      *next = malloc((size_t)s->n * sizeof *next + 1), kept = 0;
  bool *inner = calloc((size_t)s->n + 1, sizeof *inner);
  bool enough = start && next && inner;
  for (int i = 0; i < s->n && enough; i++) { /* chains of faces with the same least vertex; 0 ends one */
    int *head = &start[least_of((const int *)s->f[i])];
    for (int j = *head; j > 0 && !inner[i]; j = next[j - 1])
      if (!inner[j - 1] && turned(s->f[i], s->f[j - 1])) inner[i] = inner[j - 1] = true;
    next[i] = *head;
    *head = i + 1;
  }
  for (int i = 0; i < s->n && enough; i++)
    if (!inner[i]) memmove(s->f[kept++], s->f[i], sizeof s->f[i]);
  s->n = kept;
  free(start);
  free(next);
  free(inner);
  return enough ? CB_OK : cb_no_memory(err, "shape, a surface of %d triangles", s->n);
}

/* Numbers the vertices in use, in their order; -1: not used. Returns their count. */
static int renumber(int *v, int n, int *number, int n_vertices) {
  int used = 0;
  for (int i = 0; i < n_vertices; i++) number[i] = -1;
  for (int i = 0; i < n; i++) number[v[i]] = 0;
  for (int i = 0; i < n_vertices; i++)
    if (number[i] == 0) number[i] = used++;
  for (int i = 0; i < n; i++) v[i] = number[v[i]];
  return used;
}

static cb_status compact(const sim_lattice *l, int *v, int n, double (**x)[3], int *n_vertices, cb_err *err) {
  int *number = malloc((size_t)l->n_vertices * sizeof *number + 1);
  *n_vertices = number ? renumber(v, n, number, l->n_vertices) : 0;
  *x = number ? malloc((size_t)*n_vertices * sizeof **x + 1) : NULL;
  for (int i = 0; i < l->n_vertices && *x; i++)
    if (number[i] >= 0) memcpy((*x)[number[i]], l->x[i], sizeof **x);
  free(number);
  return *x ? CB_OK : cb_no_memory(err, "shape, %d vertices", l->n_vertices);
}

/* ---- results ---- */

static cb_status check_closed(const int (*triangle)[3], int n, int n_vertices, double cell, cb_err *err) {
  sim_hull hull;
  if (n == 0)
    return cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too large: nothing of it is left", cell);
  cb_status st = sim_hull_build(triangle, n, n_vertices, &hull, err);
  if (st == CB_E_RANGE) st = cb_fail_in(err, st, "shape: cells of %g m are too large for it", cell);
  if (st == CB_OK) st = sim_shape_check_fans(&hull, cell, err);
  sim_hull_clear(&hull);
  return st;
}

cb_status sim_shape_tets(const sim_shape_body *body, double cell, sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  CB_TRY(sim_shape_check(body, err));
  CB_TRY(cb_check_range(cell, 1e-6, 1e3, "shape: cells", "m", err));
  sim_shape_field field;
  sim_lattice l;
  pile p = {.width = 4};
  double(*x)[3] = NULL;
  int n_vertices = 0;
  sim_shape_field_init(&field, body);
  cb_status st = sim_lattice_init(&l, &field, 0, cell, true, err);
  if (st == CB_OK) st = sim_lattice_stuff(&l, true, take_tet, &p, err);
  if (st == CB_OK && p.n == 0)
    st = cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too large: nothing of it is left", cell);
  if (st == CB_OK) st = compact(&l, p.v, 4 * p.n, &x, &n_vertices, err);
  sim_lattice_clear(&l);
  if (st == CB_OK) st = sim_tets_build((const sim_vec3 *)x, n_vertices, (const int(*)[4])p.v, p.n, out, err);
  if (st == CB_OK) st = check_closed((const int(*)[3])out->surface, out->n_surface, n_vertices, cell, err);
  if (st != CB_OK) sim_tets_clear(out);
  free(x);
  free(p.v);
  return st;
}

cb_status sim_shape_surface_raw(const sim_shape_field *field, double level, double cell,
                                sim_shape_surface *out, cb_err *err) {
  *out = (sim_shape_surface){0};
  sim_lattice l;
  pile p = {.width = 3};
  cb_status st = sim_lattice_init(&l, field, level, cell, false, err);
  p.lattice = &l;
  if (st == CB_OK) st = sim_lattice_stuff(&l, false, take_face, &p, err);
  if (st == CB_OK) {
    faces s = {p.n, l.n_vertices, (int(*)[3])p.v};
    st = drop_inner(&s, err);
    out->n_triangles = s.n;
    out->triangle = s.f;
  }
  if (st == CB_OK) st = compact(&l, p.v, 3 * out->n_triangles, &out->x_m, &out->n_vertices, err);
  sim_lattice_clear(&l);
  if (st == CB_OK)
    st = check_closed((const int(*)[3])out->triangle, out->n_triangles, out->n_vertices, cell, err);
  if (st != CB_OK) {
    out->triangle = (int(*)[3])p.v;
    sim_shape_surface_clear(out);
  }
  return st;
}

void sim_shape_surface_clear(sim_shape_surface *s) {
  free(s->x_m);
  free(s->triangle);
  *s = (sim_shape_surface){0};
}
