/* Raw data of a FAB: readings that can be, in cycles that ascend, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cb_text.h"
#include "exch_fab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_test(const exch_fab_test *t, bool buckled) {
  int last = 0;
  if (!(t->length_m > 0) || !(t->width_m > 0) || t->n == 0) __builtin_trap();
  for (size_t i = 0; i < t->n; i++) {
    const exch_fab_reading *r = &t->readings[i];
    if (!(r->distance_m > 0) || !isfinite(r->force_N)) __builtin_trap();
    if (buckled && !(r->distance_m < t->length_m)) __builtin_trap();
    if (r->cycle < last || r->cycle > last + 1 || (size_t)r->cycle >= t->cycles) __builtin_trap();
    last = r->cycle;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  exch_fab f;
  cb_err err = {""};
  if (exch_fab_read((const char *)data, size, "f", &f, &err) != CB_OK) {
    if (!err.msg[0] || !cb_text_is_line(err.msg) || f.tests[0][0].readings) __builtin_trap();
    return 0;
  }
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++)
    for (int k = 0; k < EXCH_FAB_KINDS; k++) check_test(&f.tests[d][k], k < EXCH_FAB_STRETCH);
  exch_fab_clear(&f);
  return 0;
}
