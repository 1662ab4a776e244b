/* The data that figures and reports read from the store, loaded once; private to report/. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_store.h"
#include "lab_friction.h"
#include "report_pen.h"

/* Materials, runs and laws. It owns its arrays, not the store. */
typedef struct report_data {
  cb_store *store;
  const lab_selection *sel; /* NULL: every run; borrowed */
  size_t n_selected, n_of;  /* finished runs: the selected ones, and all */
  cb_material *materials;
  size_t n_materials;
  cb_run *runs;
  size_t n_runs;
  cb_friction_law *laws; /* newest of each pair and kind; of a selection, fitted to it: their ids are 0 */
  size_t n_laws;
  report_pen *pen; /* draws all figures of the data; made by who has some; owned */
} report_data;

typedef struct report_pair {
  int64_t cloth_id, body_id;
} report_pair;

/* Loads the data of a cloth (0: of all). sel: the selected runs of the whole database, unless it is NULL or
 * selects every run. The caller calls report_data_clear, even after an error. */
CB_CHECKED cb_status report_data_load(cb_store *s, int64_t cloth_id, const lab_selection *sel, report_data *d,
                                      cb_err *err);
/* Loads the materials, the laws, and the runs that pass the filter. The caller calls report_data_clear, even
 * after an error. */
CB_CHECKED cb_status report_data_load_some(cb_store *s, const cb_run_filter *f, report_data *d, cb_err *err);
void report_data_clear(report_data *d);

int64_t report_data_id(const report_data *d, cb_material_kind kind, const char *name); /* 0 if there is none
                                                                                        */
const char *report_data_name(const report_data *d, int64_t material_id); /* "?" if there is none */
/* Returns the newest law of a pair; NULL if there is none. */
const cb_friction_law *report_data_law(const report_data *d, report_pair pair, cb_friction_kind kind);
/* Reads a law of the data with what its fit said into f. Start from f = {0}; call it for both kinds in turn.
 */
CB_CHECKED cb_status report_data_fit(const report_data *d, const cb_friction_law *law, lab_friction *f,
                                     cb_err *err);
/* Lists the selected observations of a pair, with the body at its most frequent angle. The caller frees
 * *obs. */
CB_CHECKED cb_status report_data_observations(const report_data *d, report_pair pair, cb_friction_obs **obs,
                                              size_t *n, cb_err *err);
/* Returns whether a run is of the pair. */
bool report_pair_is(report_pair pair, const cb_run *r);
/* Returns whether a run is finished and has samples (imported points have none). */
bool report_run_has_trace(const cb_run *r);
/* Lists the different pairs of a campaign's runs, in order of appearance; campaign_id 0: of all runs and
 * laws. The caller frees *list. */
CB_CHECKED cb_status report_data_pairs(const report_data *d, int64_t campaign_id, report_pair **list,
                                       size_t *n, cb_err *err);

#endif
