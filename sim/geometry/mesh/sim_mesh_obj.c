#include "sim_mesh_place.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_obj.h"
#include "sim_mesh.h"
#include "sim_vec.h"

#define MAX_BYTES ((size_t)1 << 31)
#define STANDS 1e-3 /* least length of the warp's projection on a triangle, relative to the warp */

sim_obj_options sim_obj_options_default(void) {
  return (sim_obj_options){.m_per_unit = 1, .texture_m_per_unit = 1, .warp = {1, 0, 0}};
}

static cb_status check_options(const sim_obj_options *opt, cb_err *err) {
  const double scale[] = {opt->m_per_unit, opt->texture_m_per_unit}, *w = opt->warp;
  for (int i = 0; i < 2; i++)
    if (!(scale[i] > 0 && isfinite(scale[i])))
      return cb_fail(err, CB_E_RANGE, "OBJ: %s = %g: must be > 0 and finite",
                     i ? "texture_m_per_unit" : "m_per_unit", scale[i]);
  double length = hypot(hypot(w[0], w[1]), w[2]);
  if (length > 0 && isfinite(length)) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "OBJ: warp = (%g, %g, %g): a finite direction was wanted", w[0], w[1],
                 w[2]);
}

/* ---- material co-ordinates ---- */

static cb_status corners_from_texture(const cb_obj *o, const char *name, double scale, double (*corner)[3][2],
                                      cb_err *err) {
  for (size_t t = 0; t < o->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      int i = o->triangle_texcoord[t][k];
      if (i < 0)
        return cb_fail(
            err, CB_E_PARSE,
            "%s:%d: a corner without texture co-ordinate, though the file has %zu: all or none were wanted",
            name, o->line[t], o->n_texcoords);
      corner[t][k][0] = scale * o->texcoord[i][0];
      corner[t][k][1] = scale * o->texcoord[i][1];
    }
  return CB_OK;
}

static bool is_flat(const cb_obj *o) {
  for (size_t i = 1; i < o->n_vertices; i++)
    if (o->vertex[i][2] != o->vertex[0][2]) return false;
  return true;
}

static void corners_from_plane(const cb_obj *o, double scale, double (*corner)[3][2]) {
  for (size_t t = 0; t < o->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 2; c++) corner[t][k][c] = scale * o->vertex[o->triangle[t][k]][c];
}

/* The two axes of a triangle's plane, warp first. Returns false if the warp is along its normal. */
static bool axes_of(const double normal[3], const double warp[3], double u[3], double v[3]) {
  double n2 = sim_dot(normal, normal), along = sim_dot(normal, warp) / n2;
  for (int k = 0; k < 3; k++) u[k] = warp[k] - along * normal[k];
  double length = sqrt(sim_dot(u, u));
  if (!(length > STANDS * sqrt(sim_dot(warp, warp)))) return false;
  for (int k = 0; k < 3; k++) u[k] /= length;
  sim_cross(normal, u, v);
  for (int k = 0; k < 3; k++) v[k] /= sqrt(n2);
  return true;
}

static cb_status corners_laid_flat(const cb_obj *o, const char *name, const sim_obj_options *opt,
                                   double (*corner)[3][2], cb_err *err) {
  for (size_t t = 0; t < o->n_triangles; t++) {
    double e[3][3] = {{0}}, normal[3], u[3], v[3];
    for (int k = 1; k < 3; k++)
      for (int c = 0; c < 3; c++)
        e[k][c] = opt->m_per_unit * (o->vertex[o->triangle[t][k]][c] - o->vertex[o->triangle[t][0]][c]);
    sim_cross(e[1], e[2], normal);
    memset(corner[t], 0, sizeof corner[t]);
    if (!(sim_dot(normal, normal) > 0)) continue; /* no area: sim_mesh_build says so */
    if (!axes_of(normal, opt->warp, u, v))
      return cb_fail(
          err, CB_E_RANGE,
          "%s:%d: the warp's direction (%g, %g, %g) stands on this face: texture co-ordinates or another "
          "direction were wanted",
          name, o->line[t], opt->warp[0], opt->warp[1], opt->warp[2]);
    for (int k = 1; k < 3; k++) {
      corner[t][k][0] = sim_dot(e[k], u);
      corner[t][k][1] = sim_dot(e[k], v);
    }
  }
  return CB_OK;
}

static cb_status find_corners(const cb_obj *o, const char *name, const sim_obj_options *opt,
                              double (*corner)[3][2], cb_err *err) {
  if (o->n_texcoords) return corners_from_texture(o, name, opt->texture_m_per_unit, corner, err);
  if (!is_flat(o)) return corners_laid_flat(o, name, opt, corner, err);
  corners_from_plane(o, opt->m_per_unit, corner);
  return CB_OK;
}

/* ---- reading ---- */

/* The arrays of a mesh from a file; first in the file's numbering, then in ours. */
typedef struct parts {
  double (*position)[3], (*corner)[3][2], (*sorted_corner)[3][2];
  int (*triangle)[3];
  int *order, *triangle_order;
} parts;

static cb_status parts_init(parts *p, const cb_obj *o, const char *name, cb_err *err) {
  *p = (parts){.position = malloc(o->n_vertices * sizeof *p->position),
               .corner = malloc(o->n_triangles * sizeof *p->corner),
               .sorted_corner = malloc(o->n_triangles * sizeof *p->sorted_corner),
               .triangle = malloc(o->n_triangles * sizeof *p->triangle),
               .order = malloc(o->n_vertices * sizeof *p->order),
               .triangle_order = malloc(o->n_triangles * sizeof *p->triangle_order)};
  if (p->position && p->corner && p->sorted_corner && p->triangle && p->order && p->triangle_order)
    return CB_OK;
  return cb_no_memory(err, "%s, %zu vertices", name, o->n_vertices);
}

static void parts_clear(parts *p) {
  free(p->position);
  free(p->corner);
  free(p->sorted_corner);
  free(p->triangle);
  free(p->order);
  free(p->triangle_order);
}

typedef struct place {
  double x[3];
  size_t vertex;
} place;

static int by_place(const void *a, const void *b) {
  const place *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
  return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Refuses two vertices in one place: a seam that nothing joins, at which the cloth would come apart. */
static cb_status check_places(const cb_obj *o, const char *name, cb_err *err) {
  place *all = malloc(o->n_vertices * sizeof *all);
  cb_status st = CB_OK;
  if (!all) return cb_no_memory(err, "%s, %zu vertices", name, o->n_vertices);
  for (size_t i = 0; i < o->n_vertices; i++) {
    memcpy(all[i].x, o->vertex[i], sizeof all[i].x);
    all[i].vertex = i;
  }
  qsort(all, o->n_vertices, sizeof *all, by_place);
  for (size_t i = 1; i < o->n_vertices && st == CB_OK; i++) {
    const double *x = all[i].x, *y = all[i - 1].x;
    if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2])
      st = cb_fail(err, CB_E_RANGE,
                   "%s: vertices %zu and %zu lie in one place, (%g, %g, %g): one vertex is wanted, or cloth "
                   "comes apart there",
                   name, all[i - 1].vertex + 1, all[i].vertex + 1, x[0], x[1], x[2]);
  }
  free(all);
  return st;
}

/* ---- T-junctions ---- */

#define ON_EDGE 1e-4 /* of an edge's length: a vertex so near to it lies on it */
#define ALONG 1e-2   /* sine of the angle between edges that run along each other */

/* Whether x lies between the ends of an edge. */
static bool lies_on(const double x[3], const double a[3], const double b[3]) {
  double edge[3], way[3], miss[3];
  sim_sub(b, a, edge);
  sim_sub(x, a, way);
  const double length2 = sim_dot(edge, edge), along = sim_dot(way, edge) / length2;
  if (!(along > ON_EDGE && along < 1 - ON_EDGE)) return false;
  memcpy(miss, way, sizeof miss);
  sim_add(miss, -along, edge);
  return sim_dot(miss, miss) < ON_EDGE * ON_EDGE * length2;
}

/* Whether a border edge at a vertex runs along border edge e. A sheet that only touches e with a corner has
 * none. */
static bool runs_along(const sim_mesh *m, int e, int vertex) {
  const sim_edge *edge = &m->edge[e];
  double along[3];
  sim_sub(m->position_m[edge->vertex[1]], m->position_m[edge->vertex[0]], along);
  for (int i = 0; i < m->n_edges; i++) {
    const int *end = m->edge[i].vertex;
    double other[3], across[3];
    if (m->edge[i].triangle[1] >= 0 || (end[0] != vertex && end[1] != vertex)) continue;
    sim_sub(m->position_m[end[1]], m->position_m[end[0]], other);
    sim_cross(along, other, across);
    if (sim_norm(across) < ALONG * sim_norm(along) * sim_norm(other)) return true;
  }
  return false;
}

/* The vertex at a border that lies on border edge e; NULL: none. at: n of them, by place. */
static const place *junction_at(const sim_mesh *m, int e, const place *at, size_t n) {
  const double *a = m->position_m[m->edge[e].vertex[0]], *b = m->position_m[m->edge[e].vertex[1]];
  const double from = fmin(a[0], b[0]), to = fmax(a[0], b[0]);
  double edge[3];
  sim_sub(b, a, edge);
  const double slack = ON_EDGE * sim_norm(edge);
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (at[middle].x[0] < from - slack)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < n && at[low].x[0] <= to + slack; low++)
    if (lies_on(at[low].x, a, b) && runs_along(m, e, (int)at[low].vertex)) return &at[low];
  return NULL;
}

/* Refuses a vertex at a border that lies on a border edge of another triangle, and belongs to it only by its
 * place: the cloth would come apart there. */
static cb_status check_junctions(const sim_mesh *m, const char *name, cb_err *err) {
  place *at = malloc((size_t)m->n_vertices * sizeof *at);
  bool *border = calloc((size_t)m->n_vertices, sizeof *border);
  cb_status st = at && border ? CB_OK : cb_no_memory(err, "%s, %d vertices", name, m->n_vertices);
  size_t n = 0;
  for (int e = 0; st == CB_OK && e < m->n_edges; e++)
    for (int k = 0; k < 2 && m->edge[e].triangle[1] < 0; k++) border[m->edge[e].vertex[k]] = true;
  for (int i = 0; st == CB_OK && i < m->n_vertices; i++) {
    if (!border[i]) continue;
    memcpy(at[n].x, m->position_m[i], sizeof at[n].x);
    at[n++].vertex = (size_t)i;
  }
  if (st == CB_OK) qsort(at, n, sizeof *at, by_place);
  for (int e = 0; st == CB_OK && e < m->n_edges; e++) {
    const place *p = m->edge[e].triangle[1] < 0 ? junction_at(m, e, at, n) : NULL;
    if (p)
      st =
          cb_fail(err, CB_E_RANGE,
                  "%s: vertex %zu at (%g, %g, %g) mm lies on the edge between vertices %d and %d, whose face "
                  "does not have it: a corner of that face is wanted there, or cloth comes apart",
                  name, p->vertex + 1, 1e3 * p->x[0], 1e3 * p->x[1], 1e3 * p->x[2], m->edge[e].vertex[0] + 1,
                  m->edge[e].vertex[1] + 1);
  }
  free(at);
  free(border);
  return st;
}

/* Builds the mesh as it is in the file, only so that errors name its lines and numbers. */
static cb_status check_file(const cb_obj *o, const char *name, const sim_obj_options *opt, parts *p,
                            cb_err *err) {
  const sim_mesh_source source = {.file = name, .line = o->line};
  sim_mesh m;
  for (size_t i = 0; i < o->n_vertices; i++)
    for (int c = 0; c < 3; c++) p->position[i][c] = opt->m_per_unit * o->vertex[i][c];
  CB_TRY(find_corners(o, name, opt, p->corner, err));
  CB_TRY(sim_mesh_build_from(&source, (const sim_vec3 *)p->position, (int)o->n_vertices,
                             (const int(*)[3])o->triangle, (const double(*)[3][2])p->corner,
                             (int)o->n_triangles, &m, err));
  cb_status st = check_places(o, name, err);
  if (st == CB_OK) st = check_junctions(&m, name, err);
  sim_mesh_clear(&m);
  return st;
}

static cb_status make_mesh(const cb_obj *o, const char *name, const sim_obj_options *opt, parts *p,
                           sim_mesh *out, cb_err *err) {
  CB_TRY(check_file(o, name, opt, p, err));
  int nv = (int)o->n_vertices, nt = (int)o->n_triangles;
  CB_TRY(sim_mesh_order((const int(*)[3])o->triangle, nt, nv, p->order, p->triangle_order, p->triangle, err));
  for (int i = 0; i < nv; i++)
    for (int c = 0; c < 3; c++) p->position[i][c] = opt->m_per_unit * o->vertex[p->order[i]][c];
  for (int t = 0; t < nt; t++)
    memcpy(p->sorted_corner[t], p->corner[p->triangle_order[t]], sizeof p->corner[t]);
  return sim_mesh_build((const sim_vec3 *)p->position, nv, (const int(*)[3])p->triangle,
                        (const double(*)[3][2])p->sorted_corner, nt, out, err);
}

static cb_status mesh_of(const cb_obj *o, const char *name, const sim_obj_options *opt, sim_mesh *out,
                         int **file_vertex, cb_err *err) {
  parts p;
  CB_TRY(check_options(opt, err));
  cb_status st = parts_init(&p, o, name, err);
  if (st == CB_OK) st = make_mesh(o, name, opt, &p, out, err);
  if (st == CB_OK && file_vertex) {
    *file_vertex = p.order;
    p.order = NULL;
  }
  parts_clear(&p);
  return st;
}

cb_status sim_mesh_obj_parse(const char *text, size_t n, const char *name, const sim_obj_options *opt,
                             sim_mesh *out, int **file_vertex, cb_err *err) {
  cb_obj o;
  *out = (sim_mesh){0};
  if (file_vertex) *file_vertex = NULL;
  cb_status st = cb_obj_parse(text, n, name, &o, err);
  if (st == CB_OK) st = mesh_of(&o, name, opt, out, file_vertex, err);
  cb_obj_clear(&o);
  return st;
}

cb_status sim_mesh_obj_read(const char *path, const sim_obj_options *opt, sim_mesh *out, int **file_vertex,
                            cb_err *err) {
  cb_obj o;
  *out = (sim_mesh){0};
  if (file_vertex) *file_vertex = NULL;
  cb_status st = cb_obj_read(path, MAX_BYTES, &o, err);
  if (st == CB_OK) st = mesh_of(&o, path, opt, out, file_vertex, err);
  cb_obj_clear(&o);
  return st;
}

/* ---- writing ---- */

#define LINE_MAX_BYTES                                                                                 \
  80 /* "v" with three numbers of nine digits, "vt" with two of seventeen, "f" with six indices of ten \
        digits */

typedef struct writer {
  char *text;
  size_t n;
  int *texcoord; /* of each corner, from 1 */
} writer;

/* Corners of one vertex mostly agree, so a texture co-ordinate is written only if it differs from the last
 * one. */
static void write_texcoords(const sim_mesh *m, writer *w) {
  int n = 0;
  for (int v = 0; v < m->n_vertices; v++) {
    const double *last = NULL;
    for (int i = m->fan_start[v]; i < m->fan_start[v + 1]; i++) {
      const double *c = m->corner_m[m->fan[i] / 3][m->fan[i] % 3];
      if (!last || c[0] != last[0] || c[1] != last[1]) {
        w->n += (size_t)sprintf(w->text + w->n, "vt %.17g %.17g\n", c[0], c[1]);
        n++;
      }
      w->texcoord[m->fan[i]] = n;
      last = c;
    }
  }
}

static void write_text(const sim_mesh *m, const double (*x)[3], writer *w) {
  for (int v = 0; v < m->n_vertices; v++)
    w->n += (size_t)sprintf(w->text + w->n, "v %.9g %.9g %.9g\n", x[v][0], x[v][1], x[v][2]);
  write_texcoords(m, w);
  for (int t = 0; t < m->n_triangles; t++) {
    const int *v = m->triangle[t], *c = &w->texcoord[3 * (size_t)t];
    w->n += (size_t)sprintf(w->text + w->n, "f %d/%d %d/%d %d/%d\n", v[0] + 1, c[0], v[1] + 1, c[1], v[2] + 1,
                            c[2]);
  }
}

cb_status sim_mesh_obj_write(const sim_mesh *m, const double (*position_m)[3], const char *path,
                             cb_err *err) {
  size_t lines = (size_t)m->n_vertices + 4 * (size_t)m->n_triangles;
  writer w = {.text = malloc(lines * LINE_MAX_BYTES),
              .texcoord = calloc(3 * (size_t)m->n_triangles, sizeof *w.texcoord)};
  cb_status st;
  if (w.text && w.texcoord) {
    write_text(m, position_m, &w);
    st = cb_file_write(path, w.text, w.n, err);
  } else {
    st = cb_no_memory(err, "%s, %zu lines", path, lines);
  }
  free(w.text);
  free(w.texcoord);
  return st;
}
