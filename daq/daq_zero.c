#include "daq_zero.h"

#include <math.h>

#include "cb_stats.h"

cb_status daq_zero_take_raw(daq_bench *b, double seconds, double digit, daq_zero *out, cb_series *raw,
                            cb_err *err) {
  *raw = (cb_series){0};
  b->kept = raw;
  cb_status st = daq_bench_rest(b, seconds, &out->mean, err);
  b->kept = NULL;
  if (st != CB_OK) return st;
  out->mean = cb_mean(raw->v, raw->n);
  out->sd = cb_sd(raw->v, raw->n);
  out->u = hypot(cb_mean_uncertainty(raw->v, raw->n, NULL), digit / sqrt(12));
  out->n = raw->n;
  out->t_s = 0.5 * (raw->t_s[0] + raw->t_s[raw->n - 1]);
  return CB_OK;
}

cb_status daq_zero_take(daq_bench *b, double seconds, double digit, daq_zero *out, cb_err *err) {
  cb_series raw;
  cb_status st = daq_zero_take_raw(b, seconds, digit, out, &raw, err);
  cb_series_clear(&raw);
  return st;
}
