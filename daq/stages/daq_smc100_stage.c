/* The driver for stages behind a Newport SMC100. Commands are not answered: what became of one is asked with
 * TE. A move or a homing is never sent a second time. Limits, speed and acceleration can only be set once the
 * stage is referenced, so they are set before the first move; they are the controller's working values and
 * are gone with its power. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_time.h"
#include "daq_rx.h"
#include "daq_smc100.h"
#include "daq_stage.h"

#define ASK_PERIOD_S                                                                                         \
  0.02 /* two questions of 5 bytes and two answers of 12 take 6 ms of the line, and the controller takes its \
          time */
#define ASK_TRIES 3
#define STANDSTILL_S 2.0 /* to slow down after a stop */

typedef struct smc100 {
  daq_rx rx;
  const char *asked;                        /* the open question, "TS" or "TP"; NULL: none */
  int n_unanswered;                         /* times that it was not answered */
  double asked_s, answer_due_s, next_ask_s; /* asked_s: of its first time */
  daq_smc100_state state;                   /* what TS said last */
  bool homing, homed;
  bool set; /* the rig file's limits, speed and acceleration are in */
  double speed_m_per_s;
} smc100;

/* ---- messages ---- */

static cb_status send_command(daq_stage *s, const char *command, cb_err *err) {
  char line[64];
  int n = snprintf(line, sizeof line, "%d%s\r\n", s->rig->device_address, command);
  return daq_transport_write(s->port, line, (size_t)n, s->rig->reply_timeout_s, err);
}

/* The answer to the question with this name (two letters); *found = false when the time is over. Late ones
 * and other devices' are dropped.
 */
static cb_status await(daq_stage *s, const char *name, double deadline_s, daq_smc100_message *m, bool *found,
                       cb_err *err) {
  smc100 *c = s->own;
  bool got = true;
  *found = false;
  while (got) {
    size_t used;
    daq_parse p = daq_smc100_parse(c->rx.bytes, c->rx.n, m, &used);
    if (p == DAQ_PARSE_INVALID) daq_stage_note_unreadable(s, c->rx.bytes, used);
    daq_rx_drop(&c->rx, used);
    *found = p == DAQ_PARSE_VALID && m->address == s->rig->device_address && strcmp(m->command, name) == 0;
    if (*found) return CB_OK;
    s->n_stray += p == DAQ_PARSE_VALID;
    if (p == DAQ_PARSE_MORE)
      CB_TRY(daq_rx_fill(&c->rx, s->port, deadline_s - cb_now_monotonic_s(), &got, err));
  }
  return CB_OK;
}

static cb_status no_answer(const daq_stage *s, const char *question, cb_err *err) {
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%s' within %g s", daq_transport_path(s->port),
                 question, s->rig->reply_timeout_s);
}

static cb_status exchange(daq_stage *s, const char *question, daq_smc100_message *m, cb_err *err) {
  smc100 *c = s->own;
  char name[3] = {question[0], question[1], '\0'};
  bool found;
  c->asked = NULL; /* its answer would be older than this */
  for (int i = 0; i < ASK_TRIES; i++) {
    const size_t strays = s->n_stray;
    s->n_retried += i > 0;
    CB_TRY(send_command(s, question, err));
    CB_TRY(await(s, name, cb_now_monotonic_s() + s->rig->reply_timeout_s, m, &found, err));
    if (found) return CB_OK;
    /* Asked again where another answer came in its place; but TE forgets what it has told. */
    if (s->n_stray == strays || strcmp(name, "TE") == 0) break;
  }
  return no_answer(s, question, err);
}

/* A command, and whether it was taken. */
static cb_status command(daq_stage *s, const char *text, cb_err *err) {
  daq_smc100_message m;
  CB_TRY(send_command(s, text, err));
  CB_TRY(exchange(s, "TE", &m, err));
  if (m.text[0] == '@') return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: refuses '%s': %.1s (%s)", daq_transport_path(s->port), text,
                 m.text, daq_smc100_letter_text(m.text[0]));
}

static cb_status garbled(const daq_stage *s, const daq_smc100_message *m, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "stage on %s: answers '%s' to '%s', which is not in Newport's list",
                 daq_transport_path(s->port), m->text, m->command);
}

static cb_status get_state(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  daq_smc100_message m;
  CB_TRY(exchange(s, "TS", &m, err));
  return daq_smc100_state_of(m.text, &c->state) ? CB_OK : garbled(s, &m, err);
}

static cb_status check_state(const daq_stage *s, cb_err *err) {
  const smc100 *c = s->own;
  const char *port = daq_transport_path(s->port), *name = c->state.name;
  unsigned errors = c->state.errors;
  /* A limit switch is where homing begins. */
  if (c->state.phase == DAQ_SMC100_HOMING || !c->homed) errors &= ~DAQ_SMC100_END_OF_RUN;
  if (errors)
    return cb_fail(err, CB_E_DEVICE, "stage on %s: reports the error %s (%04X)", port,
                   daq_smc100_error_text(errors), errors);
  switch (c->state.phase) {
    case DAQ_SMC100_HOMING:
    case DAQ_SMC100_MOVING:
    case DAQ_SMC100_READY: return CB_OK;
    case DAQ_SMC100_UNREFERENCED:
      if (c->homing) return cb_fail(err, CB_E_DEVICE, "stage on %s: homing ended with '%s'", port, name);
      if (c->homed)
        return cb_fail(err, CB_E_DEVICE, "stage on %s: is '%s': it lost its reference", port, name);
      return CB_OK;
    case DAQ_SMC100_CONFIGURATION:
      return cb_fail(err, CB_E_DEVICE,
                     "stage on %s: is in its configuration state, where nothing moves; leave it with PW0",
                     port);
    case DAQ_SMC100_DISABLED:
      return cb_fail(err, CB_E_DEVICE, "stage on %s: is '%s'; enable it at its keypad or with MM1", port,
                     name);
    case DAQ_SMC100_JOGGING: return cb_fail(err, CB_E_DEVICE, "stage on %s: is moved by its keypad", port);
  }
  return CB_OK;
}

/* ---- opening ---- */

/* "TRA25CC_SN:B07001": stage and serial number; a controller without an ESP stage reports none. */
static cb_status identify(daq_stage *s, cb_err *err) {
  daq_smc100_message version, stage;
  CB_TRY(exchange(s, "VE", &version, err));
  CB_TRY(exchange(s, "ID?", &stage, err));
  const char *serial = strstr(stage.text, "SN:");
  (void)snprintf(s->identity, sizeof s->identity, "Newport %.50s, stage %.50s", version.text, stage.text);
  return daq_stage_check_serial(s, serial ? serial + 3 : "", err);
}

static cb_status smc100_stop(daq_stage *s, cb_err *err);

static cb_status first_contact(daq_stage *s, cb_err *err) {
  const smc100 *c = s->own;
  cb_status st = smc100_stop(s, err);
  if (st == CB_E_TIMEOUT && !c->state.name)
    return daq_rx_stranger(&c->rx, s->port, s->rig->baud, "a Newport SMC100", err);
  return st;
}

static cb_status smc100_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_smc100_driver, .rig = rig, .ask_period_s = ASK_PERIOD_S};
  smc100 *c = s->own = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "stage on %s", port);
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  CB_TRY(daq_transport_use_flow(s->port, CB_FLOW_XON_XOFF, err));
  (void)snprintf(s->stop_text, sizeof s->stop_text, "%dST\r\n", rig->device_address);
  CB_TRY(first_contact(s, err));
  CB_TRY(identify(s, err));
  return check_state(s, err);
}

/* ---- settings ---- */

static cb_status set_number(daq_stage *s, const char *name, double value_mm, cb_err *err) {
  char text[48];
  daq_smc100_message m;
  double now;
  (void)snprintf(text, sizeof text, "%s%.6f", name, value_mm);
  CB_TRY(command(s, text, err));
  (void)snprintf(text, sizeof text, "%s?", name);
  CB_TRY(exchange(s, text, &m, err));
  if (cb_parse_double(m.text, name, &now, NULL) == CB_OK &&
      fabs(now - value_mm) <= 1e-5 * fabs(value_mm) + 1e-6)
    return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: %s was set to %g, but it says '%s' now",
                 daq_transport_path(s->port), name, value_mm, m.text);
}

static cb_status set_speed(daq_stage *s, double speed_m_per_s, cb_err *err) {
  smc100 *c = s->own;
  if (speed_m_per_s == c->speed_m_per_s) return CB_OK;
  CB_TRY(set_number(s, "VA", speed_m_per_s * 1e3, err));
  c->speed_m_per_s = speed_m_per_s;
  return CB_OK;
}

/* Its home is 0 and lies within its limits, always. */
static cb_status set_limits(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  const cb_rig_stage *r = s->rig;
  if (c->set) return CB_OK;
  CB_TRY(set_number(s, "AC", r->acceleration_m_per_s2 * 1e3, err));
  CB_TRY(set_number(s, "SL", fmin(r->limit_min_m, 0) * 1e3, err));
  CB_TRY(set_number(s, "SR", fmax(r->limit_max_m, 0) * 1e3, err));
  c->set = true;
  return CB_OK;
}

/* ---- motion ---- */

static cb_status smc100_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  char text[48];
  CB_TRY(set_limits(s, err));
  CB_TRY(set_speed(s, speed_m_per_s, err));
  (void)snprintf(text, sizeof text, "PA%.6f", target_m * 1e3);
  return command(s, text, err);
}

/* A stage that is referenced already cannot be homed again without a reset of the controller: it goes to
 * where home is. */
static cb_status smc100_home(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  CB_TRY(get_state(s, err));
  if (c->state.phase == DAQ_SMC100_READY) {
    c->homed = true;
    return smc100_move_abs(s, 0, s->rig->max_speed_m_per_s, err);
  }
  c->homed = false;
  CB_TRY(check_state(s, err));
  CB_TRY(command(s, "OR", err));
  c->homing = true;
  return CB_OK;
}

static bool stands(const smc100 *c) {
  daq_smc100_phase p = c->state.phase;
  return p != DAQ_SMC100_HOMING && p != DAQ_SMC100_MOVING && p != DAQ_SMC100_JOGGING;
}

#define STOP_TRIES 3

static cb_status smc100_stop(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  daq_smc100_message m;
  cb_status st = CB_E_TIMEOUT;
  c->homing = false;
  for (int i = 0; i < STOP_TRIES && st == CB_E_TIMEOUT; i++) {
    CB_TRY(send_command(s, "ST", err));
    st = get_state(s, err);
  }
  CB_TRY(st);
  double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  while (!stands(c)) {
    if (cb_now_monotonic_s() > deadline_s)
      return cb_fail(err, CB_E_DEVICE, "stage on %s: is '%s' %g s after it was told to stop; switch it off",
                     daq_transport_path(s->port), c->state.name, STANDSTILL_S);
    cb_sleep_s(ASK_PERIOD_S);
    CB_TRY(get_state(s, err));
  }
  /* One that stood already has nothing to stop, and says so: the letter is fetched so that it is not taken
   * for the next command's. */
  return exchange(s, "TE", &m, err);
}

/* ---- position: the state first, so that a stage that is ready is where it says ---- */

static cb_status send_question(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  c->answer_due_s = cb_now_monotonic_s() + s->rig->reply_timeout_s / ASK_TRIES;
  return send_command(s, c->asked, err);
}

static cb_status put_question(daq_stage *s, const char *name, cb_err *err) {
  smc100 *c = s->own;
  c->asked = name;
  c->asked_s = cb_now_monotonic_s();
  c->n_unanswered = 0;
  return send_question(s, err);
}

/* An answer has no number: the one that comes may be to any of the questions of this name, and counts from
 * the first. */
static cb_status ask_again(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  if (cb_now_monotonic_s() <= c->answer_due_s) return CB_OK;
  if (++c->n_unanswered == ASK_TRIES) return no_answer(s, c->asked, err);
  s->n_retried++;
  return send_question(s, err);
}

static cb_status smc100_ask(daq_stage *s, cb_err *err) {
  smc100 *c = s->own;
  double now_s = cb_now_monotonic_s();
  if (c->asked || now_s < c->next_ask_s) return CB_OK;
  c->next_ask_s = now_s + s->ask_period_s;
  return put_question(s, "TS", err);
}

static cb_status take_state(daq_stage *s, const daq_smc100_message *m, cb_err *err) {
  smc100 *c = s->own;
  if (!daq_smc100_state_of(m->text, &c->state)) return garbled(s, m, err);
  if (c->homing && c->state.phase == DAQ_SMC100_READY) {
    c->homing = false;
    c->homed = true;
  }
  CB_TRY(check_state(s, err));
  return put_question(s, "TP", err);
}

static cb_status smc100_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  smc100 *c = s->own;
  daq_smc100_message m;
  double position_mm;
  bool found = true;
  *fresh = false;
  while (c->asked) {
    const char *asked = c->asked;
    CB_TRY(await(s, asked, 0, &m, &found, err));
    if (!found) return ask_again(s, err);
    c->asked = NULL;
    if (strcmp(asked, "TS") == 0) {
      CB_TRY(take_state(s, &m, err));
      continue;
    }
    if (cb_parse_double(m.text, "TP", &position_mm, NULL) != CB_OK) return garbled(s, &m, err);
    *state = (daq_stage_state){position_mm * 1e-3, !stands(c), c->asked_s};
    *fresh = true;
  }
  return CB_OK;
}

const daq_stage_driver daq_smc100_driver = {
    .name = "smc100",
    .open = smc100_open,
    .home = smc100_home,
    .move_abs = smc100_move_abs,
    .stop = smc100_stop,
    .ask = smc100_ask,
    .take = smc100_take,
};
