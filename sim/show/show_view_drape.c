/* The page of one drape. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_version.h"
#include "show_frames.h"
#include "show_view.h"

#define PATH_BYTES 4096
#define CORNERS 96   /* of the support's circle */
#define HEIGHT 0.10F /* of the support [m] */
#define GAP 0.002F   /* of the drawn support below the cloth, which has no thickness on the page [m] */

static cb_status allocate(show_surface *s, int n_vertices, int n_triangles, cb_err *err) {
  s->position_m = malloc((size_t)n_vertices * sizeof *s->position_m + 1);
  s->triangle = malloc((size_t)n_triangles * sizeof *s->triangle + 1);
  if (!s->position_m || !s->triangle) return cb_no_memory(err, "view, %d vertices", n_vertices);
  s->n_vertices = n_vertices;
  s->n_triangles = n_triangles;
  return CB_OK;
}

static cb_status add_cloth(const show_drape *d, show_surface *s, cb_err *err) {
  *s = (show_surface){.name = "cloth", .cloth = true, .colour = {0.075F, 0.20F, 0.43F}};
  CB_TRY(allocate(s, d->n_vertices, d->n_triangles, err));
  for (int v = 0; v < d->n_vertices; v++)
    for (int k = 0; k < 3; k++) s->position_m[v][k] = (float)d->position_m[v][k];
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) s->triangle[t][k] = d->triangle[t][k];
  return CB_OK;
}

/* A cylinder with an upper side: the middle, then pairs of an upper and a lower corner. */
static cb_status add_support(const show_drape *d, show_surface *s, cb_err *err) {
  *s = (show_surface){.name = "support", .colour = {0.45F, 0.45F, 0.43F}};
  CB_TRY(allocate(s, 1 + 2 * CORNERS, 3 * CORNERS, err));
  s->position_m[0][0] = s->position_m[0][1] = 0;
  s->position_m[0][2] = -GAP;
  for (int i = 0; i < CORNERS; i++) {
    const int a = 1 + 2 * i, b = 1 + 2 * ((i + 1) % CORNERS);
    const int three[3][3] = {{0, a, b}, {a, a + 1, b}, {b, a + 1, b + 1}};
    for (int k = 0; k < 2; k++) {
      s->position_m[a + k][0] = (float)(d->support_m / 2 * cos(2 * M_PI * i / CORNERS));
      s->position_m[a + k][1] = (float)(d->support_m / 2 * sin(2 * M_PI * i / CORNERS));
      s->position_m[a + k][2] = -GAP - (k == 1 ? HEIGHT : 0);
    }
    for (int t = 0; t < 3; t++)
      for (int k = 0; k < 3; k++) s->triangle[3 * i + t][k] = three[t][k];
  }
  return CB_OK;
}

static cb_status write_frame(const show_drape *d, const char *path, cb_err *err) {
  show_frame f = {.n_surfaces = 2};
  char program[64];
  (void)snprintf(program, sizeof program, "clothbench %s", cb_version());
  json_t *about = json_pack("{s:s,s:s}", "scene", d->name, "program", program);
  char *text = about ? json_dumps(about, JSON_COMPACT) : NULL;
  json_decref(about);
  cb_status st = text ? show_frames_new(path, text, err) : cb_no_memory(err, "%s", path);
  free(text);
  CB_TRY(st);
  st = add_cloth(d, &f.surface[0], err);
  if (st == CB_OK) st = add_support(d, &f.surface[1], err);
  if (st == CB_OK) st = show_frames_add(path, &f, err);
  show_frame_clear(&f);
  return st;
}

cb_status show_drape_view(const show_drape *d, const char *path, cb_err *err) {
  char frames[PATH_BYTES];
  (void)snprintf(frames, sizeof frames, "%.4000s.tmp-frames", path);
  const show_view v = {.frames = frames,
                       .against = d->scan,
                       .outline = d->outline,
                       .n_outlines = d->n_outlines,
                       .look = "top"};
  cb_status st = write_frame(d, frames, err);
  if (st == CB_OK) st = show_view_write(&v, path, err);
  (void)unlink(frames);
  return st;
}
