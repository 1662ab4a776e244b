/* Somebody who looks on while the bench is in use. */
#ifndef DAQ_WATCHER_H
#define DAQ_WATCHER_H

#include "cb_run.h"

/* An observer of all samples. It is called on the thread that serves the devices, after guard and recorder,
 * for every reading (in the channel's unit; force in force.unit) and every position [m]. It must never
 * wait. */
typedef struct daq_watcher {
  void (*sample)(void *context, cb_channel channel, double value); /* NULL: none */
  void *context;
} daq_watcher;

#endif
