#include "sim_self.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "sim_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

static cb_status out_of_memory(int n_vertices, cb_err *err) {
  return cb_no_memory(err, "self-collision of %d vertices", n_vertices);
}

static cb_status allocate_arrays(sim_self *s, cb_err *err) {
  const size_t n = (size_t)s->n_vertices;
  s->owns = calloc((size_t)s->tree.n_slots, sizeof *s->owns);
  s->own_inverse_mass = calloc(n, sizeof *s->own_inverse_mass);
  s->bag = calloc((size_t)s->n_bags, sizeof *s->bag);
  s->kept_m = malloc(n * sizeof *s->kept_m);
  s->moved = malloc(n * sizeof *s->moved);
  if (s->owns && s->own_inverse_mass && s->bag && s->kept_m && s->moved) return CB_OK;
  return out_of_memory(s->n_vertices, err);
}

/* Every vertex and every edge belongs to the first triangle that has it. */
static void number_mesh(sim_self *s, int m) {
  const sim_mesh *mesh = s->mesh[m];
  const int vertex = s->first_vertex[m], *slot = s->tree.slot + s->first_triangle[m];
  for (int e = 0; e < mesh->n_edges; e++) {
    const int t = mesh->edge[e].triangle[0];
    for (int k = 0; k < 3; k++)
      if (mesh->triangle_edge[t][k] == e) s->owns[slot[t]] |= (unsigned char)(8 << k);
  }
  for (int v = 0; v < mesh->n_vertices; v++) {
    const int corner = mesh->fan[mesh->fan_start[v]];
    s->owns[slot[corner / 3]] |= (unsigned char)(1 << corner % 3);
    s->own_inverse_mass[vertex + v] = s->tree.body[m] ? 0 : 1;
  }
}

static cb_status count_items(sim_self *s, cb_err *err) {
  const size_t n = (size_t)s->n_meshes + 1;
  s->first_vertex = calloc(n, sizeof *s->first_vertex);
  s->first_triangle = calloc(n, sizeof *s->first_triangle);
  s->first_edge = calloc(n, sizeof *s->first_edge);
  if (!s->first_vertex || !s->first_triangle || !s->first_edge) return out_of_memory(s->n_vertices, err);
  for (int m = 0; m < s->n_meshes; m++) {
    s->first_vertex[m + 1] = s->first_vertex[m] + s->mesh[m]->n_vertices;
    s->first_triangle[m + 1] = s->first_triangle[m] + s->mesh[m]->n_triangles;
    s->first_edge[m + 1] = s->first_edge[m] + s->mesh[m]->n_edges;
  }
  return CB_OK;
}

static cb_status fill_tree(sim_self *s, const sim_mesh *const *mesh, const bool *body, cb_err *err) {
  s->mesh = malloc((size_t)s->n_meshes * sizeof *s->mesh);
  if (!s->mesh) return out_of_memory(0, err);
  memcpy(s->mesh, mesh, (size_t)s->n_meshes * sizeof *s->mesh);
  CB_TRY(sim_bvh_init(mesh, body, s->n_meshes, &s->tree, err));
  s->n_vertices = s->tree.n_vertices;
  CB_TRY(count_items(s, err));
  CB_TRY(allocate_arrays(s, err));
  for (int m = 0; m < s->n_meshes; m++) number_mesh(s, m);
  s->inverse_mass = s->own_inverse_mass;
  return CB_OK;
}

cb_status sim_self_new(const sim_mesh *const *mesh, const bool *body, int n_meshes,
                       const sim_self_options *options, sim_self **out, cb_err *err) {
  *out = NULL;
  if (!(options->thickness_m > 0 && isfinite(options->thickness_m)))
    return cb_fail(err, CB_E_RANGE, "self-collision: thickness = %g m: must be finite and > 0",
                   options->thickness_m);
  sim_self *s = calloc(1, sizeof *s);
  if (!s) return out_of_memory(0, err);
  s->options = *options;
  s->n_meshes = n_meshes;
  s->n_bags = omp_get_max_threads();
  cb_status st = fill_tree(s, mesh, body, err);
  if (st == CB_OK) {
    *out = s;
  } else {
    sim_self_free(s);
  }
  return st;
}

void sim_self_free(sim_self *s) {
  if (!s) return;
  for (int i = 0; s->bag && i < s->n_bags; i++) free(s->bag[i].find);
  sim_bvh_clear(&s->tree);
  void *const owned[] = {s->mesh,       s->kept_m,  s->first_vertex,     s->first_triangle,
                         s->first_edge, s->owns,    s->own_inverse_mass, s->bag,
                         s->find,       s->contact, s->impact,           s->moved,
                         s->zone,       s->zone_m,  s->zone_kg,          s};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
}

void sim_self_set_inverse_mass(sim_self *s, const double *inverse_mass_per_kg) {
  s->inverse_mass = inverse_mass_per_kg ? inverse_mass_per_kg : s->own_inverse_mass;
}

cb_status sim_self_room(void **items, size_t *capacity, int wanted, size_t size, cb_err *err) {
  if ((size_t)wanted <= *capacity) return CB_OK;
  void *grown = cb_array_grow(*items, capacity, (size_t)wanted, size);
  if (!grown) return cb_no_memory(err, "self-collision, %d near places", wanted);
  *items = grown;
  return CB_OK;
}

static void edge_ends(const sim_self *s, int edge, int vertex[2]) {
  const int m = sim_self_mesh_of(s->first_edge, edge);
  const int *end = s->mesh[m]->edge[edge - s->first_edge[m]].vertex;
  for (int k = 0; k < 2; k++) vertex[k] = s->first_vertex[m] + end[k];
}

void sim_self_vertices(const sim_self *s, const sim_self_couple *c, int vertex[4]) {
  if (c->pair == SIM_VERTEX_TRIANGLE) {
    vertex[0] = c->first;
    memcpy(vertex + 1, s->tree.triangle[c->second], 3 * sizeof *vertex);
  } else {
    edge_ends(s, c->first, vertex);
    edge_ends(s, c->second, vertex + 2);
  }
}

double sim_self_rest_distance(const sim_self *s, const sim_self_couple *c) {
  int vertex[4];
  double point[4][3], weight[4];
  sim_self_vertices(s, c, vertex);
  const int m = sim_self_mesh_of(s->first_vertex, vertex[0]);
  if (m != sim_self_mesh_of(s->first_vertex, vertex[3])) return HUGE_VAL;
  for (int i = 0; i < 4; i++)
    memcpy(point[i], s->mesh[m]->position_m[vertex[i] - s->first_vertex[m]], sizeof point[i]);
  return sim_closest(c->pair, (const sim_vec3 *)point, weight);
}

void sim_self_to_cloth(const sim_self *s, const double (*x)[3], int triangle, double to_cloth[2][3]) {
  const int slot = s->tree.slot[triangle], *v = s->tree.triangle[slot];
  const float *inverse = s->tree.material[slot];
  double f[2][3], e1[3], e2[3];
  sim_sub(x[v[1]], x[v[0]], e1);
  sim_sub(x[v[2]], x[v[0]], e2);
  for (int k = 0; k < 3; k++) {
    f[0][k] = e1[k] * (double)inverse[0] + e2[k] * (double)inverse[1];
    f[1][k] = e1[k] * (double)inverse[2] + e2[k] * (double)inverse[3];
  }
  double uu = sim_dot(f[0], f[0]), uv = sim_dot(f[0], f[1]), vv = sim_dot(f[1], f[1]),
         det = uu * vv - uv * uv;
  for (int k = 0; k < 3; k++) {
    to_cloth[0][k] = det > 0 ? (vv * f[0][k] - uv * f[1][k]) / det : 0;
    to_cloth[1][k] = det > 0 ? (uu * f[1][k] - uv * f[0][k]) / det : 0;
  }
}
