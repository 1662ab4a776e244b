/* A force read-out: a stream of readings, as a table of functions per protocol. Nothing here knows about newtons: values are in the
 * rig file's force.unit. A read-out that measures more than force (a Comedi board) brings its other channels in the same stream. */
#ifndef DAQ_FORCE_H
#define DAQ_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_store.h"
#include "daq_quote.h"
#include "daq_stage.h"

typedef struct daq_reading {
  cb_channel channel;
  double raw;                 /* as it came: what is stored */
  double value;               /* in the channel's unit: what the guard compares */
  bool overload;              /* the read-out itself says so, or its converter is at its end */
  double asked_s, answered_s; /* monotonic; both 0: it was not asked for, the read-out streams by itself */
} daq_reading;

typedef struct daq_force {
  const struct daq_force_driver *driver; /* NULL: not open */
  const cb_rig *rig;                     /* borrowed, must outlive this */
  void *own;                             /* the driver's */
  bool taken;                            /* the port is ours; what fails from then on lies with the device */
  char identity[128];                    /* what the device says it is; "" where it cannot */
  bool wrong_serial;                     /* it is not the device whose serial number the rig file names: opening has failed */
  size_t n_unreadable;                   /* messages that were no reading, since opening */
  char unreadable[DAQ_QUOTE_SIZE];       /* the first bytes of one of them, for a person; may be set to "" to see the next */
  size_t n_reformatted;                  /* how often the form of its lines changed (daq_format.h), since opening */
  size_t n_clipped;                      /* samples at an end of their converter, since opening */
  bool asked;                            /* every reading is asked for: it has no clock of its own, ours counts */
} daq_force;

typedef struct daq_force_driver {
  const char *name; /* as in the rig file */
  /* Takes the port, starts the stream and sees that readings come. stage: open, for read-outs that share its port. Close also after
   * a failure. */
  cb_status (*open)(daq_force *f, const char *port, daq_stage *stage, cb_err *err);
  void (*close)(daq_force *f);
  int (*fd)(const daq_force *f); /* for poll() */
  /* The next reading that has arrived; *found = false when there is none. Never waits. */
  cb_status (*read)(daq_force *f, daq_reading *out, bool *found, cb_err *err);
  /* Drops what has arrived and was not read: it is old. */
  cb_status (*discard)(daq_force *f, cb_err *err);
  /* Up to cap readings that have arrived, in their order, *n of them; one call per sample would be too much at 1 MS/s. NULL where
   * `read` is enough. */
  cb_status (*read_many)(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err);
  /* What the store has to know of each channel besides its samples; run_id is left 0. Returns how many. NULL where readings are
   * what they say. */
  size_t (*channels)(const daq_force *f, cb_run_channel out[CB_N_CHANNELS]);
} daq_force_driver;

extern const daq_force_driver daq_line_driver, daq_d500_driver, daq_gcl_driver, daq_sics_driver, daq_comedi_driver;
extern const daq_force_driver daq_esm_force_driver; /* through the stage's port */
/* By cb_force_driver. */
extern const daq_force_driver *const daq_force_drivers[];

/* Close also after a failure. */
CB_CHECKED cb_status daq_force_open(daq_force *f, const cb_rig *rig, const char *port, daq_stage *stage, cb_err *err);
void daq_force_close(daq_force *f);

/* Up to cap readings that have arrived, *n of them, by whichever function the driver has. Never waits. After a failure *n readings
 * that came before it are in out all the same. */
CB_CHECKED cb_status daq_force_read_many(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err);

/* For drivers: the serial number that the device told ("": none) is the one of force.serial, if that is given. */
CB_CHECKED cb_status daq_force_check_serial(daq_force *f, const char *told, cb_err *err);

#endif
