/* Mapping and log of a force, or of force and motion, parted by NUL bytes: a run whose samples are numbers
 * and whose strokes lie in it, which can be reduced without a fall, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fit_cycle.h"
#include "fit_pull.h"
#include "fit_trace.h"
#include "fit_trace_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good) {
  if (!good) __builtin_trap();
}

static void check_series(const cb_series *s) {
  for (size_t i = 0; i < s->n; i++)
    must(isfinite(s->t_s[i]) && isfinite(s->v[i]) && (i == 0 || s->t_s[i] >= s->t_s[i - 1]));
}

/* As the store makes a trace of it, without the store. */
static void reduce(fit_trace *t) {
  cb_trace trace = {
      .force_N = t->force_raw, .position_m = t->motion_raw, .doubt_s = t->run.rate_Hz > 0 ? 0 : INFINITY};
  fit_cycle_options cycle = fit_cycle_options_default();
  fit_pull_options pull = fit_pull_options_default();
  fit_cycle c;
  fit_pull p;
  fit_stroke *found = NULL;
  size_t n = 0;
  cb_err err = {""};
  if (trace.position_m.n > 1 && fit_strokes_find(&trace, &found, &n, &err) == CB_OK) {
    for (size_t i = 0; i < n; i++) must(found[i].n > 0 && found[i].first + found[i].n <= trace.force_N.n);
    must(fit_cycle_reduce(&trace, found, n, &cycle, &c, &err) == CB_OK);
    fit_cycle_clear(&c);
    if (fit_pull_reduce(&trace, 1, 0.01, &pull, &p, &err) != CB_OK) must(err.msg[0] != '\0');
  }
  free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_table_file part[4] = {{"m", "", 0}, {"f", "", 0}, {NULL, NULL, 0}, {NULL, NULL, 0}};
  static const char *const names[4] = {"m", "f", "m2", "x"};
  const char *at = (const char *)data, *end = at + size;
  for (int i = 0; i < 4 && at <= end; i++) {
    const char *cut = i < 3 ? memchr(at, '\0', (size_t)(end - at)) : NULL;
    part[i] = (fit_table_file){names[i], at, (size_t)((cut ? cut : end) - at)};
    at = cut ? cut + 1 : end + 1;
  }
  if (!part[3].name) part[2] = part[3];
  fit_trace t;
  cb_err err = {""};
  if (fit_trace_parse(&(fit_trace_files){part[0], part[1], part[2], part[3]}, &t, &err) == CB_OK) {
    check_series(&t.force_raw);
    check_series(&t.motion_raw);
    int64_t next = 0;
    for (size_t i = 0; i < t.n_strokes; next = t.strokes[i].first + t.strokes[i].n, i++)
      must(t.strokes[i].n > 0 && t.strokes[i].first == next);
    must(t.n_strokes == 0 || next == (int64_t)t.force_raw.n);
    reduce(&t);
  } else {
    must(err.msg[0] != '\0');
  }
  fit_trace_clear(&t);
  return 0;
}
