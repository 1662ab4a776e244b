/* runs DB: one line for each run of a database: number, status, when it ended, samples of force, reason. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_store.h"

static cb_status print_run(cb_store *s, const cb_run *r, cb_err *err) {
  cb_series force;
  CB_TRY(cb_store_samples(s, r->id, CB_CHANNEL_FORCE, &force, err));
  printf("%lld %s %s %zu %s\n", (long long)r->id, cb_run_status_names[r->status], r->finished_at, force.n,
         r->reason);
  cb_series_clear(&force);
  return CB_OK;
}

static cb_status print_runs(cb_store *s, cb_err *err) {
  cb_run_filter all = cb_run_filter_all();
  cb_run *runs = NULL;
  size_t n;
  CB_TRY(cb_store_runs(s, &all, &runs, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) st = print_run(s, &runs[i], err);
  free(runs);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  cb_store *s = NULL;
  if (argc != 2) return fprintf(stderr, "usage: runs DB\n"), 2;
  cb_status st = cb_store_open(argv[1], CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = print_runs(s, &err);
  if (cb_store_close(s, NULL) != CB_OK || st != CB_OK) return fprintf(stderr, "runs: %s\n", err.msg), 1;
  return 0;
}
