/* A force read-out: a stream of readings, as a table of functions per protocol. Nothing here knows about newtons: values are in the
 * rig file's force.unit. A read-out that measures more than force (a Comedi board) brings its other channels in the same stream. */
#ifndef DAQ_FORCE_H
#define DAQ_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_store.h"
#include "daq_stage.h"

typedef struct daq_reading {
  cb_channel channel;
  double raw;    /* as it came: what is stored */
  double value;  /* in the channel's unit: what the guard compares */
  bool overload; /* the read-out itself says so, or its converter is at its end */
} daq_reading;

typedef struct daq_force {
  const struct daq_force_driver *driver; /* NULL: not open */
  const cb_rig *rig;                     /* borrowed, must outlive this */
  void *own;                             /* the driver's */
  char identity[128];                    /* what the device says it is; "" where it cannot */
  size_t n_unreadable;                   /* messages that were no reading, since opening */
} daq_force;

typedef struct daq_force_driver {
  const char *name; /* as in the rig file */
  /* Takes the port and starts the stream. stage: open, for read-outs that share its port. Close also after a failure. */
  cb_status (*open)(daq_force *f, const char *port, daq_stage *stage, cb_err *err);
  void (*close)(daq_force *f);
  int (*fd)(const daq_force *f); /* for poll() */
  /* The next reading that has arrived; *found = false when there is none. Never waits. */
  cb_status (*read)(daq_force *f, daq_reading *out, bool *found, cb_err *err);
  /* Drops what has arrived and was not read: it is old. */
  cb_status (*discard)(daq_force *f, cb_err *err);
} daq_force_driver;

extern const daq_force_driver daq_line_driver, daq_d500_driver;
extern const daq_force_driver daq_esm_force_driver; /* through the stage's port */
/* By cb_force_driver. */
extern const daq_force_driver *const daq_force_drivers[];

/* Close also after a failure. */
CB_CHECKED cb_status daq_force_open(daq_force *f, const cb_rig *rig, const char *port, daq_stage *stage, cb_err *err);
void daq_force_close(daq_force *f);

#endif
