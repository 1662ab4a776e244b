#include "sim_mesh.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

typedef struct sum {
  double (*x)[3], (*corner)[3][2];
  int (*triangle)[3];
} sum;

static void append(const sim_mesh *part, int vertices, int triangles, const sum *s) {
  memcpy(s->x[vertices], part->position_m, (size_t)part->n_vertices * sizeof *s->x);
  memcpy(s->corner[triangles], part->corner_m, (size_t)part->n_triangles * sizeof *s->corner);
  for (int t = 0; t < part->n_triangles; t++)
    for (int k = 0; k < 3; k++) s->triangle[triangles + t][k] = vertices + part->triangle[t][k];
}

cb_status sim_mesh_join(const sim_mesh *part, int n, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  int64_t vertices = 0, triangles = 0;
  for (int i = 0; i < n; i++) {
    vertices += part[i].n_vertices;
    triangles += part[i].n_triangles;
  }
  if (n < 1 || triangles > INT_MAX / 3 || vertices > INT_MAX)
    return cb_fail(
        err, CB_E_RANGE,
        "%d cloths with %lld triangles to join: at least one, and no more than %d triangles, were wanted", n,
        (long long)triangles, INT_MAX / 3);
  sum s = {malloc((size_t)vertices * sizeof *s.x), malloc((size_t)triangles * sizeof *s.corner),
           malloc((size_t)triangles * sizeof *s.triangle)};
  cb_status st = s.x && s.corner && s.triangle
                     ? CB_OK
                     : cb_no_memory(err, "cloths to join, %lld triangles", (long long)triangles);
  int v = 0, t = 0;
  for (int i = 0; i < n && st == CB_OK; v += part[i].n_vertices, t += part[i].n_triangles, i++)
    append(&part[i], v, t, &s);
  if (st == CB_OK)
    st = sim_mesh_build((const sim_vec3 *)s.x, v, (const int(*)[3])s.triangle,
                        (const double(*)[3][2])s.corner, t, out, err);
  free(s.x);
  free(s.corner);
  free(s.triangle);
  return st;
}

void sim_mesh_place(sim_mesh *m, const double turned_rad[3], const double moved_m[3]) {
  for (int v = 0; v < m->n_vertices; v++) {
    sim_turn(m->position_m[v], turned_rad, 1);
    sim_add(m->position_m[v], 1, moved_m);
  }
}

int sim_mesh_nearest(const sim_mesh *m, const double at_m[3]) {
  int nearest = 0;
  double least = INFINITY;
  for (int i = 0; i < m->n_vertices; i++) {
    double apart[3];
    sim_sub(m->position_m[i], at_m, apart);
    if (sim_dot(apart, apart) < least) least = sim_dot(apart, apart), nearest = i;
  }
  return nearest;
}
