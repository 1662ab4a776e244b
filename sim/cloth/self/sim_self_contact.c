/* Near places as contacts for the implicit solve. */
#include <math.h>
#include <string.h>

#include "sim_query.h"
#include "sim_self_impl.h"

/* Fraction of the vertices: if more have moved, all are searched. */
#define FEW 0.5

static double triangle_area(const sim_self *s, int triangle) {
  const int m = sim_self_mesh_of(s->first_triangle, triangle);
  return s->mesh[m]->area_m2[triangle - s->first_triangle[m]];
}

/* The first triangle at the edge, and the edge's area. */
static double at_edge(const sim_self *s, int edge, int *triangle) {
  const int m = sim_self_mesh_of(s->first_edge, edge);
  const sim_edge *e = &s->mesh[m]->edge[edge - s->first_edge[m]];
  double area = 0;
  for (int k = 0; k < 2; k++)
    if (e->triangle[k] >= 0) area += s->mesh[m]->area_m2[e->triangle[k]] / 3;
  *triangle = s->first_triangle[m] + e->triangle[0];
  return area;
}

/* A triangle at the vertex, and the vertex's area. */
static double at_vertex(const sim_self *s, int vertex, int *triangle) {
  const int m = sim_self_mesh_of(s->first_vertex, vertex);
  const sim_mesh *mesh = s->mesh[m];
  const int local = vertex - s->first_vertex[m];
  *triangle = s->first_triangle[m] + mesh->fan[mesh->fan_start[local]] / 3;
  return mesh->vertex_area_m2[local];
}

/* Weights of the feature's vertices as weights of the triangle's corners. */
static void place_on(const sim_self *s, int triangle, const int *vertex, const double *weight, int n,
                     double place[3]) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      if (s->tree.triangle[s->tree.slot[triangle]][k] == vertex[i]) place[k] = fabs(weight[i]);
}

sim_self_contact sim_self_describe(const sim_self *s, const sim_self_find *f) {
  const sim_self_couple *couple = &f->couple;
  sim_self_contact c = {.pair = couple->pair, .distance_m = f->hit.distance_m};
  sim_self_vertices(s, couple, c.vertex);
  memcpy(c.weight, f->hit.weight, sizeof c.weight);
  memcpy(c.normal, f->hit.normal, sizeof c.normal);
  const int first = couple->pair == SIM_VERTEX_TRIANGLE ? 1 : 2;
  if (couple->pair == SIM_VERTEX_TRIANGLE) {
    c.triangle[1] = s->tree.number[couple->second];
    c.area_m2 = fmin(at_vertex(s, couple->first, &c.triangle[0]), triangle_area(s, c.triangle[1]));
  } else {
    const double first_area = at_edge(s, couple->first, &c.triangle[0]);
    c.area_m2 = fmin(first_area, at_edge(s, couple->second, &c.triangle[1]));
  }
  place_on(s, c.triangle[0], c.vertex, c.weight, first, c.place[0]);
  place_on(s, c.triangle[1], c.vertex + first, c.weight + first, 4 - first, c.place[1]);
  return c;
}

void sim_self_keep(sim_self *s, const double (*position_m)[3], double reach_m) {
  s->kept_reach_m = reach_m;
  memcpy(s->kept_m, position_m, (size_t)s->n_vertices * sizeof *s->kept_m);
}

/* Marks vertices that moved since the contacts were found; returns their number. */
static int find_moved(sim_self *s, const double (*position_m)[3]) {
  int n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n)
  for (int v = 0; v < s->n_vertices; v++) {
    const double *a = s->kept_m[v], *b = position_m[v];
    s->moved[v] = a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
    n += s->moved[v];
  }
  return n;
}

/* If few vertices moved since the last search, contacts among the others stay. */
cb_status sim_self_contacts(sim_self *s, const double (*position_m)[3], double reach_m,
                            const sim_self_contact **list, int *n, cb_err *err) {
  sim_self_search search = {.self = s, .start = position_m, .end = position_m, .reach_m = reach_m};
  const bool any_kept = s->kept_reach_m == reach_m;
  const int n_moved = any_kept ? find_moved(s, position_m) : s->n_vertices;
  int met;
  *n = 0;
  s->reach_m = reach_m;
  if (n_moved > 0) {
    s->kept_reach_m = 0;
    if ((double)n_moved < FEW * s->n_vertices) search.moved = s->moved;
    CB_TRY(sim_self_find_all(s, &search, &met, err));
    sim_self_keep(s, position_m, reach_m);
  }
  *list = s->contact;
  *n = s->n_contacts;
  return CB_OK;
}

typedef struct counter {
  const sim_self *self;
  const double (*x)[3];
  int n;
} counter;

static void count_crossing(void *context, int a, int b) {
  counter *c = context;
  c->n += sim_triangles_cross(c->x, c->self->tree.triangle[a], c->self->tree.triangle[b]);
}

int sim_self_crossings(sim_self *s, const double (*position_m)[3]) {
  counter c = {s, position_m, 0};
  s->tree.everything = true;
  sim_bvh_refit(&s->tree, position_m, position_m, 0, NULL);
  s->tree.everything = false;
  for (int t = 0; t < s->tree.n_tasks; t++) sim_bvh_walk(&s->tree, t, count_crossing, &c);
  return c.n;
}
