/* What the stamps and values of a run say about its stream, looked at once the run is over: readings that never came or came twice,
 * a clock that does not keep its rate, readings that came late, single readings that nothing around them bears out. Every finding
 * becomes an event of the run; lost or doubled readings also flag it ("gaps"). A run is sound unless it is flagged "clock" (when its
 * readings were taken is not known well enough for the windows of a pull) or "positions" (where the stage was then is not). Raw samples
 * stay as they came. */
#ifndef DAQ_STREAM_CHECK_H
#define DAQ_STREAM_CHECK_H

#include "cb_store.h"

/* The run has not ended yet and nobody records into it. time_scale: rig seconds per wall second. */
CB_CHECKED cb_status daq_stream_check(cb_store *s, const cb_run *run, double time_scale, bool *sound, cb_err *err);

/* How many readings differ from the mean of their two neighbours by far more than readings do, where the neighbours agree with each
 * other. *first: the first of them. Draws on `work`, 2 n doubles. */
size_t daq_stream_spikes(const double *v, size_t n, double *work, size_t *first);

#endif
