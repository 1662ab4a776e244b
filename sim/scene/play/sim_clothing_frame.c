/* Frames of a scene with layers: cloth, the air under it, and the bodies' surfaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_play_parts.h"

/* The vertices that its triangles have, numbered anew. */
static cb_status init_body(const sim_play_layer *l, bool rigid, sim_frame_body *b, cb_err *err) {
  int *number = malloc((size_t)l->n_vertices * sizeof *number);
  *b = (sim_frame_body){.rigid = rigid,
                        .n_triangles = l->n_triangles,
                        .position_m = calloc((size_t)l->n_vertices, sizeof *b->position_m),
                        .velocity_m_per_s = calloc((size_t)l->n_vertices, sizeof *b->velocity_m_per_s),
                        .triangle = malloc((size_t)l->n_triangles * sizeof *b->triangle),
                        .vertex = malloc((size_t)l->n_vertices * sizeof *b->vertex)};
  bool ok = number && b->position_m && b->velocity_m_per_s && b->triangle && b->vertex;
  for (int i = 0; ok && i < l->n_vertices; i++) number[i] = -1;
  for (int i = 0; ok && i < 3 * l->n_triangles; i++) {
    int v = l->triangle[i / 3][i % 3];
    if (number[v] < 0) {
      number[v] = b->n_vertices;
      b->vertex[b->n_vertices++] = v;
    }
    b->triangle[i / 3][i % 3] = number[v];
  }
  free(number);
  return ok ? CB_OK : cb_no_memory(err, "frame of a body of %d vertices", l->n_vertices);
}

cb_status sim_clothing_frame_init(const sim_clothing *p, sim_frame *f, cb_err *err) {
  size_t n = (size_t)p->mesh.n_vertices;
  CB_TRY(sim_frame_init(&p->mesh, f, err));
  if (p->layered == NULL) return CB_OK;
  f->air_over_Pa = calloc(n, sizeof *f->air_over_Pa);
  f->gap_m = calloc(n, sizeof *f->gap_m);
  f->layer = calloc((size_t)p->scene->n_layers, sizeof *f->layer);
  f->part = calloc((size_t)p->n_parts, sizeof *f->part);
  if (!f->air_over_Pa || !f->gap_m || !f->layer || !f->part)
    return cb_no_memory(err, "frame of %zu vertices", n);
  for (int k = 0; k < p->n_parts; k++)
    f->part[f->n_parts++] =
        (sim_frame_part){p->part_of[k].layer, p->part_of[k].first_triangle, p->part_of[k].n_triangles};
  for (int k = 0; k < p->scene->n_layers; k++) {
    sim_play_layer l = sim_clothing_layer(p, k);
    f->n_layers++;
    CB_TRY(init_body(&l, p->scene->layer[k].rigid, &f->layer[k], err));
  }
  return CB_OK;
}

static void take_fields(const sim_clothing *p, int k, sim_frame *f) {
  const sim_play_layer l = sim_clothing_layer(p, k);
  const sim_closest_point *closest = sim_layered_closest(p->layered, k);
  sim_air *air = sim_layered_air(p->layered, k);
  for (int i = 0; i < l.n_met; i++) {
    double *gap = &f->gap_m[l.first_met + i];
    if (*gap == 0 || closest[i].distance_m < *gap) *gap = closest[i].distance_m;
    if (air) f->air_over_Pa[l.first_met + i] = sim_air_pressure_Pa(air)[i] - p->layer[k].air.ambient_Pa;
  }
}

static void take_body(const sim_clothing *p, int k, sim_frame_body *b) {
  const sim_play_layer l = sim_clothing_layer(p, k);
  for (int i = 0; i < b->n_vertices; i++) {
    memcpy(b->position_m[i], l.position_m[b->vertex[i]], sizeof *b->position_m);
    memcpy(b->velocity_m_per_s[i], l.velocity_m_per_s[b->vertex[i]], sizeof *b->velocity_m_per_s);
  }
}

void sim_clothing_frame_bodies(const sim_clothing *p, sim_frame *f) {
  for (int k = 0; k < f->n_layers; k++) take_body(p, k, &f->layer[k]);
}

cb_status sim_clothing_frame(const sim_clothing *p, sim_frame *f, cb_err *err) {
  CB_TRY(sim_frame_take(p->cloth, f, err));
  if (p->layered == NULL) return CB_OK;
  memset(f->gap_m, 0, (size_t)p->mesh.n_vertices * sizeof *f->gap_m);
  for (int k = 0; k < f->n_layers; k++) take_fields(p, k, f);
  sim_clothing_frame_bodies(p, f);
  return CB_OK;
}
