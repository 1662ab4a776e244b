/* The driver for stages whose protocol is in the rig file (section `lines`). One question is open at a time.
 * Its answer has no number; so after an answer that did not come, the device is asked who it is, whose answer
 * looks like no other. Whatever comes before that is late, and dropped. A command is never sent twice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "daq_lines.h"
#include "daq_process.h"
#include "daq_rx.h"
#include "daq_stage.h"

#define ASK_TRIES 3
#define STANDSTILL_S 2.0 /* to slow down after a stop */
#define PROGRAM_S 10.0   /* until a program has begun */

typedef struct lines {
  const cb_rig_lines *l;
  daq_rx rx;
  const cb_lines_question *asked; /* the open question; NULL: none */
  const cb_lines_question *after; /* asked is the identity: what is asked after it; NULL: nothing */
  int n_unanswered;               /* in a row */
  double asked_s, answer_due_s, next_ask_s;
  char heard[DAQ_QUOTE_SIZE]; /* the last line that was no answer to the open question */
  bool busy, homing, homed;
  bool is_ready; /* the commands `ready` were taken */
} lines;

/* ---- messages ---- */

static cb_status send_text(daq_stage *s, const cb_lines_text *t, const daq_lines_values *v, cb_err *err) {
  static const daq_lines_values none;
  char message[DAQ_LINES_MESSAGE];
  size_t n = daq_lines_fill(t, s->rig, v ? v : &none, message, NULL, NULL);
  return daq_transport_write(s->port, message, n, s->rig->reply_timeout_s, err);
}

/* What came before a question is sent is no answer to it. */
static cb_status drop_input(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  bool got = true;
  while (got) {
    size_t ends = 0; /* a line ends with its CR: its LF is still here */
    while (ends < c->rx.n && (c->rx.bytes[ends] == '\r' || c->rx.bytes[ends] == '\n')) ends++;
    s->n_stray += ends < c->rx.n;
    c->rx.n = 0;
    CB_TRY(daq_rx_fill(&c->rx, s->port, 0, &got, err));
  }
  c->heard[0] = '\0';
  return CB_OK;
}

/* The answer to a question; *found = false when the time is over. A line that is none is left aside: late, an
 * echo, another device's, or a code without a rule. */
static cb_status await(daq_stage *s, const cb_lines_question *q, double deadline_s, daq_lines_found *f,
                       const cb_lines_rule **rule, bool *found, cb_err *err) {
  lines *c = s->own;
  bool got = true;
  *found = false;
  while (got) {
    char line[DAQ_LINE_MAX];
    size_t used;
    daq_parse p = daq_line_cut(c->rx.bytes, c->rx.n, "", line, sizeof line, &used);
    if (p == DAQ_PARSE_INVALID) daq_stage_note_unreadable(s, c->rx.bytes, used);
    daq_rx_drop(&c->rx, used);
    *found = p == DAQ_PARSE_VALID && daq_lines_match(&q->reply, line, s->rig->device_address, f);
    *rule = *found ? daq_lines_rule_of(q, f->code) : NULL;
    *found = *found && (q->n == 0 || *rule);
    if (*found && q == &c->l->identity) (void)snprintf(s->identity, sizeof s->identity, "%s", line);
    if (*found) return CB_OK;
    s->n_stray += p == DAQ_PARSE_VALID;
    if (p == DAQ_PARSE_VALID) daq_quote(line, strlen(line), c->heard);
    if (p == DAQ_PARSE_MORE)
      CB_TRY(daq_rx_fill(&c->rx, s->port, deadline_s - cb_now_monotonic_s(), &got, err));
  }
  return CB_OK;
}

static cb_status no_answer(const daq_stage *s, const cb_lines_text *t, cb_err *err) {
  const lines *c = s->own;
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%s' within %g s%s%s%s",
                 daq_transport_path(s->port), t->written, s->rig->reply_timeout_s,
                 c->heard[0] ? "; what came, '" : "", c->heard,
                 c->heard[0] ? "', is none by its template" : "");
}

static double patience_s(const daq_stage *s) {
  const bool begins = s->rig->driver == CB_STAGE_PROCESS && !s->identity[0];
  return begins ? fmax(PROGRAM_S, s->rig->reply_timeout_s) : s->rig->reply_timeout_s;
}

/* Asks who it is, and drops everything up to the answer: afterwards nothing is under way. */
static cb_status bring_in_order(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  daq_lines_found f;
  const cb_lines_rule *rule;
  bool found;
  c->asked = c->after = NULL;
  CB_TRY(drop_input(s, err));
  CB_TRY(send_text(s, &c->l->identity.ask, NULL, err));
  CB_TRY(await(s, &c->l->identity, cb_now_monotonic_s() + patience_s(s), &f, &rule, &found, err));
  return found ? CB_OK : no_answer(s, &c->l->identity.ask, err);
}

/* t: what was sent, NULL: the question itself is. */
static cb_status hear(daq_stage *s, const cb_lines_question *q, const cb_lines_text *t, daq_lines_found *f,
                      const cb_lines_rule **rule, cb_err *err) {
  bool found;
  if (q->ask.n > 0) {
    CB_TRY(drop_input(s, err));
    CB_TRY(send_text(s, &q->ask, NULL, err));
    t = &q->ask;
  }
  CB_TRY(await(s, q, cb_now_monotonic_s() + s->rig->reply_timeout_s, f, rule, &found, err));
  return found ? CB_OK : no_answer(s, t, err);
}

/* A question that may be asked again. */
static cb_status exchange(daq_stage *s, const cb_lines_question *q, daq_lines_found *f,
                          const cb_lines_rule **rule, cb_err *err) {
  lines *c = s->own;
  cb_status st = CB_E_TIMEOUT;
  if (c->asked) CB_TRY(bring_in_order(s, err));
  for (int i = 0; i < ASK_TRIES && st == CB_E_TIMEOUT; i++) {
    if (i > 0) CB_TRY(bring_in_order(s, err));
    s->n_retried += i > 0;
    st = hear(s, q, NULL, f, rule, err);
  }
  return st;
}

/* ---- commands ---- */

static cb_status check_set(daq_stage *s, const cb_lines_command *k, double wanted, double digit,
                           cb_err *err) {
  daq_lines_found f;
  const cb_lines_rule *rule;
  CB_TRY(exchange(s, &k->check, &f, &rule, err));
  if (fabs(f.number - wanted) <= 1e-5 * fabs(wanted) + digit) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "stage on %s: was told '%s' with %g, but it says %g now",
                 daq_transport_path(s->port), k->send.written, wanted, f.number);
}

/* Sends it once; whether it was taken is asked once, as many devices forget what they have told. */
static cb_status command(daq_stage *s, const cb_lines_command *k, const daq_lines_values *v, cb_err *err) {
  lines *c = s->own;
  daq_lines_found f;
  const cb_lines_rule *rule = NULL;
  char message[DAQ_LINES_MESSAGE];
  double wanted = 0, digit = 0;
  size_t n = daq_lines_fill(&k->send, s->rig, v, message, &wanted, &digit);
  if (c->asked) CB_TRY(bring_in_order(s, err));
  CB_TRY(drop_input(s, err));
  CB_TRY(daq_transport_write(s->port, message, n, s->rig->reply_timeout_s, err));
  if (c->l->accept.n > 0) CB_TRY(hear(s, &c->l->accept, &k->send, &f, &rule, err));
  if (rule && rule->means != CB_LINES_GOOD)
    return cb_fail(err, CB_E_DEVICE, "stage on %s: %s '%.*s': %s%s%s%s", daq_transport_path(s->port),
                   rule->means == CB_LINES_STOPPED ? "was stopped by somebody before" : "refuses",
                   (int)strcspn(message, "\r\n"), message, f.code, rule->text[0] ? " (" : "", rule->text,
                   rule->text[0] ? ")" : "");
  return k->check.ask.n > 0 ? check_set(s, k, wanted, digit, err) : CB_OK;
}

static cb_status commands(daq_stage *s, const cb_lines_commands *list, const daq_lines_values *v,
                          cb_err *err) {
  for (size_t i = 0; i < list->n; i++) CB_TRY(command(s, &list->command[i], v, err));
  return CB_OK;
}

/* ---- states ---- */

static cb_status fault(const daq_stage *s, const char *what, const char *code, const cb_lines_rule *r,
                       cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "stage on %s: %s '%s'%s%s%s", daq_transport_path(s->port), what, code,
                 r->text[0] ? " (" : "", r->text, r->text[0] ? ")" : "");
}

/* What the state, or the question for the reference, means now. */
static cb_status take_state(daq_stage *s, const char *code, const cb_lines_rule *r, cb_err *err) {
  lines *c = s->own;
  c->busy = r->means == CB_LINES_BUSY;
  if (r->means == CB_LINES_FAULT) return fault(s, "reports", code, r, err);
  if (r->means == CB_LINES_LIMIT && c->homed) return fault(s, "is at a limit switch:", code, r, err);
  if (r->means == CB_LINES_UNHOMED && c->homing) return fault(s, "homing ended with", code, r, err);
  if (r->means == CB_LINES_UNHOMED && c->homed) return fault(s, "lost its reference:", code, r, err);
  return CB_OK;
}

/* ---- opening ---- */

static cb_status lines_stop(daq_stage *s, cb_err *err);

static cb_status first_contact(daq_stage *s, cb_err *err) {
  const lines *c = s->own;
  cb_status st = lines_stop(s, err);
  if (st == CB_E_TIMEOUT && !s->identity[0])
    return daq_rx_stranger(&c->rx, s->port, s->rig->baud, c->l->device, err);
  return st;
}

/* The template holds only if nothing else looks like its identity. */
static cb_status identify(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  daq_lines_found f, other;
  const cb_lines_rule *rule;
  const cb_lines_question *const rest[] = {&c->l->accept, &c->l->state, &c->l->reference, &c->l->position};
  CB_TRY(exchange(s, &c->l->identity, &f, &rule, err));
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
    if (rest[i]->reply.n > 0 &&
        daq_lines_match(&rest[i]->reply, s->identity, s->rig->device_address, &other) &&
        (rest[i]->n == 0 || daq_lines_rule_of(rest[i], other.code)))
      return cb_fail(err, CB_E_ARG,
                     "stage on %s: '%s', its answer to '%s', also fits the reply '%s': an identity that no "
                     "other answer looks like was wanted",
                     daq_transport_path(s->port), s->identity, c->l->identity.ask.written,
                     rest[i]->reply.written);
  if (s->rig->serial[0] && c->l->serial.reply.n > 0) {
    CB_TRY(exchange(s, &c->l->serial, &f, &rule, err));
    const size_t n = strlen(s->identity);
    (void)snprintf(s->identity + n, sizeof s->identity - n, ", serial number %s", f.serial);
  }
  return daq_stage_check_serial(s, f.serial, err);
}

static cb_status open_port(const cb_rig_lines *l, const cb_rig_stage *rig, const char *port,
                           daq_transport **out, cb_err *err) {
  CB_TRY(daq_transport_open(port, rig->baud, out, err));
  CB_TRY(daq_transport_use_flow(*out, l->flow, err));
  return daq_transport_use_parity(*out, l->parity, err);
}

static cb_status lines_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  *s = (daq_stage){.driver = &daq_lines_driver, .rig = rig, .ask_period_s = rig->lines->ask_period_s};
  lines *c = s->own = calloc(1, sizeof *c);
  const daq_lines_values none = {0, 0};
  char stop[DAQ_LINES_MESSAGE];
  if (!c) return cb_no_memory(err, "stage on %s", port);
  c->l = rig->lines;
  CB_TRY(rig->driver == CB_STAGE_PROCESS ? daq_process_open(port, &s->port, err)
                                         : open_port(c->l, rig, port, &s->port, err));
  if (daq_lines_fill(&c->l->stop, rig, &none, stop, NULL, NULL) >= sizeof s->stop_text)
    return cb_fail(err, CB_E_RANGE, "stage on %s: its stop has more than 15 bytes", port);
  strcpy(s->stop_text, stop);
  CB_TRY(first_contact(s, err));
  CB_TRY(identify(s, err));
  return commands(s, &c->l->setup, &none, err);
}

/* ---- motion ---- */

static cb_status lines_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  lines *c = s->own;
  const daq_lines_values v = {target_m, speed_m_per_s};
  if (!c->is_ready) CB_TRY(commands(s, &c->l->ready, &v, err));
  c->is_ready = true;
  return commands(s, &c->l->move, &v, err);
}

static cb_status lines_home(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  const daq_lines_values v = {0, s->rig->max_speed_m_per_s};
  daq_lines_found f;
  const cb_lines_rule *rule;
  c->homed = false;
  if (c->l->home_once) {
    CB_TRY(exchange(s, &c->l->state, &f, &rule, err));
    CB_TRY(take_state(s, f.code, rule, err));
    c->homed = rule->means == CB_LINES_IDLE;
    if (c->homed) return lines_move_abs(s, 0, v.speed_m_per_s, err);
  }
  CB_TRY(commands(s, &c->l->home, &v, err));
  c->homing = true;
  return CB_OK;
}

/* A pipe loses nothing: who does not answer there hangs. */
static cb_status tell_stop(daq_stage *s, cb_err *err) {
  const int tries = s->rig->driver == CB_STAGE_PROCESS ? 1 : ASK_TRIES;
  cb_status st = CB_E_TIMEOUT;
  for (int i = 0; i < tries && st == CB_E_TIMEOUT; i++) {
    daq_transport_shout(s->port, s->stop_text);
    st = bring_in_order(s, err);
  }
  return st;
}

static cb_status lines_stop(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  daq_lines_found f;
  const cb_lines_rule *rule;
  c->homing = false;
  CB_TRY(tell_stop(s, err));
  const double deadline_s = cb_now_monotonic_s() + STANDSTILL_S;
  for (;;) {
    CB_TRY(exchange(s, &c->l->state, &f, &rule, err));
    if (rule->means != CB_LINES_BUSY) break;
    if (cb_now_monotonic_s() > deadline_s)
      return cb_fail(err, CB_E_DEVICE, "stage on %s: is '%s' %g s after it was told to stop; switch it off",
                     daq_transport_path(s->port), f.code, STANDSTILL_S);
    cb_sleep_s(s->ask_period_s);
  }
  /* That it was stopped waits to be told, and must not be taken for the next command's. */
  return c->l->accept.ask.n > 0 ? exchange(s, &c->l->accept, &f, &rule, err) : CB_OK;
}

/* ---- position: the state first, so that a stage that stands is where it says ---- */

static cb_status put_question(daq_stage *s, const cb_lines_question *q, cb_err *err) {
  lines *c = s->own;
  CB_TRY(drop_input(s, err));
  c->asked = q;
  c->asked_s = cb_now_monotonic_s();
  c->answer_due_s = c->asked_s + s->rig->reply_timeout_s / ASK_TRIES;
  return send_text(s, &q->ask, NULL, err);
}

static cb_status ask_again(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  if (cb_now_monotonic_s() <= c->answer_due_s) return CB_OK;
  if (c->asked != &c->l->identity) c->after = c->asked;
  if (++c->n_unanswered == ASK_TRIES) return no_answer(s, &c->after->ask, err);
  s->n_retried++;
  return put_question(s, &c->l->identity, err);
}

static cb_status lines_ask(daq_stage *s, cb_err *err) {
  lines *c = s->own;
  const double now_s = cb_now_monotonic_s();
  if (c->asked || now_s < c->next_ask_s) return CB_OK;
  c->next_ask_s = now_s + s->ask_period_s;
  c->n_unanswered = 0;
  return put_question(s, &c->l->state, err);
}

/* What is asked next; NULL: the place is known. */
static cb_status follow(daq_stage *s, const cb_lines_question *answered, const cb_lines_question **next,
                        cb_err *err) {
  lines *c = s->own;
  const cb_rig_lines *l = c->l;
  const bool arrived = c->homing && !c->busy;
  if (answered == &l->identity) *next = c->after;
  if (answered == &l->state) *next = arrived && l->reference.n > 0 ? &l->reference : &l->position;
  if (answered == &l->reference) *next = &l->state;
  if (arrived && (answered == &l->reference || (answered == &l->state && l->reference.n == 0))) {
    c->homing = false;
    c->homed = true;
  }
  return *next ? put_question(s, *next, err) : CB_OK;
}

static cb_status lines_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  lines *c = s->own;
  daq_lines_found f;
  const cb_lines_rule *rule;
  *fresh = false;
  while (c->asked) {
    const cb_lines_question *asked = c->asked, *next = NULL;
    bool found;
    CB_TRY(await(s, asked, 0, &f, &rule, &found, err));
    if (!found) return ask_again(s, err);
    c->asked = NULL;
    if (rule) CB_TRY(take_state(s, f.code, rule, err));
    CB_TRY(follow(s, asked, &next, err));
    if (next) continue;
    *state = (daq_stage_state){f.number * c->l->unit_m, c->busy, c->asked_s};
    *fresh = true;
  }
  return CB_OK;
}

const daq_stage_driver daq_lines_driver = {
    .name = "lines",
    .open = lines_open,
    .home = lines_home,
    .move_abs = lines_move_abs,
    .stop = lines_stop,
    .ask = lines_ask,
    .take = lines_take,
};
