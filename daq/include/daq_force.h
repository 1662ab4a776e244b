/* A force read-out: a stream of readings, as a table of functions per protocol. Readings are raw, in the rig file's
 * force.unit; nothing here knows about newtons. */
#ifndef DAQ_FORCE_H
#define DAQ_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "daq_parse.h"
#include "daq_transport.h"

typedef struct daq_reading {
  double value;
  bool overload; /* the read-out itself says so */
} daq_reading;

typedef struct daq_force_driver {
  const char *name;       /* as in the rig file */
  const char *start_text; /* sent once to start the stream; NULL: it streams by itself */
  daq_parse (*parse)(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used);
} daq_force_driver;

/* By cb_force_driver. */
extern const daq_force_driver *const daq_force_drivers[];

typedef struct daq_force {
  const daq_force_driver *driver;
  const cb_rig_force *rig; /* borrowed, must outlive this */
  daq_transport *port;
  char rx[4096];
  size_t n_rx;
  bool synced;         /* a line end was seen: what follows is a whole line */
  size_t n_unreadable; /* lines that were no reading, since opening */
} daq_force;

/* Close also after a failure. */
CB_CHECKED cb_status daq_force_open(daq_force *f, const cb_rig_force *rig, const char *port, cb_err *err);
void daq_force_close(daq_force *f);
/* The next reading that has arrived; *found = false when there is none. Never waits. The line in which listening began is
 * dropped: its first digits may be missing. */
CB_CHECKED cb_status daq_force_read(daq_force *f, daq_reading *out, bool *found, cb_err *err);

#endif
