/* Checks the stream of a run from its stamps and values, after the run. It finds readings that are missing or
 * doubled, a clock that does not keep its rate, late readings, readings that stand alone (cb_stray.h)
 * and readings that no longer change (cb_still.h). Every finding becomes an event of the run. Lost or doubled
 * readings also flag it ("gaps"), and so do readings that stand alone ("spikes") and equal ones
 * ("equal-readings").
 *
 * A run is sound unless it is flagged "clock" or "positions": the times of the readings, or the positions of
 * the stage, are then not known well enough for the windows of a pull. Raw samples are not changed. */
#ifndef DAQ_STREAM_CHECK_H
#define DAQ_STREAM_CHECK_H

#include "cb_store.h"

/* Checks a run whose row is still open and whose recorder has stopped. time_scale is rig seconds per wall
 * second. Events and flags are written in one transaction.
 * Errors: those of the store, CB_E_NOMEM. */
CB_CHECKED cb_status daq_stream_check(cb_store *s, const cb_run *run, double time_scale, bool *sound,
                                      cb_err *err);

#endif
