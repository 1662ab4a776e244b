/* The driver for a stage behind Grbl 1.1, or a relative that speaks its protocol and tells its settings. The
 * rig file's millimetres are Grbl's machine co-ordinates, so no work offset matters. Moves are jogs: they end
 * at their target, leave Grbl's modal state alone, and one byte cancels them with a controlled deceleration.
 * The position is counted steps: whatever makes it doubtful (an alarm, a reset) is an error, and the next
 * start homes. This driver never unlocks an alarm ($X): a person has to look first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "daq_grbl.h"
#include "daq_rx.h"
#include "daq_stage.h"

#define RESET "\x18"
#define JOG_CANCEL "\x85"
#define WELCOME_S 4.0 /* opening the port resets an Arduino; its boot loader takes up to 2 s */
#define QUIET_S 0.1   /* after the welcome: nothing more comes of the start */
#define ASK_PERIOD_S                                                                                        \
  0.1 /* interface.md: 5 Hz are recommended, 10 Hz may be possible; a report costs the processor that makes \
       * the steps                                                                                          \
         \ */
#define ASK_TRIES 3
#define HOMING_MAX_S 120.0 /* as the guard's; nothing is answered meanwhile */
#define HOMING_LOOK_S 2.0  /* the line is read by then: a report that is asked for later is of the homing */
#define STANDSTILL_S 2.0   /* for a jog to end that was cancelled */
#define N_SETTINGS 133

typedef struct grbl {
  daq_rx rx;
  int axis; /* 0 X, 1 Y, 2 Z */
  bool asked;
  int n_unanswered;                         /* reports in a row that did not come */
  double asked_s, answer_due_s, next_ask_s; /* asked_s: of the first of them */
  bool homing, homed;
  double homing_due_s, homing_look_s; /* homing_look_s: when to ask next whether it has ended */
  bool homing_looked;
  bool awake;                 /* open: a welcome from now on is a reset that nobody asked for */
  bool welcomed;              /* a welcome came */
  int alarm;                  /* the last ALARM:N; 0: none */
  double setting[N_SETTINGS]; /* NAN: not reported */
  daq_grbl_firmware firmware;
  char version[80], options[80];
} grbl;

/* ---- messages ---- */

static bool take_message(daq_stage *s, daq_grbl_message *m) {
  grbl *g = s->own;
  for (;;) {
    size_t used;
    daq_parse p = daq_grbl_parse(g->rx.bytes, g->rx.n, m, &used);
    if (p == DAQ_PARSE_INVALID) daq_stage_note_unreadable(s, g->rx.bytes, used);
    daq_rx_drop(&g->rx, used);
    if (p != DAQ_PARSE_INVALID) return p == DAQ_PARSE_VALID;
  }
}

/* What is worth remembering whenever it comes. */
static void note_message(grbl *g, const daq_grbl_message *m) {
  if (m->kind == DAQ_GRBL_ALARM) g->alarm = m->code;
  if (m->kind == DAQ_GRBL_WELCOME) {
    g->welcomed = true;
    if (!g->awake) (void)snprintf(g->version, sizeof g->version, "%s", m->text);
    if (!g->awake) g->firmware = m->firmware;
  }
  /* grblHAL can be built to greet as Grbl does; `$I` tells. */
  if (m->kind == DAQ_GRBL_INFO && strcmp(m->text, "FIRMWARE:grblHAL") == 0) g->firmware = DAQ_GRBL_HAL;
  if (m->kind == DAQ_GRBL_SETTING && m->code >= 0 && m->code < N_SETTINGS) g->setting[m->code] = m->value;
  if (m->kind == DAQ_GRBL_INFO && strncmp(m->text, "VER:", 4) == 0)
    (void)snprintf(g->version, sizeof g->version, "%s", m->text + 4);
  if (m->kind == DAQ_GRBL_INFO && strncmp(m->text, "OPT:", 4) == 0)
    (void)snprintf(g->options, sizeof g->options, "%s", m->text + 4);
}

/* The next message; *found = false once nothing has come until the deadline. */
static cb_status next_message(daq_stage *s, double deadline_s, daq_grbl_message *m, bool *found,
                              cb_err *err) {
  grbl *g = s->own;
  bool got = true;
  while (!(*found = take_message(s, m)) && got)
    CB_TRY(daq_rx_fill(&g->rx, s->port, deadline_s - cb_now_monotonic_s(), &got, err));
  if (*found) note_message(g, m);
  return CB_OK;
}

static cb_status check_trouble(const daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const char *port = daq_transport_path(s->port);
  if (g->alarm)
    return cb_fail(err, CB_E_DEVICE,
                   "stage on %s: ALARM:%d (%s); look at the stage, free it, and start again: that homes it",
                   port, g->alarm, daq_grbl_alarm_text(g->alarm));
  if (g->awake && g->welcomed)
    return cb_fail(err, CB_E_DEVICE, "stage on %s: %s was reset; the position is lost", port,
                   daq_grbl_firmware_names[g->firmware]);
  return CB_OK;
}

static cb_status no_answer(const daq_stage *s, const char *question, cb_err *err) {
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%s' within %g s", daq_transport_path(s->port),
                 question, s->rig->reply_timeout_s);
}

static cb_status refused(const daq_stage *s, const char *line, int code, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "stage on %s: refuses '%s': error:%d (%s)", daq_transport_path(s->port),
                 line, code, daq_grbl_error_text(code));
}

static cb_status write_text(daq_stage *s, const char *text, cb_err *err) {
  return daq_transport_write(s->port, text, strlen(text), s->rig->reply_timeout_s, err);
}

/* Sends a line. A report that is still under way is older than it. */
static cb_status send_line(daq_stage *s, const char *line, cb_err *err) {
  grbl *g = s->own;
  char text[96];
  g->asked = false;
  (void)snprintf(text, sizeof text, "%s\n", line);
  return write_text(s, text, err);
}

/* Sends a line and waits for its ok. Grbl answers a '?' before it executes a line that came after it, so that
 * no report from before comes after the ok. */
static cb_status exchange(daq_stage *s, const char *line, cb_err *err) {
  daq_grbl_message m;
  bool found;
  CB_TRY(send_line(s, line, err));
  double deadline_s = cb_now_monotonic_s() + s->rig->reply_timeout_s;
  do {
    CB_TRY(next_message(s, deadline_s, &m, &found, err));
    CB_TRY(check_trouble(s, err));
    if (found && m.kind == DAQ_GRBL_ERROR) return refused(s, line, m.code, err);
    if (found && m.kind == DAQ_GRBL_OK) return CB_OK;
  } while (found);
  return no_answer(s, line, err);
}

/* ---- opening ---- */

static cb_status check_version(daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const char *port = daq_transport_path(s->port), *name = daq_grbl_firmware_names[g->firmware];
  (void)snprintf(s->identity, sizeof s->identity, "%s %.40s", name, g->version);
  if (g->firmware == DAQ_GRBL_FLUIDNC)
    return cb_fail(err, CB_E_DEVICE,
                   "stage on %s: is FluidNC %s, which keeps travel, steps and limit switches in its own file "
                   "and does not tell them by '$$': this program cannot check them; Grbl 1.1, grblHAL or "
                   "Grbl_ESP32 was wanted",
                   port, g->version);
  if (g->firmware == DAQ_GRBL_ESP32 || strncmp(g->version, "1.1", 3) == 0) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: is %s, 1.1 was wanted", port, s->identity);
}

/* Whatever it was doing ends here: a reset needs no further state, and says what answers. */
static cb_status wake(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  daq_grbl_message m;
  bool found;
  double deadline_s = cb_now_monotonic_s() + WELCOME_S;
  CB_TRY(write_text(s, RESET, err));
  do CB_TRY(next_message(s, deadline_s, &m, &found, err));
  while (found && !g->welcomed);
  if (!g->welcomed) return daq_rx_stranger(&g->rx, s->port, s->rig->baud, "a controller with Grbl 1.1", err);
  CB_TRY(check_version(s, err));
  do CB_TRY(next_message(s, cb_now_monotonic_s() + QUIET_S, &m, &found, err));
  while (found);
  g->alarm = 0; /* the reset's own */
  /* What a processor says while it boots. */
  s->n_unreadable = 0;
  s->unreadable[0] = '\0';
  return CB_OK;
}

static cb_status want_switch(const daq_stage *s, int number, bool is, const char *why, cb_err *err) {
  if (is) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: Grbl's setting $%d = %g: %s", daq_transport_path(s->port),
                 number, ((const grbl *)s->own)->setting[number], why);
}

static cb_status want_at_least(const daq_stage *s, int number, double wanted, const char *key,
                               const char *unit, cb_err *err) {
  double is = ((const grbl *)s->own)->setting[number];
  if (is >= wanted * (1 - 1e-9)) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: Grbl's setting $%d = %g %s, the rig file's %s wants %g",
                 daq_transport_path(s->port), number, is, unit, key, wanted);
}

/* Letter Z among Grbl's options; bit 3 of grblHAL's $22. */
static bool has_origin_at_switch(const grbl *g) {
  return strchr(g->options, 'Z') || (g->firmware == DAQ_GRBL_HAL && ((int)g->setting[22] & 8));
}

/* Machine co-ordinates run from -$130 to 0, whichever way it homes ($23); only one with its origin at the
 * switch that homes to the lower end counts upwards from 0. */
static cb_status check_travel(const daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const cb_rig_stage *r = s->rig;
  double travel_mm = g->setting[130 + g->axis], low_mm = -travel_mm, high_mm = 0;
  if (has_origin_at_switch(g) && ((int)g->setting[23] >> g->axis & 1)) {
    low_mm = 0;
    high_mm = travel_mm;
  }
  if (r->limit_min_m * 1e3 >= low_mm - 1e-6 && r->limit_max_m * 1e3 <= high_mm + 1e-6) return CB_OK;
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: Grbl's travel is %g to %g mm ($%d), the rig file's limits are %g to %g mm",
                 daq_transport_path(s->port), low_mm, high_mm, 130 + g->axis, r->limit_min_m * 1e3,
                 r->limit_max_m * 1e3);
}

static cb_status check_step(const daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  double steps_per_mm = g->setting[100 + g->axis], step_m = 1e-3 / steps_per_mm;
  if (fabs(step_m - s->rig->microstep_m) <= 1e-3 * s->rig->microstep_m) return CB_OK;
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: Grbl's setting $%d = %g steps/mm, a step of %g um; the rig file says %g um",
                 daq_transport_path(s->port), 100 + g->axis, steps_per_mm, step_m * 1e6,
                 s->rig->microstep_m * 1e6);
}

static cb_status check_complete(const daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const int needed[] = {10, 13, 20, 21, 22, 23, 100 + g->axis, 110 + g->axis, 120 + g->axis, 130 + g->axis};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (isnan(g->setting[needed[i]]))
      return cb_fail(err, CB_E_DEVICE, "stage on %s: '$$' does not tell $%d", daq_transport_path(s->port),
                     needed[i]);
  return CB_OK;
}

static cb_status check_settings(daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const cb_rig_stage *r = s->rig;
  const double *v = g->setting;
  CB_TRY(check_complete(s, err));
  CB_TRY(want_switch(s, 10, (int)v[10] & 1, "it reports work positions; set it to 1", err));
  CB_TRY(want_switch(s, 13, v[13] == 0, "it reports inches; set it to 0", err));
  CB_TRY(want_switch(s, 20, (int)v[20] & 1, "soft limits are off; set it to 1", err));
  /* In grblHAL more bits say how. */
  CB_TRY(want_switch(s, 21, (int)v[21] & 1, "limit switches do not stop it; set it to 1", err));
  CB_TRY(want_switch(s, 22, (int)v[22] & 1, "it cannot home, so it does not know where it is; set it to 1",
                     err));
  CB_TRY(check_step(s, err));
  CB_TRY(want_at_least(s, 110 + g->axis, r->max_speed_m_per_s * 60e3, "max_speed_mm_per_s", "mm/min", err));
  CB_TRY(want_at_least(s, 120 + g->axis, r->acceleration_m_per_s2 * 1e3, "acceleration_mm_per_s2", "mm/s2",
                       err));
  return check_travel(s, err);
}

/* "1.1f.20170801:name": the name is what the owner stored with $I=, and stands for a serial number. */
static cb_status identify(daq_stage *s, cb_err *err) {
  const grbl *g = s->own;
  const char *colon = strchr(g->version, ':'), *name = colon ? colon + 1 : "";
  int n = (int)strcspn(g->version, ":");
  (void)snprintf(s->identity, sizeof s->identity, "%s %.*s, name '%.40s'",
                 daq_grbl_firmware_names[g->firmware], n < 24 ? n : 24, g->version, name);
  return daq_stage_check_serial(s, name, err);
}

static cb_status grbl_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_grbl_driver, .rig = rig, .stop_text = RESET, .ask_period_s = ASK_PERIOD_S};
  grbl *g = s->own = calloc(1, sizeof *g);
  if (!g) return cb_no_memory(err, "stage on %s", port);
  for (int i = 0; i < N_SETTINGS; i++) g->setting[i] = NAN;
  g->axis = rig->axis[0] - 'X';
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  CB_TRY(wake(s, err));
  CB_TRY(exchange(s, "$I", err));
  CB_TRY(identify(s, err));
  CB_TRY(exchange(s, "$$", err));
  CB_TRY(check_settings(s, err));
  g->welcomed = false;
  g->awake = true;
  return CB_OK;
}

/* ---- motion ---- */

/* The ok comes when it is home. */
static cb_status grbl_home(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  g->homed = false;
  CB_TRY(send_line(s, "$H", err));
  g->homing = true;
  g->homing_due_s = cb_now_monotonic_s() + HOMING_MAX_S;
  g->homing_look_s = cb_now_monotonic_s() + HOMING_LOOK_S;
  g->homing_looked = false;
  return CB_OK;
}

/* One report, asked for now; *found = false: none came. */
static cb_status look(daq_stage *s, daq_grbl_message *m, bool *found, cb_err *err) {
  CB_TRY(write_text(s, "?", err));
  double deadline_s = cb_now_monotonic_s() + s->rig->reply_timeout_s;
  do CB_TRY(next_message(s, deadline_s, m, found, err));
  while (*found && m->kind != DAQ_GRBL_STATUS);
  return CB_OK;
}

/* A jog is sent once. Where its ok was lost, the report tells whether it was heard: it jogs, or is there. */
static bool was_heard(daq_stage *s, double target_m) {
  const grbl *g = s->own;
  daq_grbl_message m;
  bool found;
  if (look(s, &m, &found, NULL) != CB_OK || !found || check_trouble(s, NULL) != CB_OK) return false;
  s->n_retried++;
  return m.state == DAQ_GRBL_JOG ||
         (m.has_position && fabs(m.axis_mm[g->axis] * 1e-3 - target_m) <= s->rig->microstep_m);
}

static cb_status grbl_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  char line[80];
  (void)snprintf(line, sizeof line, "$J=G53G90G21%s%.3fF%.3f", s->rig->axis, target_m * 1e3,
                 speed_m_per_s * 60e3);
  cb_status st = exchange(s, line, err);
  return st == CB_E_TIMEOUT && was_heard(s, target_m) ? CB_OK : st;
}

/* Nothing but a reset ends homing; it says its welcome. */
static cb_status reset_controller(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  daq_grbl_message m;
  bool found;
  g->homing = g->homed = g->asked = g->welcomed = false;
  CB_TRY(write_text(s, RESET, err));
  double deadline_s = cb_now_monotonic_s() + s->rig->reply_timeout_s;
  do CB_TRY(next_message(s, deadline_s, &m, &found, err));
  while (found && !g->welcomed);
  if (!g->welcomed) return no_answer(s, "reset", err);
  g->welcomed = false;
  g->alarm = 0;
  return CB_OK;
}

/* One cancel and one look. *state: what it says; an alarm or a reset have stopped it as well. */
static cb_status cancel(daq_stage *s, daq_grbl_state *state, bool *found, cb_err *err) {
  grbl *g = s->own;
  daq_grbl_message m;
  g->asked = false;
  CB_TRY(write_text(s, JOG_CANCEL "?", err));
  double deadline_s = cb_now_monotonic_s() + s->rig->reply_timeout_s;
  do {
    CB_TRY(next_message(s, deadline_s, &m, found, err));
    *state = g->alarm || g->welcomed ? DAQ_GRBL_IN_ALARM : m.state;
  } while (*found && m.kind != DAQ_GRBL_STATUS && *state != DAQ_GRBL_IN_ALARM);
  return CB_OK;
}

#define STOP_TRIES 3

static cb_status grbl_stop(daq_stage *s, cb_err *err) {
  const char *port = daq_transport_path(s->port);
  daq_grbl_state state;
  bool found;
  int unanswered = 0;
  double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  if (((const grbl *)s->own)->homing) return reset_controller(s, err);
  while (unanswered < STOP_TRIES) {
    CB_TRY(cancel(s, &state, &found, err));
    if (found && state != DAQ_GRBL_JOG && state != DAQ_GRBL_RUN) return CB_OK;
    if (found && cb_now_monotonic_s() > deadline_s)
      return cb_fail(err, CB_E_DEVICE,
                     "stage on %s: still moves %g s after it was told to stop; switch it off", port,
                     STANDSTILL_S);
    unanswered += !found;
    if (found) cb_sleep_s(0.01);
  }
  return no_answer(s, "jog cancel", err);
}

/* ---- position ---- */

static cb_status put_question(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  const double now_s = cb_now_monotonic_s();
  g->answer_due_s = now_s + s->rig->reply_timeout_s / ASK_TRIES;
  g->next_ask_s = now_s + s->ask_period_s;
  g->asked = true;
  return write_text(s, "?", err);
}

static cb_status grbl_ask(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  double now_s = cb_now_monotonic_s();
  /* It answers nothing while it homes. */
  if (g->asked || g->homing || now_s < g->next_ask_s) return CB_OK;
  g->asked_s = now_s;
  g->n_unanswered = 0;
  return put_question(s, err);
}

/* A report has no number: the one that comes may be the answer to any of the questions, and counts from the
 * first. */
static cb_status ask_again(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  if (!g->asked || cb_now_monotonic_s() <= g->answer_due_s) return CB_OK;
  if (++g->n_unanswered == ASK_TRIES) return no_answer(s, "?", err);
  s->n_retried++;
  return put_question(s, err);
}

static cb_status bad_state(const daq_stage *s, const char *what, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "stage on %s: %s", daq_transport_path(s->port), what);
}

static cb_status check_state(const daq_stage *s, const daq_grbl_message *m, cb_err *err) {
  const grbl *g = s->own;
  switch (m->state) {
    case DAQ_GRBL_IDLE:
    case DAQ_GRBL_RUN:
    case DAQ_GRBL_JOG:
    case DAQ_GRBL_HOME: break;
    case DAQ_GRBL_HOLD: return bad_state(s, "is held (feed hold), and not by this program", err);
    case DAQ_GRBL_DOOR: return bad_state(s, "its safety door is open, or its emergency stop is pressed", err);
    case DAQ_GRBL_CHECK: return bad_state(s, "is in check mode ($C), in which nothing moves", err);
    case DAQ_GRBL_SLEEP: return bad_state(s, "sleeps ($SLP), with its motors off", err);
    case DAQ_GRBL_IN_ALARM: /* locked until it is homed: so it starts */
      if (g->homed)
        return bad_state(
            s, "is locked by an alarm; look at the stage, free it, and start again: that homes it", err);
      break;
  }
  return m->has_position ? CB_OK : bad_state(s, "reports no machine position (MPos)", err);
}

static cb_status take_status(daq_stage *s, const daq_grbl_message *m, daq_stage_state *state, bool *fresh,
                             cb_err *err) {
  grbl *g = s->own;
  if (!g->asked) return CB_OK; /* nobody asked, or it is from before a command */
  g->asked = false;
  CB_TRY(check_state(s, m, err));
  bool busy = m->state == DAQ_GRBL_RUN || m->state == DAQ_GRBL_JOG || m->state == DAQ_GRBL_HOME;
  *state = (daq_stage_state){m->axis_mm[g->axis] * 1e-3, busy, g->asked_s};
  *fresh = true;
  return CB_OK;
}

/* Its ok may be lost. Grbl keeps the question for a report until it is home; grblHAL says that it homes. */
static cb_status look_for_home(daq_stage *s, cb_err *err) {
  grbl *g = s->own;
  const double now_s = cb_now_monotonic_s();
  if (!g->homing || now_s < g->homing_look_s) return CB_OK;
  if (now_s > g->homing_due_s)
    return cb_fail(err, CB_E_TIMEOUT, "stage on %s: homing has not ended within %g s",
                   daq_transport_path(s->port), HOMING_MAX_S);
  g->homing_look_s = now_s + HOMING_LOOK_S;
  g->homing_looked = true;
  return write_text(s, "?", err);
}

static cb_status take_homing(daq_stage *s, const daq_grbl_message *m, cb_err *err) {
  grbl *g = s->own;
  if (!g->homing) return CB_OK;
  if (m->kind == DAQ_GRBL_ERROR) return refused(s, "$H", m->code, err);
  const bool idle = g->homing_looked && m->kind == DAQ_GRBL_STATUS && m->state == DAQ_GRBL_IDLE;
  if (m->kind != DAQ_GRBL_OK && !idle) return CB_OK;
  s->n_retried += idle;
  g->homing = false;
  g->homed = true;
  return CB_OK;
}

static cb_status grbl_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  daq_grbl_message m;
  bool found;
  *fresh = false;
  do {
    CB_TRY(next_message(s, 0, &m, &found, err));
    CB_TRY(check_trouble(s, err));
    if (found) CB_TRY(take_homing(s, &m, err));
    if (found && m.kind == DAQ_GRBL_STATUS) CB_TRY(take_status(s, &m, state, fresh, err));
  } while (found && !*fresh);
  CB_TRY(look_for_home(s, err));
  return ask_again(s, err);
}

const daq_stage_driver daq_grbl_driver = {
    .name = "grbl",
    .open = grbl_open,
    .home = grbl_home,
    .move_abs = grbl_move_abs,
    .stop = grbl_stop,
    .ask = grbl_ask,
    .take = grbl_take,
};
