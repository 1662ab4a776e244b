/* Checks the stream of a run from its stamps and values, after the run. It finds readings that are missing or
 * doubled, a clock that does not keep its rate, late readings, and single readings that their neighbours
 * contradict. Every finding becomes an event of the run. Lost or doubled readings also flag it ("gaps").
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

/* Counts the readings that differ from the mean of their two neighbours by far more than usual, where the
 * neighbours agree. *first receives the index of the first one. work has 2 n doubles. */
size_t daq_stream_spikes(const double *v, size_t n, double *work, size_t *first);

#endif
