/* A force read-out: a stream of readings, as a table of functions per protocol. Values are in the rig file's
 * force.unit, not in newtons. A read-out that measures more than force (a Comedi board) sends its other
 * channels in the same stream. */
#ifndef DAQ_FORCE_H
#define DAQ_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"
#include "cb_store.h"
#include "daq_line.h"
#include "daq_stage.h"

typedef struct daq_reading {
  cb_channel channel;
  double raw;                 /* as received; this is stored */
  double value;               /* in the channel's unit; the guard compares this */
  bool overload;              /* reported by the read-out, or its converter is at its end */
  double asked_s, answered_s; /* monotonic; both 0: the read-out streams without questions */
} daq_reading;

typedef struct daq_force {
  const struct daq_force_driver *driver; /* NULL: not open */
  const cb_rig *rig;                     /* borrowed, must outlive this */
  const cb_stop *stop_flag;              /* borrowed; ends a wait while it is opened; NULL: none */
  void *own;                             /* the driver's */
  bool taken;                            /* the port was opened; a later failure is the device's */
  char identity[128];                    /* as reported by the device; "" if it cannot */
  bool wrong_serial;                     /* opening failed: the serial number is not that of the rig file */
  size_t n_unreadable;                   /* messages that were no reading, since opening */
  char unreadable[DAQ_QUOTE_SIZE];       /* first bytes of one of them; setting "" stores the next one */
  size_t n_unanswered;                   /* questions without a whole answer in time, since opening */
  bool shortest;                         /* its lines leave out trailing zeros (daq_format.h) */
  size_t n_reformatted;                  /* changes of the lines' form (daq_format.h), since opening */
  size_t n_clipped;                      /* samples at an end of their converter, since opening */
  bool asked;                            /* every reading is asked for, so that this program's clock counts */
} daq_force;

typedef struct daq_force_driver {
  const char *name; /* as in the rig file */
  /* Opens the port, starts the stream and waits for readings. stage is open, for read-outs on its port. The
   * caller calls `close`, also after a failure. */
  cb_status (*open)(daq_force *f, const char *port, daq_stage *stage, cb_err *err);
  void (*close)(daq_force *f);
  int (*fd)(const daq_force *f); /* for poll() */
  /* Takes the next reading that has arrived. *found is false if there is none. Never waits. */
  cb_status (*read)(daq_force *f, daq_reading *out, bool *found, cb_err *err);
  /* Drops what has arrived and was not read. */
  cb_status (*discard)(daq_force *f, cb_err *err);
  /* Takes up to cap readings that have arrived, in order; *n receives their number. For fast read-outs; NULL:
   * `read` is used. */
  cb_status (*read_many)(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err);
  /* Describes the converter of each channel for the store; run_id is 0. Returns their number. NULL: readings
   * need none. */
  size_t (*channels)(const daq_force *f, cb_run_channel out[CB_N_CHANNELS]);
} daq_force_driver;

extern const daq_force_driver daq_line_driver, daq_d500_driver, daq_gcl_driver, daq_sics_driver,
    daq_comedi_driver, daq_modbus_driver, daq_scpi_driver, daq_process_force_driver;
extern const daq_force_driver daq_esm_force_driver; /* on the stage's port */
/* Indexed by cb_force_driver; NULL: not built into this program. */
extern const daq_force_driver *const daq_force_drivers[];

/* Opens the read-out of a rig; rig and stop_flag, which may be NULL, must outlive f. The caller calls
 * daq_force_close, also after a failure. CB_E_ARG: the driver is not built in. CB_E_DEVICE: the port cannot
 * be opened, or nothing understandable comes. CB_E_RANGE: the device cannot do what the rig file wants.
 * CB_E_STOPPED by stop_flag. CB_E_TIMEOUT, CB_E_NOMEM. */
CB_CHECKED cb_status daq_force_open(daq_force *f, const cb_rig *rig, const char *port, daq_stage *stage,
                                    const cb_stop *stop_flag, cb_err *err);
void daq_force_close(daq_force *f);

/* Takes up to cap readings that have arrived; *n receives their number. Never waits. After a failure, out
 * holds the *n readings that came before it.
 * Errors: CB_E_DEVICE and others of the driver. */
CB_CHECKED cb_status daq_force_read_many(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err);

/* For drivers: checks the device's serial number ("": none) against force.serial, if that is given.
 * Errors: CB_E_DEVICE; sets f->wrong_serial. */
CB_CHECKED cb_status daq_force_check_serial(daq_force *f, const char *told, cb_err *err);

#endif
