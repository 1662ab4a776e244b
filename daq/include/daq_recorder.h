/* Samples and events of one run on their way to the store. Pushing never waits for the disk: it appends to a bounded queue,
 * which a thread of its own empties into the store, one transaction every 100 ms of the wall clock.
 *
 * From start to stop the store belongs to that thread; the caller must not touch it. */
#ifndef DAQ_RECORDER_H
#define DAQ_RECORDER_H

#include "cb_store.h"

typedef struct daq_recorder daq_recorder;

/* The run's row must be there. */
CB_CHECKED cb_status daq_recorder_start(cb_store *store, int64_t campaign_id, int64_t run_id, daq_recorder **out, cb_err *err);
/* Run time [s]; raw value (reading, or position [m]). Fails once the queue is full (the disk does not keep up) or the store
 * failed; nothing more is taken then. */
CB_CHECKED cb_status daq_recorder_push(daq_recorder *r, cb_channel channel, double t_s, double value, cb_err *err);
CB_CHECKED cb_status daq_recorder_event(daq_recorder *r, double t_s, const char *kind, const char *text, cb_err *err);
/* Writes what is left, ends the thread and frees r (NULL is fine). The first failure of the store is the error. */
CB_CHECKED cb_status daq_recorder_stop(daq_recorder *r, cb_err *err);

#define DAQ_RECORDER_SAMPLES 65536 /* per channel: 13 s at 4800 Hz */
#define DAQ_RECORDER_EVENTS 64

#endif
