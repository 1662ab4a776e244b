#include "daq_serial_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "daq_format.h"
#include "daq_line.h"
#include "daq_transport.h"

typedef struct serial {
  const daq_serial_protocol *protocol;
  const char *terminator;
  daq_transport *port;
  char rx[4096];
  size_t n_rx, n_bytes; /* n_bytes: all that ever came */
  bool synced;          /* a line end was seen: what follows is a whole line */
  bool has_first;       /* the reading that opening waited for has not been handed out */
  daq_reading first;
  daq_format format;
  bool learning;     /* being opened: lines only teach the form */
  size_t n_learned;  /* in a row */
  daq_format taught; /* by the longest row until now */
  int note;          /* the protocol's */
  /* Of a device that is asked, monotonic: the open question (0: none), the next one, the last bytes. */
  double asked_s, next_ask_s, answered_s;
} serial;

/* ---- the stream ---- */

static void drop(serial *s, size_t n) {
  s->n_rx -= n;
  memmove(s->rx, s->rx + n, s->n_rx);
}

static cb_status receive(serial *s, double timeout_s, cb_err *err) {
  size_t n;
  CB_TRY(daq_transport_read(s->port, s->rx + s->n_rx, sizeof s->rx - s->n_rx, timeout_s, &n, err));
  s->n_rx += n;
  s->n_bytes += n;
  if (n > 0) s->answered_s = cb_now_monotonic_s();
  return CB_OK;
}

/* Drops bytes up to the first line end: the first digits of the line in which listening began may be
 * missing. */
static void synchronise(serial *s) {
  size_t i = 0, end = 0;
  while (i < s->n_rx && (end = daq_line_end(s->rx + i, s->n_rx - i, s->terminator)) == 0) i++;
  s->synced = end > 0;
  /* The last byte of what is no end may be the first half of one. */
  drop(s, s->synced ? i + end : s->n_rx - (s->n_rx > 0 && s->rx[s->n_rx - 1] == '\r'));
}

/* A number that has lost some of its digits is none. */
static daq_serial_answer check_form(daq_force *f, const char *line, size_t n) {
  serial *s = f->own;
  const cb_rig_force *rig = &f->rig->force;
  bool fields = rig->driver == CB_FORCE_LINE;
  const daq_form form = daq_form_of(line, n, fields ? rig->field : 0, fields ? rig->separator : "");
  if (s->learning) s->n_learned = daq_format_learn(&s->format, form);
  bool holds = s->learning || daq_format_holds(&s->format, form);
  f->n_reformatted = s->format.n_changed;
  f->shortest = s->format.shortest;
  return holds ? DAQ_ANSWER_READING : DAQ_ANSWER_GARBAGE;
}

static void note_unreadable(daq_force *f, const char *bytes, size_t n) {
  f->n_unreadable++;
  if (!f->unreadable[0]) daq_quote(bytes, n, f->unreadable);
}

static bool is_end(const serial *s, char c) {
  return c == '\r' || c == '\n' || (strlen(s->terminator) == 1 && c == s->terminator[0]);
}

/* An answer, or bytes that are none: the question is over. */
static void close_question(serial *s, daq_serial_answer answer, daq_reading *out) {
  if (answer == DAQ_ANSWER_MORE || s->asked_s == 0) return;
  out->asked_s = s->asked_s;
  out->answered_s = s->answered_s;
  s->asked_s = 0;
}

/* Asks, if it is time. Late answers and the rest of spoilt ones belong to no question. */
static cb_status ask_next(daq_force *f, cb_err *err) {
  serial *s = f->own;
  const cb_rig *rig = f->rig;
  double now_s = cb_now_monotonic_s();
  char question[DAQ_QUESTION_MAX];
  if (!f->asked || now_s < s->next_ask_s) return CB_OK;
  if (s->asked_s > 0 && now_s - s->asked_s < rig->force.silence_timeout_s / 3) return CB_OK;
  if (s->asked_s > 0) f->n_unanswered++;
  daq_transport_discard(s->port);
  s->n_rx = 0;
  s->synced = true;
  const double period_s = 1 / rig->force.rate_Hz / (rig->virt.present ? rig->virt.time_scale : 1);
  s->next_ask_s = fmax(s->next_ask_s + period_s, now_s);
  s->asked_s = now_s;
  return daq_transport_write(s->port, question, s->protocol->question(f, question), 0.1, err);
}

static cb_status parse_next(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  serial *s = f->own;
  daq_serial_answer answer = DAQ_ANSWER_OTHER;
  if (!s->synced) synchronise(s);
  while (s->synced && (answer == DAQ_ANSWER_OTHER || answer == DAQ_ANSWER_GARBAGE)) {
    size_t used = 0;
    *out = (daq_reading){.channel = CB_CHANNEL_FORCE};
    if (f->asked && s->asked_s == 0) s->n_rx = 0; /* answers to no question */
    cb_status st = s->protocol->take(f, s->rx, s->n_rx, out, &answer, &used, err);
    /* Too long for a line: what follows it is the rest of one. */
    if (answer == DAQ_ANSWER_GARBAGE && !f->asked && !is_end(s, s->rx[used - 1])) s->synced = false;
    if (st == CB_OK && answer == DAQ_ANSWER_READING && !out->overload && !s->protocol->exact)
      answer = check_form(f, s->rx, used);
    if (st == CB_OK && answer == DAQ_ANSWER_GARBAGE) note_unreadable(f, s->rx, used);
    drop(s, used);
    close_question(s, answer, out);
    CB_TRY(st);
    if (!s->synced) synchronise(s);
  }
  *found = answer == DAQ_ANSWER_READING;
  return CB_OK;
}

cb_status daq_serial_force_read(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  serial *s = f->own;
  *found = s->has_first;
  *out = s->first;
  s->has_first = false;
  if (*found) return CB_OK;
  CB_TRY(parse_next(f, out, found, err));
  if (*found) return CB_OK;
  CB_TRY(receive(s, 0, err));
  CB_TRY(parse_next(f, out, found, err));
  return *found ? CB_OK : ask_next(f, err);
}

cb_status daq_serial_force_discard(daq_force *f, cb_err *err) {
  serial *s = f->own;
  daq_reading r;
  bool found = f->asked;
  while (found) CB_TRY(daq_serial_force_read(f, &r, &found, err));
  if (f->asked) return CB_OK; /* the answer to an open question comes all the same */
  daq_transport_discard(s->port);
  s->n_rx = 0;
  s->synced = s->has_first = false;
  return CB_OK;
}

daq_transport *daq_serial_force_port(const daq_force *f) {
  const serial *s = f->own;
  return s ? s->port : NULL;
}
int *daq_serial_force_note(const daq_force *f) { return &((serial *)f->own)->note; }
int daq_serial_force_fd(const daq_force *f) { return daq_transport_fd(((const serial *)f->own)->port); }

/* ---- opening ---- */

cb_status daq_serial_force_say(daq_force *f, const char *text, cb_err *err) {
  return daq_transport_write(((serial *)f->own)->port, text, strlen(text), 1, err);
}

cb_status daq_serial_force_hear(daq_force *f, double timeout_s, char *line, size_t cap, cb_err *err) {
  serial *s = f->own;
  double deadline_s = cb_now_monotonic_s() + timeout_s;
  double left_s;
  while ((left_s = deadline_s - cb_now_monotonic_s()) > 0) {
    size_t used;
    daq_parse p = daq_line_cut(s->rx, s->n_rx, s->terminator, line, cap, &used);
    drop(s, used);
    s->synced = s->synced || p == DAQ_PARSE_VALID;
    if (p == DAQ_PARSE_VALID) return CB_OK;
    if (p == DAQ_PARSE_MORE) CB_TRY(receive(s, left_s, err));
  }
  line[0] = '\0';
  /* What comes after a silence begins a message. */
  s->synced = s->synced || s->n_rx == 0;
  return CB_OK;
}

cb_status daq_serial_force_check_unit(const daq_force *f, const char *told, const char *unit, cb_err *err) {
  if (strcmp(unit, f->rig->force.unit) == 0) return CB_OK;
  if (!told[0])
    return cb_fail(err, CB_E_DEVICE,
                   "force read-out (%s): its readings come without a unit: another device is on the port",
                   f->driver->name);
  return cb_fail(
      err, CB_E_DEVICE,
      "force read-out (%s): it sends '%s', force.unit is '%s': switch the device, or change the rig file",
      f->driver->name, told, f->rig->force.unit);
}

static double start_timeout_s(const daq_force *f) {
  return fmax(f->rig->force.start_timeout_s, f->rig->force.silence_timeout_s);
}

static cb_status fail_silent(const daq_force *f, cb_err *err) {
  const serial *s = f->own;
  const cb_rig_force *rig = &f->rig->force;
  if (s->n_bytes == 0)
    return cb_fail(
        err, CB_E_DEVICE,
        "port %s: nothing came from the force read-out (%s) within %g s: is it on, plugged in and %s?",
        daq_transport_path(s->port), f->driver->name, start_timeout_s(f),
        f->asked ? "set to this speed and address" : "sending");
  if (s->protocol->doubt)
    return cb_fail(
        err, CB_E_DEVICE, "port %s: %zu bytes came within %g s, none of them a reading of '%s': %s",
        daq_transport_path(s->port), s->n_bytes, start_timeout_s(f), f->driver->name, s->protocol->doubt);
  return cb_fail(err, CB_E_DEVICE,
                 "port %s: %zu bytes came within %g s, none of them a reading of '%s': wrong baud rate (%d) "
                 "or another device",
                 daq_transport_path(s->port), s->n_bytes, start_timeout_s(f), f->driver->name, rig->baud);
}

#define LOOK_S 0.05 /* a person who wants to stop waits no longer */

/* The next reading, into s->first. A line that is none begins the learning anew: a board that was reset says
 * what it is, numbers among it, before it sends readings. */
static cb_status await_reading(daq_force *f, double deadline_s, bool *found, cb_err *err) {
  serial *s = f->own;
  size_t unreadable = f->n_unreadable;
  CB_TRY(parse_next(f, &s->first, found, err));
  for (double left_s; !*found && (left_s = deadline_s - cb_now_monotonic_s()) > 0;) {
    CB_TRY(cb_stop_check(f->stop_flag, err));
    CB_TRY(ask_next(f, err));
    CB_TRY(receive(s, fmin(left_s, LOOK_S), err));
    CB_TRY(parse_next(f, &s->first, found, err));
  }
  if (s->learning && f->n_unreadable > unreadable) {
    if (s->format.prints.n > s->taught.prints.n) s->taught = s->format;
    s->format = (daq_format){0};
  }
  return CB_OK;
}

#define LEARN_LINES 40 /* one in ten is shorter where trailing zeros are left out */
#define LEARN_S 4.0

static cb_status learn_form(daq_force *f, cb_err *err) {
  serial *s = f->own;
  double until_s = cb_now_monotonic_s() + LEARN_S;
  bool found = true;
  while (found && s->n_learned < LEARN_LINES) CB_TRY(await_reading(f, until_s, &found, err));
  if (s->taught.prints.n > s->format.prints.n) s->format = s->taught; /* a wire that spoils many lines */
  s->learning = s->has_first = false; /* the last line of them was not held against their form */
  return CB_OK;
}

/* A device that is not there, or another one, is noticed here and not in the middle of a run. */
static cb_status await_first(daq_force *f, cb_err *err) {
  serial *s = f->own;
  s->learning = s->protocol->plain;
  CB_TRY(await_reading(f, cb_now_monotonic_s() + start_timeout_s(f), &s->has_first, err));
  if (!s->has_first) return fail_silent(f, err);
  if (s->protocol->plain) CB_TRY(learn_form(f, err));
  f->n_unreadable = f->n_unanswered = 0;
  f->unreadable[0] = '\0';
  return CB_OK;
}

cb_status daq_serial_force_open(daq_force *f, const char *port, const daq_serial_protocol *protocol,
                                const char *terminator, cb_err *err) {
  serial *s = f->own = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "force read-out on %s", port);
  s->protocol = protocol;
  f->asked = protocol->question != NULL;
  s->terminator = terminator;
  CB_TRY(protocol->connect ? protocol->connect(f, port, &s->port, err)
                           : daq_transport_open(port, f->rig->force.baud, &s->port, err));
  f->taken = true;
  if (!protocol->tells_serial) CB_TRY(daq_force_check_serial(f, "", err));
  if (protocol->start) CB_TRY(protocol->start(f, err));
  return await_first(f, err);
}

void daq_serial_force_close(daq_force *f) {
  serial *s = f->own;
  if (!s) return;
  if (s->port && s->protocol->farewell) (void)!daq_serial_force_say(f, s->protocol->farewell, NULL);
  daq_transport_close(s->port);
  free(s);
}
