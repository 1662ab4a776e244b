/* The driver for Zaber stages: one axis, ASCII protocol. Every command carries a message id, so that a late
 * reply is never taken for the present one. The device sends alerts: a fault in one ends the run at once, and
 * one that says "idle" brings the next position question forward. Replies and alerts of other devices in the
 * chain are not ours. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_time.h"
#include "daq_rx.h"
#include "daq_stage.h"
#include "daq_zaber.h"

#define STOP_ID 99 /* the message id of the bare stop bytes, whose reply nobody waits for */
#define ASK_TRIES 3
#define ALIENS_MOST 30 /* replies to other commands, for one question; then somebody else is on the line */
#define AGAIN_TRIES 5  /* of a command that the device puts off */
#define AGAIN_S 0.01

typedef struct zaber {
  daq_rx rx;
  int last_id;
  int asked_id;     /* of the open position question; 0: none */
  int abandoned_id; /* of the last one that was given up for a command; 0: none */
  int n_unanswered; /* position questions in a row */
  double asked_s, answer_due_s;
  long long speed_data; /* what maxspeed was last set to */
  size_t n_alien;       /* replies of this device to commands that are none of the open ones */
  size_t n_alien_asked; /* of them, those that came to the open position question */
  bool need_checksum;
  bool homing, homed;
  bool stopped;  /* by us, and not moved since: "interrupted" is what it should say */
  bool answered; /* this device has */
  int stranger;  /* the address of another device that has; 0: none */
  bool idle;     /* an alert says that motion has ended, and no position has been asked for since */
  char fault[3]; /* the flag of an alert that stops the run; "": none */
} zaber;

/* ---- messages ---- */

static cb_status send_command(daq_stage *s, const char *command, int *id, cb_err *err) {
  zaber *z = s->own;
  char line[96];
  /* Two digits, never 0: ids come round after 98 commands, long after any late reply. */
  z->last_id = z->last_id % (STOP_ID - 1) + 1;
  *id = z->last_id;
  size_t n = daq_zaber_format(line, sizeof line, s->rig->device_address, *id, command, s->rig->checksum);
  return daq_transport_write(s->port, line, n, s->rig->reply_timeout_s, err);
}

static bool take_message(daq_stage *s, daq_zaber_message *m) {
  zaber *z = s->own;
  for (;;) {
    size_t used;
    daq_parse p = daq_zaber_parse(z->rx.bytes, z->rx.n, z->need_checksum, m, &used);
    if (p == DAQ_PARSE_INVALID) daq_stage_note_unreadable(s, z->rx.bytes, used);
    daq_rx_drop(&z->rx, used);
    if (p != DAQ_PARSE_INVALID) return p == DAQ_PARSE_VALID;
  }
}

/* Alerts are used whenever they come; infos are for people. */
static void note_message(daq_stage *s, const daq_zaber_message *m) {
  zaber *z = s->own;
  bool ours = m->device == s->rig->device_address;
  if (ours && m->kind == DAQ_ZABER_REPLY) z->answered = true;
  if (!ours) z->stranger = m->device;
  if (!ours || m->kind != DAQ_ZABER_ALERT) return;
  if (!m->busy) z->idle = true;
  if (daq_zaber_flag_concern(m->warning) == DAQ_ZABER_FAULT) memcpy(z->fault, m->warning, sizeof z->fault);
}

/* Nobody waits for it: late, another device's, or to a command without an id, which is none of ours. The
 * reply to the bare stop is expected, and a question may have been given up for a command. */
static bool is_stray(const daq_stage *s, const daq_zaber_message *m) {
  const zaber *z = s->own;
  bool ours = m->device == s->rig->device_address;
  return m->kind == DAQ_ZABER_REPLY && !(ours && (m->id == STOP_ID || m->id == z->abandoned_id));
}

/* The device answers, and not what it was asked: the true reply was lost, or comes late. */
static bool is_alien(const daq_stage *s, const daq_zaber_message *m) {
  return is_stray(s, m) && m->device == s->rig->device_address;
}

/* The reply to command id (0: just look what came); *found = false when the time is over, or, with
 * until_alien, once a reply to another command came instead. Such replies are dropped. */
static cb_status await_reply(daq_stage *s, int id, double timeout_s, bool until_alien, daq_zaber_message *m,
                             bool *found, cb_err *err) {
  zaber *z = s->own;
  double deadline_s = cb_now_monotonic_s() + timeout_s;
  const size_t aliens = z->n_alien;
  bool got = true;
  *found = false;
  while (got) {
    while (take_message(s, m)) {
      note_message(s, m);
      *found = id != 0 && m->kind == DAQ_ZABER_REPLY && m->device == s->rig->device_address && m->id == id;
      if (*found) return CB_OK;
      s->n_stray += is_stray(s, m);
      z->n_alien += is_alien(s, m);
    }
    if (until_alien && z->n_alien > aliens) return CB_OK;
    CB_TRY(daq_rx_fill(&z->rx, s->port, deadline_s - cb_now_monotonic_s(), &got, err));
  }
  return CB_OK;
}

static cb_status check_alerts(const daq_stage *s, cb_err *err) {
  const zaber *z = s->own;
  if (!z->fault[0]) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: alerts the fault %s (%s)", daq_transport_path(s->port),
                 z->fault, daq_zaber_flag_text(z->fault));
}

static cb_status check_flag(const daq_stage *s, const char *flag, const char *command, cb_err *err) {
  const zaber *z = s->own;
  const char *port = daq_transport_path(s->port), *text = daq_zaber_flag_text(flag);
  switch (daq_zaber_flag_concern(flag)) {
    case DAQ_ZABER_FINE: break;
    case DAQ_ZABER_FAULT:
      return cb_fail(err, CB_E_DEVICE, "stage on %s: reports the fault %s (%s) in its answer to '%s'", port,
                     flag, text, command);
    case DAQ_ZABER_DOUBTFUL:
      if (!z->homed) break;
      return cb_fail(err, CB_E_DEVICE,
                     "stage on %s: warns %s (%s) in its answer to '%s': its position is in doubt", port, flag,
                     text, command);
    case DAQ_ZABER_UNHOMED:
      if (!z->homed) break;
      return cb_fail(err, CB_E_DEVICE,
                     "stage on %s: reports %s (%s): it must have lost power since it was homed", port, flag,
                     text);
    case DAQ_ZABER_CUT_SHORT:
      if (!z->homed || z->stopped) break;
      return cb_fail(err, CB_E_DEVICE, "stage on %s: reports %s (%s), and this program did not do that", port,
                     flag, text);
  }
  return CB_OK;
}

static cb_status check_reply(const daq_stage *s, const daq_zaber_message *m, const char *command,
                             cb_err *err) {
  CB_TRY(check_flag(s, m->warning, command, err));
  if (!m->rejected) return check_alerts(s, err);
  return cb_fail(err, CB_E_DEVICE, "stage on %s: refuses '%s': %s%s", daq_transport_path(s->port), command,
                 m->data,
                 strcmp(m->warning, "WR") == 0 ? " (it has no reference position: it was not homed)" : "");
}

/* n_alien: replies to other commands that came instead. */
static cb_status no_answer(const daq_stage *s, const char *command, size_t n_alien, cb_err *err) {
  if (n_alien == 0)
    return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%s' within %g s",
                   daq_transport_path(s->port), command, s->rig->reply_timeout_s);
  return cb_fail(err, CB_E_TIMEOUT,
                 "stage on %s: no answer to '%s', but replies to other commands (%zu of them): does another "
                 "program use this line, or do replies get lost on it?",
                 daq_transport_path(s->port), command, n_alien);
}

/* What asks or sets may be said again. What moves is never said twice by itself: nobody knows whether it was
 * heard. And a device that has never answered is not there. */
static bool is_harmless(const char *command) {
  return strncmp(command, "get ", 4) == 0 || strncmp(command, "set ", 4) == 0;
}

/* "AGAIN": not done, and to be sent again. */
static bool is_put_off(const daq_zaber_message *m) { return m->rejected && strcmp(m->data, "AGAIN") == 0; }

/* One command and its reply, by its id. What is harmless is said again at once where another reply came in
 * its place, and after silence. */
static cb_status ask_until_answered(daq_stage *s, const char *command, daq_zaber_message *m, bool *found,
                                    cb_err *err) {
  zaber *z = s->own;
  const bool harmless = is_harmless(command);
  const size_t before = z->n_alien;
  int id, tries = harmless && z->answered ? ASK_TRIES : 1;
  *found = false;
  for (int i = 0, asked = 0; !*found && i < tries && z->n_alien - before < ALIENS_MOST; asked++) {
    const size_t aliens = z->n_alien;
    s->n_retried += asked > 0;
    CB_TRY(send_command(s, command, &id, err));
    CB_TRY(await_reply(s, id, s->rig->reply_timeout_s, harmless, m, found, err));
    i += !harmless || z->n_alien == aliens;
  }
  return CB_OK;
}

static cb_status exchange(daq_stage *s, const char *command, daq_zaber_message *m, cb_err *err) {
  zaber *z = s->own;
  const size_t before = z->n_alien;
  bool found = false;
  if (z->asked_id) z->abandoned_id = z->asked_id;
  z->asked_id = 0; /* its answer would be older than this command */
  for (int i = 0; i < AGAIN_TRIES; i++) {
    if (i > 0) cb_sleep_s(AGAIN_S);
    CB_TRY(ask_until_answered(s, command, m, &found, err));
    if (!found) return no_answer(s, command, z->n_alien - before, err);
    if (!is_put_off(m)) break;
    s->n_retried++;
  }
  return CB_OK;
}

static cb_status command(daq_stage *s, const char *text, cb_err *err) {
  daq_zaber_message m;
  CB_TRY(exchange(s, text, &m, err));
  return check_reply(s, &m, text, err);
}

/* ---- opening ---- */

static cb_status get_number(daq_stage *s, const char *setting, long long *value, cb_err *err) {
  daq_zaber_message m;
  char text[48];
  (void)snprintf(text, sizeof text, "get %s", setting);
  CB_TRY(exchange(s, text, &m, err));
  CB_TRY(check_reply(s, &m, text, err));
  if (cb_parse_int(m.data, setting, value, NULL) == CB_OK) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: answers '%s' to '%s', one whole number was wanted",
                 daq_transport_path(s->port), m.data, text);
}

static cb_status set_number(daq_stage *s, const char *setting, long long value, cb_err *err) {
  char text[64];
  long long now;
  (void)snprintf(text, sizeof text, "set %s %lld", setting, value);
  CB_TRY(command(s, text, err));
  CB_TRY(get_number(s, setting, &now, err));
  if (now == value) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: '%s' was accepted, but it says %lld now",
                 daq_transport_path(s->port), text, now);
}

static cb_status set_limits(daq_stage *s, cb_err *err) {
  const cb_rig_stage *r = s->rig;
  zaber *z = s->own;
  z->speed_data = daq_zaber_speed_data(r->max_speed_m_per_s, r->microstep_m);
  CB_TRY(set_number(s, "maxspeed", z->speed_data, err));
  CB_TRY(set_number(s, "accel", daq_zaber_accel_data(r->acceleration_m_per_s2, r->microstep_m), err));
  CB_TRY(set_number(s, "limit.min", (long long)ceil(r->limit_min_m / r->microstep_m), err));
  return set_number(s, "limit.max", (long long)floor(r->limit_max_m / r->microstep_m), err);
}

/* A device that knows no such setting is still a stage. */
static cb_status identify(daq_stage *s, cb_err *err) {
  static const char *const questions[] = {"get device.id", "get version", "get system.serial"};
  char answers[3][32];
  for (int i = 0; i < 3; i++) {
    daq_zaber_message m;
    CB_TRY(exchange(s, questions[i], &m, err));
    (void)snprintf(answers[i], sizeof answers[i], "%.31s", m.rejected ? "" : m.data);
  }
  (void)snprintf(s->identity, sizeof s->identity, "Zaber device %s, firmware %s, serial number %s",
                 answers[0][0] ? answers[0] : "?", answers[1][0] ? answers[1] : "?",
                 answers[2][0] ? answers[2] : "?");
  return daq_stage_check_serial(s, answers[2], err);
}

/* Firmware that knows no alerts reports a fault in its next answer. */
static cb_status want_alerts(daq_stage *s, cb_err *err) {
  daq_zaber_message m;
  return exchange(s, "set comm.alert 1", &m, err);
}

static cb_status zaber_stop(daq_stage *s, cb_err *err);

/* A program that died may have left it moving. */
static cb_status first_contact(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  cb_status st = s->rig->checksum ? command(s, "set comm.checksum 1", err) : CB_OK;
  z->need_checksum = s->rig->checksum;
  if (st == CB_OK) st = zaber_stop(s, err);
  if (st != CB_E_TIMEOUT || z->answered) return st;
  if (z->stranger)
    return cb_fail(err, CB_E_DEVICE,
                   "stage on %s: device %d answers, but not device %d, which the rig file names",
                   daq_transport_path(s->port), z->stranger, s->rig->device_address);
  return daq_rx_stranger(&z->rx, s->port, s->rig->baud, "a Zaber stage in ASCII mode", err);
}

static cb_status zaber_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_zaber_driver, .rig = rig};
  zaber *z = s->own = calloc(1, sizeof *z);
  if (!z) return cb_no_memory(err, "stage on %s", port);
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  (void)snprintf(s->stop_text, sizeof s->stop_text, "/%02d 0 %d stop\n", rig->device_address, STOP_ID);
  CB_TRY(first_contact(s, err));
  CB_TRY(identify(s, err));
  CB_TRY(want_alerts(s, err));
  return set_limits(s, err);
}

/* ---- motion ---- */

/* A command that moves is never said twice. Where its reply was lost among others, the stage itself tells
 * whether it was heard: it moves, or is there. home: nobody knows where `there` is. */
static cb_status command_motion(daq_stage *s, const char *text, bool home, long long target, cb_err *err) {
  zaber *z = s->own;
  daq_zaber_message m;
  const size_t aliens = z->n_alien;
  cb_status st = command(s, text, err);
  long long at;
  if (st != CB_E_TIMEOUT || z->n_alien == aliens || exchange(s, "get pos", &m, NULL) != CB_OK) return st;
  bool there = !home && cb_parse_int(m.data, "pos", &at, NULL) == CB_OK && at == target;
  if (!m.busy && !there) return st;
  s->n_retried++;
  return check_reply(s, &m, "get pos", err);
}

static cb_status zaber_home(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  z->homed = z->homing = false;
  CB_TRY(command_motion(s, "home", true, 0, err));
  z->homing = true;
  z->stopped = z->idle = false;
  return CB_OK;
}

static cb_status zaber_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  zaber *z = s->own;
  char text[48];
  long long data = daq_zaber_speed_data(speed_m_per_s, s->rig->microstep_m);
  if (data != z->speed_data) {
    CB_TRY(set_number(s, "maxspeed", data, err));
    z->speed_data = data;
  }
  data = llround(target_m / s->rig->microstep_m);
  (void)snprintf(text, sizeof text, "move abs %lld", data);
  CB_TRY(command_motion(s, text, false, data, err));
  z->stopped = z->idle = false;
  return CB_OK;
}

#define STOP_TRIES 3

static cb_status zaber_stop(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  daq_zaber_message m;
  cb_status st = CB_E_TIMEOUT;
  z->stopped = true; /* even where no answer comes */
  for (int i = 0; i < STOP_TRIES && st == CB_E_TIMEOUT; i++) st = exchange(s, "stop", &m, err);
  if (st == CB_OK && m.rejected)
    st = cb_fail(err, CB_E_DEVICE, "stage on %s: refuses 'stop': %s; switch it off",
                 daq_transport_path(s->port), m.data);
  return st;
}

/* ---- position ---- */

static cb_status put_question(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  z->idle = false;
  z->asked_s = cb_now_monotonic_s();
  CB_TRY(send_command(s, "get pos", &z->asked_id, err));
  /* All tries together take no longer: nobody knows where a moving stage is meanwhile. */
  z->answer_due_s = z->asked_s + s->rig->reply_timeout_s / ASK_TRIES;
  return CB_OK;
}

static cb_status zaber_ask(daq_stage *s, cb_err *err) {
  const zaber *z = s->own;
  return z->asked_id ? CB_OK : put_question(s, err);
}

static cb_status check_homing(const daq_stage *s, const daq_zaber_message *m, cb_err *err) {
  zaber *z = s->own;
  if (!z->homing || m->busy) return CB_OK;
  z->homing = false;
  z->homed = true;
  if (daq_zaber_flag_concern(m->warning) != DAQ_ZABER_UNHOMED) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: homing ended with %s (%s)", daq_transport_path(s->port),
                 m->warning, daq_zaber_flag_text(m->warning));
}

static cb_status take_position(daq_stage *s, const daq_zaber_message *m, daq_stage_state *state,
                               cb_err *err) {
  zaber *z = s->own;
  long long microsteps;
  z->asked_id = z->n_unanswered = 0;
  z->n_alien_asked = 0;
  z->idle = false; /* this is newer */
  CB_TRY(check_homing(s, m, err));
  CB_TRY(check_reply(s, m, "get pos", err));
  if (cb_parse_int(m->data, "pos", &microsteps, NULL) != CB_OK)
    return cb_fail(err, CB_E_DEVICE, "stage on %s: answers '%s' to 'get pos', one whole number was wanted",
                   daq_transport_path(s->port), m->data);
  *state = (daq_stage_state){(double)microsteps * s->rig->microstep_m, m->busy, z->asked_s};
  return CB_OK;
}

/* The open question has got no reply until now: again at once where another reply came in its place, else in
 * due time. */
static cb_status ask_again(daq_stage *s, bool alien, cb_err *err) {
  zaber *z = s->own;
  if (!alien && cb_now_monotonic_s() <= z->answer_due_s) return CB_OK;
  z->n_unanswered += !alien;
  if (z->n_unanswered == ASK_TRIES || z->n_alien_asked >= ALIENS_MOST)
    return no_answer(s, "get pos", z->n_alien_asked, err);
  s->n_retried++;
  return put_question(s, err);
}

static cb_status zaber_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  zaber *z = s->own;
  daq_zaber_message m;
  const size_t aliens = z->n_alien;
  /* Read first: after a pause of ours the answer is late for us only. */
  CB_TRY(await_reply(s, z->asked_id, 0, false, &m, fresh, err));
  CB_TRY(check_alerts(s, err));
  if (z->asked_id) z->n_alien_asked += z->n_alien - aliens;
  if (*fresh) CB_TRY(take_position(s, &m, state, err));
  if (z->idle && !z->asked_id) return zaber_ask(s, err); /* where did it come to rest? */
  return z->asked_id ? ask_again(s, z->n_alien > aliens, err) : CB_OK;
}

const daq_stage_driver daq_zaber_driver = {
    .name = "zaber-ascii",
    .open = zaber_open,
    .home = zaber_home,
    .move_abs = zaber_move_abs,
    .stop = zaber_stop,
    .ask = zaber_ask,
    .take = zaber_take,
};
