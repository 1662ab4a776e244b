/* A run's frames as a file of other programs: glTF 2.0 binary (.glb), OpenUSD text (.usda), film (.mp4). */
#ifndef SHOW_SCENE_H
#define SHOW_SCENE_H

#include "show_frames.h"

/* A surface over the frames first to first + n - 1, in which its triangles stay the same. */
typedef struct show_part {
  char name[SHOW_NAME_BYTES];
  float colour[3];
  int first, n;
} show_part;

/* The parts of all surfaces, in the order in which they begin. Surfaces without a triangle are left out. The
 * caller frees *parts. Errors: those of the frames, CB_E_NOMEM; CB_E_RANGE without a frame. */
CB_CHECKED cb_status show_parts_of(show_frames *f, show_part **parts, int *n_parts, double **time_s,
                                   cb_err *err);
/* The surface of this name in a frame; NULL: none. */
const show_surface *show_surface_of(const show_frame *frame, const char *name);

CB_CHECKED cb_status show_gltf_write(show_frames *f, const char *path, cb_err *err);
CB_CHECKED cb_status show_usd_write(show_frames *f, const char *path, cb_err *err);
/* A film of the first n pictures of a run's folder, by ffmpeg. Errors: CB_E_NOTFOUND without pictures or
 * without ffmpeg; CB_E_IO. */
CB_CHECKED cb_status show_film_write(const char *folder, int n, double rate_Hz, const char *path,
                                     cb_err *err);

#endif
