#include "sim_frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

cb_status sim_frame_init(const sim_mesh *mesh, sim_frame *f, cb_err *err) {
  size_t n = (size_t)mesh->n_vertices, nt = (size_t)mesh->n_triangles;
  *f = (sim_frame){.mesh = mesh,
                   .position_m = malloc(n * sizeof *f->position_m),
                   .velocity_m_per_s = calloc(n, sizeof *f->velocity_m_per_s),
                   .pressure_Pa = calloc(n, sizeof *f->pressure_Pa),
                   .slip_m_per_s = calloc(n, sizeof *f->slip_m_per_s),
                   .body = malloc(n * sizeof *f->body),
                   .strain = calloc(nt, sizeof *f->strain),
                   .curvature_per_m = calloc(nt, sizeof *f->curvature_per_m)};
  if (!f->position_m || !f->velocity_m_per_s || !f->pressure_Pa || !f->slip_m_per_s || !f->body ||
      !f->strain || !f->curvature_per_m)
    return cb_no_memory(err, "frame of %d vertices", mesh->n_vertices);
  memcpy(f->position_m, mesh->position_m, n * sizeof *f->position_m);
  for (size_t i = 0; i < n; i++) f->body[i] = -1;
  return CB_OK;
}

void sim_frame_clear(sim_frame *f) {
  free(f->position_m);
  free(f->velocity_m_per_s);
  free(f->pressure_Pa);
  free(f->slip_m_per_s);
  free(f->body);
  free(f->strain);
  free(f->curvature_per_m);
  free(f->air_over_Pa);
  free(f->gap_m);
  for (int k = 0; k < f->n_layers; k++) {
    free(f->layer[k].position_m);
    free(f->layer[k].velocity_m_per_s);
    free(f->layer[k].triangle);
    free(f->layer[k].vertex);
  }
  free(f->layer);
  free(f->part);
  *f = (sim_frame){0};
}

/* Velocity along the body's surface. */
static double slip(const sim_cloth *c, int i, const sim_body *body) {
  sim_touch touch;
  double w[3];
  sim_body_touch(body, sim_cloth_position(c)[i], &touch);
  sim_sub(sim_cloth_velocity(c)[i], touch.velocity_m_per_s, w);
  sim_add(w, -sim_dot(w, touch.normal), touch.normal);
  return sim_norm(w);
}

cb_status sim_frame_take(const sim_cloth *c, sim_frame *f, cb_err *err) {
  const size_t n = (size_t)f->mesh->n_vertices;
  assert(sim_cloth_mesh(c) == f->mesh);
  f->time_s = sim_cloth_time(c);
  memcpy(f->position_m, sim_cloth_position(c), n * sizeof *f->position_m);
  memcpy(f->velocity_m_per_s, sim_cloth_velocity(c), n * sizeof *f->velocity_m_per_s);
  for (int i = 0; i < f->mesh->n_vertices; i++) {
    const sim_cloth_touch touch = sim_cloth_touch_of(c, i);
    f->body[i] = touch.body;
    f->pressure_Pa[i] = touch.body >= 0 ? touch.normal_N / f->mesh->vertex_area_m2[i] : 0;
    f->slip_m_per_s[i] = touch.body >= 0 && touch.slides ? slip(c, i, &sim_cloth_bodies(c)[touch.body]) : 0;
  }
  sim_cloth_strain(c, f->strain);
  return sim_cloth_curvature(c, f->curvature_per_m, err);
}
