/* Cloth that is stretched too far parts at an end of the edge: across it, the end becomes two vertices, each
 * with the triangles on its side. */
#include <stdlib.h>
#include <string.h>

#include "sim_wet_cloth_impl.h"
#include "sim_vec.h"

#define APART 0.01 /* of the edge: the two begin beside each other, so that they can be told apart */

typedef struct tear {
  sim_wet_cloth *s;
  int n; /* vertices, with the new ones */
  int (*triangle)[3];
  int *from;  /* per new vertex: who it was */
  bool *busy; /* per old vertex: something near it has torn already */
} tear;

/* Of the corners at v: how many lie on either side of the plane through it across `along`; those beyond
 * become `fresh` (-1: none do). */
static void sides(const tear *t, int v, const double along[3], int fresh, int count[2]) {
  const sim_mesh *m = &t->s->mesh;
  for (int c = m->fan_start[v]; c < m->fan_start[v + 1]; c++) {
    const int triangle = m->fan[c] / 3, corner = m->fan[c] % 3;
    double middle[3] = {0};
    for (int k = 0; k < 3; k++) sim_add(middle, 1.0 / 3, t->s->x[m->triangle[triangle][k]]);
    sim_add(middle, -1, t->s->x[v]);
    const bool beyond = sim_dot(middle, along) > 0;
    count[beyond]++;
    if (beyond && fresh >= 0) t->triangle[triangle][corner] = fresh;
  }
}

static bool near_busy(const tear *t, int v, bool mark) {
  const sim_mesh *m = &t->s->mesh;
  bool busy = false;
  for (int c = m->fan_start[v]; c < m->fan_start[v + 1]; c++)
    for (int k = 0; k < 3; k++) {
      const int w = m->triangle[m->fan[c] / 3][k];
      busy = busy || t->busy[w];
      if (mark) t->busy[w] = true;
    }
  return busy;
}

static bool part_vertex(tear *t, int v, const double along[3]) {
  int count[2] = {0};
  if (t->s->held[v] || near_busy(t, v, false)) return false;
  sides(t, v, along, -1, count);
  if (count[0] == 0 || count[1] == 0) return false;
  sides(t, v, along, t->n, count);
  near_busy(t, v, true);
  t->from[t->n++ - t->s->n] = v;
  return true;
}

static double overstretch(const sim_wet_cloth *s, int e, double along[3]) {
  const sim_stretch *c = &s->stretch[e];
  sim_sub(s->x[c->vertex[1]], s->x[c->vertex[0]], along);
  return sim_norm(along) / c->length_m - 1 - s->setup.tear_strain;
}

/* v and its new twin step aside, towards their triangles. */
static void step_aside(tear *t, int v, int twin, const double along[3]) {
  memcpy(t->s->x[twin], t->s->x[v], sizeof t->s->x[v]);
  memcpy(t->s->v[twin], t->s->v[v], sizeof t->s->v[v]);
  memcpy(t->s->begin[twin], t->s->x[v], sizeof t->s->x[v]);
  t->s->held[twin] = false;
  sim_add(t->s->x[twin], APART, along);
  sim_add(t->s->x[v], -APART, along);
}

static bool grow_array(void *slot, size_t n, size_t size) {
  void *old, *more;
  memcpy(&old, slot, sizeof old);
  more = realloc(old, n * size);
  if (more) memcpy(slot, &more, sizeof more);
  return more != NULL;
}

/* The mesh with the new vertices: where they were made is where their old one was. */
static cb_status remake_mesh(tear *t, cb_err *err) {
  sim_wet_cloth *s = t->s;
  sim_mesh old = s->mesh, fresh;
  double(*made)[3] = malloc((size_t)t->n * sizeof *made);
  if (!made) return cb_no_memory(err, "torn sheet of %d vertices", t->n);
  memcpy(made, old.position_m, (size_t)s->n * sizeof *made);
  for (int i = s->n; i < t->n; i++) memcpy(made[i], old.position_m[t->from[i - s->n]], sizeof *made);
  const cb_status st = sim_mesh_build((const sim_vec3 *)made, t->n, (const int(*)[3])t->triangle,
                                      (const double(*)[3][2])old.corner_m, old.n_triangles, &fresh, err);
  free(made);
  if (st != CB_OK) return st;
  sim_wet_cloth_unbuild(s);
  sim_mesh_clear(&s->mesh);
  s->mesh = fresh;
  CB_TRY(sim_wet_cloth_build(s, err));
  memcpy(s->begin, s->x, (size_t)s->n * sizeof *s->x);
  return CB_OK;
}

static cb_status tear_all(tear *t, int *torn, cb_err *err) {
  sim_wet_cloth *s = t->s;
  const size_t room = (size_t)s->n * 2;
  if (!grow_array(&s->x, room, sizeof *s->x) || !grow_array(&s->v, room, sizeof *s->v) ||
      !grow_array(&s->held, room, sizeof *s->held) || !grow_array(&s->begin, room, sizeof *s->begin))
    return cb_no_memory(err, "torn sheet of %d vertices", s->n);
  memcpy(t->triangle, s->mesh.triangle, (size_t)s->mesh.n_triangles * sizeof *t->triangle);
  for (int e = 0; e < s->mesh.n_edges; e++) {
    double along[3], back[3];
    if (overstretch(s, e, along) <= 0) continue;
    for (int k = 0; k < 3; k++) back[k] = -along[k];
    const int *v = s->stretch[e].vertex;
    if (part_vertex(t, v[0], along))
      step_aside(t, v[0], t->n - 1, along);
    else if (part_vertex(t, v[1], back))
      step_aside(t, v[1], t->n - 1, back);
  }
  *torn += t->n - s->n;
  return t->n > s->n ? remake_mesh(t, err) : CB_OK;
}

static bool stretched(const sim_wet_cloth *s) {
  double along[3];
  for (int e = 0; e < s->mesh.n_edges; e++)
    if (overstretch(s, e, along) > 0) return true;
  return false;
}

cb_status sim_wet_cloth_tear(sim_wet_cloth *s, int *torn, cb_err *err) {
  if (s->setup.tear_strain == 0 || !stretched(s)) return CB_OK;
  tear t = {.s = s, .n = s->n, .triangle = malloc((size_t)s->mesh.n_triangles * sizeof *t.triangle)};
  t.from = malloc((size_t)s->n * sizeof *t.from);
  t.busy = calloc((size_t)s->n, sizeof *t.busy);
  const cb_status st = t.triangle && t.from && t.busy ? tear_all(&t, torn, err)
                                                      : cb_no_memory(err, "torn sheet of %d vertices", s->n);
  free(t.triangle);
  free(t.from);
  free(t.busy);
  return st;
}
