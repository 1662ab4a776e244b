/* Measurements as tidy tables (CSV): a row for each run, point, knot of a law, or sample; units in the names
 * of the columns. docs/guide/query.md has them. Voided runs are there, with their status. */
#ifndef LAB_TIDY_H
#define LAB_TIDY_H

#include <stdio.h>

#include "cb_store.h"

typedef enum lab_tidy { LAB_TIDY_RUNS, LAB_TIDY_POINTS, LAB_TIDY_LAWS, LAB_TIDY_TRACES, LAB_TIDY_N } lab_tidy;
extern const char *const lab_tidy_names[]; /* "runs", "points", "laws", "traces", NULL */

/* Writes a table. run_ids selects runs, of runs, points and traces; none: all. A run without samples has no
 * rows in traces. Errors: CB_E_NOTFOUND without such a run; CB_E_IO. */
CB_CHECKED cb_status lab_tidy_write(cb_store *s, lab_tidy what, const int64_t *run_ids, size_t n_runs,
                                    FILE *to, cb_err *err);

/* Writes the table's columns: name, unit, meaning. */
void lab_tidy_dictionary(lab_tidy what, FILE *to);

#endif
