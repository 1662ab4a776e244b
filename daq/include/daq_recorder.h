/* Samples and events of one run on their way to the store. Pushing never waits, neither for the disk nor for a lock: one thread pushes
 * into bounded rings, and a thread of the recorder's own empties them into the store, one transaction every 100 ms of the wall clock.
 *
 * The stamps of samples are rounded to whole microseconds: that is far below what the arrival of a sample tells of its time, and
 * packs well. Samples that were read at once share a stamp.
 *
 * From start to stop the store belongs to that thread; the caller must not touch it. */
#ifndef DAQ_RECORDER_H
#define DAQ_RECORDER_H

#include "cb_store.h"

typedef struct daq_recorder daq_recorder;

/* The run's row must be there. rate_Hz: samples per second of the wall clock on the fastest channel, 0 if not known; the rings take
 * 2 s of that, and never less than DAQ_RECORDER_SAMPLES. */
CB_CHECKED cb_status daq_recorder_start(cb_store *store, int64_t campaign_id, int64_t run_id, double rate_Hz, daq_recorder **out,
                                        cb_err *err);
/* Run time [s]; raw value (reading, or position [m]). Fails once a ring was full (the disk does not keep up) or the store
 * failed; nothing more is taken then. All pushes and events come from one thread. */
CB_CHECKED cb_status daq_recorder_push(daq_recorder *r, cb_channel channel, double t_s, double value, cb_err *err);
/* n samples that were read at once, at t_s; all of them or none. */
CB_CHECKED cb_status daq_recorder_push_block(daq_recorder *r, cb_channel channel, double t_s, const double *v, size_t n, cb_err *err);
CB_CHECKED cb_status daq_recorder_event(daq_recorder *r, double t_s, const char *kind, const char *text, cb_err *err);
/* Writes what is left, ends the thread and frees r (NULL is fine). The first failure of the store is the error. */
CB_CHECKED cb_status daq_recorder_stop(daq_recorder *r, cb_err *err);

#define DAQ_RECORDER_SAMPLES 65536 /* per channel: 13 s at 4800 Hz */
#define DAQ_RECORDER_EVENTS 64

#endif
