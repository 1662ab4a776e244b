/* The driver for Thorlabs controllers of one axis (KDC101, TDC001, LTS150, LTS300, ...) by APT. Commands are
 * not answered. What became of a move is told unasked when it ends; a message of that may be lost, and so the
 * place counts as well. A move or a homing is never sent a second time. Answers have no numbers: after one
 * that did not come, the device is asked who it is, and what comes before that answer is dropped. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "daq_apt.h"
#include "daq_rx.h"
#include "daq_stage.h"

#define ASK_PERIOD_S 0.02
#define ASK_TRIES 3
#define STANDSTILL_S 2.0 /* to slow down after a stop */
#define PURGE_S 0.05     /* Thorlabs' document: before and after the port is purged */
#define NEAR 2           /* counts: so near to its target a stage has arrived */

typedef enum apt_goal { AT_REST, TO_HOME, TO_TARGET } apt_goal;

typedef struct apt {
  daq_rx rx;
  bool stepper;
  int asked;        /* the number of the answer that is awaited; 0: none */
  int n_unanswered; /* in a row */
  double asked_s, answer_due_s, next_ask_s;
  int32_t position;
  uint32_t bits;
  apt_goal goal;
  int32_t target;
  bool seen_homing, told; /* told: the end of this motion */
  bool was_homed;
} apt;

/* ---- messages ---- */

static cb_status send_bytes(daq_stage *s, const char *bytes, size_t n, cb_err *err) {
  return daq_transport_write(s->port, bytes, n, s->rig->reply_timeout_s, err);
}

static cb_status send_short(daq_stage *s, int id, int first, int second, cb_err *err) {
  char message[DAQ_APT_MESSAGE_MAX];
  return send_bytes(s, message, daq_apt_put(id, first, second, message), err);
}

static cb_status fault(const daq_stage *s, const char *what, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "stage on %s: %s", daq_transport_path(s->port), what);
}

static bool is_news(int id) {
  return id == DAQ_APT_HOMED || id == DAQ_APT_COMPLETED || id == DAQ_APT_STOPPED || id == DAQ_APT_RESPONSE ||
         id == DAQ_APT_RICH_RESPONSE;
}

/* What the device says unasked. */
static cb_status take_news(daq_stage *s, const daq_apt_message *m, cb_err *err) {
  apt *c = s->own;
  if (m->id == DAQ_APT_RESPONSE || m->id == DAQ_APT_RICH_RESPONSE)
    return fault(s, "reports an error without being asked: look at its panel", err);
  if (m->id == DAQ_APT_STOPPED && c->goal != AT_REST)
    return fault(s, "was stopped by somebody before it arrived", err);
  if (m->id == DAQ_APT_HOMED) c->told = c->told || c->goal == TO_HOME;
  /* A late one of the move before names another place. */
  if (m->id == DAQ_APT_COMPLETED)
    c->told = c->told || (c->goal == TO_TARGET && labs((long)daq_apt_number(m, 0) - c->target) <= NEAR);
  return CB_OK;
}

/* The message with this number; *found = false when the time is over. */
static cb_status await(daq_stage *s, int id, double deadline_s, daq_apt_message *m, bool *found,
                       cb_err *err) {
  apt *c = s->own;
  bool got = true;
  *found = false;
  while (got) {
    size_t used;
    daq_parse p = daq_apt_parse(c->rx.bytes, c->rx.n, m, &used);
    if (p == DAQ_PARSE_INVALID) daq_stage_note_unreadable(s, c->rx.bytes, used);
    daq_rx_drop(&c->rx, used);
    *found = p == DAQ_PARSE_VALID && m->id == id;
    if (*found) return CB_OK;
    if (p == DAQ_PARSE_VALID && is_news(m->id))
      CB_TRY(take_news(s, m, err));
    else
      s->n_stray += p == DAQ_PARSE_VALID;
    if (p == DAQ_PARSE_MORE)
      CB_TRY(daq_rx_fill(&c->rx, s->port, deadline_s - cb_now_monotonic_s(), &got, err));
  }
  return CB_OK;
}

static cb_status no_answer(const daq_stage *s, const char *question, cb_err *err) {
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to the question for its %s within %g s",
                 daq_transport_path(s->port), question, s->rig->reply_timeout_s);
}

/* What is under way is read, and is no answer to what is asked now. */
static cb_status drop_answers(daq_stage *s, cb_err *err) {
  daq_apt_message m;
  bool found = false;
  return await(s, 0, 0, &m, &found, err);
}

static cb_status ask_once(daq_stage *s, int question, const char *name, int id, daq_apt_message *m,
                          cb_err *err) {
  apt *c = s->own;
  bool found = false;
  CB_TRY(drop_answers(s, err));
  c->asked = id;
  CB_TRY(send_short(s, question, id == DAQ_APT_INFO ? 0 : 1, 0, err));
  CB_TRY(await(s, id, cb_now_monotonic_s() + s->rig->reply_timeout_s, m, &found, err));
  if (!found) return no_answer(s, name, err);
  c->asked = 0;
  return CB_OK;
}

static cb_status exchange(daq_stage *s, int question, const char *name, int id, daq_apt_message *m,
                          cb_err *err) {
  const apt *c = s->own;
  cb_status st = CB_E_TIMEOUT;
  for (int i = 0; i < ASK_TRIES && st == CB_E_TIMEOUT; i++) {
    s->n_retried += i > 0;
    if (c->asked) CB_TRY(ask_once(s, DAQ_APT_REQ_INFO, "name", DAQ_APT_INFO, m, err));
    st = ask_once(s, question, name, id, m, err);
  }
  return st;
}

static int status_question(const apt *c) { return c->stepper ? DAQ_APT_REQ_STATUS : DAQ_APT_REQ_DC_STATUS; }
static int status_answer(const apt *c) { return c->stepper ? DAQ_APT_STATUS : DAQ_APT_DC_STATUS; }

static void note_status(apt *c, const daq_apt_message *m) {
  c->position = daq_apt_number(m, 0);
  c->bits = (uint32_t)daq_apt_number(m, 2);
}

static cb_status get_status(daq_stage *s, cb_err *err) {
  apt *c = s->own;
  daq_apt_message m;
  if (!c->stepper) CB_TRY(send_short(s, DAQ_APT_ALIVE, 0, 0, err));
  CB_TRY(exchange(s, status_question(c), "state", status_answer(c), &m, err));
  note_status(c, &m);
  return CB_OK;
}

static bool moves(const apt *c) { return (c->bits & (DAQ_APT_MOVING | DAQ_APT_HOMING)) != 0; }

/* ---- opening ---- */

static cb_status identify(daq_stage *s, cb_err *err) {
  daq_apt_message m;
  char serial[16], model[DAQ_QUOTE_SIZE];
  CB_TRY(exchange(s, DAQ_APT_REQ_INFO, "name", DAQ_APT_INFO, &m, err));
  (void)snprintf(serial, sizeof serial, "%" PRId32, daq_apt_serial(&m));
  daq_quote((const char *)m.packet + 4, strnlen((const char *)m.packet + 4, 8), model);
  (void)snprintf(s->identity, sizeof s->identity, "Thorlabs %s, serial number %s, firmware %d.%d.%d", model,
                 serial, m.packet[16], m.packet[15], m.packet[14]);
  return daq_stage_check_serial(s, serial, err);
}

static cb_status apt_stop(daq_stage *s, cb_err *err);

static cb_status first_contact(daq_stage *s, cb_err *err) {
  const apt *c = s->own;
  CB_TRY(send_short(s, DAQ_APT_HOST_IS_HERE, 0, 0, err));
  CB_TRY(send_short(s, DAQ_APT_STOP_UPDATES, 0, 0, err));
  cb_status st = apt_stop(s, err);
  if (st == CB_E_TIMEOUT)
    return daq_rx_stranger(&c->rx, s->port, s->rig->baud, "a Thorlabs controller (APT)", err);
  return st;
}

static cb_status apt_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_apt_driver, .rig = rig, .ask_period_s = ASK_PERIOD_S};
  apt *c = s->own = calloc(1, sizeof *c);
  char message[DAQ_APT_MESSAGE_MAX];
  if (!c) return cb_no_memory(err, "stage on %s", port);
  c->stepper = rig->motor == CB_MOTOR_STEPPER;
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  cb_sleep_s(PURGE_S);
  daq_transport_discard(s->port);
  cb_sleep_s(PURGE_S);
  CB_TRY(daq_transport_use_flow(s->port, CB_FLOW_RTS_CTS, err));
  /* mode 2: with its ramp. No byte of it is 0. */
  memcpy(s->stop_text, message, daq_apt_put(DAQ_APT_STOP, 1, 2, message));
  CB_TRY(first_contact(s, err));
  CB_TRY(identify(s, err));
  return send_short(s, DAQ_APT_ENABLE, 1, 1, err);
}

/* ---- motion ---- */

/* The controller's units: counts per cycle of its loop times 65536 (servo, 2048 / 6 MHz); for a stepper motor
 * the factors that Thorlabs' document prints. */
static cb_status set_velocity(daq_stage *s, double speed_m_per_s, cb_err *err) {
  const apt *c = s->own;
  const double loop_s = 2048 / 6e6, counts = 1 / s->rig->microstep_m;
  const double per_speed = c->stepper ? 53.68 : 65536 * loop_s;
  const double per_acceleration = c->stepper ? 1 / 90.9 : 65536 * loop_s * loop_s;
  const int32_t wanted[3] = {
      0, (int32_t)fmax(nearbyint(s->rig->acceleration_m_per_s2 * counts * per_acceleration), 1),
      (int32_t)fmax(nearbyint(speed_m_per_s * counts * per_speed), 1)};
  char message[DAQ_APT_MESSAGE_MAX];
  daq_apt_message m;
  CB_TRY(send_bytes(s, message, daq_apt_put_numbers(DAQ_APT_SET_VELOCITY, wanted, 3, message), err));
  CB_TRY(exchange(s, DAQ_APT_REQ_VELOCITY, "speed", DAQ_APT_VELOCITY, &m, err));
  if (daq_apt_number(&m, 1) == wanted[1] && daq_apt_number(&m, 2) == wanted[2]) return CB_OK;
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: acceleration and speed were set to %" PRId32 " and %" PRId32
                 ", but it says %" PRId32 " and %" PRId32 " now",
                 daq_transport_path(s->port), wanted[1], wanted[2], daq_apt_number(&m, 1),
                 daq_apt_number(&m, 2));
}

static void expect(apt *c, apt_goal goal, int32_t target) {
  c->goal = goal;
  c->target = target;
  c->seen_homing = c->told = false;
}

static cb_status apt_home(daq_stage *s, cb_err *err) {
  apt *c = s->own;
  c->was_homed = false;
  expect(c, TO_HOME, 0);
  return send_short(s, DAQ_APT_HOME, 1, 0, err);
}

static cb_status apt_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  apt *c = s->own;
  char message[DAQ_APT_MESSAGE_MAX];
  const int32_t target = (int32_t)nearbyint(target_m / s->rig->microstep_m);
  CB_TRY(set_velocity(s, speed_m_per_s, err));
  expect(c, TO_TARGET, target);
  return send_bytes(s, message, daq_apt_put_numbers(DAQ_APT_MOVE, &target, 1, message), err);
}

static cb_status apt_stop(daq_stage *s, cb_err *err) {
  apt *c = s->own;
  cb_status st = CB_E_TIMEOUT;
  c->goal = AT_REST;
  for (int i = 0; i < ASK_TRIES && st == CB_E_TIMEOUT; i++) {
    CB_TRY(send_short(s, DAQ_APT_STOP, 1, 2, err));
    c->asked = status_answer(c); /* something may be under way */
    st = get_status(s, err);
  }
  CB_TRY(st);
  const double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  while (moves(c)) {
    if (cb_now_monotonic_s() > deadline_s)
      return cb_fail(err, CB_E_DEVICE, "stage on %s: moves %g s after it was told to stop; switch it off",
                     daq_transport_path(s->port), STANDSTILL_S);
    cb_sleep_s(ASK_PERIOD_S);
    CB_TRY(get_status(s, err));
  }
  return CB_OK;
}

/* ---- position ---- */

static cb_status put_question(daq_stage *s, int question, int answer, cb_err *err) {
  apt *c = s->own;
  CB_TRY(drop_answers(s, err));
  c->asked = answer;
  c->asked_s = cb_now_monotonic_s();
  c->answer_due_s = c->asked_s + s->rig->reply_timeout_s / ASK_TRIES;
  return send_short(s, question, answer == DAQ_APT_INFO ? 0 : 1, 0, err);
}

static cb_status ask_again(daq_stage *s, cb_err *err) {
  apt *c = s->own;
  if (cb_now_monotonic_s() <= c->answer_due_s) return CB_OK;
  if (++c->n_unanswered == ASK_TRIES) return no_answer(s, "state", err);
  s->n_retried++;
  return put_question(s, DAQ_APT_REQ_INFO, DAQ_APT_INFO, err);
}

static cb_status apt_ask(daq_stage *s, cb_err *err) {
  apt *c = s->own;
  const double now_s = cb_now_monotonic_s();
  if (c->asked || now_s < c->next_ask_s) return CB_OK;
  c->next_ask_s = now_s + s->ask_period_s;
  c->n_unanswered = 0;
  if (!c->stepper) CB_TRY(send_short(s, DAQ_APT_ALIVE, 0, 0, err));
  return put_question(s, status_question(c), status_answer(c), err);
}

/* A controller that was told to move may not have begun yet. It has arrived when it says so, or stands there.
 */
static bool arrived(apt *c) {
  const bool homed = (c->bits & DAQ_APT_IS_HOMED) != 0;
  c->seen_homing = c->seen_homing || (c->bits & DAQ_APT_HOMING) || !homed;
  if (moves(c)) return false;
  if (c->goal == TO_HOME) return homed && (c->told || c->seen_homing);
  return c->goal == AT_REST || c->told || labs((long)c->position - c->target) <= NEAR;
}

static cb_status judge(daq_stage *s, bool *busy, cb_err *err) {
  apt *c = s->own;
  if (c->bits & DAQ_APT_MOTION_ERROR) return fault(s, "reports a motion error: it cannot follow", err);
  if (c->was_homed && !(c->bits & DAQ_APT_IS_HOMED)) return fault(s, "lost its reference", err);
  *busy = !arrived(c);
  if (*busy && !moves(c) && c->goal == TO_TARGET && c->bits & DAQ_APT_AT_LIMIT)
    return fault(s, "stands at its limit switch before it arrived", err);
  if (!*busy && c->goal == TO_HOME) c->was_homed = true;
  if (!*busy) c->goal = AT_REST;
  return CB_OK;
}

static cb_status apt_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  apt *c = s->own;
  daq_apt_message m;
  bool found, busy;
  *fresh = false;
  while (c->asked) {
    const int asked = c->asked;
    CB_TRY(await(s, asked, 0, &m, &found, err));
    if (!found) return ask_again(s, err);
    c->asked = 0;
    if (asked == DAQ_APT_INFO) {
      CB_TRY(put_question(s, status_question(c), status_answer(c), err));
      continue;
    }
    note_status(c, &m);
    CB_TRY(judge(s, &busy, err));
    *state = (daq_stage_state){c->position * s->rig->microstep_m, busy, c->asked_s};
    *fresh = true;
  }
  return CB_OK;
}

const daq_stage_driver daq_apt_driver = {
    .name = "thorlabs-apt",
    .open = apt_open,
    .home = apt_home,
    .move_abs = apt_move_abs,
    .stop = apt_stop,
    .ask = apt_ask,
    .take = apt_take,
};
