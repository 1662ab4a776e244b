#include "daq_look.h"

#include <math.h>
#include <stdlib.h>

#include "cb_time.h"
#include "daq_bench.h"
#include "daq_emulator.h"
#include "daq_engine.h"
#include "daq_window.h"

#define WINDOW_S 1.0 /* rig time */

typedef struct look {
  const daq_look_job *job;
  daq_emulator *emulator;
  daq_bench bench;
  daq_window window;
  double began_s, next_show_s; /* monotonic */
  double counted_s, rate_Hz;   /* when the readings were counted, and what came of it; NAN: not yet */
  size_t counted;
  double reading, min, max;
} look;

/* ---- what is seen ---- */

static double rig_s(const look *l, double now_s) { return (now_s - l->began_s) * l->bench.time_scale; }

static void take_sample(void *context, cb_channel channel, double value) {
  look *l = context;
  if (channel != CB_CHANNEL_FORCE) return;
  daq_window_push(&l->window, rig_s(l, cb_now_monotonic_s()), value);
  l->reading = value;
  l->min = fmin(l->min, value); /* of NAN and a number: the number */
  l->max = fmax(l->max, value);
}

/* Newton per unit of the reading; NAN: not known. */
static double slope(const look *l) {
  const double s = l->bench.guard.slope_N_per_unit;
  return s != 0 ? s : NAN;
}

static double force_of(const look *l, double reading) { return slope(l) * (reading - l->bench.guard.zero); }

/* Over whole seconds of the clock: readings come in bursts. */
static void count_rate(look *l, double now_s) {
  if (now_s - l->counted_s < 1) return;
  l->rate_Hz = (double)(l->window.pushed - l->counted) / (rig_s(l, now_s) - rig_s(l, l->counted_s));
  l->counted = l->window.pushed;
  l->counted_s = now_s;
}

static cb_status show(look *l, double now_s, cb_err *err) {
  count_rate(l, now_s);
  const daq_window_facts f = daq_window_tell(&l->window, rig_s(l, now_s), WINDOW_S);
  const double a_N = force_of(l, l->min), b_N = force_of(l, l->max);
  const daq_look_view v = {.t_s = rig_s(l, now_s),
                           .n = f.n,
                           .reading = l->reading,
                           .mean = f.mean,
                           .sd = f.sd,
                           .digit = f.digit,
                           .rate_Hz = l->rate_Hz,
                           .force_N = force_of(l, l->reading),
                           .mean_N = force_of(l, f.mean),
                           .sd_N = fabs(slope(l)) * f.sd,
                           .digit_N = fabs(slope(l)) * f.digit,
                           .min = l->min,
                           .max = l->max,
                           .min_N = fmin(a_N, b_N),
                           .max_N = fmax(a_N, b_N),
                           .position_m = l->bench.position_m};
  l->next_show_s = now_s + l->job->show_every_s;
  return l->job->show(l->job->context, &v, err);
}

/* ---- the course of it ---- */

static cb_status look_on(look *l, cb_err *err) {
  const double until_s = l->began_s + l->job->seconds;
  for (double now_s = l->began_s; now_s < until_s; now_s = cb_now_monotonic_s()) {
    if (now_s >= l->next_show_s) CB_TRY(show(l, now_s, err));
    CB_TRY(daq_bench_turn(&l->bench, fmin(l->next_show_s, until_s), err));
  }
  return show(l, cb_now_monotonic_s(), err);
}

static cb_status open_bench(look *l, cb_err *err) {
  const daq_look_job *job = l->job;
  const char *stage_port = job->rig->stage.port, *force_port = job->rig->force.port;
  if (daq_engine_emulates(job->rig)) {
    CB_TRY(daq_emulator_start(job->program, job->rig->path, &l->emulator, err));
    stage_port = daq_emulator_stage_port(l->emulator);
    force_port = daq_emulator_force_port(l->emulator);
  }
  CB_TRY(daq_bench_open(&l->bench, job->rig, stage_port, force_port, job->stop_flag, err));
  if (job->calibration && job->calibration->row.kind == CB_CALIBRATION_MEASURED &&
      isfinite(job->calibration->row.intercept))
    daq_guard_set_calibrated_zero(&l->bench.guard, job->calibration->row.intercept);
  l->bench.watcher = (daq_watcher){take_sample, l};
  l->began_s = l->counted_s = cb_now_monotonic_s();
  l->next_show_s = l->began_s + job->show_every_s;
  return CB_OK;
}

/* The first reason counts; a stage that has not confirmed its stop is told with it. */
static cb_status halt(look *l, cb_status st, cb_err *err) {
  char text[DAQ_HALT_TEXT];
  if (daq_bench_halt(&l->bench, text)) return st;
  return st == CB_OK || st == CB_E_STOPPED ? cb_fail(err, CB_E_DEVICE, "%s", text)
                                           : cb_fail_in(err, st, "%s", text);
}

cb_status daq_look_run(const daq_look_job *job, cb_err *err) {
  look *l = calloc(1, sizeof *l);
  if (!l) return cb_no_memory(err, "the live view");
  l->job = job;
  l->reading = l->min = l->max = l->rate_Hz = NAN;
  cb_status st = open_bench(l, err);
  if (st == CB_OK) st = look_on(l, err);
  st = halt(l, st, err);
  daq_bench_close(&l->bench);
  daq_emulator_stop(l->emulator);
  free(l);
  return st;
}
