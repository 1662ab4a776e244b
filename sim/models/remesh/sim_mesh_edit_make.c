/* From a sheet into a mesh under edit and back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mesh.h"
#include "sim_mesh_edit.h"
#include "sim_remesh_state.h"

#define SAME 1e-9 /* of the triangle's extent: one place in the cloth */

void sim_mesh_edit_clear(sim_mesh_edit *p) {
  free(p->vertex);
  free(p->triangle);
  *p = (sim_mesh_edit){0};
}

/* ---- in ---- */

static void take_vertex(const sim_remesh_state *s, int i, const double metric[3], sim_patch_vertex *v) {
  const sim_mesh *m = &s->mesh;
  const int corner = m->fan[m->fan_start[i]];
  *v = (sim_patch_vertex){.at = corner / 3,
                          .from = i,
                          .gripped = s->gripped[i],
                          .load_kg = s->load_kg[i],
                          .mass_kg = s->load_kg[i]};
  memcpy(v->cloth_m, m->corner_m[corner / 3][corner % 3], sizeof v->cloth_m);
  memcpy(v->made_m, m->position_m[i], sizeof v->made_m);
  memcpy(v->x_m, s->x_m[i], sizeof v->x_m);
  memcpy(v->v_m_per_s, s->v_m_per_s[i], sizeof v->v_m_per_s);
  memcpy(v->metric, metric, sizeof v->metric);
}

static void take_triangle(const sim_remesh_state *s, int t, sim_mesh_edit *p) {
  const sim_mesh *m = &s->mesh;
  sim_patch_triangle *to = &p->triangle[t];
  *to = (sim_patch_triangle){.stamp = 0};
  memcpy(to->vertex, m->triangle[t], sizeof to->vertex);
  memcpy(to->history, s->history[t], sizeof to->history);
  for (int k = 0; k < 3; k++) {
    const sim_edge *e = &m->edge[m->triangle_edge[t][k]];
    to->neighbour[k] = e->triangle[0] == t ? e->triangle[1] : e->triangle[0];
    p->vertex[to->vertex[k]].mass_kg += p->density_kg_per_m2 * m->area_m2[t] / 3;
  }
}

static cb_status check_vertex(const sim_remesh_state *s, const sim_mesh_edit *p, int i, cb_err *err) {
  const sim_mesh *m = &s->mesh;
  const double *own = p->vertex[i].cloth_m, *f = p->vertex[i].metric;
  if (!(isfinite(f[0] + f[1] + f[2]) && f[0] > 0 && f[0] * f[2] > f[1] * f[1]))
    return cb_fail(err, CB_E_NUM,
                   "remesh: metric of vertex %d is %g, %g, %g 1/m2: finite and positive definite was wanted",
                   i, f[0], f[1], f[2]);
  for (int j = m->fan_start[i]; j < m->fan_start[i + 1]; j++) {
    const double *there = m->corner_m[m->fan[j] / 3][m->fan[j] % 3];
    if (hypot(there[0] - own[0], there[1] - own[1]) > SAME * sqrt(m->area_m2[m->fan[j] / 3]))
      return cb_fail(err, CB_E_RANGE,
                     "remesh: vertex %d has several places in the cloth: cloth without seams was wanted", i);
  }
  int corner[SIM_RING], n = sim_mesh_edit_ring(p, i, corner), fan = m->fan_start[i + 1] - m->fan_start[i];
  if (n <= SIM_RING && n != fan)
    return cb_fail(err, CB_E_RANGE, "remesh: two pieces of cloth meet in vertex %d alone", i);
  return CB_OK;
}

cb_status sim_mesh_edit_init(const sim_remesh_state *s, const double (*metric)[3], double density_kg_per_m2,
                             sim_mesh_edit *p, cb_err *err) {
  const int n = s->mesh.n_vertices, nt = s->mesh.n_triangles;
  *p = (sim_mesh_edit){.n_vertices = n,
                       .n_triangles = nt,
                       .vertices_capacity = (size_t)n + 1,
                       .triangles_capacity = (size_t)nt + 1};
  p->density_kg_per_m2 = density_kg_per_m2;
  p->shift_m = INFINITY;
  p->vertex = calloc((size_t)n + 1, sizeof *p->vertex);
  p->triangle = malloc(((size_t)nt + 1) * sizeof *p->triangle);
  if (!p->vertex || !p->triangle) return cb_no_memory(err, "remesh, %d vertices", n);
  for (int i = 0; i < n; i++) take_vertex(s, i, metric[i], &p->vertex[i]);
  for (int t = 0; t < nt; t++) take_triangle(s, t, p);
  for (int i = 0; i < n; i++) CB_TRY(check_vertex(s, p, i, err));
  return CB_OK;
}

/* ---- out ---- */

void sim_remesh_state_clear(sim_remesh_state *s) {
  sim_mesh_clear(&s->mesh);
  free(s->x_m);
  free(s->v_m_per_s);
  free(s->gripped);
  free(s->load_kg);
  free(s->history);
  free(s->from);
  *s = (sim_remesh_state){0};
}

static cb_status sheet_arrays(sim_remesh_state *s, int n_vertices, int n_triangles, cb_err *err) {
  const size_t n = (size_t)n_vertices + 1, nt = (size_t)n_triangles + 1;
  s->x_m = calloc(n, sizeof *s->x_m);
  s->v_m_per_s = calloc(n, sizeof *s->v_m_per_s);
  s->gripped = calloc(n, sizeof *s->gripped);
  s->load_kg = calloc(n, sizeof *s->load_kg);
  s->history = calloc(nt, sizeof *s->history);
  s->from = calloc(n, sizeof *s->from);
  if (s->x_m && s->v_m_per_s && s->gripped && s->load_kg && s->history && s->from) return CB_OK;
  return cb_no_memory(err, "remesh, %d vertices", n_vertices);
}

cb_status sim_remesh_state_init(const sim_mesh *mesh, sim_remesh_state *out, cb_err *err) {
  *out = (sim_remesh_state){0};
  cb_status st =
      sim_mesh_build((const sim_vec3 *)mesh->position_m, mesh->n_vertices, (const int(*)[3])mesh->triangle,
                     (const double(*)[3][2])mesh->corner_m, mesh->n_triangles, &out->mesh, err);
  if (st == CB_OK) st = sheet_arrays(out, mesh->n_vertices, mesh->n_triangles, err);
  if (st != CB_OK) return st;
  memcpy(out->x_m, mesh->position_m, (size_t)mesh->n_vertices * sizeof *out->x_m);
  for (int i = 0; i < mesh->n_vertices; i++) out->from[i] = i;
  return CB_OK;
}

/* What is left, numbered for caches. */
typedef struct packing {
  int n, nt;
  int *number;            /* per vertex of the mesh under edit */
  int *vertex, *triangle; /* of the mesh under edit, per one of the packed */
  int (*corners)[3], (*ordered)[3];
  int *order, *triangle_order;
  double (*made)[3], (*place)[3][2];
} packing;

static void packing_clear(packing *k) {
  free(k->number);
  free(k->vertex);
  free(k->triangle);
  free(k->corners);
  free(k->ordered);
  free(k->order);
  free(k->triangle_order);
  free(k->made);
  free(k->place);
}

static cb_status packing_init(const sim_mesh_edit *p, packing *k, cb_err *err) {
  const size_t n = (size_t)p->n_vertices + 1, nt = (size_t)p->n_triangles + 1;
  *k = (packing){.number = malloc(n * sizeof *k->number),
                 .vertex = malloc(n * sizeof *k->vertex),
                 .triangle = malloc(nt * sizeof *k->triangle),
                 .corners = malloc(nt * sizeof *k->corners),
                 .ordered = malloc(nt * sizeof *k->ordered),
                 .order = malloc(n * sizeof *k->order),
                 .triangle_order = malloc(nt * sizeof *k->triangle_order),
                 .made = malloc(n * sizeof *k->made),
                 .place = malloc(nt * sizeof *k->place)};
  if (!(k->number && k->vertex && k->triangle && k->corners && k->ordered && k->order && k->triangle_order &&
        k->made && k->place))
    return cb_no_memory(err, "remesh, %d vertices", p->n_vertices);
  for (int i = 0; i < p->n_vertices; i++)
    if (p->vertex[i].at >= 0) k->number[i] = k->n, k->vertex[k->n++] = i;
  for (int t = 0; t < p->n_triangles; t++) {
    const int *v = p->triangle[t].vertex;
    if (v[0] < 0) continue;
    for (int c = 0; c < 3; c++) k->corners[k->nt][c] = k->number[v[c]];
    k->triangle[k->nt++] = t;
  }
  return CB_OK;
}

static void place_packed(const sim_mesh_edit *p, const packing *k) {
  for (int i = 0; i < k->n; i++)
    memcpy(k->made[i], p->vertex[k->vertex[k->order[i]]].made_m, sizeof *k->made);
  for (int t = 0; t < k->nt; t++)
    for (int c = 0; c < 3; c++)
      memcpy(k->place[t][c], p->vertex[k->vertex[k->order[k->ordered[t][c]]]].cloth_m, sizeof k->place[t][c]);
}

static void fill_state(const sim_mesh_edit *p, const packing *k, sim_remesh_state *out) {
  for (int i = 0; i < k->n; i++) {
    const sim_patch_vertex *v = &p->vertex[k->vertex[k->order[i]]];
    memcpy(out->x_m[i], v->x_m, sizeof v->x_m);
    memcpy(out->v_m_per_s[i], v->v_m_per_s, sizeof v->v_m_per_s);
    out->gripped[i] = v->gripped;
    out->load_kg[i] = v->load_kg;
    out->from[i] = v->from;
  }
  for (int t = 0; t < k->nt; t++)
    memcpy(out->history[t], p->triangle[k->triangle[k->triangle_order[t]]].history, sizeof out->history[t]);
}

cb_status sim_mesh_edit_finish(const sim_mesh_edit *p, sim_remesh_state *out, cb_err *err) {
  packing k;
  *out = (sim_remesh_state){0};
  cb_status st = packing_init(p, &k, err);
  if (st == CB_OK)
    st = sim_mesh_order((const int(*)[3])k.corners, k.nt, k.n, k.order, k.triangle_order, k.ordered, err);
  if (st == CB_OK) {
    place_packed(p, &k);
    st = sim_mesh_build((const sim_vec3 *)k.made, k.n, (const int(*)[3])k.ordered,
                        (const double(*)[3][2])k.place, k.nt, &out->mesh, err);
  }
  if (st == CB_OK) st = sheet_arrays(out, k.n, k.nt, err);
  if (st == CB_OK) fill_state(p, &k, out);
  if (st != CB_OK) sim_remesh_state_clear(out);
  packing_clear(&k);
  return st;
}
