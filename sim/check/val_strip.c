#include "val_strip_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The free strip's vertices and triangles, then the clamp's. */
typedef struct draft {
  int n_vertices, n_triangles;
  int *copy; /* of a vertex, into the clamp; -1: none */
  double (*position)[3];
  int (*triangle)[3];
  double (*corner)[3][2];
} draft;

static void draft_clear(draft *d) {
  free(d->copy);
  free(d->position);
  free(d->triangle);
  free(d->corner);
}

static cb_status draft_init(const sim_mesh *m, draft *d, cb_err *err) {
  size_t vertices = 2 * (size_t)m->n_vertices, triangles = (size_t)m->n_triangles + 2 * (size_t)m->n_edges;
  d->n_vertices = m->n_vertices;
  d->n_triangles = m->n_triangles;
  d->copy = calloc((size_t)m->n_vertices, sizeof *d->copy);
  d->position = calloc(vertices, sizeof *d->position);
  d->triangle = calloc(triangles, sizeof *d->triangle);
  d->corner = calloc(triangles, sizeof *d->corner);
  if (!d->copy || !d->position || !d->triangle || !d->corner)
    return cb_no_memory(err, "strip of %d vertices", m->n_vertices);
  for (int i = 0; i < m->n_vertices; i++) d->copy[i] = -1;
  memcpy(d->position, m->position_m, (size_t)m->n_vertices * sizeof *d->position);
  memcpy(d->triangle, m->triangle, (size_t)m->n_triangles * sizeof *d->triangle);
  memcpy(d->corner, m->corner_m, (size_t)m->n_triangles * sizeof *d->corner);
  return CB_OK;
}

static int copied(draft *d, int vertex, double shift_m) {
  if (d->copy[vertex] < 0) {
    d->copy[vertex] = d->n_vertices++;
    memcpy(d->position[d->copy[vertex]], d->position[vertex], sizeof *d->position);
    d->position[d->copy[vertex]][0] -= shift_m;
  }
  return d->copy[vertex];
}

static void put_triangle(draft *d, int a, int b, int c, double warp_rad) {
  const int v[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    const double *p = d->position[v[k]];
    d->triangle[d->n_triangles][k] = v[k];
    d->corner[d->n_triangles][k][0] = cos(warp_rad) * p[0] + sin(warp_rad) * p[1];
    d->corner[d->n_triangles][k][1] = -sin(warp_rad) * p[0] + cos(warp_rad) * p[1];
  }
  d->n_triangles++;
}

/* Behind every edge of the end at x_m a quad; the edge's triangle[0] turns the strip to its left. */
static void put_clamp(const sim_mesh *m, const sim_rectangle *shape, double x_m, double slack_m, draft *d) {
  for (int e = 0; e < m->n_edges; e++) {
    int a = m->edge[e].vertex[0], b = m->edge[e].vertex[1];
    if (m->edge[e].triangle[1] >= 0 || fabs(m->position_m[a][0] - x_m) > slack_m ||
        fabs(m->position_m[b][0] - x_m) > slack_m)
      continue;
    double depth_m = m->position_m[a][1] - m->position_m[b][1]; /* < 0 at the far end */
    int a2 = copied(d, a, depth_m), b2 = copied(d, b, depth_m);
    put_triangle(d, b, a, a2, shape->warp_rad);
    put_triangle(d, b, a2, b2, shape->warp_rad);
  }
}

static cb_status mark_ends(const sim_rectangle *shape, double slack_m, val_strip *s, cb_err *err) {
  size_t n = (size_t)s->mesh.n_vertices;
  s->clamped = calloc(n, sizeof *s->clamped);
  s->tip = calloc(n, sizeof *s->tip);
  if (!s->clamped || !s->tip) return cb_no_memory(err, "strip of %d vertices", s->mesh.n_vertices);
  for (size_t i = 0; i < n; i++) {
    s->clamped[i] = s->mesh.position_m[i][0] < slack_m;
    s->tip[i] = s->mesh.position_m[i][0] > shape->length_m - slack_m;
    s->n_tip += s->tip[i];
  }
  return CB_OK;
}

cb_status val_strip_init_clamped(const sim_rectangle *shape, int clamps, val_strip *out, cb_err *err) {
  *out = (val_strip){0};
  sim_mesh strip;
  CB_TRY(sim_mesh_rectangle(shape, &strip, err));
  double slack_m = 1e-9 * shape->length_m;
  draft d = {0};
  cb_status st = CB_OK;
  CB_GOTO(draft_init(&strip, &d, err));
  for (int k = 0; k < clamps; k++) put_clamp(&strip, shape, k * shape->length_m, slack_m, &d);
  CB_GOTO(sim_mesh_build((const sim_vec3 *)d.position, d.n_vertices, (const int(*)[3])d.triangle,
                         (const double(*)[3][2])d.corner, d.n_triangles, &out->mesh, err));
  CB_GOTO(mark_ends(shape, slack_m, out, err));
done:
  draft_clear(&d);
  sim_mesh_clear(&strip);
  return st;
}

cb_status val_strip_init(const sim_rectangle *shape, val_strip *out, cb_err *err) {
  return val_strip_init_clamped(shape, 1, out, err);
}

void val_strip_clear(val_strip *s) {
  sim_mesh_clear(&s->mesh);
  free(s->clamped);
  free(s->tip);
  *s = (val_strip){0};
}

cb_status val_held_init(const val_strip *s, const sim_material *material, val_held *out, cb_err *err) {
  return val_held_init_under(s, material, 0, out, err);
}

cb_status val_held_init_under(const val_strip *s, const sim_material *material, double gravity_m_per_s2,
                              val_held *out, cb_err *err) {
  size_t n = (size_t)s->mesh.n_vertices;
  *out = (val_held){.gripped = calloc(n, sizeof *out->gripped), .force_N = calloc(n, sizeof *out->force_N)};
  if (!out->gripped || !out->force_N) return cb_no_memory(err, "strip of %d vertices", s->mesh.n_vertices);
  for (size_t i = 0; i < n; i++) out->gripped[i] = s->clamped[i] || s->tip[i];
  sim_cloth_setup setup = sim_cloth_setup_default(&s->mesh, material);
  setup.gripped = out->gripped;
  setup.gravity_m_per_s2[2] = -gravity_m_per_s2;
  return sim_cloth_new(&setup, &out->cloth, err);
}

void val_held_clear(val_held *h) {
  sim_cloth_free(h->cloth);
  free(h->gripped);
  free(h->force_N);
  *h = (val_held){0};
}

void val_strip_tip_mean(const val_strip *s, const double (*x)[3], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++)
    for (int k = 0; s->tip[i] && k < 3; k++) out[k] += x[i][k] / s->n_tip;
}

double val_strip_depth_m(const val_strip *s, double length_m, double edge_m, const double (*x)[3]) {
  double n = 0, d2 = 0, d4 = 0, z = 0, zd2 = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const double d = (s->mesh.position_m[i][0] - length_m / 2) / edge_m;
    if (fabs(d) > 2.01) continue;
    n++, d2 += d * d, d4 += d * d * d * d, z += x[i][2], zd2 += x[i][2] * d * d;
  }
  return -(z * d4 - zd2 * d2) / (n * d4 - d2 * d2);
}

cb_status val_pattern_parse(const char *name, sim_pattern *out, cb_err *err) {
  if (strcmp(name, "regular") == 0) name = sim_pattern_text[SIM_PATTERN_EQUILATERAL];
  for (int p = 0; p < SIM_PATTERN_COUNT; p++)
    if (strcmp(name, sim_pattern_text[p]) == 0) {
      *out = (sim_pattern)p;
      return CB_OK;
    }
  return cb_fail(err, CB_E_ARG, "mesh '%s': regular, right, alternating, equilateral or irregular was wanted",
                 name);
}
