/* The frames of a run in one file, `frames.show`: what view.html, glTF, OpenUSD and film are made of.
 *
 * A frame has surfaces. A surface has positions and triangles; triangles may change from frame to frame
 * (remeshed cloth, liquids). A surface may have channels: one number per vertex, such as strain. Lengths are
 * metres, z is up, times are seconds from the start of the scene. */
#ifndef SHOW_FRAMES_H
#define SHOW_FRAMES_H

#include <stdbool.h>

#include "cb_err.h"
#include "show_run.h" /* SHOW_FRAMES_FILE */

#define SHOW_SURFACES_MAX 64
#define SHOW_CHANNELS_MAX 8
#define SHOW_NAME_BYTES 32

/* One number per vertex. The unit is "1" for a number without dimension. */
typedef struct show_channel {
  char name[SHOW_NAME_BYTES], unit[SHOW_NAME_BYTES]; /* "warp strain", "1/m" */
  float *value;                                      /* n_vertices; owned by the frame */
} show_channel;

typedef struct show_surface {
  char name[SHOW_NAME_BYTES]; /* "cloth", "body1", "layer2": unique in a frame */
  bool cloth;                 /* false: a body, a liquid, the ground */
  bool ground;                /* a plane that stands for one without end */
  float colour[3];            /* of the front, 0 to 1, linear */
  int n_vertices, n_triangles, n_channels;
  /* n_vertices and triangles are those of the surface with this name in the frame before. show_frames_read
   * sets it; show_frames_add compares for itself and ignores it. */
  bool as_before;
  float (*position_m)[3]; /* n_vertices; owned by the frame */
  int (*triangle)[3];     /* n_triangles; owned by the frame */
  show_channel channel[SHOW_CHANNELS_MAX];
} show_surface;

typedef struct show_frame {
  double time_s;
  int n_surfaces;
  show_surface surface[SHOW_SURFACES_MAX];
} show_frame;
void show_frame_clear(show_frame *frame);

/* ---- writing ---- */

/* Makes an empty file, over an older one. about_json: one JSON object about the run: "scene" (its name),
 * "program", "materials" (as in materials.json). Errors: CB_E_IO. */
CB_CHECKED cb_status show_frames_new(const char *path, const char *about_json, cb_err *err);
/* Adds a frame. What a killed run left half written is cut off first. Triangles are stored once while they
 * stay the same. Errors: CB_E_IO, CB_E_PARSE for a file of something else, CB_E_RANGE, CB_E_NOMEM. */
CB_CHECKED cb_status show_frames_add(const char *path, const show_frame *frame, cb_err *err);
/* Keeps the first n frames: for a run that resumes from a checkpoint. Errors: CB_E_RANGE if there are fewer.
 */
CB_CHECKED cb_status show_frames_cut(const char *path, int n, cb_err *err);

/* ---- reading ---- */

typedef struct show_frames show_frames;
/* The caller frees *out with show_frames_close. Errors: CB_E_IO, CB_E_PARSE. A half-written last frame is
 * ignored. */
CB_CHECKED cb_status show_frames_open(const char *path, show_frames **out, cb_err *err);
void show_frames_close(show_frames *f);
int show_frames_count(const show_frames *f);
const char *show_frames_about(const show_frames *f); /* the JSON object of show_frames_new */
/* Reads frame k. as_before holds relative to frame k - 1. The caller clears *out. */
CB_CHECKED cb_status show_frames_read(show_frames *f, int k, show_frame *out, cb_err *err);

#endif
