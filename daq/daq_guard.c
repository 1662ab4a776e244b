#include "daq_guard.h"

#include <math.h>

#define TOLERANCE_M 20e-6  /* rounding to microsteps, a stepper's ringing at a stop; far below a friction rig's travel */
#define GRACE_S 2.0        /* wall clock: a busy host, a slow bus */
#define STALL_S 1.0        /* wall clock: busy, and yet in the same place */
#define HOMING_MAX_S 120.0 /* rig time: 100 mm at less than 1 mm/s */

void daq_guard_init(daq_guard *g, const cb_rig *rig, double now_s) {
  *g = (daq_guard){
      .slope_N_per_unit = rig->calibration.slope_N_per_unit,
      .overload_N = rig->force.overload_N,
      .silence_timeout_s = rig->force.silence_timeout_s,
      .limit_min_m = rig->stage.limit_min_m,
      .limit_max_m = rig->stage.limit_max_m,
      .tolerance_m = fmax(TOLERANCE_M, 2 * rig->stage.microstep_m),
      .time_scale = rig->virt.present ? rig->virt.time_scale : 1,
      .last_reading_s = now_s,
  };
}

/* ---- force ---- */

void daq_guard_set_zero(daq_guard *g, double reading) { g->zero = reading; }

cb_status daq_guard_force(daq_guard *g, double reading, bool flagged, double now_s, cb_err *err) {
  g->last_reading_s = now_s;
  double force_N = g->slope_N_per_unit * (reading - g->zero);
  if (flagged) return cb_fail(err, CB_E_SAFETY, "overload: the read-out raises its alarm at %.4g N", force_N);
  if (fabs(force_N) <= g->overload_N) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "overload: %.4g N, at most %.4g N are allowed", force_N, g->overload_N);
}

cb_status daq_guard_silence(const daq_guard *g, double now_s, cb_err *err) {
  if (now_s - g->last_reading_s <= g->silence_timeout_s) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "lost stream: the force read-out has sent no reading for %.3g s", now_s - g->last_reading_s);
}

/* ---- motion ---- */

void daq_guard_move(daq_guard *g, double from_m, double to_m, double speed_m_per_s, double acceleration_m_per_s2, double now_s) {
  double planned_s = fabs(to_m - from_m) / speed_m_per_s + 2 * speed_m_per_s / acceleration_m_per_s2;
  g->moving = g->path_known = true;
  g->from_m = from_m;
  g->to_m = to_m;
  g->due_s = now_s + 2 * planned_s / g->time_scale + GRACE_S;
  g->last_position_m = from_m;
  g->last_progress_s = now_s;
}

void daq_guard_home(daq_guard *g, double now_s) {
  g->inside = g->path_known = false;
  g->moving = true;
  g->due_s = now_s + HOMING_MAX_S / g->time_scale + GRACE_S;
}

static cb_status check_limits(daq_guard *g, double x, cb_err *err) {
  bool inside = x >= g->limit_min_m - g->tolerance_m && x <= g->limit_max_m + g->tolerance_m;
  if (inside) g->inside = true;
  if (inside || !g->inside || (g->moving && !g->path_known)) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "position %.3f mm: outside the limits %.3f to %.3f mm", x * 1e3, g->limit_min_m * 1e3,
                 g->limit_max_m * 1e3);
}

static cb_status check_way(daq_guard *g, double x, bool busy, double now_s, cb_err *err) {
  double low = fmin(g->from_m, g->to_m) - g->tolerance_m, high = fmax(g->from_m, g->to_m) + g->tolerance_m;
  if (x < low || x > high)
    return cb_fail(err, CB_E_SAFETY, "disagreeing position: %.3f mm on the way from %.3f to %.3f mm", x * 1e3, g->from_m * 1e3,
                   g->to_m * 1e3);
  if (!busy && fabs(x - g->to_m) > g->tolerance_m)
    return cb_fail(err, CB_E_SAFETY, "disagreeing position: the stage stopped at %.3f mm, %.3f mm was its target", x * 1e3, g->to_m * 1e3);
  if (x != g->last_position_m) {
    g->last_position_m = x;
    g->last_progress_s = now_s;
  }
  if (busy && now_s - g->last_progress_s > STALL_S)
    return cb_fail(err, CB_E_SAFETY, "stalled: the stage says it moves, but has been at %.3f mm for %.3g s", x * 1e3,
                   now_s - g->last_progress_s);
  return CB_OK;
}

cb_status daq_guard_position(daq_guard *g, double position_m, bool busy, double now_s, cb_err *err) {
  CB_TRY(check_limits(g, position_m, err));
  if (!g->moving) {
    if (busy) return cb_fail(err, CB_E_SAFETY, "the stage moves at %.3f mm, and nobody told it to", position_m * 1e3);
    return CB_OK;
  }
  if (g->path_known) CB_TRY(check_way(g, position_m, busy, now_s, err));
  if (busy && now_s > g->due_s)
    return cb_fail(err, CB_E_SAFETY, "overdue: the stage still moves at %.3f mm, long after it should have arrived", position_m * 1e3);
  if (!busy) g->moving = false;
  return CB_OK;
}
