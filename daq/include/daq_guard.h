/* The guard: the few rules that keep load cell and stage whole. It sits in the acquisition path, knows neither store nor
 * devices, and only says when the stage must stop: every function returns CB_OK or CB_E_SAFETY with the reason. The caller
 * stops the stage at once.
 *
 * now_s: monotonic wall seconds. Forces in N, positions in m. */
#ifndef DAQ_GUARD_H
#define DAQ_GUARD_H

#include <stdbool.h>

#include "cb_err.h"
#include "cb_rig.h"

typedef struct daq_guard {
  /* rules */
  double slope_N_per_unit, overload_N, silence_timeout_s;
  double limit_min_m, limit_max_m, tolerance_m;
  double time_scale;
  /* what it has seen */
  double zero; /* reading without force; 0 until one was taken, so that nothing hides behind an unknown zero */
  double last_reading_s;
  bool inside;             /* the stage was inside its limits: it may not leave them again */
  bool moving, path_known; /* a move is under way; its way is known (homing's is not) */
  double from_m, to_m, due_s;
  double last_position_m, last_progress_s;
} daq_guard;

void daq_guard_init(daq_guard *g, const cb_rig *rig, double now_s);

void daq_guard_set_zero(daq_guard *g, double reading);
/* A reading came; flagged: the read-out itself reports overload. */
CB_CHECKED cb_status daq_guard_force(daq_guard *g, double reading, bool flagged, double now_s, cb_err *err);
/* To be asked when nothing is left to read. */
CB_CHECKED cb_status daq_guard_silence(const daq_guard *g, double now_s, cb_err *err);

/* A move was commanded. It may take twice its planned time and 2 s of the wall clock. */
void daq_guard_move(daq_guard *g, double from_m, double to_m, double speed_m_per_s, double acceleration_m_per_s2, double now_s);
void daq_guard_home(daq_guard *g, double now_s);
/* The stage said where it is. Limits left, way left, stalled, overdue, idle somewhere else than at the target. */
CB_CHECKED cb_status daq_guard_position(daq_guard *g, double position_m, bool busy, double now_s, cb_err *err);

#endif
