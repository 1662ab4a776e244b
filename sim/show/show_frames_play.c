/* Frames of a scene that plays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show_frames_impl.h"
#include "sim_body.h"
#include "sim_vec.h"

#define GROUND_REACH 4 /* half a plane's side over the stage's reach */
#define BODY_REACH 1.5 /* the same for an endless cylinder */

static const float hard[3] = {0.45F, 0.45F, 0.43F}, floor_colour[3] = {0.62F, 0.61F, 0.58F};

/* ---- the stage ---- */

cb_status show_stage_of(sim_play *play, const sim_scene *scene, show_stage *out, cb_err *err) {
  sim_drawn d[SIM_PLAY_SURFACES] = {{0}};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
  int n;
  out->n_bodies = scene->n_bodies;
  CB_TRY(sim_play_shown(play, d, &n, err));
  for (int s = 0; s < n; s++)
    for (int i = 0; i < d[s].n_vertices; i++)
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], d[s].position_m[i][k]);
        high[k] = fmax(high[k], d[s].position_m[i][k]);
      }
  for (int k = 0; k < 3; k++) {
    out->middle_m[k] = low[k] <= high[k] ? (low[k] + high[k]) / 2 : 0;
    half[k] = low[k] <= high[k] ? (high[k] - low[k]) / 2 : 1;
  }
  out->reach_m = fmax(sim_norm(half), 1e-6);
  return CB_OK;
}

/* ---- a surface ---- */

/* The vertices that triangles use, in their order: number[v] is the new number of v, or -1. Returns how
 * many. */
static int number_vertices(const sim_drawn *d, int *number) {
  int n = 0;
  for (int v = 0; v < d->n_vertices; v++) number[v] = -1;
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) number[d->triangle[t][k]] = 0;
  for (int v = 0; v < d->n_vertices; v++)
    if (number[v] == 0) number[v] = n++;
  return n;
}

static cb_status allocate(show_surface *s, int n_vertices, int n_triangles, cb_err *err) {
  s->position_m = malloc((size_t)n_vertices * sizeof *s->position_m + 1);
  s->triangle = malloc((size_t)n_triangles * sizeof *s->triangle + 1);
  if (!s->position_m || !s->triangle) return cb_no_memory(err, "a frame of %d vertices", n_vertices);
  s->n_vertices = n_vertices;
  s->n_triangles = n_triangles;
  return CB_OK;
}

static cb_status copy_drawn(const sim_drawn *d, const int *number, int n, show_surface *s, cb_err *err) {
  CB_TRY(allocate(s, n, d->n_triangles, err));
  for (int v = 0; v < d->n_vertices; v++)
    for (int k = 0; k < 3 && number[v] >= 0; k++) s->position_m[number[v]][k] = (float)d->position_m[v][k];
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) s->triangle[t][k] = number[d->triangle[t][k]];
  return CB_OK;
}

/* Adds an empty channel. Returns NULL without memory. */
static float *add_channel(show_surface *s, const char *name, const char *unit) {
  show_channel *c = &s->channel[s->n_channels];
  c->value = calloc((size_t)s->n_vertices + 1, sizeof *c->value);
  if (!c->value) return NULL;
  (void)snprintf(c->name, sizeof c->name, "%s", name);
  (void)snprintf(c->unit, sizeof c->unit, "%s", unit);
  s->n_channels++;
  return c->value;
}

static cb_status add_speed(const sim_drawn *d, const int *number, show_surface *s, cb_err *err) {
  if (!d->velocity_m_per_s) return CB_OK;
  float *speed = add_channel(s, "speed", "m/s");
  if (!speed) return cb_no_memory(err, "a frame of %d vertices", s->n_vertices);
  for (int v = 0; v < d->n_vertices; v++)
    if (number[v] >= 0) speed[number[v]] = (float)sim_norm(d->velocity_m_per_s[v]);
  return CB_OK;
}

/* ---- fields of the main cloth, per vertex of its mesh ---- */

enum { WARP, WEFT, CURVATURE, PRESSURE, FIELDS };
static const char *const field_name[] = {"warp strain", "weft strain", "mean curvature", "contact pressure"},
                         *const field_unit[] = {"1", "1", "1/m", "Pa"};

typedef struct fields {
  double (*at)[FIELDS]; /* per vertex; NULL: another model */
} fields;

static void spread_triangles(const sim_mesh *m, const double (*strain)[3], const double (*curvature)[3],
                             double *weight, double (*at)[FIELDS]) {
  for (int t = 0; t < m->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      const int v = m->triangle[t][k];
      weight[v] += 1;
      at[v][WARP] += strain[t][0];
      at[v][WEFT] += strain[t][1];
      at[v][CURVATURE] += (curvature[t][0] + curvature[t][1]) / 2;
    }
  for (int v = 0; v < m->n_vertices; v++)
    for (int k = WARP; k <= CURVATURE && weight[v] > 0; k++) at[v][k] /= weight[v];
}

static cb_status find_fields(const sim_play *play, fields *f, cb_err *err) {
  const sim_mesh *m = sim_play_mesh(play);
  if (!m) return CB_OK;
  const sim_cloth *cloth = sim_play_cloth(play);
  double(*strain)[3] = calloc((size_t)m->n_triangles + 1, sizeof *strain),
  (*curvature)[3] = calloc((size_t)m->n_triangles + 1, sizeof *curvature),
  *weight = calloc((size_t)m->n_vertices + 1, sizeof *weight);
  f->at = calloc((size_t)m->n_vertices + 1, sizeof *f->at);
  const bool made = strain && curvature && weight && f->at;
  cb_status st = made ? sim_cloth_curvature(cloth, curvature, err)
                      : cb_no_memory(err, "the fields of %d vertices", m->n_vertices);
  if (st == CB_OK) {
    sim_cloth_strain(cloth, strain);
    spread_triangles(m, (const sim_vec3 *)strain, (const sim_vec3 *)curvature, weight, f->at);
    for (int v = 0; v < m->n_vertices; v++) {
      const sim_cloth_touch touch = sim_cloth_touch_of(cloth, v);
      if (touch.body >= 0) f->at[v][PRESSURE] = touch.normal_N / m->vertex_area_m2[v];
    }
  }
  free(strain);
  free(curvature);
  free(weight);
  return st;
}

static cb_status add_fields(const fields *f, int n_vertices, const int *number, show_surface *s,
                            cb_err *err) {
  for (int k = 0; k < FIELDS; k++) {
    float *value = add_channel(s, field_name[k], field_unit[k]);
    if (!value) return cb_no_memory(err, "a frame of %d vertices", s->n_vertices);
    for (int v = 0; v < n_vertices; v++)
      if (number[v] >= 0) value[number[v]] = (float)f->at[v][k];
  }
  return CB_OK;
}

/* ---- the frame ---- */

static cb_status add_drawn(sim_play *play, const sim_drawn *d, const fields *f, show_frame *out,
                           cb_err *err) {
  show_surface *s = &out->surface[out->n_surfaces];
  const bool of_cloth =
      f->at && (const void *)d->position_m == (void *)sim_cloth_position(sim_play_cloth(play));
  int *number = malloc(((size_t)d->n_vertices + 1) * sizeof *number);
  if (!number) return cb_no_memory(err, "a frame of %d vertices", d->n_vertices);
  *s = (show_surface){.cloth = !d->sharp && !d->number && d->behind_m == 0};
  (void)snprintf(s->name, sizeof s->name, out->n_surfaces == 0 ? "%s" : "%s%d",
                 s->cloth   ? "cloth"
                 : d->sharp ? "layer"
                            : "liquid",
                 out->n_surfaces);
  memcpy(s->colour, d->face, sizeof s->colour);
  out->n_surfaces++;
  const int n = number_vertices(d, number);
  cb_status st = copy_drawn(d, number, n, s, err);
  if (st == CB_OK && of_cloth) st = add_fields(f, d->n_vertices, number, s, err);
  if (st == CB_OK) st = add_speed(d, number, s, err);
  free(number);
  return st;
}

static cb_status add_body(const sim_body *body, const show_stage *stage, int k, show_frame *out,
                          cb_err *err) {
  show_surface *s = &out->surface[out->n_surfaces];
  sim_surface made = {0};
  const bool ground = body->shape == SIM_PLANE;
  cb_status st = sim_surface_of_body(body, stage->middle_m,
                                     (ground ? GROUND_REACH : BODY_REACH) * stage->reach_m, &made, err);
  *s = (show_surface){.ground = ground};
  (void)snprintf(s->name, sizeof s->name, "body%d", k + 1);
  memcpy(s->colour, ground ? floor_colour : hard, sizeof s->colour);
  out->n_surfaces++;
  if (st == CB_OK) st = allocate(s, made.n_vertices, made.n_triangles, err);
  for (int v = 0; st == CB_OK && v < made.n_vertices; v++)
    for (int c = 0; c < 3; c++) s->position_m[v][c] = (float)made.position_m[v][c];
  if (st == CB_OK) memcpy(s->triangle, made.triangle, (size_t)made.n_triangles * sizeof *s->triangle);
  sim_surface_clear(&made);
  return st;
}

_Static_assert(SIM_PLAY_SURFACES + SIM_SCENE_BODIES <= SHOW_SURFACES_MAX, "a frame has room for a scene");

static cb_status add_all(sim_play *play, const show_stage *stage, const fields *f, show_frame *out,
                         cb_err *err) {
  sim_drawn d[SIM_PLAY_SURFACES] = {{0}};
  int n;
  CB_TRY(sim_play_shown(play, d, &n, err));
  for (int k = 0; k < n; k++) CB_TRY(add_drawn(play, &d[k], f, out, err));
  for (int b = 0; b < stage->n_bodies; b++) CB_TRY(add_body(&sim_play_bodies(play)[b], stage, b, out, err));
  return CB_OK;
}

cb_status show_frame_of(sim_play *play, const show_stage *stage, show_frame *out, cb_err *err) {
  fields f = {NULL};
  memset(out, 0, sizeof *out);
  out->time_s = sim_play_time(play);
  cb_status st = find_fields(play, &f, err);
  if (st == CB_OK) st = add_all(play, stage, &f, out, err);
  free(f.at);
  return st;
}
