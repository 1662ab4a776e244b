/* The runs of a store that were done. */
#ifndef DONERUNS_H
#define DONERUNS_H

#include "cb_store.h"
#include "cbtest.h"

/* A virtual campaign is paced so that 25 ms of delay may be a second of its rig, and the kernel was seen to
 * keep a pseudo-terminal's bytes for longer beside a compiler: then a run is made again. Nothing else may
 * have failed. Caller frees *list. */
static inline size_t done_runs(cb_store *s, cb_run **list, size_t *n_again) {
  cb_run_filter filter = cb_run_filter_all();
  cb_run *all;
  size_t n, n_done;
  assert_ok(cb_store_runs(s, &filter, &all, &n, err));
  filter.status = CB_RUN_DONE;
  assert_ok(cb_store_runs(s, &filter, list, &n_done, err));
  for (size_t i = 0; i < n; i++) {
    cb_run_zero zero;
    if (all[i].status == CB_RUN_DONE) continue;
    assert_string_equal(all[i].reason, "its readings cannot be placed: the run is made again");
    assert_ok(cb_store_run_zero_get(s, all[i].id, CB_ZERO_BEFORE, &zero, err)); /* kept before it was checked
                                                                                 */
  }
  free(all);
  *n_again = n - n_done;
  if (*n_again > 0) print_message("%zu runs were made again\n", *n_again);
  return n_done;
}

/* One run of 10000 is flagged by chance although its zero stands still (docs/guide/calibration.md): one flag
 * in a campaign is let pass; of 16 runs two are flagged in 1 of a million campaigns. */
static inline void at_most_one_flag(const cb_run *runs, size_t n) {
  int by_chance = 0;
  for (size_t i = 0; i < n; i++) {
    bool drift = strcmp(runs[i].flags, "zero-drift") == 0;
    if (!drift) assert_string_equal(runs[i].flags, "");
    by_chance += drift;
  }
  assert_true(by_chance <= 1);
}

#endif
