/* `rig live`: what the rig says now, without a campaign. docs/guide/rig-live.md is the page. */
#ifndef DAQ_LOOK_H
#define DAQ_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"
#include "daq_calibration.h"

/* Keys: bytes as typed, and these. */
enum { DAQ_KEY_NONE = 0, DAQ_KEY_BACKWARD = 256, DAQ_KEY_FORWARD, DAQ_KEY_OTHER };

#define DAQ_LOOK_TEXT 200

/* What is known now. Times and rates are rig time. NAN: not known. */
typedef struct daq_look_view {
  double t_s;                      /* since it began */
  size_t n;                        /* readings of the last second; 0: none yet */
  double reading, mean, sd, digit; /* the last one, and of that second, in force.unit */
  double rate_Hz;
  double force_N, mean_N, sd_N, digit_N; /* the same, from the zero; NAN without a calibration */
  double min, max, min_N, max_N;         /* since the last p */
  double position_m;
  size_t n_zero;                     /* readings of the zero that t took; 0: none was taken */
  double zero, sd_zero, u_zero;      /* in force.unit */
  double weight_kg;                  /* on the hook, as it was typed; NAN: none was compared yet */
  double weight_N, seen_N, u_seen_N; /* its force, and what was read, with the standard uncertainty */
  bool homed;                        /* in this session: before that nothing but homing moves */
  int towards;                       /* of the present motion: +1, -1; 0: at rest. Homing is -1 */
  double speed_m_per_s;              /* of the next jog */
  char note[DAQ_LOOK_TEXT];          /* what happened last; "": nothing */
} daq_look_view;

typedef struct daq_look_job {
  const cb_rig *rig;                  /* with the calibration in use */
  const daq_calibration *calibration; /* that one; NULL: there is none */
  const char *program;                /* as in daq_engine_job */
  const cb_stop *stop_flag;
  double weight_kg;             /* that w hangs; NAN: w asks for it */
  double show_every_s, seconds; /* wall; INFINITY: until it is stopped */
  /* Shows what is known. It must not wait. */
  cb_status (*show)(void *context, const daq_look_view *v, cb_err *err);
  /* Takes the next key that was typed, DAQ_KEY_NONE where none waits. It never waits. CB_E_STOPPED: no key
   * can come any more. NULL: there is no person at a terminal, and nothing moves. */
  cb_status (*key)(void *context, int *key, cb_err *err);
  void *context;             /* of show and key */
  cb_store *store;           /* gets all samples as a run of kind look; NULL: none does. Borrowed */
  const char *operator_name; /* of that run; "": not known */
  int64_t *run_id;           /* receives its number, once it has begun; may be NULL */
} daq_look_job;

/* Opens the rig and looks on until the seconds are over. Nothing moves. The stage is stopped and the ports
 * are closed on return. CB_E_STOPPED: by the stop flag or `show`. Errors: those of daq_emulator_start,
 * daq_bench.h and the store. */
CB_CHECKED cb_status daq_look_run(const daq_look_job *job, cb_err *err);

#endif
