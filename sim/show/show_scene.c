/* The parts of a run that scene files are made of. */
#include "show_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"

const show_surface *show_surface_of(const show_frame *frame, const char *name) {
  for (int i = 0; i < frame->n_surfaces; i++)
    if (strcmp(frame->surface[i].name, name) == 0) return &frame->surface[i];
  return NULL;
}

typedef struct parts {
  show_part *part;
  int n;
  size_t capacity;
} parts;

/* The part that goes on with the surface; NULL: it begins a new one. */
static show_part *part_that_goes_on(const parts *p, const show_surface *s, int frame) {
  for (int i = p->n - 1; i >= 0; i--)
    if (strcmp(p->part[i].name, s->name) == 0)
      return s->as_before && p->part[i].first + p->part[i].n == frame ? &p->part[i] : NULL;
  return NULL;
}

static cb_status add_surface(parts *p, const show_surface *s, int frame, cb_err *err) {
  show_part *on = part_that_goes_on(p, s, frame);
  if (s->n_triangles == 0) return CB_OK;
  if (on) {
    on->n++;
    return CB_OK;
  }
  show_part *grown = cb_array_grow(p->part, &p->capacity, (size_t)p->n + 1, sizeof *p->part);
  if (!grown) return cb_no_memory(err, "%d parts of a scene", p->n + 1);
  p->part = grown;
  show_part *new = &p->part[p->n++];
  *new = (show_part){.first = frame, .n = 1};
  memcpy(new->name, s->name, sizeof new->name);
  memcpy(new->colour, s->colour, sizeof new->colour);
  return CB_OK;
}

static cb_status add_frames(show_frames *f, parts *p, double *time_s, cb_err *err) {
  for (int k = 0; k < show_frames_count(f); k++) {
    show_frame frame;
    CB_TRY(show_frames_read(f, k, &frame, err));
    cb_status st = CB_OK;
    time_s[k] = frame.time_s;
    for (int i = 0; st == CB_OK && i < frame.n_surfaces; i++) st = add_surface(p, &frame.surface[i], k, err);
    show_frame_clear(&frame);
    CB_TRY(st);
  }
  return CB_OK;
}

cb_status show_parts_of(show_frames *f, show_part **out, int *n_parts, double **time_s, cb_err *err) {
  parts p = {NULL, 0, 0};
  const int n = show_frames_count(f);
  *out = NULL;
  *n_parts = 0;
  *time_s = NULL;
  if (n == 0) return cb_fail(err, CB_E_RANGE, "the run has no frame to export");
  *time_s = calloc((size_t)n, sizeof **time_s);
  cb_status st = *time_s ? add_frames(f, &p, *time_s, err) : cb_no_memory(err, "%d frames", n);
  *out = p.part;
  *n_parts = p.n;
  return st;
}

/* As many pictures per second as the run has frames. */
static cb_status write_film(show_frames *f, const char *folder, const char *path, cb_err *err) {
  show_part *part;
  double *time_s;
  int n_parts;
  const int n = show_frames_count(f);
  cb_status st = show_parts_of(f, &part, &n_parts, &time_s, err);
  if (st == CB_OK)
    st = show_film_write(folder, n, n > 1 ? (n - 1) / (time_s[n - 1] - time_s[0]) : 1, path, err);
  free(part);
  free(time_s);
  return st;
}

cb_status show_run_scene(const char *folder, const char *path, cb_err *err) {
  char frames[4200];
  show_frames *f;
  const char *end = strrchr(path, '.');
  (void)snprintf(frames, sizeof frames, "%s/%s", folder, SHOW_FRAMES_FILE);
  CB_TRY(show_frames_open(frames, &f, err));
  cb_status st;
  if (end && strcmp(end, ".mp4") == 0)
    st = write_film(f, folder, path, err);
  else if (end && strcmp(end, ".usda") == 0)
    st = show_usd_write(f, path, err);
  else
    st = show_gltf_write(f, path, err);
  show_frames_close(f);
  return st;
}
