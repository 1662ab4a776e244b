/* Draws, readings and texts, which all instruments have. */
#include <math.h>
#include <stdlib.h>

#include "cb_file.h"
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

cb_status vlab_text_begin(vlab_text *t, cb_err *err) {
  *t = (vlab_text){.text = NULL};
  t->f = open_memstream(&t->text, &t->n);
  return t->f ? CB_OK : cb_no_memory(err, "a text");
}

cb_status vlab_text_end(vlab_text *t, cb_status st, const char *path, cb_err *err) {
  const int failed = fclose(t->f);
  if (st == CB_OK && failed) st = cb_no_memory(err, "%s, %zu bytes", path, t->n);
  if (st == CB_OK) st = cb_file_write(path, t->text, t->n, err);
  free(t->text);
  return st;
}
