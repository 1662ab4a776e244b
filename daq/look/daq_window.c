#include "daq_window.h"

#include <math.h>

#include "cb_stats.h"
#include "daq_digit.h"

void daq_window_push(daq_window *w, double t_s, double value) {
  const size_t i = w->pushed++ % DAQ_WINDOW_SIZE;
  w->t_s[i] = t_s;
  w->value[i] = value;
}

static double t_of(const daq_window *w, size_t back) {
  return w->t_s[(w->pushed - 1 - back) % DAQ_WINDOW_SIZE];
}

daq_window_facts daq_window_tell(daq_window *w, double now_s, double seconds) {
  daq_window_facts f = {.n = 0, .mean = NAN, .sd = NAN, .digit = NAN};
  size_t n = 0, distinct;
  while (n < w->pushed && n < DAQ_WINDOW_SIZE && t_of(w, n) >= now_s - seconds) {
    w->work[n] = w->value[(w->pushed - 1 - n) % DAQ_WINDOW_SIZE];
    n++;
  }
  f.n = n;
  if (n == 0) return f;
  f.mean = cb_mean(w->work, n);
  if (n < 2) return f;
  f.sd = cb_sd(w->work, n);
  cb_sort(w->work, n);
  const double digit = daq_digit_of(w->work, n, &distinct);
  if (distinct > 1) f.digit = digit;
  return f;
}
