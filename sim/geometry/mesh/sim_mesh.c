#include "sim_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mesh_place.h"

/* A triangle whose area is below this fraction of its longest edge's square has no area: the rest is
 * rounding. */
#define NO_AREA 1e-10

#define MAX_TRIANGLES ((1 << 30) / 3)

static const int next_corner[] = {1, 2, 0};

void sim_mesh_clear(sim_mesh *m) {
  free(m->position_m);
  free(m->triangle);
  free(m->corner_m);
  free(m->area_m2);
  free(m->vertex_area_m2);
  free(m->edge);
  free(m->triangle_edge);
  free(m->fan_start);
  free(m->fan);
  *m = (sim_mesh){0};
}

typedef struct place {
  char text[300];
} place;

static place place_of(const sim_mesh_source *s, int triangle) {
  place p;
  if (s) {
    (void)snprintf(p.text, sizeof p.text, "%s:%d", s->file, s->line[triangle]);
  } else {
    (void)snprintf(p.text, sizeof p.text, "triangle %d", triangle);
  }
  return p;
}

/* The vertex's number in messages: files count from 1. */
static int named(const sim_mesh_source *s, int vertex) { return s ? vertex + 1 : vertex; }

static place place_of_vertex(const sim_mesh_source *s, int vertex) {
  place p;
  (void)snprintf(p.text, sizeof p.text, "%s%svertex %d", s ? s->file : "", s ? ": " : "", named(s, vertex));
  return p;
}

/* ---- input checks ---- */

static cb_status check_vertices(const double (*position)[3], int n, const sim_mesh_source *s, cb_err *err) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(position[i][k]))
        return cb_fail(err, CB_E_NUM, "%s: co-ordinate %d is %g: must be finite", place_of_vertex(s, i).text,
                       k, position[i][k]);
  return CB_OK;
}

/* Twice the area, and the longest edge's square. */
static double doubled_area(const double c[3][2], double *longest2) {
  double ax = c[1][0] - c[0][0], ay = c[1][1] - c[0][1], bx = c[2][0] - c[0][0], by = c[2][1] - c[0][1];
  double cx = bx - ax, cy = by - ay;
  *longest2 = fmax(ax * ax + ay * ay, fmax(bx * bx + by * by, cx * cx + cy * cy));
  return ax * by - ay * bx;
}

static cb_status check_triangle(const sim_mesh *m, int t, const sim_mesh_source *s, cb_err *err) {
  const int *v = m->triangle[t];
  for (int k = 0; k < 3; k++)
    if (v[k] < 0 || v[k] >= m->n_vertices)
      return cb_fail(err, CB_E_RANGE, "%s: vertex %d: must be 0 to %d", place_of(s, t).text, v[k],
                     m->n_vertices - 1);
  if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
    return cb_fail(err, CB_E_RANGE, "%s: its vertices are %d, %d and %d: three different ones were wanted",
                   place_of(s, t).text, named(s, v[0]), named(s, v[1]), named(s, v[2]));
  double longest2, area = 0.5 * doubled_area((const double(*)[2])m->corner_m[t], &longest2);
  if (!isfinite(area))
    return cb_fail(err, CB_E_NUM, "%s: its material co-ordinates give it no finite area",
                   place_of(s, t).text);
  if (!(fabs(area) > NO_AREA * longest2))
    return cb_fail(err, CB_E_RANGE, "%s: it has no area in the material plane", place_of(s, t).text);
  if (area < 0)
    return cb_fail(err, CB_E_RANGE,
                   "%s: it is turned over in the material plane: its corners must run counter-clockwise",
                   place_of(s, t).text);
  m->area_m2[t] = area;
  return CB_OK;
}

/* ---- connectivity ---- */

/* The half edge opposite to corner k of triangle t is number 3 t + k, and runs from the next corner to the
 * one after. */
static int half_start(const sim_mesh *m, int half) { return m->triangle[half / 3][next_corner[half % 3]]; }
static int half_end(const sim_mesh *m, int half) {
  return m->triangle[half / 3][next_corner[next_corner[half % 3]]];
}
static int half_lower(const sim_mesh *m, int half) {
  int a = half_start(m, half), b = half_end(m, half);
  return a < b ? a : b;
}
static int half_higher(const sim_mesh *m, int half) {
  int a = half_start(m, half), b = half_end(m, half);
  return a < b ? b : a;
}
static int corner_vertex(const sim_mesh *m, int corner) { return m->triangle[corner / 3][corner % 3]; }

/* Distributes `from` (NULL: 0, 1, 2 ...) over `to` by key; equals keep their order. start (n_vertices + 1)
 * receives where each key begins. */
static void sort_by(const sim_mesh *m, int (*key)(const sim_mesh *, int), const int *from, int *to,
                    int *start) {
  int n = 3 * m->n_triangles;
  memset(start, 0, ((size_t)m->n_vertices + 1) * sizeof *start);
  for (int i = 0; i < n; i++) start[key(m, i) + 1]++;
  for (int v = 0; v < m->n_vertices; v++) start[v + 1] += start[v];
  for (int i = 0; i < n; i++) {
    int item = from ? from[i] : i;
    to[start[key(m, item)]++] = item;
  }
  memmove(start + 1, start, (size_t)m->n_vertices * sizeof *start);
  start[0] = 0;
}

static cb_status join_halves(const sim_mesh *m, const int *half, int n, const sim_mesh_source *s, sim_edge *e,
                             cb_err *err) {
  int a = half_start(m, half[0]), b = half_end(m, half[0]);
  if (n > 2)
    return cb_fail(err, CB_E_RANGE, "%s: the edge of vertices %d and %d already has two triangles",
                   place_of(s, half[2] / 3).text, named(s, half_lower(m, half[0])),
                   named(s, half_higher(m, half[0])));
  if (n == 2 && half_start(m, half[1]) == a)
    return cb_fail(err, CB_E_RANGE,
                   "%s: it turns against its neighbour over the edge of vertices %d and %d, or repeats it",
                   place_of(s, half[1] / 3).text, named(s, half_lower(m, half[0])),
                   named(s, half_higher(m, half[0])));
  *e = (sim_edge){.vertex = {a, b}, .triangle = {half[0] / 3, -1}, .opposite = {half[0] % 3, -1}};
  if (n == 2) {
    e->triangle[1] = half[1] / 3;
    e->opposite[1] = half[1] % 3;
  }
  return CB_OK;
}

static int equal_run(const sim_mesh *m, const int *half, int n) {
  int k = 1;
  while (k < n && half_lower(m, half[k]) == half_lower(m, half[0]) &&
         half_higher(m, half[k]) == half_higher(m, half[0]))
    k++;
  return k;
}

/* From the half edges, sorted by their lower, then their higher vertex, then their number. */
static cb_status make_edges(sim_mesh *m, const int *half, const sim_mesh_source *s, cb_err *err) {
  int n = 3 * m->n_triangles;
  for (int i = 0; i < n; i += equal_run(m, half + i, n - i)) m->n_edges++;
  m->edge = calloc((size_t)m->n_edges, sizeof *m->edge);
  if (!m->edge) return cb_no_memory(err, "mesh, %d edges", m->n_edges);
  for (int i = 0, e = 0; i < n; e++) {
    int run = equal_run(m, half + i, n - i);
    CB_TRY(join_halves(m, half + i, run, s, &m->edge[e], err));
    for (; run > 0; run--, i++) m->triangle_edge[half[i] / 3][half[i] % 3] = e;
  }
  return CB_OK;
}

static cb_status make_fans(sim_mesh *m, const sim_mesh_source *s, cb_err *err) {
  sort_by(m, corner_vertex, NULL, m->fan, m->fan_start);
  for (int v = 0; v < m->n_vertices; v++) {
    if (m->fan_start[v] == m->fan_start[v + 1])
      return cb_fail(err, CB_E_RANGE, "%s belongs to no triangle", place_of_vertex(s, v).text);
    double sum = 0;
    for (int i = m->fan_start[v]; i < m->fan_start[v + 1]; i++) sum += m->area_m2[m->fan[i] / 3];
    m->vertex_area_m2[v] = sum / 3;
  }
  return CB_OK;
}

/* Allocates one item more than needed, so that an empty mesh has arrays, too. */
static cb_status allocate_mesh(sim_mesh *m, cb_err *err) {
  size_t nv = (size_t)m->n_vertices + 1, nt = (size_t)m->n_triangles + 1;
  m->position_m = malloc(nv * sizeof *m->position_m);
  m->triangle = malloc(nt * sizeof *m->triangle);
  m->corner_m = malloc(nt * sizeof *m->corner_m);
  m->area_m2 = calloc(nt, sizeof *m->area_m2);
  m->vertex_area_m2 = malloc(nv * sizeof *m->vertex_area_m2);
  m->triangle_edge = calloc(nt, sizeof *m->triangle_edge);
  m->fan_start = calloc(nv, sizeof *m->fan_start);
  m->fan = calloc(3 * nt, sizeof *m->fan);
  if (m->position_m && m->triangle && m->corner_m && m->area_m2 && m->vertex_area_m2 && m->triangle_edge &&
      m->fan_start && m->fan)
    return CB_OK;
  return cb_no_memory(err, "mesh, %d vertices and %d triangles", m->n_vertices, m->n_triangles);
}

/* fan and fan_start serve as scratch for the sort of the half edges before they are filled. */
static cb_status connect_triangles(sim_mesh *m, const sim_mesh_source *s, cb_err *err) {
  int *half = calloc(3 * (size_t)m->n_triangles, sizeof *half);
  if (!half) return cb_no_memory(err, "mesh, the edges of %d triangles", m->n_triangles);
  sort_by(m, half_higher, NULL, m->fan, m->fan_start);
  sort_by(m, half_lower, m->fan, half, m->fan_start);
  cb_status st = make_edges(m, half, s, err);
  free(half);
  CB_TRY(st);
  return make_fans(m, s, err);
}

static cb_status fill_mesh(sim_mesh *m, const double (*position)[3], const int (*triangle)[3],
                           const double (*corner)[3][2], const sim_mesh_source *s, cb_err *err) {
  CB_TRY(allocate_mesh(m, err));
  memcpy(m->position_m, position, (size_t)m->n_vertices * sizeof *m->position_m);
  memcpy(m->triangle, triangle, (size_t)m->n_triangles * sizeof *m->triangle);
  memcpy(m->corner_m, corner, (size_t)m->n_triangles * sizeof *m->corner_m);
  CB_TRY(check_vertices(position, m->n_vertices, s, err));
  for (int t = 0; t < m->n_triangles; t++) CB_TRY(check_triangle(m, t, s, err));
  return connect_triangles(m, s, err);
}

cb_status sim_mesh_empty(sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){.edge = malloc(sizeof *out->edge)};
  cb_status st = out->edge ? allocate_mesh(out, err) : cb_no_memory(err, "empty mesh");
  if (st != CB_OK) sim_mesh_clear(out);
  return st;
}

cb_status sim_mesh_build_from(const sim_mesh_source *s, const double (*position_m)[3], int n_vertices,
                              const int (*triangle)[3], const double (*corner_m)[3][2], int n_triangles,
                              sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){.n_vertices = n_vertices, .n_triangles = n_triangles};
  if (n_vertices < 3 || n_triangles < 1 || n_triangles > MAX_TRIANGLES) {
    *out = (sim_mesh){0};
    return cb_fail(err, CB_E_RANGE,
                   "%s: %d vertices and %d triangles: at least 3 and 1, at most %d triangles were wanted",
                   s ? s->file : "mesh", n_vertices, n_triangles, MAX_TRIANGLES);
  }
  cb_status st = fill_mesh(out, position_m, triangle, corner_m, s, err);
  if (st != CB_OK) sim_mesh_clear(out);
  return st;
}

cb_status sim_mesh_build(const double (*position_m)[3], int n_vertices, const int (*triangle)[3],
                         const double (*corner_m)[3][2], int n_triangles, sim_mesh *out, cb_err *err) {
  return sim_mesh_build_from(NULL, position_m, n_vertices, triangle, corner_m, n_triangles, out, err);
}
