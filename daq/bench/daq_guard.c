#include "daq_guard.h"

#include <math.h>
#include <string.h>

#define TOLERANCE_M \
  20e-6 /* rounding to microsteps, a stepper's ringing at a stop; far below a friction rig's travel */
#define GRACE_S 2.0        /* wall clock: a busy host, a slow bus */
#define STALL_S 1.0        /* wall clock: busy, and yet no nearer to the target ... */
#define STALL_MICROSTEPS 3 /* ... or the time of so many microsteps, where the stage creeps */
#define HOMING_MAX_S 120.0 /* rig time: 100 mm at less than 1 mm/s */
#define FAST_FACTOR 1.25   /* a stage ahead of its speed by more than this has another idea of the unit */
#define FAST_SLACK_M 1e-3

#define RATE_BLOCK_S \
  0.005 /* rig time of one mean of the rate rule; one reading where they come more slowly */
#define RATE_GAP_S \
  0.1 /* wall clock: readings may be missing after such a pause, and counting them tells no time */

static void init_rate(daq_guard *g, const cb_rig *rig) {
  double block = fmax(1, round(RATE_BLOCK_S * rig->force.rate_Hz));
  g->overload_N_per_s = rig->force.overload_N_per_s;
  g->rate_block = (size_t)block;
  g->rate_span_s = DAQ_GUARD_RATE_LAG * block / rig->force.rate_Hz;
  g->rate_gap_s = RATE_GAP_S + 3 / (rig->force.rate_Hz * g->time_scale);
}

void daq_guard_init(daq_guard *g, const cb_rig *rig, double now_s) {
  *g = (daq_guard){
      .slope_N_per_unit = rig->calibration.slope_N_per_unit,
      .overload_N = rig->force.overload_N,
      .silence_timeout_s = rig->force.silence_timeout_s,
      .limit_min_m = rig->stage.limit_min_m,
      .limit_max_m = rig->stage.limit_max_m,
      .microstep_m = rig->stage.microstep_m,
      .tolerance_m = fmax(TOLERANCE_M, 2 * rig->stage.microstep_m),
      .time_scale = rig->virt.present ? rig->virt.time_scale : 1,
      .last_reading_s = now_s,
      .first_zero = NAN,
      .calibrated_zero = NAN,
      .last_reading = NAN,
  };
  init_rate(g, rig);
}

/* ---- force ---- */

static void forget_rate(daq_guard *g) {
  g->rate_sum = 0;
  g->rate_n = g->rate_means_n = 0;
}

void daq_guard_set_first_zero(daq_guard *g, double reading) { g->first_zero = reading; }

void daq_guard_set_calibrated_zero(daq_guard *g, double reading) {
  g->calibrated_zero = reading;
  g->zero = reading;
}

void daq_guard_set_still_limit(daq_guard *g, size_t limit) {
  if (limit > g->still_limit) g->still_limit = limit;
}

void daq_guard_set_zero(daq_guard *g, double reading) {
  if (isnan(g->first_zero)) g->first_zero = reading;
  g->zero = reading;
  forget_rate(g);
}

void daq_guard_resume(daq_guard *g, double now_s) {
  g->last_reading_s = now_s;
  forget_rate(g);
}

cb_status daq_guard_finite(const char *channel, double value, cb_err *err) {
  if (isfinite(value)) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "not a number: the read-out's %s channel says %g", channel, value);
}

static double median_of_three(const double *v) {
  return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
}

/* A block of readings is full. Only growth counts: a sample that slips lets go of the cell, and that is what
 * a friction rig is for. */
static cb_status check_rate(daq_guard *g, double mean_N, cb_err *err) {
  double *m = g->rate_means_N;
  if (g->rate_means_n == DAQ_GUARD_RATE_MEANS) memmove(m, m + 1, --g->rate_means_n * sizeof *m);
  m[g->rate_means_n++] = mean_N;
  if (g->rate_means_n < DAQ_GUARD_RATE_MEANS) return CB_OK;
  double before_N = median_of_three(m), now_N = median_of_three(m + DAQ_GUARD_RATE_LAG);
  double rate_N_per_s = fabs(now_N - before_N) / g->rate_span_s;
  if (fabs(now_N) <= fabs(before_N) || rate_N_per_s <= g->overload_N_per_s) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "overload: the force grows by %.4g N/s, at most %.4g N/s are allowed",
                 rate_N_per_s, g->overload_N_per_s);
}

static cb_status watch_rate(daq_guard *g, double force_N, cb_err *err) {
  g->rate_sum += force_N;
  if (++g->rate_n < g->rate_block) return CB_OK;
  double mean_N = g->rate_sum / (double)g->rate_block;
  g->rate_sum = 0;
  g->rate_n = 0;
  return check_rate(g, mean_N, err);
}

/* What the cell bears, whatever the last zero says. */
static cb_status check_since(const daq_guard *g, double reading, double zero, const char *whose,
                             cb_err *err) {
  const double force_N = g->slope_N_per_unit * (reading - zero);
  if (isnan(zero) || fabs(force_N) <= g->overload_N) return CB_OK;
  return cb_fail(err, CB_E_SAFETY,
                 "overload: %.4g N from %s, at most %.4g N are allowed: the zero has gone by %.4g N since",
                 force_N, whose, g->overload_N, g->slope_N_per_unit * (g->zero - zero));
}

static cb_status check_frozen(daq_guard *g, double reading, cb_err *err) {
  g->n_equal = reading == g->last_reading ? g->n_equal + 1 : 1;
  g->last_reading = reading;
  if (g->still_limit == 0 || g->n_equal < g->still_limit) return CB_OK;
  return cb_fail(err, CB_E_SAFETY,
                 "frozen: the read-out sends the same reading, %.6g, for the %zuth time; its noise at rest "
                 "never repeats one so often",
                 reading, g->n_equal);
}

cb_status daq_guard_force(daq_guard *g, double reading, bool flagged, double now_s, cb_err *err) {
  double force_N = g->slope_N_per_unit * (reading - g->zero);
  if (now_s - g->last_reading_s > g->rate_gap_s) forget_rate(g);
  g->last_reading_s = now_s;
  CB_TRY(daq_guard_finite("force", force_N, err));
  if (flagged) return cb_fail(err, CB_E_SAFETY, "overload: the read-out raises its alarm at %.4g N", force_N);
  if (fabs(force_N) > g->overload_N)
    return cb_fail(err, CB_E_SAFETY, "overload: %.4g N, at most %.4g N are allowed", force_N, g->overload_N);
  CB_TRY(check_since(g, reading, g->first_zero, "the first zero of the campaign", err));
  CB_TRY(check_since(g, reading, g->calibrated_zero, "the zero of the calibration", err));
  CB_TRY(check_frozen(g, reading, err));
  return g->overload_N_per_s > 0 ? watch_rate(g, force_N, err) : CB_OK;
}

cb_status daq_guard_silence(const daq_guard *g, double now_s, cb_err *err) {
  if (now_s - g->last_reading_s <= g->silence_timeout_s) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "lost stream: the force read-out has sent no reading for %.3g s",
                 now_s - g->last_reading_s);
}

/* ---- motion ---- */

cb_status daq_guard_ready(const daq_guard *g, cb_err *err) {
  if (g->slope_N_per_unit != 0) return CB_OK;
  return cb_fail(
      err, CB_E_SAFETY,
      "no calibration: without newtons the guard cannot watch the load cell, so the stage is not moved");
}

static bool within_limits(const daq_guard *g, double x) {
  return x >= g->limit_min_m - g->tolerance_m && x <= g->limit_max_m + g->tolerance_m;
}

cb_status daq_guard_move(daq_guard *g, double from_m, double to_m, double speed_m_per_s,
                         double acceleration_m_per_s2, double now_s, cb_err *err) {
  double planned_s = fabs(to_m - from_m) / speed_m_per_s + 2 * speed_m_per_s / acceleration_m_per_s2;
  if (!within_limits(g, to_m))
    return cb_fail(err, CB_E_SAFETY, "target %.3f mm: outside the limits %.3f to %.3f mm", to_m * 1e3,
                   g->limit_min_m * 1e3, g->limit_max_m * 1e3);
  g->moving = g->path_known = true;
  g->halting = false;
  g->from_m = from_m;
  g->to_m = to_m;
  g->speed_m_per_s = speed_m_per_s;
  g->began_s = g->progress_s = now_s;
  g->due_s = now_s + 2 * planned_s / g->time_scale + GRACE_S;
  g->left_m = fabs(to_m - from_m);
  g->stall_s = fmax(STALL_S, STALL_MICROSTEPS * g->microstep_m / (speed_m_per_s * g->time_scale));
  return CB_OK;
}

void daq_guard_home(daq_guard *g, double now_s) {
  g->inside = g->path_known = g->halting = false;
  g->moving = true;
  g->due_s = now_s + HOMING_MAX_S / g->time_scale + GRACE_S;
}

void daq_guard_halt(daq_guard *g, double now_s) {
  g->halting = true;
  g->due_s = fmin(g->due_s, now_s + GRACE_S);
}

static cb_status check_limits(daq_guard *g, double x, cb_err *err) {
  bool inside = within_limits(g, x);
  if (inside) g->inside = true;
  if (inside || !g->inside || (g->moving && !g->path_known)) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "position %.3f mm: outside the limits %.3f to %.3f mm", x * 1e3,
                 g->limit_min_m * 1e3, g->limit_max_m * 1e3);
}

static cb_status check_way(const daq_guard *g, double x, bool busy, double now_s, cb_err *err) {
  double low = fmin(g->from_m, g->to_m) - g->tolerance_m, high = fmax(g->from_m, g->to_m) + g->tolerance_m;
  double gone_m = fabs(x - g->from_m), could_m = g->speed_m_per_s * (now_s - g->began_s) * g->time_scale;
  if (x < low || x > high)
    return cb_fail(err, CB_E_SAFETY, "disagreeing position: %.3f mm on the way from %.3f to %.3f mm", x * 1e3,
                   g->from_m * 1e3, g->to_m * 1e3);
  if (!busy && !g->halting && fabs(x - g->to_m) > g->tolerance_m)
    return cb_fail(err, CB_E_SAFETY,
                   "disagreeing position: the stage stopped at %.3f mm, %.3f mm was its target", x * 1e3,
                   g->to_m * 1e3);
  if (gone_m > FAST_FACTOR * could_m + FAST_SLACK_M)
    return cb_fail(err, CB_E_SAFETY,
                   "disagreeing position: the stage is %.3f mm on its way, at its speed it could be %.3f mm "
                   "(a wrong microstep_um, or a "
                   "virtual rig at another time_scale than the rig file's %g)",
                   gone_m * 1e3, could_m * 1e3, g->time_scale);
  return CB_OK;
}

/* Nearer than ever counts as progress; trembling in one place does not. */
static cb_status check_progress(daq_guard *g, double x, double now_s, cb_err *err) {
  double left_m = fabs(g->to_m - x);
  if (left_m < g->left_m) {
    g->left_m = left_m;
    g->progress_s = now_s;
  }
  if (now_s - g->progress_s <= g->stall_s) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "stalled: the stage says it moves, but has been at %.3f mm for %.3g s",
                 x * 1e3, now_s - g->progress_s);
}

cb_status daq_guard_position(daq_guard *g, double position_m, bool busy, double now_s, cb_err *err) {
  CB_TRY(check_limits(g, position_m, err));
  if (!g->moving) {
    if (busy)
      return cb_fail(err, CB_E_SAFETY, "the stage moves at %.3f mm, and nobody told it to", position_m * 1e3);
    return CB_OK;
  }
  if (g->path_known) CB_TRY(check_way(g, position_m, busy, now_s, err));
  if (g->path_known && busy) CB_TRY(check_progress(g, position_m, now_s, err));
  if (busy && now_s > g->due_s)
    return cb_fail(err, CB_E_SAFETY,
                   "overdue: the stage still moves at %.3f mm, long after it should have arrived",
                   position_m * 1e3);
  if (!busy) g->moving = false;
  return CB_OK;
}
