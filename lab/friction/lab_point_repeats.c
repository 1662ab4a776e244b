/* Readings of a pull that are those of an earlier one: a read-out that sends its buffer again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fit_repeat.h"
#include "lab_point_parts.h"

/* The same readings have the same mean, but for a few at the ends of the plateau. A pull before this one that
 * has no point yet may be any. */
static bool may_be(cb_store *s, const cb_run *other, bool is_last, const fit_pull *p) {
  cb_friction_point q;
  if (cb_store_point_of_run(s, other->id, &q, NULL) != CB_OK) return is_last;
  return fabs(q.kinetic_N - p->kinetic_N) <= fmax(q.kinetic_sd_N, p->kinetic_sd_N);
}

static cb_status compare(cb_store *s, const cb_run *other, const cb_trace *trace, fit_pull *p, cb_err *err) {
  cb_trace t;
  CB_TRY(cb_store_trace(s, other, &t, err));
  if (fit_pull_repeats(trace, p->t_start_s, &t)) {
    fit_fault_found *found = &p->faults.list[p->faults.n++];
    *found = (fit_fault_found){.kind = FIT_FAULT_REPEATS};
    (void)snprintf(found->what, sizeof found->what, "those of run %lld", (long long)other->id);
    p->outcome = FIT_PULL_INVALID;
  }
  cb_trace_clear(&t);
  return CB_OK;
}

cb_status lab_point_find_repeats(cb_store *s, const cb_run *run, const cb_trace *trace, fit_pull *p,
                                 cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  cb_run *list;
  size_t n;
  cb_status st = CB_OK;
  if (p->outcome != FIT_PULL_OK) return CB_OK;
  f.campaign_id = run->campaign_id;
  f.kind = CB_RUN_PULL;
  CB_TRY(cb_store_runs(s, &f, &list, &n, err));
  while (n > 0 && list[n - 1].id >= run->id) n--;
  for (size_t i = n; i > 0 && st == CB_OK && p->outcome == FIT_PULL_OK; i--)
    if (list[i - 1].calibration_id == run->calibration_id && list[i - 1].status == CB_RUN_DONE &&
        may_be(s, &list[i - 1], i == n, p))
      st = compare(s, &list[i - 1], trace, p, err);
  free(list);
  return st;
}
