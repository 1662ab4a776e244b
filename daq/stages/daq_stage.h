/* A linear stage, as a table of functions per protocol.
 *
 * Every move is bounded (a target, never a velocity): if the host dies, the stage stops by itself at its
 * target. Positions [m] are the stage's own co-ordinate, zero where it homes.
 * Errors name the port. */
#ifndef DAQ_STAGE_H
#define DAQ_STAGE_H

#include <stdbool.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "daq_line.h"
#include "daq_transport.h"

typedef struct daq_stage_state {
  double position_m;
  bool busy;
  double asked_s; /* monotonic: time of the question; the position was taken after it */
} daq_stage_state;

typedef struct daq_stage {
  const struct daq_stage_driver *driver; /* NULL: not open */
  const cb_rig_stage *rig;               /* borrowed, must outlive the stage */
  daq_transport *port;
  void *own;           /* the driver's */
  char identity[128];  /* as reported by the device */
  bool wrong_serial;   /* opening failed: the serial number is not that of the rig file */
  char stop_text[16];  /* bytes that stop the stage in any state, also for the watchdog; "": not known yet */
  double ask_period_s; /* wall: shortest time between two questions; 0: any */
  /* Counts since opening (daq_trouble.h). */
  size_t n_retried;                /* questions repeated, as no answer came in time */
  size_t n_stray;                  /* replies that belonged to no open question */
  size_t n_unreadable;             /* messages that could not be parsed */
  char unreadable[DAQ_QUOTE_SIZE]; /* first bytes of one of them; setting "" stores the next one */
} daq_stage;

typedef struct daq_stage_driver {
  const char *name; /* as in the rig file */
  /* Opens the port, stops any motion, and reads the identity. Sets limits, speed and acceleration from the
   * rig file and reads them back. What it leaves is daq_stage_close's. */
  cb_status (*open)(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err);
  /* Both return once the stage has accepted. The motion has ended once `take` reports busy = false. */
  cb_status (*home)(daq_stage *s, cb_err *err);
  cb_status (*move_abs)(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err);
  /* Sends the stop at once, and again while no answer comes. CB_OK once the stage has confirmed. */
  cb_status (*stop)(daq_stage *s, cb_err *err);
  /* Position and busy without waiting. `ask` sends the question, unless one is open or ask_period_s is not
   * over. `take` sets *fresh if the answer came. CB_E_DEVICE: the device reports a fault. CB_E_TIMEOUT: no
   * answer within the rig's reply_timeout_s. */
  cb_status (*ask)(daq_stage *s, cb_err *err);
  cb_status (*take)(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err);
} daq_stage_driver;

extern const daq_stage_driver daq_zaber_driver, daq_grbl_driver, daq_esm_driver, daq_lines_driver,
    daq_process_stage_driver, daq_apt_driver;
/* Indexed by cb_stage_driver; NULL: not built into this program. */
extern const daq_stage_driver *const daq_stage_drivers[];

/* Opens the stage of a rig, which must outlive s. The caller calls daq_stage_close, also after a failure.
 * CB_E_ARG: the driver is not built in. CB_E_DEVICE: the port cannot be opened, or the device is another one,
 * refuses a setting or reports a fault. CB_E_TIMEOUT: no answer. CB_E_NOMEM. */
CB_CHECKED cb_status daq_stage_open(daq_stage *s, const cb_rig *rig, const char *port, cb_err *err);
void daq_stage_close(daq_stage *s);

/* For drivers, before they set anything: checks the device's serial number ("": none) against stage.serial,
 * if that is given.
 * Errors: CB_E_DEVICE; sets s->wrong_serial. */
CB_CHECKED cb_status daq_stage_check_serial(daq_stage *s, const char *told, cb_err *err);

/* For drivers: counts n bytes that were no message, and keeps the first ones. Bare line ends do not count. */
void daq_stage_note_unreadable(daq_stage *s, const char *bytes, size_t n);

#endif
