#define _GNU_SOURCE /* ppoll */
#include "daq_bench.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cb_time.h"

#define ASK_PERIOD_S 0.01      /* rig time between two positions: 100 per second ... */
#define ASK_PERIOD_MIN_S 0.001 /* ... but not more than 1000 per wall second */
#define LOOK_UP_S 0.01         /* wall: how soon the stop flag, the e-stop and a lost stream are seen */
#define GATHER_S \
  0.005 /* rig time; only where four readings or more come in it: the guard loses nothing by it */
#define REST_MIN_READINGS 5
#define STANDSTILL_S 2.0 /* wall: how long to wait for a stage that was told to stop */

/* ---- what one turn of the loop does ---- */

static void show_value(const daq_bench *b, cb_channel channel, double value) {
  if (b->watcher.sample) b->watcher.sample(b->watcher.context, channel, value);
}

static cb_status guard_reading(daq_bench *b, const daq_reading *r, double now_s, cb_err *err) {
  if (r->channel == CB_CHANNEL_DISPLACEMENT) {
    b->displacement_sum += r->value;
    b->n_displacement++;
  }
  if (r->channel != CB_CHANNEL_FORCE) return daq_guard_finite(cb_channel_names[r->channel], r->value, err);
  CB_TRY(daq_guard_force(&b->guard, r->value, r->overload, now_s, err));
  b->sum += r->value;
  b->n++;
  return b->kept ? cb_series_push(b->kept, now_s * b->time_scale, r->value, err) : CB_OK;
}

/* Read at once, and so of one stamp. */
#define BLOCK 64
/* At most so many in one turn: a read-out that never pauses must not keep the loop from the stage. */
#define READINGS_PER_TURN 4096

static cb_status record_block(daq_bench *b, const daq_reading *r, size_t n, double now_s, cb_err *err) {
  double raw[CB_N_CHANNELS][BLOCK], t_s = (now_s - b->recording_since_s) * b->time_scale;
  size_t m[CB_N_CHANNELS] = {0};
  for (size_t i = 0; i < n; i++) raw[r[i].channel][m[r[i].channel]++] = r[i].raw;
  for (cb_channel c = 0; c < CB_N_CHANNELS; c++)
    if (m[c] > 0) CB_TRY(daq_recorder_push_block(b->recorder, c, t_s, raw[c], m[c], err));
  return CB_OK;
}

/* An answer that took far longer than usual tells what was, but not when: the computer or the line
 * stalled. */
#define LATE_TRIPS 4
#define LATE_FLOOR_S 0.001
/* Rig time: however usual that is, by now the stage is somewhere else. */
#define LATE_ALWAYS_S 0.1

static bool in_time(const daq_bench *b, double *typical_trip_s, double trip_s) {
  if (*typical_trip_s == 0) *typical_trip_s = trip_s;
  bool ok = trip_s <= LATE_TRIPS * *typical_trip_s + LATE_FLOOR_S && trip_s * b->time_scale <= LATE_ALWAYS_S;
  /* Steps of a tenth in the right direction follow the median. */
  *typical_trip_s *= trip_s > *typical_trip_s ? 1.1 : 0.9;
  return ok;
}

/* Somewhere between question and answer: the middle is wrong by half the round trip at most. Readings of one
 * question are in time, or late, together. */
static cb_status record_asked(daq_bench *b, const daq_reading *r, size_t n, cb_err *err) {
  bool late = false;
  for (size_t i = 0; i < n; i++) {
    double t_s = 0.5 * (r[i].asked_s + r[i].answered_s) - b->recording_since_s;
    if (i == 0 || r[i].asked_s != r[i - 1].asked_s)
      late = !in_time(b, &b->typical_force_trip_s, r[i].answered_s - r[i].asked_s) && b->busy;
    b->n_late += late;
    if (!late && t_s >= 0)
      CB_TRY(daq_recorder_push(b->recorder, r[i].channel, t_s * b->time_scale, r[i].raw, err));
  }
  return CB_OK;
}

static cb_status record(daq_bench *b, const daq_reading *r, size_t n, double now_s, cb_err *err) {
  return b->force.asked ? record_asked(b, r, n, err) : record_block(b, r, n, now_s, err);
}

static cb_status take_block(daq_bench *b, const daq_reading *r, size_t n, cb_err *err) {
  double now_s = cb_now_monotonic_s();
  /* The guard first: nothing may stand between an overload and the stop. */
  for (size_t i = 0; i < n; i++) CB_TRY(guard_reading(b, &r[i], now_s, err));
  if (b->recorder) CB_TRY(record(b, r, n, now_s, err));
  for (size_t i = 0; i < n; i++) show_value(b, r[i].channel, r[i].value);
  return CB_OK;
}

static cb_status take_readings(daq_bench *b, cb_err *err) {
  daq_reading r[BLOCK];
  size_t n = BLOCK, total = 0;
  while (n == BLOCK && total < READINGS_PER_TURN) {
    cb_status st = daq_force_read_many(&b->force, r, BLOCK, &n, err);
    /* What came before a read-out failed is true all the same. */
    CB_TRY(take_block(b, r, n, err));
    CB_TRY(st);
    total += n;
  }
  return total > 0 ? CB_OK : daq_guard_silence(&b->guard, cb_now_monotonic_s(), err);
}

static cb_status take_position(daq_bench *b, cb_err *err) {
  daq_stage_state s;
  bool fresh;
  CB_TRY(b->stage.driver->take(&b->stage, &s, &fresh, err));
  if (!fresh) return CB_OK;
  double now_s = cb_now_monotonic_s();
  if (s.busy) b->may_move = true;
  CB_TRY(daq_guard_position(&b->guard, s.position_m, s.busy, now_s, err));
  b->position_m = s.position_m;
  b->busy = s.busy;
  b->fresh = true;
  show_value(b, CB_CHANNEL_POSITION, s.position_m);
  bool ok = in_time(b, &b->typical_trip_s, now_s - s.asked_s) || !s.busy;
  if (!b->recorder) return CB_OK;
  if (!ok) {
    b->n_late++;
    return CB_OK;
  }
  /* A moving stage looked somewhere between question and answer: the middle is wrong by half the round trip
   * at most. One that stands is still there. */
  double t_s = (s.busy ? 0.5 * (s.asked_s + now_s) : now_s) - b->recording_since_s;
  return t_s < 0
             ? CB_OK
             : daq_recorder_push(b->recorder, CB_CHANNEL_POSITION, t_s * b->time_scale, s.position_m, err);
}

static cb_status ask_position(daq_bench *b, cb_err *err) {
  double now_s = cb_now_monotonic_s();
  /* Half a gathering time early rather than to be woken for it. */
  if (now_s < b->next_ask_s - 0.5 * b->gather_s) return CB_OK;
  b->next_ask_s = now_s + fmax(ASK_PERIOD_S / b->time_scale, ASK_PERIOD_MIN_S);
  return b->stage.driver->ask(&b->stage, err);
}

/* Waits for the stage, and with_force for the read-out as well. *stage_speaks: it has sent something, or hung
 * up. */
static cb_status wait_for_ports(const daq_bench *b, double until_s, bool with_force, bool *stage_speaks,
                                cb_err *err) {
  struct pollfd p[2] = {{.fd = daq_transport_fd(b->stage.port), .events = POLLIN},
                        {.fd = b->force.driver->fd(&b->force), .events = POLLIN}};
  double wait_s = fmax(fmin(until_s - cb_now_monotonic_s(), LOOK_UP_S), 0);
  const struct timespec timeout = {.tv_nsec = (long)(wait_s * 1e9)};
  int rc = ppoll(p, with_force ? 2 : 1, &timeout, NULL);
  *stage_speaks = rc > 0 && p[0].revents != 0;
  return rc >= 0 || errno == EINTR ? CB_OK : cb_fail(err, CB_E_IO, "ppoll: %s", strerror(errno));
}

/* To be woken by every line of a fast stream would cost more than all the rest. The stage's answers do not
 * wait: their arrival tells where it is. */
static cb_status wait_for_devices(daq_bench *b, double until_s, bool *stage_speaks, cb_err *err) {
  if (cb_now_monotonic_s() < b->gather_until_s) {
    CB_TRY(wait_for_ports(b, fmin(until_s, b->gather_until_s), false, stage_speaks, err));
    if (*stage_speaks || cb_now_monotonic_s() >= until_s) return CB_OK;
  }
  CB_TRY(wait_for_ports(b, fmin(until_s, b->next_ask_s), true, stage_speaks, err));
  b->gather_until_s = cb_now_monotonic_s() + b->gather_s;
  return CB_OK;
}

/* The force first: it is what can break. The stage is listened to when it speaks, and when its next question
 * is due, lest it stay silent unnoticed. */
static cb_status one_turn(daq_bench *b, double until_s, cb_err *err) {
  bool stage_speaks;
  CB_TRY(wait_for_devices(b, until_s, &stage_speaks, err));
  CB_TRY(take_readings(b, err));
  CB_TRY(daq_watchdog_beat(b->watchdog, err));
  CB_TRY(daq_estop_check(&b->estop, err));
  CB_TRY(cb_stop_check(b->stop_flag, err));
  if (stage_speaks || cb_now_monotonic_s() >= b->next_ask_s) CB_TRY(take_position(b, err));
  return ask_position(b, err);
}

/* The one place where everything that goes wrong becomes a stop: first the bare bytes, then in the driver's
 * good order, until the stage confirms. */
static cb_status or_stop(daq_bench *b, cb_status st) {
  if (st == CB_OK) return CB_OK;
  daq_transport_shout(b->stage.port, b->stage.stop_text);
  if (b->stage.driver->stop(&b->stage, NULL) == CB_OK) b->may_move = false;
  return st;
}

static cb_status until_idle(daq_bench *b, cb_err *err) {
  cb_status st = CB_OK;
  b->fresh = false;
  daq_watchdog_arm(b->watchdog);
  while (st == CB_OK && (!b->fresh || b->busy)) st = one_turn(b, INFINITY, err);
  daq_watchdog_disarm(b->watchdog);
  if (st == CB_OK) b->may_move = false;
  return or_stop(b, st);
}

/* ---- open and close ---- */

cb_status daq_bench_open(daq_bench *b, const cb_rig *rig, const char *stage_port, const char *force_port,
                         const cb_stop *stop_flag, cb_err *err) {
  *b = (daq_bench){
      .rig = rig, .stop_flag = stop_flag, .time_scale = rig->virt.present ? rig->virt.time_scale : 1};
  if (rig->force.rate_Hz * GATHER_S >= 4) b->gather_s = GATHER_S / b->time_scale;
  b->before = daq_latency_prefer();
  CB_TRY(daq_stage_open(&b->stage, rig, stage_port, err));
  CB_TRY(daq_force_open(&b->force, rig, force_port, &b->stage, stop_flag, err));
  const int fds[] = {daq_transport_fd(b->stage.port), b->force.driver->fd(&b->force)};
  CB_TRY(daq_estop_open(&b->estop, rig, fds, sizeof fds / sizeof fds[0], daq_modem_lines_read, err));
  const double limit_s = rig->virt.present ? DAQ_WATCHDOG_VIRTUAL_S : DAQ_WATCHDOG_S;
  CB_TRY(daq_watchdog_start(b->stage.port, b->stage.stop_text, limit_s, &b->watchdog, err));
  daq_guard_init(&b->guard, rig, cb_now_monotonic_s());
  /* It was told to stop when it was opened, and may still be slowing down. */
  daq_guard_home(&b->guard, cb_now_monotonic_s());
  return until_idle(b, err);
}

/* A stage slows down for a moment after it has confirmed the stop; leave when it stands. */
static void await_standstill(daq_bench *b) {
  const daq_stage_driver *d = b->stage.driver;
  double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  daq_stage_state s = {.busy = true};
  bool fresh;
  while (s.busy && cb_now_monotonic_s() < deadline_s) {
    if (d->ask(&b->stage, NULL) != CB_OK || d->take(&b->stage, &s, &fresh, NULL) != CB_OK) return;
    cb_sleep_s(ASK_PERIOD_MIN_S);
  }
}

bool daq_bench_halt(daq_bench *b, char text[DAQ_HALT_TEXT]) {
  cb_err why = {""};
  text[0] = '\0';
  b->halted = true;
  if (!b->stage.driver || !b->stage.port) return true;
  bool told = b->stage.driver->stop(&b->stage, &why) == CB_OK;
  if (told) await_standstill(b);
  if (told) b->may_move = false;
  (void)snprintf(text, DAQ_HALT_TEXT, "the stage %s%s%s%.120s%s",
                 told                                   ? "was told to stop"
                 : daq_transport_hung_up(b->stage.port) ? "could not be told to stop"
                                                        : "did not confirm the stop",
                 told          ? ""
                 : b->may_move ? " and may still move: look at it before anything else"
                               : "; it stood still when it last answered",
                 told ? "" : " (", why.msg, told ? "" : ")");
  return told;
}

void daq_bench_close(daq_bench *b) {
  char text[DAQ_HALT_TEXT];
  if (!b->halted) (void)daq_bench_halt(b, text);
  daq_watchdog_stop(b->watchdog);
  daq_estop_close(&b->estop);
  daq_force_close(&b->force);
  daq_stage_close(&b->stage);
  daq_latency_restore(&b->before);
}

/* ---- what takes time on the rig ---- */

/* What must be right before anything moves. */
static cb_status check_ready(const daq_bench *b, cb_err *err) {
  CB_TRY(daq_estop_check(&b->estop, err));
  return daq_guard_ready(&b->guard, err);
}

static cb_status start_home(daq_bench *b, cb_err *err) {
  CB_TRY(check_ready(b, err));
  daq_guard_home(&b->guard, cb_now_monotonic_s());
  b->may_move = true;
  return b->stage.driver->home(&b->stage, err);
}

cb_status daq_bench_home(daq_bench *b, cb_err *err) {
  CB_TRY(or_stop(b, start_home(b, err)));
  return until_idle(b, err);
}

static cb_status start_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err) {
  CB_TRY(check_ready(b, err));
  CB_TRY(daq_guard_move(&b->guard, b->position_m, target_m, speed_m_per_s,
                        b->rig->stage.acceleration_m_per_s2, cb_now_monotonic_s(), err));
  b->may_move = true;
  return b->stage.driver->move_abs(&b->stage, target_m, speed_m_per_s, err);
}

cb_status daq_bench_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err) {
  CB_TRY(or_stop(b, start_move(b, target_m, speed_m_per_s, err)));
  return until_idle(b, err);
}

static cb_status begin(daq_bench *b, cb_status st) {
  b->fresh = false;
  daq_watchdog_arm(b->watchdog);
  return or_stop(b, st);
}

cb_status daq_bench_begin_home(daq_bench *b, cb_err *err) { return begin(b, start_home(b, err)); }

cb_status daq_bench_begin_move(daq_bench *b, double target_m, double speed_m_per_s, cb_err *err) {
  return begin(b, start_move(b, target_m, speed_m_per_s, err));
}

cb_status daq_bench_end_move(daq_bench *b, cb_err *err) {
  daq_guard_halt(&b->guard, cb_now_monotonic_s());
  b->fresh = false;
  return or_stop(b, b->stage.driver->stop(&b->stage, err));
}

bool daq_bench_moves(const daq_bench *b) { return !b->fresh || b->busy; }

cb_status daq_bench_turn(daq_bench *b, double until_s, cb_err *err) {
  cb_status st = one_turn(b, until_s, err);
  if (st == CB_OK && !daq_bench_moves(b)) {
    daq_watchdog_disarm(b->watchdog);
    b->may_move = false;
  }
  return or_stop(b, st);
}

cb_status daq_bench_rest(daq_bench *b, double seconds, double *mean_reading, cb_err *err) {
  double until_s = cb_now_monotonic_s() + seconds / b->time_scale;
  cb_status st = CB_OK;
  b->sum = b->displacement_sum = 0;
  b->n = b->n_displacement = 0;
  while (st == CB_OK && (cb_now_monotonic_s() < until_s || b->n < REST_MIN_READINGS))
    st = one_turn(b, until_s, err);
  if (st == CB_OK) *mean_reading = b->sum / (double)b->n;
  return or_stop(b, st);
}

cb_status daq_bench_resume(daq_bench *b, cb_err *err) {
  CB_TRY(or_stop(b, b->force.driver->discard(&b->force, err)));
  daq_guard_resume(&b->guard, cb_now_monotonic_s());
  return or_stop(b, one_turn(b, 0, err));
}

/* ---- recording ---- */

void daq_bench_record(daq_bench *b, daq_recorder *recorder) {
  b->recorder = recorder;
  b->recording_since_s = cb_now_monotonic_s();
}

double daq_bench_time_s(const daq_bench *b) {
  return (cb_now_monotonic_s() - b->recording_since_s) * b->time_scale;
}

cb_status daq_bench_put_channels(const daq_bench *b, cb_store *s, int64_t run_id, cb_err *err) {
  cb_run_channel list[CB_N_CHANNELS];
  const size_t n = b->force.driver->channels ? b->force.driver->channels(&b->force, list) : 0;
  for (size_t i = 0; i < n; i++) {
    list[i].run_id = run_id;
    CB_TRY(cb_store_run_channel_put(s, &list[i], err));
  }
  return CB_OK;
}
