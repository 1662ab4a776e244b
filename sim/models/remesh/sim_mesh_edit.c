/* The three operations, and what they leave as it was. */
#include "sim_mesh_edit.h"

#include <math.h>
#include <string.h>

#include "cb_array.h"
#include "sim_vec.h"

/* ---- looking around ---- */

int sim_mesh_edit_ring(const sim_mesh_edit *p, int vertex, int corner[SIM_RING]) {
  int t = p->vertex[vertex].at, k = sim_corner_of(&p->triangle[t], vertex), n = 0;
  for (int start = t, u; (u = p->triangle[t].neighbour[sim_before(k)]) >= 0;) {
    t = u;
    k = sim_corner_of(&p->triangle[t], vertex);
    if (t == start) break;
  }
  for (const int start = t;;) {
    if (n == SIM_RING) return SIM_RING + 1;
    corner[n++] = 3 * t + k;
    t = p->triangle[t].neighbour[sim_after(k)];
    if (t < 0 || t == start) return n;
    k = sim_corner_of(&p->triangle[t], vertex);
  }
}

int sim_mesh_edit_around(const sim_mesh_edit *p, const int *corner, int n, int out[SIM_RING + 1]) {
  for (int i = 0; i < n; i++) out[i] = p->triangle[corner[i] / 3].vertex[sim_after(corner[i] % 3)];
  const int t = corner[n - 1] / 3, k = corner[n - 1] % 3;
  if (p->triangle[t].neighbour[sim_after(k)] >= 0) return n;
  out[n] = p->triangle[t].vertex[sim_before(k)];
  return n + 1;
}

int sim_mesh_edit_half(const sim_mesh_edit *p, int a, int b) {
  int corner[SIM_RING], n = sim_mesh_edit_ring(p, a, corner);
  for (int i = 0; n <= SIM_RING && i < n; i++) {
    const int t = corner[i] / 3, k = corner[i] % 3;
    if (p->triangle[t].vertex[sim_after(k)] == b) return 3 * t + sim_before(k);
    if (p->triangle[t].vertex[sim_before(k)] == b) return 3 * t + sim_after(k);
  }
  return -1;
}

double sim_mesh_edit_area(const sim_mesh_edit *p, const int vertex[3]) {
  const double *a = p->vertex[vertex[0]].cloth_m, *b = p->vertex[vertex[1]].cloth_m,
               *c = p->vertex[vertex[2]].cloth_m;
  return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

static double form(const double m[3], double u, double v) {
  return m[0] * u * u + 2 * m[1] * u * v + m[2] * v * v;
}

double sim_mesh_edit_length2(const sim_mesh_edit *p, int a, int b) {
  const sim_patch_vertex *i = &p->vertex[a], *j = &p->vertex[b];
  const double u = j->cloth_m[0] - i->cloth_m[0], v = j->cloth_m[1] - i->cloth_m[1];
  return 0.5 * (form(i->metric, u, v) + form(j->metric, u, v));
}

double sim_mesh_edit_quality(const sim_mesh_edit *p, const int vertex[3]) {
  double m[3] = {0}, sum = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) m[i] += p->vertex[vertex[k]].metric[i] / 3;
  for (int k = 0; k < 3; k++) {
    const double *a = p->vertex[vertex[k]].cloth_m, *b = p->vertex[vertex[sim_after(k)]].cloth_m;
    sum += form(m, b[0] - a[0], b[1] - a[1]);
  }
  return 4 * sqrt(3) * sim_mesh_edit_area(p, vertex) * sqrt(m[0] * m[2] - m[1] * m[1]) / sum;
}

/* ---- what is kept ---- */

/* A third of a triangle's mass to each of its corners, or off them. */
static void weigh(const sim_mesh_edit *p, int t, double sign) {
  const double third = sign * p->density_kg_per_m2 * sim_mesh_edit_area(p, p->triangle[t].vertex) / 3;
  for (int k = 0; k < 3; k++) p->vertex[p->triangle[t].vertex[k]].mass_kg += third;
}

static void momentum_of(const sim_mesh_edit *p, const int *vertex, int n, double out[3]) {
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < n; i++) sim_add(out, p->vertex[vertex[i]].mass_kg, p->vertex[vertex[i]].v_m_per_s);
}

/* The same velocity to all that are free, so that their momentum is what it was: nothing, where they all
 * moved alike. */
static void balance_momentum(const sim_mesh_edit *p, const int *vertex, int n, const double before[3]) {
  double now[3], missing[3], mass = 0;
  momentum_of(p, vertex, n, now);
  sim_sub(before, now, missing);
  for (int i = 0; i < n; i++) mass += p->vertex[vertex[i]].gripped ? 0 : p->vertex[vertex[i]].mass_kg;
  for (int i = 0; i < n && mass > 0; i++)
    if (!p->vertex[vertex[i]].gripped) sim_add(p->vertex[vertex[i]].v_m_per_s, 1 / mass, missing);
}

/* What these triangles remember, summed over their areas. */
static double remembered(const sim_mesh_edit *p, const int *triangle, int n, double out[SIM_REMESH_HISTORY]) {
  double area = 0;
  memset(out, 0, SIM_REMESH_HISTORY * sizeof *out);
  for (int i = 0; i < n; i++) {
    const sim_patch_triangle *t = &p->triangle[triangle[i]];
    const double own = sim_mesh_edit_area(p, t->vertex);
    area += own;
    for (int k = 0; k < SIM_REMESH_HISTORY; k++) out[k] += own * t->history[k];
  }
  return area;
}

/* Each its own, and what is missing evenly. */
static void remember_history(const sim_mesh_edit *p, const int *triangle, int n,
                             const double before[SIM_REMESH_HISTORY]) {
  double now[SIM_REMESH_HISTORY];
  const double area = remembered(p, triangle, n, now);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < SIM_REMESH_HISTORY; k++)
      p->triangle[triangle[i]].history[k] += (before[k] - now[k]) / area;
}

/* ---- the operations ---- */

static cb_status grow_array(void **array, size_t size, int n, size_t *capacity, cb_err *err) {
  void *grown = cb_array_grow(*array, capacity, (size_t)n, size);
  if (!grown) return cb_no_memory(err, "remesh, %d vertices or triangles", n);
  *array = grown;
  return CB_OK;
}

/* The corner of u that is opposite to t. */
static int across_of(const sim_mesh_edit *p, int t, int u) {
  const int *n = p->triangle[u].neighbour;
  return n[0] == t ? 0 : n[1] == t ? 1 : 2;
}

static void repoint_neighbour(const sim_mesh_edit *p, int triangle, int from, int to) {
  if (triangle < 0) return;
  p->triangle[triangle].neighbour[across_of(p, from, triangle)] = to;
}

static bool is_rigid(const sim_mesh_edit *p, int t) {
  const int *v = p->triangle[t].vertex;
  return p->vertex[v[0]].gripped && p->vertex[v[1]].gripped && p->vertex[v[2]].gripped;
}

static void middle(const double *a, const double *b, int n, double *out) {
  for (int k = 0; k < n; k++) out[k] = 0.5 * (a[k] + b[k]);
}

/* Between two that are gripped cloth is, too, on the border and beside a rigid triangle. */
static sim_patch_vertex between(const sim_mesh_edit *p, int half) {
  const sim_patch_triangle *t = &p->triangle[half / 3];
  const int k = half % 3, u = t->neighbour[k];
  const sim_patch_vertex *a = &p->vertex[t->vertex[sim_after(k)]], *b = &p->vertex[t->vertex[sim_before(k)]];
  sim_patch_vertex m = {.from = -1, .at = half / 3};
  middle(a->cloth_m, b->cloth_m, 2, m.cloth_m);
  middle(a->made_m, b->made_m, 3, m.made_m);
  middle(a->x_m, b->x_m, 3, m.x_m);
  middle(a->v_m_per_s, b->v_m_per_s, 3, m.v_m_per_s);
  middle(a->metric, b->metric, 3, m.metric);
  m.gripped = a->gripped && b->gripped && (u < 0 || is_rigid(p, half / 3) || is_rigid(p, u));
  return m;
}

/* (o, a, b) becomes (o, a, m), which stays t, and (o, m, b), which is returned: the outer neighbours of both
 * are right. */
static int halve_triangle(sim_mesh_edit *p, int t, int k, int m) {
  const int other = p->n_triangles++;
  sim_patch_triangle *s = &p->triangle[t], *n = &p->triangle[other];
  s->stamp = p->round;
  *n = *s;
  s->vertex[sim_before(k)] = n->vertex[sim_after(k)] = m;
  p->vertex[n->vertex[sim_before(k)]].at = other;
  p->vertex[s->vertex[k]].at = t;
  repoint_neighbour(p, s->neighbour[sim_after(k)], t, other);
  s->neighbour[sim_after(k)] = other;
  n->neighbour[sim_before(k)] = t;
  return other;
}

cb_status sim_mesh_edit_split(sim_mesh_edit *p, int half, cb_err *err) {
  CB_TRY(grow_array((void **)&p->vertex, sizeof *p->vertex, p->n_vertices + 1, &p->vertices_capacity, err));
  CB_TRY(grow_array((void **)&p->triangle, sizeof *p->triangle, p->n_triangles + 2, &p->triangles_capacity,
                    err));
  const int t = half / 3, k = half % 3, u = p->triangle[t].neighbour[k], m = p->n_vertices;
  p->vertex[p->n_vertices++] = between(p, half);
  const int across = u < 0 ? 0 : across_of(p, t, u);
  weigh(p, t, -1);
  if (u >= 0) weigh(p, u, -1);
  const int t2 = halve_triangle(p, t, k, m);
  weigh(p, t, 1);
  weigh(p, t2, 1);
  if (u < 0) return CB_OK;
  const int u2 = halve_triangle(p, u, across, m);
  weigh(p, u, 1);
  weigh(p, u2, 1);
  p->triangle[t].neighbour[k] = u2;
  p->triangle[u2].neighbour[across] = t;
  p->triangle[t2].neighbour[k] = u;
  p->triangle[u].neighbour[across] = t2;
  return CB_OK;
}

/* (a, b, c) and (d, c, b) become (a, b, d) and (d, c, a). */
static void turn_edge(sim_mesh_edit *p, int t, int k, int u, int l) {
  sim_patch_triangle *s = &p->triangle[t], *w = &p->triangle[u];
  const int k1 = sim_after(k), k2 = sim_before(k), l1 = sim_after(l), l2 = sim_before(l);
  const int beyond_bd = w->neighbour[l1], beyond_ca = s->neighbour[k1];
  p->vertex[s->vertex[k1]].at = t;
  p->vertex[s->vertex[k2]].at = u;
  s->vertex[k2] = w->vertex[l];
  w->vertex[l2] = s->vertex[k];
  p->vertex[s->vertex[k]].at = p->vertex[w->vertex[l]].at = t;
  s->neighbour[k] = beyond_bd;
  s->neighbour[k1] = u;
  w->neighbour[l] = beyond_ca;
  w->neighbour[l1] = t;
  repoint_neighbour(p, beyond_bd, u, t);
  repoint_neighbour(p, beyond_ca, t, u);
}

void sim_mesh_edit_flip(sim_mesh_edit *p, int half) {
  const int t = half / 3, k = half % 3, u = p->triangle[t].neighbour[k], l = across_of(p, t, u),
            both[2] = {t, u};
  const int *v = p->triangle[t].vertex, four[4] = {v[0], v[1], v[2], p->triangle[u].vertex[l]};
  double momentum[3], history[SIM_REMESH_HISTORY];
  momentum_of(p, four, 4, momentum);
  (void)remembered(p, both, 2, history);
  for (int i = 0; i < 2; i++) weigh(p, both[i], -1);
  turn_edge(p, t, k, u, l);
  for (int i = 0; i < 2; i++) {
    weigh(p, both[i], 1);
    memset(p->triangle[both[i]].history, 0, sizeof history);
    p->triangle[both[i]].stamp = p->round;
  }
  balance_momentum(p, four, 4, momentum);
  remember_history(p, both, 2, history);
}

/* The triangle goes; its two other neighbours become neighbours. */
static void close_up(sim_mesh_edit *p, int t, int gone, int stays) {
  sim_patch_triangle *s = &p->triangle[t];
  const int g = sim_corner_of(s, gone), b = sim_corner_of(s, stays), third = s->vertex[3 - g - b];
  const int beyond_gone = s->neighbour[g], beyond_stays = s->neighbour[b];
  repoint_neighbour(p, beyond_gone, t, beyond_stays);
  repoint_neighbour(p, beyond_stays, t, beyond_gone);
  p->vertex[third].at = p->vertex[stays].at = beyond_gone >= 0 ? beyond_gone : beyond_stays;
  s->vertex[0] = -1;
}

void sim_mesh_edit_collapse(sim_mesh_edit *p, int gone, int stays) {
  int corner[SIM_RING], around[SIM_RING + 2], triangle[SIM_RING] = {0}, left[SIM_RING], n_left = 0;
  const int n = sim_mesh_edit_ring(p, gone, corner), n_around = sim_mesh_edit_around(p, corner, n, around);
  double momentum[3], history[SIM_REMESH_HISTORY];
  around[n_around] = gone;
  momentum_of(p, around, n_around + 1, momentum);
  for (int i = 0; i < n; i++) triangle[i] = corner[i] / 3;
  (void)remembered(p, triangle, n, history);
  for (int i = 0; i < n; i++) weigh(p, triangle[i], -1);
  for (int i = 0; i < n; i++) {
    const int *v = p->triangle[triangle[i]].vertex;
    if (v[0] == stays || v[1] == stays || v[2] == stays)
      close_up(p, triangle[i], gone, stays);
    else
      left[n_left++] = corner[i];
  }
  for (int i = 0; i < n_left; i++) {
    p->triangle[left[i] / 3].vertex[left[i] % 3] = stays;
    p->triangle[left[i] / 3].stamp = p->round;
    triangle[i] = left[i] / 3;
    weigh(p, triangle[i], 1);
  }
  p->vertex[gone].at = -1;
  balance_momentum(p, around, n_around, momentum);
  remember_history(p, triangle, n_left, history);
}
