/* The parts of making view.html. */
#ifndef SHOW_VIEW_IMPL_H
#define SHOW_VIEW_IMPL_H

#include <jansson.h>
#include <stdint.h>

#include "cb_bytes.h"
#include "show_frames.h"
#include "show_view.h"

/* ---- what is compared with ---- */

typedef struct show_against show_against;
/* The caller frees *out with show_against_free. */
CB_CHECKED cb_status show_against_open(const char *path, show_against **out, cb_err *err);
void show_against_free(show_against *a);
const char *show_against_name(const show_against *a);
/* Adds the distance to the cloth of a frame, and the other surfaces, whose names begin with "~". */
CB_CHECKED cb_status show_against_add(show_against *a, show_frame *frame, cb_err *err);

/* ---- the stream ---- */

typedef struct show_pack_channel {
  char name[SHOW_NAME_BYTES], unit[SHOW_NAME_BYTES];
  double low, high;  /* shown range */
  bool below, above; /* some values lie outside of it */
  float *sample;     /* values met so far, thinned; owned */
  int n_samples, stride, skipped;
  uint8_t *before; /* owned */
} show_pack_channel;

typedef struct show_pack_surface {
  char name[SHOW_NAME_BYTES];
  bool cloth, ground;
  float colour[3];
  double low[3], high[3];
  int n_channels, n_vertices, known; /* known: frames before with the same triangles, at most 2 */
  show_pack_channel channel[SHOW_CHANNELS_MAX];
  uint16_t *one, *two; /* places in the frame before, and before that; owned */
} show_pack_surface;

typedef struct show_pack {
  int n;
  show_pack_surface surface[SHOW_SURFACES_MAX];
} show_pack;

/* First pass: finds the surfaces, their boxes and the ranges of their channels, frame by frame. */
CB_CHECKED cb_status show_pack_note(show_pack *p, const show_frame *frame, cb_err *err);
void show_pack_ranges(show_pack *p); /* after the last */
/* Second pass: appends a frame. */
CB_CHECKED cb_status show_pack_put(show_pack *p, const show_frame *frame, cb_bytes *out, cb_err *err);
void show_pack_clear(show_pack *p);

/* The texts of the page; CMakeLists.txt makes them of show/view and of libjs-three. */
extern const char show_page[], show_style[], show_script[], show_three[], show_controls[];

#endif
