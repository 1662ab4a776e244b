/* The driver for the motion of a Mark-10 ESM301/ESM303 stand (up counts as forward). The stand knows no "move
 * to": a move is its travel limit set to the target and a start in limit mode, so that it stops there whether
 * or not anybody still listens. It has no reference switch: its travel counts from where somebody zeroed it
 * at its panel, and homing is a move to that zero. Its acceleration is its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "daq_esm_stand.h"

#define DIGIT_M 1e-5               /* of travel and limits, in millimetres */
#define SPEED_DIGIT_M_PER_MIN 1e-4 /* of the speed, in mm/min with one decimal */
#define ASK_PERIOD_S 0.02
#define START_S 0.5 /* for the stand to say that it moves */
#define STANDSTILL_S 2.0

static const char *path_of(const daq_stage *s) { return daq_transport_path(s->port); }

static cb_status tell_stage(daq_stage *s, const char *command, cb_err *err) {
  return daq_transport_write(s->port, command, strlen(command), s->rig->reply_timeout_s, err);
}

/* ---- settings: set, and read back ---- */

#define READ_TRIES 3

/* An answer does not say to which question: another number may be a late answer, so it is asked again. */
static cb_status read_back(daq_stage *s, char question, double wanted, double digit, bool *is, cb_err *err) {
  daq_esm_stand *e = s->own;
  *is = false;
  for (int i = 0; i < READ_TRIES && !*is; i++) {
    s->n_retried += i > 0;
    CB_TRY(daq_esm_exchange(e, question, err));
    *is = fabs(e->answer.value - wanted) < digit;
  }
  return CB_OK;
}

static cb_status set_limit(daq_stage *s, char name, double travel_m, cb_err *err) {
  const daq_esm_stand *e = s->own;
  char text[DAQ_ESM_COMMAND_MAX];
  bool is;
  daq_esm_format_limit(text, name, travel_m);
  CB_TRY(tell_stage(s, text, err));
  CB_TRY(read_back(s, name == 'h' ? 'v' : 'w', travel_m, DIGIT_M, &is, err));
  if (is) return CB_OK;
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: its %s travel limit was set to %.2f mm, but it says %.2f mm now", path_of(s),
                 name == 'h' ? "upper" : "lower", travel_m * 1e3, e->answer.value * 1e3);
}

static cb_status set_speed(daq_stage *s, double speed_m_per_s, cb_err *err) {
  const daq_esm_stand *e = s->own;
  char text[DAQ_ESM_COMMAND_MAX];
  bool is;
  daq_esm_format_speed(text, speed_m_per_s);
  CB_TRY(tell_stage(s, text, err));
  CB_TRY(read_back(s, 'a', speed_m_per_s, SPEED_DIGIT_M_PER_MIN / 60, &is, err));
  if (is) return CB_OK;
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: its speed was set to %.1f mm/min, but it says %.1f mm/min now", path_of(s),
                 speed_m_per_s * 60e3, e->answer.value * 60e3);
}

/* ---- opening ---- */

static cb_status esm_stop(daq_stage *s, cb_err *err);

static cb_status first_contact(daq_stage *s, cb_err *err) {
  const daq_esm_stand *e = s->own;
  cb_status st = esm_stop(s, err);
  if (st == CB_E_TIMEOUT)
    return daq_rx_stranger(&e->rx, s->port, s->rig->baud, "a Mark-10 ESM stand with PC control", err);
  return st;
}

static cb_status esm_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_esm_driver,
                   .rig = rig,
                   .stop_text = "s",
                   .ask_period_s = ASK_PERIOD_S,
                   .identity = "Mark-10 ESM stand"};
  daq_esm_stand *e = s->own = calloc(1, sizeof *e);
  if (!e) return cb_no_memory(err, "stage on %s", port);
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  e->rig = rig;
  e->port = s->port;
  CB_TRY(first_contact(s, err));
  CB_TRY(daq_stage_check_serial(s, "", err));
  CB_TRY(tell_stage(s, "i", err)); /* millimetres */
  CB_TRY(tell_stage(s, "l", err)); /* limit mode */
  CB_TRY(set_limit(s, 'g', rig->limit_min_m, err));
  CB_TRY(set_limit(s, 'h', rig->limit_max_m, err));
  CB_TRY(set_speed(s, rig->max_speed_m_per_s, err));
  return daq_esm_exchange(e, 'n', err);
}

/* ---- motion ---- */

/* What the stand says until now is older than the command that comes. */
static void forget_question(daq_esm_stand *e) { e->state_wanted = e->state_fresh = e->moving_known = false; }

/* It has started, or has arrived already. */
static cb_status see_it_start(daq_stage *s, double target_m, cb_err *err) {
  daq_esm_stand *e = s->own;
  double deadline_s = cb_now_monotonic_s() + START_S;
  do {
    CB_TRY(daq_esm_exchange(e, 'p', err));
    if (e->answer.moving != 0) return CB_OK;
    CB_TRY(daq_esm_exchange(e, 'x', err));
    if (fabs(e->answer.value - target_m) < 2 * s->rig->microstep_m) return CB_OK;
  } while (cb_now_monotonic_s() < deadline_s);
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: does not start to move; is PC control installed and switched on?", path_of(s));
}

static cb_status esm_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  daq_esm_stand *e = s->own;
  CB_TRY(daq_esm_exchange(e, 'x', err));
  double from_m = e->answer.value;
  if (fabs(target_m - from_m) < 0.5 * DIGIT_M) return CB_OK;
  bool up = target_m > from_m;
  /* The other limit lies behind it, wherever it stands. */
  CB_TRY(set_limit(s, 'g', up ? fmin(s->rig->limit_min_m, from_m) : target_m, err));
  CB_TRY(set_limit(s, 'h', up ? target_m : fmax(s->rig->limit_max_m, from_m), err));
  CB_TRY(set_speed(s, speed_m_per_s, err));
  CB_TRY(tell_stage(s, "o", err)); /* at the speed that was set */
  CB_TRY(tell_stage(s, "l", err)); /* somebody at its panel may have left limit mode */
  CB_TRY(tell_stage(s, up ? "u" : "d", err));
  cb_status st = see_it_start(s, target_m, err);
  forget_question(e);
  return st;
}

static cb_status esm_home(daq_stage *s, cb_err *err) {
  return esm_move_abs(s, 0, s->rig->max_speed_m_per_s, err);
}

#define STOP_TRIES 3

static cb_status stop_and_look(daq_stage *s, cb_err *err) {
  daq_esm_stand *e = s->own;
  cb_status st = CB_E_TIMEOUT;
  for (int i = 0; i < STOP_TRIES && st == CB_E_TIMEOUT; i++) {
    CB_TRY(tell_stage(s, "s", err));
    st = daq_esm_exchange(e, 'p', err);
  }
  return st;
}

static cb_status esm_stop(daq_stage *s, cb_err *err) {
  daq_esm_stand *e = s->own;
  double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  forget_question(e);
  e->asked = 0; /* no waiting for anything before this */
  do {
    CB_TRY(stop_and_look(s, err));
    if (e->answer.moving == 0) {
      forget_question(e);
      return CB_OK;
    }
    cb_sleep_s(0.01);
  } while (cb_now_monotonic_s() < deadline_s);
  return cb_fail(err, CB_E_DEVICE, "stage on %s: still moves %g s after it was told to stop; switch it off",
                 path_of(s), STANDSTILL_S);
}

/* ---- position ---- */

static cb_status esm_ask(daq_stage *s, cb_err *err) {
  daq_esm_stand *e = s->own;
  double now_s = cb_now_monotonic_s();
  if (!e->state_wanted && !e->state_fresh && now_s >= e->next_state_s) {
    e->next_state_s = now_s + s->ask_period_s;
    e->state_wanted = true;
  }
  return daq_esm_pump(e, err);
}

static cb_status esm_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  daq_esm_stand *e = s->own;
  CB_TRY(daq_esm_pump(e, err));
  *fresh = e->state_fresh;
  if (*fresh) *state = e->state;
  e->state_fresh = false;
  return CB_OK;
}

const daq_stage_driver daq_esm_driver = {
    .name = "mark10-esm",
    .open = esm_open,
    .home = esm_home,
    .move_abs = esm_move_abs,
    .stop = esm_stop,
    .ask = esm_ask,
    .take = esm_take,
};
