/* A linear stage: what the engine may ask of one, as a table of functions per protocol.
 *
 * Every move is bounded (a target, never a velocity): if the host dies, the stage stops by itself where it was sent.
 * Positions [m] are the stage's own co-ordinate, zero where it homes. Errors name the port. */
#ifndef DAQ_STAGE_H
#define DAQ_STAGE_H

#include <stdbool.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "daq_quote.h"
#include "daq_transport.h"

typedef struct daq_stage_state {
  double position_m;
  bool busy;
  double asked_s; /* monotonic: when the question was sent; the position was taken between then and the answer's arrival */
} daq_stage_state;

typedef struct daq_stage {
  const struct daq_stage_driver *driver; /* NULL: not open */
  const cb_rig_stage *rig;               /* borrowed, must outlive the stage */
  daq_transport *port;
  void *own;           /* the driver's */
  char identity[128];  /* what the device says it is */
  bool wrong_serial;   /* it is not the device whose serial number the rig file names: opening has failed */
  char stop_text[16];  /* the bytes that stop it without any further state; "" before they are known. The watchdog may write them */
  double ask_period_s; /* wall: the shortest time between two questions that the device can bear; 0: any */
  /* Since opening; for the record (daq_trouble.h). */
  size_t n_retried;                /* questions asked again, because no answer came in time */
  size_t n_stray;                  /* replies that belonged to no open question */
  size_t n_unreadable;             /* messages that were none */
  char unreadable[DAQ_QUOTE_SIZE]; /* the first bytes of one of them; may be set to "" to see the next */
} daq_stage;

typedef struct daq_stage_driver {
  const char *name; /* as in the rig file */
  /* Takes the port, stops whatever may still be moving, reads what the device is, sets limits, speed and acceleration from the
   * rig file and reads them back. Close also after a failure. */
  cb_status (*open)(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err);
  void (*close)(daq_stage *s);
  /* Both return as soon as the stage accepted; it is idle once take() says so. */
  cb_status (*home)(daq_stage *s, cb_err *err);
  cb_status (*move_abs)(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err);
  /* Told at once, and again while no answer comes; CB_OK once the stage has confirmed. */
  cb_status (*stop)(daq_stage *s, cb_err *err);
  /* Position and busy without waiting: ask sends the question unless one is open or ask_period_s is not over, take looks whether the
   * answer came.
   * A fault the device reports is CB_E_DEVICE; no answer within the rig's reply_timeout_s is CB_E_TIMEOUT. */
  cb_status (*ask)(daq_stage *s, cb_err *err);
  cb_status (*take)(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err);
} daq_stage_driver;

extern const daq_stage_driver daq_zaber_driver, daq_grbl_driver, daq_smc100_driver, daq_esm_driver;
/* By cb_stage_driver. */
extern const daq_stage_driver *const daq_stage_drivers[];

/* Close also after a failure. */
CB_CHECKED cb_status daq_stage_open(daq_stage *s, const cb_rig *rig, const char *port, cb_err *err);
void daq_stage_close(daq_stage *s);

/* For drivers, before they set anything: the serial number that the device told ("": none) is the one of stage.serial, if that is given. */
CB_CHECKED cb_status daq_stage_check_serial(daq_stage *s, const char *told, cb_err *err);

/* For drivers: counts n bytes that were no message, and keeps the first. Line ends alone are nothing. */
void daq_stage_note_unreadable(daq_stage *s, const char *bytes, size_t n);

#endif
