#include "daq_look.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "cb_num.h"
#include "cb_time.h"
#include "daq_bench.h"
#include "daq_emulator.h"
#include "daq_engine.h"
#include "daq_jog.h"
#include "daq_look_record.h"
#include "daq_window.h"
#include "daq_zero.h"

#define WINDOW_S 1.0          /* rig time */
#define STEP_S 0.1            /* rig time: what a single press moves, at the speed of the jog */
#define REST_S 1.0            /* rig time: of a zero, and of a weight */
#define SETTLE_S 0.5          /* rig time: after a weight was hung */
#define BUOYANCY (1.2 / 8000) /* of a conventional mass, by its definition (OIML D 28) */
#define LEG_S 1.0             /* wall: of a held key */
#define STALE_S 0.1 /* wall: keys that waited longer were typed by somebody who saw another picture */

static const double speeds_m_per_s[] = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3};
#define N_SPEEDS (sizeof speeds_m_per_s / sizeof speeds_m_per_s[0])
#define FIRST_SPEED 3

typedef struct look {
  const daq_look_job *job;
  daq_emulator *emulator;
  daq_bench bench;
  daq_window window;
  double began_s, next_show_s; /* monotonic */
  double counted_s, rate_Hz;   /* when the readings were counted, and what came of it; NAN: not yet */
  size_t counted;
  double reading, min, max;
  daq_look_record record;
  daq_jog jog;
  bool stepped;       /* the first press of the held key has moved the stage, or begun to */
  bool homing, homed; /* homing: that is the present motion */
  bool stopping, over;
  int towards;
  size_t speed;   /* of speeds_m_per_s */
  daq_zero zero;  /* n: 0 before t */
  bool asks_mass; /* and typed is what was answered so far */
  char typed[12];
  double weight_kg, weight_N, seen_N, u_seen_N;
  double looked_s;
  size_t n_stops;
  char note[DAQ_LOOK_TEXT];
} look;

static void tell(look *l, const char *fmt, ...) CB_PRINTF(2, 3);

static void tell(look *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(l->note, sizeof l->note, _(fmt), ap);
  va_end(ap);
}

/* An event of the record. */
static cb_status note(look *l, cb_err *err, const char *kind, const char *fmt, ...) CB_PRINTF(4, 5);

static cb_status note(look *l, cb_err *err, const char *kind, const char *fmt, ...) {
  char text[200];
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return daq_look_record_event(&l->record, &l->bench, kind, text, err);
}

/* ---- what is seen ---- */

static double rig_s(const look *l, double now_s) { return (now_s - l->began_s) * l->bench.time_scale; }

static void take_sample(void *context, cb_channel channel, double value) {
  look *l = context;
  const double t_s = rig_s(l, cb_now_monotonic_s());
  if (channel != CB_CHANNEL_FORCE) return;
  daq_window_push(&l->window, t_s, value);
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

static double speed(const look *l) {
  return fmin(speeds_m_per_s[l->speed], l->job->rig->stage.max_speed_m_per_s);
}

static cb_status show(look *l, double now_s, cb_err *err) {
  count_rate(l, now_s);
  const daq_window_facts f = daq_window_tell(&l->window, rig_s(l, now_s), WINDOW_S);
  const double a_N = force_of(l, l->min), b_N = force_of(l, l->max);
  daq_look_view v = {.t_s = rig_s(l, now_s),
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
                     .position_m = l->bench.position_m,
                     .n_zero = l->zero.n,
                     .zero = l->zero.mean,
                     .sd_zero = l->zero.sd,
                     .u_zero = l->zero.u,
                     .weight_kg = l->weight_kg,
                     .weight_N = l->weight_N,
                     .seen_N = l->seen_N,
                     .u_seen_N = l->u_seen_N,
                     .homed = l->homed,
                     .towards = l->towards,
                     .speed_m_per_s = speed(l)};
  memcpy(v.note, l->note, sizeof v.note);
  l->next_show_s = now_s + l->job->show_every_s;
  return l->job->show(l->job->context, &v, err);
}

/* ---- motion ---- */

static cb_status stop(look *l, const char *why, cb_err *err) {
  CB_TRY(daq_bench_end_move(&l->bench, err));
  l->stopping = true;
  tell(l, N_("stop %zu: %s"), ++l->n_stops, _(why));
  return CB_OK;
}

/* The held key did not come again in time. */
static cb_status let_go(look *l, cb_err *err) {
  char why[120];
  const double patience_s = daq_jog_patience_s(&l->jog), since_s = cb_now_monotonic_s() - l->jog.last_s;
  (void)snprintf(why, sizeof why, _("%.1f ms after the last key, %.1f ms were allowed"), since_s * 1e3,
                 patience_s * 1e3);
  daq_jog_release(&l->jog);
  return daq_bench_moves(&l->bench) ? stop(l, why, err) : CB_OK;
}

static cb_status begin_home(look *l, cb_err *err) {
  if (l->stepped) return CB_OK;
  if (!l->jog.held) {
    tell(l, N_("hold h until the stage is home; what hangs on the link is dragged along"));
    return CB_OK;
  }
  l->homing = true;
  l->homed = false;
  l->towards = -1;
  tell(l, N_("homing"));
  return daq_bench_begin_home(&l->bench, err);
}

static cb_status begin_jog(look *l, cb_err *err) {
  const cb_rig_stage *r = &l->job->rig->stage;
  const int towards = l->jog.key == DAQ_KEY_FORWARD ? 1 : -1;
  const double x_m = l->bench.position_m, seconds = l->jog.held ? LEG_S * l->bench.time_scale : STEP_S;
  const double to_m = fmin(fmax(x_m + towards * speed(l) * seconds, r->limit_min_m), r->limit_max_m);
  if (l->stepped && !l->jog.held) return CB_OK;
  l->stepped = true;
  if (fabs(to_m - x_m) < 2 * r->microstep_m) {
    tell(l, N_("the stage is at its limit"));
    return CB_OK;
  }
  l->towards = towards;
  tell(l, l->jog.held ? N_("moving while the key is held") : N_("one step"));
  return daq_bench_begin_move(&l->bench, to_m, speed(l), err);
}

/* What is wrong with every motion; NULL: nothing. */
static const char *hindrance(const look *l) {
  if (isnan(slope(l))) return N_("no calibration: the guard cannot watch the load cell, so nothing is moved");
  if (!l->homed && l->jog.key != 'h') return N_("the stage must be homed before it is moved: hold h");
  return NULL;
}

/* The stage does what the held key says. */
static cb_status follow_key(look *l, cb_err *err) {
  const bool moves = daq_bench_moves(&l->bench);
  if (!moves && l->homing && !l->stopping) {
    l->homed = l->stepped = true; /* a key that is held on does not home it again */
    tell(l, N_("home"));
  }
  if (!moves) l->stopping = l->homing = false;
  if (!moves) l->towards = 0;
  if (daq_jog_is_over(&l->jog, cb_now_monotonic_s())) return let_go(l, err);
  if (moves || !l->jog.key) return CB_OK;
  const char *why = hindrance(l);
  if (why) tell(l, "%s", _(why));
  if (why) return CB_OK;
  CB_TRY(l->jog.key == 'h' ? begin_home(l, err) : begin_jog(l, err));
  /* While the stage was told, nobody looked at the keys. */
  l->looked_s = cb_now_monotonic_s();
  l->jog.due_s =
      fmax(l->jog.due_s, daq_bench_moves(&l->bench) ? l->looked_s + daq_jog_patience_s(&l->jog) : 0);
  return CB_OK;
}

/* ---- zero and weight ---- */

static cb_status tare(look *l, cb_err *err) {
  CB_TRY(daq_zero_take(&l->bench, REST_S, l->job->rig->calibration.resolution, &l->zero, err));
  daq_guard_set_zero(&l->bench.guard, l->zero.mean);
  daq_guard_set_still_limit(&l->bench.guard, l->zero.still_limit);
  l->min = l->max = NAN;
  tell(l, N_("the zero was taken"));
  return note(l, err, "zero", "%.9g %s, u %.2g", l->zero.mean, l->job->rig->force.unit, l->zero.u);
}

static cb_status weigh(look *l, double mass_kg, cb_err *err) {
  const daq_look_job *job = l->job;
  daq_zero now;
  double unused;
  if (l->emulator) CB_TRY(daq_emulator_hang_weight(l->emulator, mass_kg, err));
  CB_TRY(daq_bench_resume(&l->bench, err));
  CB_TRY(daq_bench_rest(&l->bench, SETTLE_S, &unused, err));
  CB_TRY(daq_zero_take(&l->bench, REST_S, job->rig->calibration.resolution, &now, err));
  const double floor_N = job->calibration ? job->calibration->row.u_floor_N : 0;
  l->weight_kg = mass_kg;
  l->weight_N = mass_kg * job->rig->bench.gravity_m_per_s2 * (1 - BUOYANCY);
  l->seen_N = force_of(l, now.mean);
  l->u_seen_N =
      hypot(hypot(job->rig->calibration.u_rel * l->seen_N, floor_N), slope(l) * hypot(now.u, l->zero.u));
  tell(l, N_("the weight was read"));
  return note(l, err, "weight", "%g g pulls with %.5f N; read: %.5f N, u %.2g N", l->weight_kg * 1e3,
              l->weight_N, l->seen_N, l->u_seen_N);
}

static cb_status ask_mass(look *l, cb_err *err) {
  if (isnan(slope(l)))
    tell(l, N_("no calibration: a weight cannot be compared"));
  else if (l->zero.n == 0)
    tell(l, N_("first t, with nothing on the hook: then hang the weight"));
  else if (!isnan(l->job->weight_kg))
    return weigh(l, l->job->weight_kg, err);
  else
    l->asks_mass = true;
  if (l->asks_mass) tell(l, N_("hang it and type its mass in g, then Enter: "));
  return CB_OK;
}

/* Digits until Enter; whatever cannot be a mass ends the question. */
static cb_status take_digit(look *l, int key, cb_err *err) {
  const size_t n = strlen(l->typed);
  double mass_g = NAN;
  if (key == ',') key = '.';
  if (key < 256 && key > 0 && strchr("0123456789.", key) && n + 1 < sizeof l->typed) {
    l->typed[n] = (char)key;
    tell(l, N_("hang it and type its mass in g, then Enter: %s"), l->typed);
    return CB_OK;
  }
  const bool ok = (key == '\r' || key == '\n') && cb_parse_double(l->typed, "mass", &mass_g, NULL) == CB_OK;
  l->asks_mass = false;
  memset(l->typed, 0, sizeof l->typed);
  if (ok) return weigh(l, mass_g * 1e-3, err);
  tell(l, N_("no mass: nothing was read"));
  return CB_OK;
}

/* ---- keys ---- */

static void change_speed(look *l, int by) {
  if (by > 0 && l->speed + 1 < N_SPEEDS && speed(l) < l->job->rig->stage.max_speed_m_per_s) l->speed++;
  if (by < 0 && l->speed > 0) l->speed--;
}

static cb_status pause_record(look *l, cb_err *err) {
  const bool pauses = l->bench.recorder;
  l->bench.recorder = pauses ? NULL : l->record.recorder;
  tell(l, !l->job->store ? N_("nothing is kept: begin with --record")
          : pauses       ? N_("the record pauses")
                         : N_("the record goes on"));
  return note(l, err, pauses ? "pause" : "resume", "by the key r");
}

static cb_status obey_at_rest(look *l, int key, cb_err *err) {
  switch (key) {
    case 't': return tare(l, err);
    case 'w': return ask_mass(l, err);
    case '+': change_speed(l, 1); break;
    case '-': change_speed(l, -1); break;
    case 'r': return pause_record(l, err);
    case 'p':
      l->min = l->max = NAN;
      tell(l, N_("the extremes begin anew"));
      break;
    default: break;
  }
  return CB_OK;
}

/* While it moves, every key but the held one only stops it. */
static cb_status take_key(look *l, int key, cb_err *err) {
  const bool jogs = key == DAQ_KEY_FORWARD || key == DAQ_KEY_BACKWARD || key == 'h',
             moves = daq_bench_moves(&l->bench);
  if (key == 'q' || key == 3 || key == 4) l->over = true; /* Ctrl-C, Ctrl-D */
  if (l->asks_mass) return take_digit(l, key, err);
  if (jogs && !l->stopping && (!moves || l->jog.key == key)) {
    if (l->jog.key != key) {
      daq_jog_release(&l->jog);
      l->stepped = false;
    }
    daq_jog_press(&l->jog, key, cb_now_monotonic_s());
    return CB_OK;
  }
  daq_jog_release(&l->jog);
  if (moves) return l->stopping ? CB_OK : stop(l, N_("another key"), err);
  return obey_at_rest(l, key, err);
}

static bool is_stale(const look *l) { return cb_now_monotonic_s() - l->looked_s > STALE_S; }

static cb_status let_go_late(look *l, cb_err *err) {
  char why[80];
  (void)snprintf(why, sizeof why, _("this program was held up for %.0f ms"),
                 1e3 * (cb_now_monotonic_s() - l->looked_s));
  daq_jog_release(&l->jog);
  return daq_bench_moves(&l->bench) && !l->stopping ? stop(l, why, err) : CB_OK;
}

/* Keys are looked at in every turn. After a pause of this program, as t makes one, they are too old to be
 * followed. */
static cb_status take_keys(look *l, cb_err *err) {
  int key = DAQ_KEY_OTHER;
  if (l->jog.key && is_stale(l)) CB_TRY(let_go_late(l, err));
  while (l->job->key && key != DAQ_KEY_NONE) {
    CB_TRY(l->job->key(l->job->context, &key, err));
    if (key != DAQ_KEY_NONE && !is_stale(l)) CB_TRY(take_key(l, key, err));
  }
  l->looked_s = cb_now_monotonic_s();
  return CB_OK;
}

/* ---- the course of it ---- */

/* Until the end is wanted, and the stage stands. */
static cb_status look_on(look *l, cb_err *err) {
  const double until_s = l->began_s + l->job->seconds;
  for (double now_s = l->began_s; !l->over || daq_bench_moves(&l->bench); now_s = cb_now_monotonic_s()) {
    CB_TRY(take_keys(l, err));
    if (now_s >= until_s && !l->over) CB_TRY(take_key(l, 'q', err));
    CB_TRY(follow_key(l, err));
    if (now_s >= l->next_show_s) CB_TRY(show(l, now_s, err));
    const double due_s = l->jog.key ? l->jog.due_s : INFINITY;
    CB_TRY(daq_bench_turn(&l->bench, fmin(fmin(l->next_show_s, until_s), due_s), err));
  }
  CB_TRY(follow_key(l, err));
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
  l->began_s = l->counted_s = l->looked_s = cb_now_monotonic_s();
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
  l->speed = FIRST_SPEED;
  l->reading = l->min = l->max = l->rate_Hz = l->weight_kg = NAN;
  cb_status st = open_bench(l, err);
  if (st == CB_OK && job->store) st = daq_look_record_begin(&l->record, job, &l->bench, err);
  if (st == CB_OK) st = look_on(l, err);
  st = halt(l, st, err);
  if (l->record.store) st = daq_look_record_end(&l->record, &l->bench, st, err);
  daq_bench_close(&l->bench);
  daq_emulator_stop(l->emulator);
  free(l);
  return st;
}
