/* view.html: the frames of a run as one page that plays them in a browser, without server and network.
 *
 * The page has a JSON object "run" (times, surfaces, probes, outlines) and the data: base64 of a zlib stream.
 * The stream has, per frame and per surface of the run, u8 flags: 1 present, 2 new triangles, 4 x order of
 * prediction. With new triangles follow u32 vertices, u32 triangles, and their corners as differences
 * (zigzag, four planes of bytes). Then per axis the places, in 65535 parts of the surface's box, as
 * differences from a prediction (zigzag; low bytes, high bytes). Order 0 predicts 0, order 1 the place in the
 * frame before, order 2 its straight continuation. Then per channel one byte per vertex, 0 to 255 from low to
 * high, as difference from the frame before unless triangles are new. */
#ifndef SHOW_VIEW_H
#define SHOW_VIEW_H

#include "cb_bytes.h"
#include "show_frames.h"

typedef struct show_view {
  const char *frames;  /* frames.show */
  show_frame *frame;   /* or a single frame, to which what is compared is added; NULL: frames */
  const char *scene;   /* of a single frame: its name */
  const char *table;   /* values.csv, for the probes; NULL or a file that is not there: no plots */
  const char *against; /* another run's frames.show, or a scan as OBJ [m], z up; NULL: nothing to compare */
  const show_outline *outline;
  int n_outlines;
  const char *look; /* where the page looks from first: "start", "top", "side"; NULL: "start" */
  bool embedded;    /* the page lies in another page, in a frame: less is around the stage */
  bool served;      /* styles and scripts are files of a server (show_files), not in the text */
} show_view;

/* Where the frames have more vertices in all, only every second, third ... frame is shown. */
#define SHOW_VIEW_VERTICES 12000000

/* Writes the page, whole or not at all. With `against`, cloth gets the channel "distance to ..." [m]: from
 * each vertex to the nearest point of the other cloth (of the nearest time) or of the scan. Errors: those of
 * the files; CB_E_RANGE without a frame; CB_E_NOMEM. */
CB_CHECKED cb_status show_view_write(const show_view *v, const char *path, cb_err *err);
/* Appends the page to out. */
CB_CHECKED cb_status show_view_put(const show_view *v, cb_bytes *out, cb_err *err);

#endif
