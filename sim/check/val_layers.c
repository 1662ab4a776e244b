#include "val_layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void val_layers_skin(sim_layered_body *body, const sim_tets *tets) {
  body->surface_m = (const sim_vec3 *)tets->position_m;
  body->surface_triangle = (const int(*)[3])tets->surface;
  body->surface_vertices = tets->n_vertices;
  body->surface_triangles = tets->n_surface;
}

cb_status val_layers_make(val_layers *l, double case_m, int cells, double ball_m, int ball_cells, bool rigid,
                          cb_err *err) {
  const sim_case cover = {{case_m, case_m, case_m}, {2, 2}, {cells, cells}};
  const sim_cushion ball = {{ball_m, ball_m, ball_m}, {2, 2}, {ball_cells, ball_cells, ball_cells}};
  *l = (val_layers){.material = sim_material_isotropic(0.2, 1e6, 1e-5)};
  CB_TRY(sim_mesh_case(&cover, &l->mesh, err));
  CB_TRY(sim_tets_cushion(&ball, &l->tets, err));
  l->body = sim_layered_body_default(&l->mesh);
  val_layers_skin(&l->body, &l->tets);
  l->body.has_air = true;
  l->setup = sim_layered_setup_default(&l->mesh, &l->material);
  l->setup.bodies = &l->body;
  l->setup.n_bodies = 1;
  memset(l->setup.cloth.gravity_m_per_s2, 0, sizeof l->setup.cloth.gravity_m_per_s2);
  if (!rigid) return CB_OK;
  l->gripped = malloc((size_t)l->mesh.n_vertices * sizeof *l->gripped);
  if (!l->gripped) return cb_no_memory(err, "case of %d vertices", l->mesh.n_vertices);
  for (int i = 0; i < l->mesh.n_vertices; i++) l->gripped[i] = true;
  l->setup.cloth.gripped = l->gripped;
  return CB_OK;
}

void val_layers_clear(val_layers *l) {
  sim_mesh_clear(&l->mesh);
  sim_tets_clear(&l->tets);
  free(l->gripped);
}

double val_volume_m3(const double (*x)[3], const int (*triangle)[3], int n) {
  double sum = 0;
  for (int t = 0; t < n; t++) {
    const double *a = x[triangle[t][0]], *b = x[triangle[t][1]], *c = x[triangle[t][2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

val_air val_air_of(sim_layered *layered, int n) {
  const double *q = sim_air_amount_J(sim_layered_air(layered, 0)),
               *p = sim_air_pressure_Pa(sim_layered_air(layered, 0));
  val_air a = {.least_J = INFINITY};
  for (int i = 0; i < n; i++) {
    a.amount_J += q[i];
    a.volume_m3 += q[i] / p[i];
    a.least_J = fmin(a.least_J, q[i]);
  }
  a.pressure_Pa = a.amount_J / a.volume_m3;
  return a;
}
