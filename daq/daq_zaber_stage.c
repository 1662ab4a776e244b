/* The driver for Zaber stages: one axis, ASCII protocol. Every command carries a message id, so that a late reply is never
 * taken for the present one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_time.h"
#include "daq_stage.h"
#include "daq_zaber.h"

typedef struct zaber {
  char rx[512];
  size_t n_rx;
  int last_id;
  int asked_id; /* of the open position question; 0: none */
  double asked_s, answer_due_s;
  long long speed_data; /* what maxspeed was last set to */
  bool need_checksum;
  bool homing, homed;
} zaber;

/* ---- messages ---- */

static cb_status send_command(daq_stage *s, const char *command, int *id, cb_err *err) {
  zaber *z = s->own;
  char line[96];
  /* Two digits, never 0: ids come round after 99 commands, long after any late reply. */
  z->last_id = z->last_id % 99 + 1;
  *id = z->last_id;
  size_t n = daq_zaber_format(line, sizeof line, s->rig->device_address, *id, command, s->rig->checksum);
  return daq_transport_write(s->port, line, n, s->rig->reply_timeout_s, err);
}

static bool take_message(zaber *z, daq_zaber_message *m) {
  for (;;) {
    size_t used;
    daq_parse p = daq_zaber_parse(z->rx, z->n_rx, z->need_checksum, m, &used);
    z->n_rx -= used;
    memmove(z->rx, z->rx + used, z->n_rx);
    if (p != DAQ_PARSE_INVALID) return p == DAQ_PARSE_VALID;
  }
}

/* The reply to command id; *found = false when the time is over. Late replies, alerts and infos are dropped: a fault that an alert
 * tells stands in every following reply too. */
static cb_status await_reply(daq_stage *s, int id, double timeout_s, daq_zaber_message *m, bool *found, cb_err *err) {
  zaber *z = s->own;
  double deadline_s = cb_now_monotonic_s() + timeout_s;
  *found = false;
  for (;;) {
    while (take_message(z, m))
      if (m->kind == DAQ_ZABER_REPLY && m->device == s->rig->device_address && m->id == id) {
        *found = true;
        return CB_OK;
      }
    size_t n;
    double left_s = deadline_s - cb_now_monotonic_s();
    CB_TRY(daq_transport_read(s->port, z->rx + z->n_rx, sizeof z->rx - z->n_rx, left_s > 0 ? left_s : 0, &n, err));
    if (n == 0) return CB_OK;
    z->n_rx += n;
  }
}

static cb_status check_reply(const daq_stage *s, const daq_zaber_message *m, const char *command, cb_err *err) {
  const zaber *z = s->own;
  const char *port = daq_transport_path(s->port);
  if (daq_zaber_flag_is_fault(m->warning))
    return cb_fail(err, CB_E_DEVICE, "stage on %s: reports the fault %s (%s) in its answer to '%s'", port, m->warning,
                   daq_zaber_flag_text(m->warning), command);
  if (m->rejected) return cb_fail(err, CB_E_DEVICE, "stage on %s: refuses '%s': %s", port, command, m->data);
  if (z->homed && (strcmp(m->warning, "WR") == 0 || strcmp(m->warning, "WH") == 0))
    return cb_fail(err, CB_E_DEVICE, "stage on %s: reports %s (%s): it must have lost power since it was homed", port, m->warning,
                   daq_zaber_flag_text(m->warning));
  return CB_OK;
}

static cb_status no_answer(const daq_stage *s, const char *command, cb_err *err) {
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%s' within %g s", daq_transport_path(s->port), command,
                 s->rig->reply_timeout_s);
}

static cb_status exchange(daq_stage *s, const char *command, daq_zaber_message *m, cb_err *err) {
  zaber *z = s->own;
  int id;
  bool found;
  z->asked_id = 0; /* its answer would be older than this command */
  CB_TRY(send_command(s, command, &id, err));
  CB_TRY(await_reply(s, id, s->rig->reply_timeout_s, m, &found, err));
  return found ? CB_OK : no_answer(s, command, err);
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
  return cb_fail(err, CB_E_DEVICE, "stage on %s: answers '%s' to '%s', one whole number was wanted", daq_transport_path(s->port), m.data,
                 text);
}

static cb_status set_number(daq_stage *s, const char *setting, long long value, cb_err *err) {
  char text[64];
  long long now;
  (void)snprintf(text, sizeof text, "set %s %lld", setting, value);
  CB_TRY(command(s, text, err));
  CB_TRY(get_number(s, setting, &now, err));
  if (now == value) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: '%s' was accepted, but it says %lld now", daq_transport_path(s->port), text, now);
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
    (void)snprintf(answers[i], sizeof answers[i], "%.31s", m.rejected ? "?" : m.data);
  }
  (void)snprintf(s->identity, sizeof s->identity, "Zaber device %s, firmware %s, serial number %s", answers[0], answers[1], answers[2]);
  return CB_OK;
}

static cb_status zaber_stop(daq_stage *s, cb_err *err);

static cb_status zaber_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_zaber_driver, .rig = rig};
  zaber *z = s->own = calloc(1, sizeof *z);
  if (!z) return cb_fail(err, CB_E_NOMEM, "stage on %s: no memory", port);
  CB_TRY(daq_transport_open(port, rig->baud, &s->port, err));
  if (rig->checksum) CB_TRY(command(s, "set comm.checksum 1", err));
  z->need_checksum = rig->checksum;
  (void)snprintf(s->stop_text, sizeof s->stop_text, "/%02d stop\n", rig->device_address);
  /* A program that died may have left it moving. */
  CB_TRY(zaber_stop(s, err));
  CB_TRY(identify(s, err));
  return set_limits(s, err);
}

static void zaber_close(daq_stage *s) {
  daq_transport_close(s->port);
  free(s->own);
  *s = (daq_stage){0};
}

/* ---- motion ---- */

static cb_status zaber_home(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  z->homed = false;
  CB_TRY(command(s, "home", err));
  z->homing = true;
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
  (void)snprintf(text, sizeof text, "move abs %lld", llround(target_m / s->rig->microstep_m));
  return command(s, text, err);
}

#define STOP_TRIES 3

static cb_status zaber_stop(daq_stage *s, cb_err *err) {
  daq_zaber_message m;
  cb_status st = CB_E_TIMEOUT;
  for (int i = 0; i < STOP_TRIES && st == CB_E_TIMEOUT; i++) st = exchange(s, "stop", &m, err);
  if (st == CB_OK && m.rejected)
    st = cb_fail(err, CB_E_DEVICE, "stage on %s: refuses 'stop': %s; switch it off", daq_transport_path(s->port), m.data);
  return st;
}

/* ---- position ---- */

static cb_status zaber_ask(daq_stage *s, cb_err *err) {
  zaber *z = s->own;
  if (z->asked_id) return CB_OK;
  z->asked_s = cb_now_monotonic_s();
  CB_TRY(send_command(s, "get pos", &z->asked_id, err));
  z->answer_due_s = z->asked_s + s->rig->reply_timeout_s;
  return CB_OK;
}

static cb_status check_homing(const daq_stage *s, const daq_zaber_message *m, cb_err *err) {
  zaber *z = s->own;
  if (!z->homing || m->busy) return CB_OK;
  z->homing = false;
  z->homed = true;
  if (strcmp(m->warning, "WR") != 0 && strcmp(m->warning, "WH") != 0) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: homing ended with %s (%s)", daq_transport_path(s->port), m->warning,
                 daq_zaber_flag_text(m->warning));
}

static cb_status zaber_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  zaber *z = s->own;
  daq_zaber_message m;
  long long microsteps;
  *fresh = false;
  if (!z->asked_id) return CB_OK;
  /* Read first: after a pause of ours the answer is late for us only. */
  CB_TRY(await_reply(s, z->asked_id, 0, &m, fresh, err));
  if (!*fresh) return cb_now_monotonic_s() > z->answer_due_s ? no_answer(s, "get pos", err) : CB_OK;
  z->asked_id = 0;
  CB_TRY(check_homing(s, &m, err));
  CB_TRY(check_reply(s, &m, "get pos", err));
  if (cb_parse_int(m.data, "pos", &microsteps, NULL) != CB_OK)
    return cb_fail(err, CB_E_DEVICE, "stage on %s: answers '%s' to 'get pos', one whole number was wanted", daq_transport_path(s->port),
                   m.data);
  *state = (daq_stage_state){(double)microsteps * s->rig->microstep_m, m.busy, z->asked_s};
  return CB_OK;
}

const daq_stage_driver daq_zaber_driver = {
    .name = "zaber-ascii",
    .open = zaber_open,
    .close = zaber_close,
    .home = zaber_home,
    .move_abs = zaber_move_abs,
    .stop = zaber_stop,
    .ask = zaber_ask,
    .take = zaber_take,
};
