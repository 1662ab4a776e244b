#include "daq_zero.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "cb_still.h"
#include "cb_stray.h"

/* Leaves out what stands alone. Returns how many readings are left. */
static size_t keep_believed(double *v, const bool *stray, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!stray[i]) v[kept++] = v[i];
  return kept;
}

cb_status daq_zero_of(const cb_series *raw, double digit, daq_zero *out, cb_err *err) {
  const size_t n = raw->n;
  double *v = malloc(n * sizeof *v);
  bool *stray = malloc(n * sizeof *stray);
  cb_status st = v && stray ? cb_stray_find(raw->t_s, raw->v, n, n, digit, stray, &out->n_stray, err)
                            : cb_no_memory(err, "a zero of %zu readings", n);
  if (st == CB_OK) {
    memcpy(v, raw->v, n * sizeof *v);
    const size_t kept = keep_believed(v, stray, n);
    out->mean = cb_mean(v, kept);
    out->sd = cb_sd(v, kept);
    out->u = fmax(cb_mean_uncertainty(v, kept, NULL), digit / sqrt(12));
    out->still_limit = cb_still_limit(v, kept);
    out->n = n;
    out->t_s = 0.5 * (raw->t_s[0] + raw->t_s[n - 1]);
  }
  free(v);
  free(stray);
  return st;
}

bool daq_zero_drifted(const daq_zero *before, const daq_zero *after, double *chance) {
  /* A zero of few readings does not know its own scatter well: the lesser of both degrees of freedom (Welch's
   * are never fewer). */
  const size_t n = before->n < after->n ? before->n : after->n;
  *chance = cb_student_t(DAQ_ZERO_CHANCE, (double)n - 1) * hypot(before->u, after->u);
  return fabs(after->mean - before->mean) > *chance;
}

cb_status daq_zero_take_raw(daq_bench *b, double seconds, double digit, daq_zero *out, cb_series *raw,
                            cb_err *err) {
  *raw = (cb_series){0};
  b->kept = raw;
  cb_status st = daq_bench_rest(b, seconds, &out->mean, err);
  b->kept = NULL;
  return st == CB_OK ? daq_zero_of(raw, digit, out, err) : st;
}

cb_status daq_zero_take(daq_bench *b, double seconds, double digit, daq_zero *out, cb_err *err) {
  cb_series raw;
  cb_status st = daq_zero_take_raw(b, seconds, digit, out, &raw, err);
  cb_series_clear(&raw);
  return st;
}
