/* The guard: the few rules that keep load cell and stage whole. It sits in the acquisition path, knows neither store nor
 * devices, and only says when the stage must stop: every function returns CB_OK or CB_E_SAFETY with the reason. The caller
 * stops the stage at once.
 *
 * Force: one reading above overload_N is enough, and so is one that the read-out flags or that is no number. The rate of change
 * (overload_N_per_s; 0: not watched) is judged from means, so that a single noisy reading cannot trip it: the stream is cut into
 * blocks of 5 ms (one reading where they come more slowly), and the median of the last three blocks' means is compared with the
 * median four blocks earlier. One bad reading spoils one mean at most, which a median of three leaves out; a steady ramp gives its
 * slope exactly, seven blocks after it began. Time is counted in readings at the nominal rate, because they often arrive in bursts.
 *
 * now_s: monotonic wall seconds. Forces in N, positions in m. */
#ifndef DAQ_GUARD_H
#define DAQ_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"

#define DAQ_GUARD_RATE_LAG 4                          /* blocks between the two medians ... */
#define DAQ_GUARD_RATE_MEANS (3 + DAQ_GUARD_RATE_LAG) /* ... of three means each */

typedef struct daq_guard {
  /* rules */
  double slope_N_per_unit, overload_N, overload_N_per_s, silence_timeout_s;
  double limit_min_m, limit_max_m, tolerance_m, microstep_m;
  double time_scale;
  size_t rate_block;              /* readings per mean */
  double rate_span_s, rate_gap_s; /* rig time between the medians; wall pause after which the means begin anew */
  /* what it has seen of the force */
  double zero; /* reading without force; 0 until one was taken, so that nothing hides behind an unknown zero */
  double last_reading_s;
  double rate_sum, rate_means_N[DAQ_GUARD_RATE_MEANS];
  size_t rate_n, rate_means_n;
  /* ... and of the stage */
  bool inside;             /* it was inside its limits: it may not leave them again */
  bool moving, path_known; /* a move is under way; its way is known (homing's is not) */
  double from_m, to_m, speed_m_per_s, began_s, due_s;
  double left_m, progress_s, stall_s; /* nearest to the target so far, since when, and how long that may last */
} daq_guard;

void daq_guard_init(daq_guard *g, const cb_rig *rig, double now_s);

void daq_guard_set_zero(daq_guard *g, double reading);
/* The stream begins again after a pause of the host's. */
void daq_guard_resume(daq_guard *g, double now_s);
/* A reading came; flagged: the read-out itself reports overload. */
CB_CHECKED cb_status daq_guard_force(daq_guard *g, double reading, bool flagged, double now_s, cb_err *err);
/* Whatever else the read-out measures must be a number. */
CB_CHECKED cb_status daq_guard_finite(const char *channel, double value, cb_err *err);
/* To be asked when nothing is left to read. */
CB_CHECKED cb_status daq_guard_silence(const daq_guard *g, double now_s, cb_err *err);

/* To be asked before anything moves: a force in unknown units cannot be watched. */
CB_CHECKED cb_status daq_guard_ready(const daq_guard *g, cb_err *err);
/* A move is about to be commanded; a target outside the limits is refused. It may take twice its planned time and 2 s of the wall
 * clock. */
CB_CHECKED cb_status daq_guard_move(daq_guard *g, double from_m, double to_m, double speed_m_per_s, double acceleration_m_per_s2,
                                    double now_s, cb_err *err);
void daq_guard_home(daq_guard *g, double now_s);
/* The stage said where it is. Limits left, way left, too fast, stalled, overdue, idle somewhere else than at the target. */
CB_CHECKED cb_status daq_guard_position(daq_guard *g, double position_m, bool busy, double now_s, cb_err *err);

#endif
