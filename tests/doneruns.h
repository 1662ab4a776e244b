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
  for (size_t i = 0; i < n; i++)
    if (all[i].status != CB_RUN_DONE)
      assert_string_equal(all[i].reason, "its readings cannot be placed: the run is made again");
  free(all);
  *n_again = n - n_done;
  if (*n_again > 0) print_message("%zu runs were made again\n", *n_again);
  return n_done;
}

#endif
