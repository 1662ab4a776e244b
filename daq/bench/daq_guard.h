/* The guard: the rules that protect load cell and stage. It is part of the acquisition path and knows neither
 * store nor devices. Its functions return CB_OK, or CB_E_SAFETY with the reason. The caller then stops the
 * stage at once.
 *
 * Force: one reading above overload_N trips the guard, counted from the last zero, from the first zero of the
 * campaign, or from the zero of the calibration, where that is known: a zero that walks takes no load off the
 * cell. So does a reading that the read-out flags, or that is no number, and a read-out that freezes: more
 * equal readings in a row than its noise at rest allows (cb_still.h).
 *
 * Rate of change (overload_N_per_s; 0: not watched): the stream is cut into blocks of 5 ms, or of one reading
 * if they come more slowly. The median of the last three blocks' means is compared with the median four
 * blocks earlier. Only growth counts. A single noisy reading spoils one mean at most, which the median leaves
 * out. A steady ramp gives its exact slope seven blocks after its beginning. Time is counted in readings at
 * the nominal rate, as they often arrive in bursts.
 *
 * now_s is monotonic wall time [s]. Forces are in N, positions in m. */
#ifndef DAQ_GUARD_H
#define DAQ_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"

#define DAQ_GUARD_RATE_LAG 4                          /* blocks between the two medians */
#define DAQ_GUARD_RATE_MEANS (3 + DAQ_GUARD_RATE_LAG) /* means kept: three per median */

typedef struct daq_guard {
  /* rules */
  double slope_N_per_unit, overload_N, overload_N_per_s, silence_timeout_s;
  double limit_min_m, limit_max_m, tolerance_m, microstep_m;
  double time_scale;
  size_t rate_block; /* readings per mean */
  /* Rig time between the medians; wall pause after which the means begin anew. */
  double rate_span_s, rate_gap_s;
  /* state of the force */
  double zero; /* reading without force; until one was taken that of the calibration, or 0 */
  double first_zero, calibrated_zero; /* NAN: not known */
  double last_reading;
  size_t n_equal, still_limit; /* readings in a row equal to the last one; 0: not watched */
  double last_reading_s;
  double rate_sum, rate_means_N[DAQ_GUARD_RATE_MEANS];
  size_t rate_n, rate_means_n;
  /* state of the stage */
  bool inside;             /* the stage was within its limits, and must not leave them again */
  bool moving, path_known; /* a move is under way; its path is known (homing's is not) */
  bool halting;            /* it was told to stop on its way */
  double from_m, to_m, speed_m_per_s, began_s, due_s;
  /* Least distance to the target so far, since when, and the longest allowed pause. */
  double left_m, progress_s, stall_s;
} daq_guard;

/* Takes the rules from the rig file, which is not kept. */
void daq_guard_init(daq_guard *g, const cb_rig *rig, double now_s);

/* Sets the reading without force [force.unit]. The first one stays the first. */
void daq_guard_set_zero(daq_guard *g, double reading);
/* Sets the first zero of a campaign that is resumed. */
void daq_guard_set_first_zero(daq_guard *g, double reading);
/* Sets the reading without force of the calibration. */
void daq_guard_set_calibrated_zero(daq_guard *g, double reading);
/* Says how many equal readings in a row the noise at rest never shows (cb_still_limit); 0: not known. Of
 * several the largest counts. */
void daq_guard_set_still_limit(daq_guard *g, size_t limit);
/* Restarts silence and rate after a pause of the host. */
void daq_guard_resume(daq_guard *g, double now_s);
/* Checks a reading [force.unit]. flagged: the read-out reports overload. */
CB_CHECKED cb_status daq_guard_force(daq_guard *g, double reading, bool flagged, double now_s, cb_err *err);
/* Checks that a value of another channel is a number. */
CB_CHECKED cb_status daq_guard_finite(const char *channel, double value, cb_err *err);
/* Checks the time since the last reading. Called when nothing is left to read. */
CB_CHECKED cb_status daq_guard_silence(const daq_guard *g, double now_s, cb_err *err);

/* Checks before any motion that there is a calibration, as without one the force cannot be watched. */
CB_CHECKED cb_status daq_guard_ready(const daq_guard *g, cb_err *err);
/* Checks a target against the limits, before the move is commanded. The move may take twice its planned time
 * plus 2 s of wall time. */
CB_CHECKED cb_status daq_guard_move(daq_guard *g, double from_m, double to_m, double speed_m_per_s,
                                    double acceleration_m_per_s2, double now_s, cb_err *err);
/* Expects a move on an unknown path, as in homing, of at most 120 s of rig time plus 2 s of wall time. */
void daq_guard_home(daq_guard *g, double now_s);
/* Expects the move to end before its target, wherever the stage then stands on the path. */
void daq_guard_halt(daq_guard *g, double now_s);
/* Checks a reported position.
 * CB_E_SAFETY: outside the limits or the path, too fast, stalled, overdue, idle away from the target, or
 * moving without a command. */
CB_CHECKED cb_status daq_guard_position(daq_guard *g, double position_m, bool busy, double now_s,
                                        cb_err *err);

#endif
