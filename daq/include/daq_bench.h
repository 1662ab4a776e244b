/* The bench while it is in use: stage, force read-out, e-stop contact and guard, served by one thread. Everything that takes time on
 * the rig (a move, a rest) runs through one loop, which reads the force, shows it to the guard, looks at the e-stop, asks for the
 * position and passes all of it to the recorder. It waits for the devices only, never for the disk, and turns at least every 10 ms.
 *
 * Whatever goes wrong in that loop - the guard, the e-stop, a lost device, a full queue, the stop flag - the stage's stop bytes are
 * written at once, and the driver has had its stop confirmed before the function returns. While the stage may move, a watchdog
 * looks after the loop itself. Durations are rig time. */
#ifndef DAQ_BENCH_H
#define DAQ_BENCH_H

#include "cb_stop.h"
#include "daq_estop.h"
#include "daq_force.h"
#include "daq_guard.h"
#include "daq_recorder.h"
#include "daq_stage.h"
#include "daq_watchdog.h"

/* Looks on while the bench is in use: called on the thread that serves the devices, after guard and recorder, for every force
 * reading (in force.unit) and every position [m]. It must never wait. */
typedef struct daq_watcher {
  void (*sample)(void *context, cb_channel channel, double value); /* NULL: nobody looks */
  void *context;
} daq_watcher;

typedef struct daq_bench {
  const cb_rig *rig;        /* borrowed */
  const cb_stop *stop_flag; /* wanted: end with CB_E_STOPPED; may be set by a signal handler or another thread */
  daq_stage stage;
  daq_force force;
  daq_estop estop;
  daq_guard guard;
  daq_watchdog *watchdog;
  double time_scale;
  double position_m;
  bool busy, fresh;            /* fresh: the state was asked for after the last command */
  double next_ask_s;           /* monotonic */
  double gather_s;             /* wall: a fast stream is left to gather for so long between two looks; 0: it is not fast */
  double gather_until_s;       /* monotonic */
  double typical_trip_s;       /* running median of question to answer; 0 before the first */
  double typical_force_trip_s; /* the same of readings that are asked for */
  size_t n_late; /* positions and readings that were not recorded, because their answer took so long that their time is not known */
  double sum;
  size_t n;               /* readings since the last rest began */
  cb_series *kept;        /* while not NULL: every reading is appended, with its time on the monotonic clock in rig seconds; borrowed */
  daq_recorder *recorder; /* NULL: nothing is recorded */
  double recording_since_s;
  daq_watcher watcher;
} daq_bench;

/* Opens both devices (their ports are given, because a virtual rig's are not in its file) and the e-stop's port, and waits until the
 * stage is idle. The calling thread, which has to make all further calls, is given precedence (daq_latency). Close also after a
 * failure. */
CB_CHECKED cb_status daq_bench_open(daq_bench *b, const cb_rig *rig, const char *stage_port, const char *force_port,
                                    const cb_stop *stop_flag, cb_err *err);
/* Tells the stage to stop, once more, waits until it stands, and gives the ports back. */
void daq_bench_close(daq_bench *b);

CB_CHECKED cb_status daq_bench_home(daq_bench *b, cb_err *err);
/* Moves and waits until the stage is idle at its target. */
CB_CHECKED cb_status daq_bench_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err);
/* Rests, and until at least five readings came; *mean_reading is the mean of all of them. */
CB_CHECKED cb_status daq_bench_rest(daq_bench *b, double seconds, double *mean_reading, cb_err *err);
/* After the host did something else for a while (a prompt, the store): what piled up is old and is dropped. */
CB_CHECKED cb_status daq_bench_resume(daq_bench *b, cb_err *err);

/* From here on samples go to the recorder, with their arrival in rig seconds since this call. NULL ends it. */
void daq_bench_record(daq_bench *b, daq_recorder *recorder);
/* Rig seconds since daq_bench_record. */
double daq_bench_time_s(const daq_bench *b);

#endif
