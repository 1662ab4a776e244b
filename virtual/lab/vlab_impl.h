/* What the instruments share: draws and files. */
#ifndef VLAB_IMPL_H
#define VLAB_IMPL_H

#include "cb_rng.h"
#include "vlab.h"
#include "vlab_truth.h"

/* vlab_load of n bytes of text. */
CB_CHECKED cb_status vlab_parse(const char *text, size_t n, const char *name, vlab *out, cb_err *err);

/* ---- draws ---- */

/* One stream of random numbers per purpose. */
enum {
  VLAB_STREAM_STRIPS = 101,
  VLAB_STREAM_BENDS,
  VLAB_STREAM_AIR,
  VLAB_STREAM_WEIGHED,
  VLAB_STREAM_DRAPES,
  VLAB_STREAM_INCLINES,
  VLAB_STREAM_CALIBRATION = 200 /* + number of the axis */
};
/* Returns 1 + u_rel times a normal number, the same one for every file of the laboratory. axis: a number. */
double vlab_calibration(const vlab *lab, int axis, double u_rel);
/* Returns a reading: the value with its noise, rounded to the digit. */
double vlab_read(const vlab_axis *a, double value, cb_rng *rng);
/* Returns 1 + sd times a normal number, at least 0.5. */
double vlab_specimen(cb_rng *rng, double sd);

#endif
