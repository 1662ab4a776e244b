/* Draws and readings, which all instruments have. */
#include <math.h>

#include "vlab_impl.h"

#define SPECIMEN_LEAST 0.5

double vlab_calibration(const vlab *lab, int axis, double u_rel) {
  cb_rng rng;
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_CALIBRATION + (uint64_t)axis);
  return 1 + u_rel * cb_rng_normal(&rng);
}

double vlab_read(const vlab_axis *a, double value, cb_rng *rng) {
  return a->digit * round((value + a->noise * cb_rng_normal(rng)) / a->digit);
}

double vlab_specimen(cb_rng *rng, double sd) { return fmax(1 + sd * cb_rng_normal(rng), SPECIMEN_LEAST); }
