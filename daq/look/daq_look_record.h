/* Private to daq: what `rig live` sees as a run of the database, of kind look and in a campaign of its own.
 */
#ifndef DAQ_LOOK_RECORD_H
#define DAQ_LOOK_RECORD_H

#include "cb_claim.h"
#include "daq_bench.h"
#include "daq_look.h"

typedef struct daq_look_record {
  cb_store *store;        /* borrowed; NULL: nothing is stored */
  daq_recorder *recorder; /* from begin to end */
  cb_run run;
  cb_claim claim;
} daq_look_record;

/* Begins the run in job->store, and records the bench. Looks that were cut off are closed first. After a
 * failure, too, the caller calls daq_look_record_end. */
CB_CHECKED cb_status daq_look_record_begin(daq_look_record *r, const daq_look_job *job, daq_bench *b,
                                           cb_err *err);
/* An event of the run. Nothing where none is recorded. */
CB_CHECKED cb_status daq_look_record_event(const daq_look_record *r, const daq_bench *b, const char *kind,
                                           const char *text, cb_err *err);
/* Closes the run of a look that ended with st: done, also where it was stopped, or failed. Returns st, or the
 * store's failure if st is CB_OK or CB_E_STOPPED. */
CB_CHECKED cb_status daq_look_record_end(daq_look_record *r, daq_bench *b, cb_status st, cb_err *err);

#endif
