/* Samples and events of one run on their way to the store. Pushing never waits, neither for the disk nor for
 * a lock. One thread pushes into bounded rings. A thread of the recorder writes them to the store, one
 * transaction per 100 ms of wall time.
 *
 * Stamps are rounded to whole microseconds. That is far finer than an arrival time is known, and packs well.
 * Samples that were read at once share a stamp.
 *
 * From start to stop the store belongs to that thread. The caller must not use it. */
#ifndef DAQ_RECORDER_H
#define DAQ_RECORDER_H

#include "cb_store.h"

typedef struct daq_recorder daq_recorder;

/* Starts recording for an existing row of a run. rate_Hz is the fastest channel's rate in samples per wall
 * second; 0: not known. The rings hold 2 s of it, and at least DAQ_RECORDER_SAMPLES. The caller ends *out
 * with daq_recorder_stop. CB_E_NOMEM. */
CB_CHECKED cb_status daq_recorder_start(cb_store *store, int64_t campaign_id, int64_t run_id, double rate_Hz,
                                        daq_recorder **out, cb_err *err);
/* Adds a sample: run time [s] and raw value (reading, or position [m]). All pushes and events must come from
 * one thread.
 * CB_E_IO: a ring is full, as the disk does not keep up. Else the store's failure. Nothing is taken from then
 * on. */
CB_CHECKED cb_status daq_recorder_push(daq_recorder *r, cb_channel channel, double t_s, double value,
                                       cb_err *err);
/* Adds n samples read at once at t_s, all or none.
 * Errors as above. */
CB_CHECKED cb_status daq_recorder_push_block(daq_recorder *r, cb_channel channel, double t_s, const double *v,
                                             size_t n, cb_err *err);
/* Adds an event of the run. The texts are copied. CB_E_IO also if DAQ_RECORDER_EVENTS events are waiting. */
CB_CHECKED cb_status daq_recorder_event(daq_recorder *r, double t_s, const char *kind, const char *text,
                                        cb_err *err);
/* Writes what is left, ends the thread and frees r, which may be NULL. Returns the first failure of the
 * store. */
CB_CHECKED cb_status daq_recorder_stop(daq_recorder *r, cb_err *err);

#define DAQ_RECORDER_SAMPLES 65536 /* per channel: 13 s at 4800 Hz */
#define DAQ_RECORDER_EVENTS 64

#endif
