/* The bench in use: stage, force read-out, e-stop contact and guard, served by one thread.
 *
 * A move or a rest runs through one loop. The loop reads the force, passes it to the guard, reads the e-stop,
 * asks for the position, and passes all of it to the recorder. It waits for the devices only, never for the
 * disk, and turns at least every 10 ms.
 *
 * After any failure in that loop - guard, e-stop, lost device, full queue, stop flag - the stage's stop bytes
 * are written at once. The driver then has the stop confirmed before the function returns. While the stage
 * may move, a watchdog watches the loop. Durations are rig time unless marked wall. */
#ifndef DAQ_BENCH_H
#define DAQ_BENCH_H

#include "cb_stop.h"
#include "daq_estop.h"
#include "daq_force.h"
#include "daq_guard.h"
#include "daq_latency.h"
#include "daq_recorder.h"
#include "daq_stage.h"
#include "daq_watchdog.h"
#include "daq_watcher.h"

typedef struct daq_bench {
  const cb_rig *rig; /* borrowed */
  /* A request ends every call with CB_E_STOPPED; a signal handler or another thread may set it. Borrowed. */
  const cb_stop *stop_flag;
  daq_stage stage;
  daq_force force;
  daq_estop estop;
  daq_guard guard;
  daq_watchdog *watchdog;
  double time_scale;
  double position_m;
  bool busy, fresh;            /* fresh: the state was asked for after the last command */
  bool may_move;               /* it was told to move or said so, and has confirmed no stop since */
  bool halted;                 /* daq_bench_halt was called */
  double next_ask_s;           /* monotonic */
  double gather_s;             /* wall: time between two readings of a fast stream; 0: not fast */
  double gather_until_s;       /* monotonic */
  double typical_trip_s;       /* wall: running median from question to answer; 0 before the first */
  double typical_force_trip_s; /* the same, of readings that are asked for */
  size_t n_late;           /* positions and readings not recorded, as a late answer made their time unknown */
  double sum;              /* of the readings since the last rest began */
  size_t n;                /* their number */
  double displacement_sum; /* the same of a displacement sensor that is read with the force */
  size_t n_displacement;
  /* Unless NULL, every force reading is appended, with its monotonic time in rig seconds. Borrowed. */
  cb_series *kept;
  daq_recorder *recorder; /* NULL: nothing is recorded */
  double recording_since_s;
  daq_watcher watcher;
  daq_latency before; /* of the thread that opened it */
} daq_bench;

/* Opens both devices and the e-stop's port, and waits until the stage is idle. The ports are arguments
 * because a virtual rig's are not in its file. rig and stop_flag must outlive the bench. All further calls
 * must come from the calling thread, whose priority is raised until the bench is closed (daq_latency.h). The
 * caller calls daq_bench_close, also after a failure.
 *
 * Errors of all functions: CB_E_SAFETY by guard, e-stop or watchdog, CB_E_STOPPED by the stop flag,
 * CB_E_DEVICE or CB_E_TIMEOUT by a device, those of the recorder, CB_E_IO. The stage has then been told to
 * stop. */
CB_CHECKED cb_status daq_bench_open(daq_bench *b, const cb_rig *rig, const char *stage_port,
                                    const char *force_port, const cb_stop *stop_flag, cb_err *err);
/* The last word to the stage: stops it and waits up to 2 s until it stands. Returns whether it has confirmed
 * the stop. text receives what is known of the stage then, as a clause that begins with "the stage"; "" if
 * the stage was never opened. Nothing else may be asked of the bench afterwards but daq_bench_close. */
#define DAQ_HALT_TEXT 240
bool daq_bench_halt(daq_bench *b, char text[DAQ_HALT_TEXT]);
/* Stops the stage as daq_bench_halt does, unless that was done, and closes the ports. */
void daq_bench_close(daq_bench *b);

/* Homes the stage and waits until it is idle. Without a calibration nothing moves: CB_E_SAFETY, here and in
 * daq_bench_move. */
CB_CHECKED cb_status daq_bench_home(daq_bench *b, cb_err *err);
/* Moves to a target within the limits and waits until the stage is idle there. */
CB_CHECKED cb_status daq_bench_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err);
/* The same motions for who does something between the turns of the loop. The first two return once the stage
 * has accepted. It moves until daq_bench_moves is false, and somebody calls daq_bench_turn all the while. */
CB_CHECKED cb_status daq_bench_begin_home(daq_bench *b, cb_err *err);
CB_CHECKED cb_status daq_bench_begin_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err);
/* Tells the stage to stop on its way. */
CB_CHECKED cb_status daq_bench_end_move(daq_bench *b, cb_err *err);
bool daq_bench_moves(const daq_bench *b);
/* One turn of the loop, which ends at until_s (monotonic) and after 10 ms at the latest. */
CB_CHECKED cb_status daq_bench_turn(daq_bench *b, double until_s, cb_err *err);
/* Rests for a time, and until at least five readings came. *mean_reading receives the mean of all readings
 * [force.unit]. */
CB_CHECKED cb_status daq_bench_rest(daq_bench *b, double seconds, double *mean_reading, cb_err *err);
/* Drops the readings that piled up while the host did something else (a prompt, the store), as they are
 * old. */
CB_CHECKED cb_status daq_bench_resume(daq_bench *b, cb_err *err);

/* Sends samples to the recorder from now on, with their arrival in rig seconds since this call. NULL ends
 * that. recorder is borrowed. */
void daq_bench_record(daq_bench *b, daq_recorder *recorder);
/* Stores what turns a board's counts into its quantities: it belongs to the run. */
CB_CHECKED cb_status daq_bench_put_channels(const daq_bench *b, cb_store *s, int64_t run_id, cb_err *err);
/* Returns the rig seconds since daq_bench_record. */
double daq_bench_time_s(const daq_bench *b);

#endif
