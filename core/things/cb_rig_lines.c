#include <stdlib.h>
#include <string.h>

#include "cb_rig_impl.h"

#define TEXT(S, key_, member_, required_)                                                             \
  {                                                                                                   \
    .key = key_, .kind = CB_Y_STR, .offset = offsetof(S, member_), .size = sizeof(((S *)0)->member_), \
    .required = required_                                                                             \
  }
#define NODE(S, key_, member_, required_) \
  { .key = key_, .kind = CB_Y_NODE, .offset = offsetof(S, member_), .required = required_ }
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- texts with placeholders ---- */

/* By cb_lines_slot. */
static const char *const slot_names[] = {"",     "position", "address", "speed", "acceleration", "min", "max",
                                         "code", "value",    "serial",  "*"};

#define MOST_SENT 4 /* a message has room for them (daq_lines.h) */

static bool is_sent(int slot) { return slot >= CB_LINES_POSITION && slot <= CB_LINES_MAX; }
static bool is_answered(int slot) { return slot <= CB_LINES_ADDRESS || slot >= CB_LINES_CODE; }

/* The character that a backslash and what follows stand for, and how long that is; 0: nothing known. */
static size_t unescape(const char *at, char *c) {
  static const char letters[] = "\\rnt", meant[] = "\\\r\n\t";
  const char *found = at[1] ? strchr(letters, at[1]) : NULL;
  if (found) {
    *c = meant[found - letters];
    return 2;
  }
  char digits[3] = "";
  if (at[1] == 'x') (void)strncpy(digits, at + 2, 2);
  if (strlen(digits) != 2 || strspn(digits, "0123456789abcdefABCDEF") != 2) return 0;
  *c = (char)strtol(digits, NULL, 16);
  return *c ? 4 : 0;
}

static bool add_literal(cb_lines_text *t, size_t *used, char c) {
  if (t->n == 0 || t->piece[t->n - 1].slot != CB_LINES_LITERAL) {
    if (t->n == CB_LINES_PIECES) return false;
    t->piece[t->n].from = *used;
    t->n++;
  }
  t->piece[t->n - 1].size++;
  t->bytes[(*used)++] = c;
  return true;
}

/* "{position:3}": returns its length; 0: it is none. */
static size_t add_slot(cb_lines_text *t, const char *at, bool sent) {
  size_t length = strcspn(at, "}"), name = strcspn(at, ":}") - 1;
  if (at[length] != '}' || t->n == CB_LINES_PIECES) return 0;
  bool digits = length == name + 3 && at[name + 1] == ':' && at[name + 2] >= '0' && at[name + 2] <= '9';
  if (length != name + 1 && (!digits || !sent)) return 0;
  for (int slot = CB_LINES_POSITION; slot <= CB_LINES_ANY; slot++) {
    if (strlen(slot_names[slot]) != name || strncmp(slot_names[slot], at + 1, name) != 0) continue;
    if (!(sent ? is_sent(slot) : is_answered(slot))) return 0;
    t->piece[t->n].slot = slot;
    t->piece[t->n].digits = digits ? at[name + 2] - '0' : slot == CB_LINES_ADDRESS ? 1 : 6;
    t->n++;
    return length + 1;
  }
  return 0;
}

static cb_status compile(cb_ynode at, const char *what, bool sent, cb_lines_text *t, cb_err *err) {
  size_t used = 0, step, numbers = 0;
  if (!t->written[0]) return cb_yaml_fail(at, err, CB_E_PARSE, "%s: is empty", what);
  for (const char *p = t->written; *p; p += step) {
    char c = *p;
    step = 1;
    if (sent && strcmp(p, "\\c") == 0) {
      t->bare = true;
      return CB_OK;
    }
    if (c == '{' && p[1] != '{') {
      step = add_slot(t, p, sent);
      if (step == 0)
        return cb_yaml_fail(at, err, CB_E_PARSE, "%s: '%.40s' is no placeholder here; allowed are %s", what,
                            p,
                            sent ? "{position}, {speed}, {acceleration}, {min}, {max}, {address}"
                                 : "{position}, {address}, {code}, {value}, {serial}, {*}");
      if (sent && ++numbers > MOST_SENT)
        return cb_yaml_fail(at, err, CB_E_RANGE, "%s: at most %d placeholders can be sent in one message",
                            what, MOST_SENT);
      continue;
    }
    if (c == '{') step = 2;
    if (c == '\\') step = unescape(p, &c);
    if (step == 0 || (!sent && (c < ' ' || c > '~')))
      return cb_yaml_fail(at, err, CB_E_PARSE, "%s: '%.10s' cannot stand here: %s was wanted", what, p,
                          sent ? "\\xHH, \\r, \\n, \\t, \\\\, or \\c at the end" : "a printable character");
    if (!add_literal(t, &used, c))
      return cb_yaml_fail(at, err, CB_E_RANGE, "%s: more than %d placeholders and texts between them", what,
                          CB_LINES_PIECES);
  }
  return CB_OK;
}

static bool has(const cb_lines_text *t, int slot) {
  for (size_t i = 0; i < t->n; i++)
    if (t->piece[i].slot == slot) return true;
  return false;
}

/* Two placeholders side by side could not be told apart. */
static cb_status check_reply(cb_ynode at, const char *what, const cb_lines_text *t, int wanted, cb_err *err) {
  for (size_t i = 0; i + 1 < t->n; i++)
    if (t->piece[i].slot != CB_LINES_LITERAL && t->piece[i + 1].slot != CB_LINES_LITERAL)
      return cb_yaml_fail(at, err, CB_E_PARSE, "%s.reply = '%s': a text is wanted between two placeholders",
                          what, t->written);
  if (wanted == CB_LINES_LITERAL || has(t, wanted)) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_PARSE, "%s.reply = '%s': {%s} was wanted in it", what, t->written,
                      slot_names[wanted]);
}

/* ---- questions ---- */

static const char *const meaning_names[] = {"good", "stopped", "refused", "idle",
                                            "busy", "unhomed", "limit",   "fault"};

/* "CODE = MEANING" or "CODE = MEANING, TEXT". */
static cb_status bind_rule(cb_ynode at, const char *what, int first, int last, cb_lines_rule *r,
                           cb_err *err) {
  const char *text = cb_yaml_scalar(at), *is = text ? strstr(text, " = ") : NULL;
  if (!is || is == text || (size_t)(is - text) >= sizeof r->code)
    return cb_yaml_fail(at, err, CB_E_PARSE,
                        "%s.rules: '%.40s': CODE = MEANING was wanted, CODE of 1 to 23 bytes", what,
                        text ? text : "");
  memcpy(r->code, text, (size_t)(is - text));
  const char *name = is + 3, *more = strstr(name, ", ");
  size_t n = more ? (size_t)(more - name) : strlen(name);
  for (r->means = first; r->means <= last; r->means++)
    if (strlen(meaning_names[r->means]) == n && strncmp(meaning_names[r->means], name, n) == 0) break;
  if (r->means > last)
    return cb_yaml_fail(
        at, err, CB_E_PARSE, "%s.rules: '%.40s': must mean %s", what, text,
        last == CB_LINES_REFUSED ? "good, stopped or refused" : "idle, busy, unhomed, limit or fault");
  if (more && strlen(more + 2) >= sizeof r->text)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s.rules: '%.40s': its text must be shorter than %zu bytes",
                        what, text, sizeof r->text);
  if (more) strcpy(r->text, more + 2);
  return CB_OK;
}

static cb_status bind_rules(cb_ynode list, const char *what, int first, int last, cb_lines_question *q,
                            cb_err *err) {
  if (!cb_yaml_is_list(list) || cb_yaml_count(list) < 1 || cb_yaml_count(list) > CB_LINES_RULES)
    return cb_yaml_fail(list, err, CB_E_PARSE, "%s.rules: a list of 1 to %d rules was wanted", what,
                        CB_LINES_RULES);
  for (q->n = 0; q->n < cb_yaml_count(list); q->n++)
    CB_TRY(bind_rule(cb_yaml_item(list, q->n), what, first, last, &q->rule[q->n], err));
  for (size_t i = 0; i < q->n; i++)
    if (q->rule[i].means == first) return CB_OK;
  return cb_yaml_fail(list, err, CB_E_PARSE, "%s.rules: none of them means '%s'", what, meaning_names[first]);
}

typedef struct question_section {
  char ask[CB_LINES_TEXT], reply[CB_LINES_TEXT];
  cb_ynode rules;
} question_section;

/* slot: what the answer must hold; CB_LINES_CODE has rules, from one meaning to another. */
static cb_status bind_question(cb_ynode at, const char *what, int slot, int first, int last,
                               cb_lines_question *q, cb_err *err) {
  question_section s = {0};
  const bool silent = first == CB_LINES_GOOD && slot == CB_LINES_CODE, ruled = slot == CB_LINES_CODE;
  const cb_yfield fields[] = {TEXT(question_section, "ask", ask, !silent),
                              TEXT(question_section, "reply", reply, true),
                              NODE(question_section, "rules", rules, true)};
  CB_TRY(cb_yaml_bind(at, fields, ruled ? 3 : 2, &s, err));
  memcpy(q->ask.written, s.ask, sizeof s.ask);
  memcpy(q->reply.written, s.reply, sizeof s.reply);
  if (s.ask[0] || !silent) CB_TRY(compile(at, "ask", true, &q->ask, err));
  CB_TRY(compile(at, "reply", false, &q->reply, err));
  CB_TRY(check_reply(at, what, &q->reply, slot, err));
  return ruled ? bind_rules(s.rules, what, first, last, q, err) : CB_OK;
}

/* ---- commands ---- */

static cb_status bind_command(cb_ynode at, const char *what, cb_lines_command *c, cb_err *err) {
  struct {
    char send[CB_LINES_TEXT], ask[CB_LINES_TEXT], reply[CB_LINES_TEXT];
  } s = {"", "", ""};
  const char *text = cb_yaml_scalar(at);
  if (text && strlen(text) >= sizeof s.send)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s: '%.40s...' must be shorter than %zu bytes", what, text,
                        sizeof s.send);
  const size_t size = CB_LINES_TEXT;
  const cb_yfield fields[] = {{"send", CB_Y_STR, 0, .size = size, .required = true},
                              {"ask", CB_Y_STR, size, .size = size, .required = true},
                              {"reply", CB_Y_STR, 2 * size, .size = size, .required = true}};
  if (text)
    strcpy(s.send, text);
  else
    CB_TRY(cb_yaml_bind(at, fields, COUNT(fields), &s, err));
  memcpy(c->send.written, s.send, size);
  memcpy(c->check.ask.written, s.ask, size);
  memcpy(c->check.reply.written, s.reply, size);
  CB_TRY(compile(at, what, true, &c->send, err));
  if (text) return CB_OK;
  CB_TRY(compile(at, "ask", true, &c->check.ask, err));
  CB_TRY(compile(at, "reply", false, &c->check.reply, err));
  return check_reply(at, what, &c->check.reply, CB_LINES_VALUE, err);
}

static cb_status bind_commands(cb_ynode list, const char *what, cb_lines_commands *out, cb_err *err) {
  if (!list.doc) return CB_OK;
  if (!cb_yaml_is_list(list) || cb_yaml_count(list) < 1 || cb_yaml_count(list) > CB_LINES_COMMANDS)
    return cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list of 1 to %d commands was wanted", what,
                        CB_LINES_COMMANDS);
  for (out->n = 0; out->n < cb_yaml_count(list); out->n++)
    CB_TRY(bind_command(cb_yaml_item(list, out->n), what, &out->command[out->n], err));
  return CB_OK;
}

/* ---- the section ---- */

typedef struct lines_section {
  cb_rig_lines l;
  int end;
  cb_ynode identity, serial, accept, state, reference, position, setup, ready, home, move;
} lines_section;

static const char *const end_names[] = {"cr", "lf", "crlf", NULL};
static const char *const flow_names[] = {"none", "xon-xoff", "rts-cts", NULL};

#define UNIT(key_, member_)                                                                                \
  {                                                                                                        \
    .key = key_, .kind = CB_Y_NUM, .offset = offsetof(lines_section, l.member_), .min = 1e-12, .max = 1e6, \
    .scale = 1e-3                                                                                          \
  }

static const cb_yfield lines_fields[] = {
    TEXT(lines_section, "device", l.device, true),
    {"line_end", CB_Y_ENUM, offsetof(lines_section, end), .required = true, .choices = end_names},
    {"flow", CB_Y_ENUM, offsetof(lines_section, l.flow), .choices = flow_names},
    {"parity", CB_Y_ENUM, offsetof(lines_section, l.parity), .choices = cb_parity_names},
    UNIT("unit_mm", unit_m),
    UNIT("speed_unit_mm_per_s", speed_unit_m_per_s),
    UNIT("acceleration_unit_mm_per_s2", acceleration_unit_m_per_s2),
    {"ask_period_s", CB_Y_NUM, offsetof(lines_section, l.ask_period_s), .min = 0.001, .max = 1, .scale = 1},
    TEXT(lines_section, "stop", l.stop.written, true),
    NODE(lines_section, "identity", identity, true),
    NODE(lines_section, "serial", serial, false),
    NODE(lines_section, "accept", accept, false),
    NODE(lines_section, "state", state, true),
    NODE(lines_section, "reference", reference, false),
    NODE(lines_section, "position", position, true),
    NODE(lines_section, "setup", setup, false),
    NODE(lines_section, "home", home, true),
    {"home_once", CB_Y_BOOL, offsetof(lines_section, l.home_once)},
    NODE(lines_section, "ready", ready, false),
    NODE(lines_section, "move", move, true),
};

/* The bytes that a watchdog can write at any moment. */
static cb_status check_stop(cb_ynode at, const cb_rig_lines *l, cb_err *err) {
  size_t n = strlen(l->line_end) / 2;
  for (size_t i = 0; i < l->stop.n; i++) {
    n += l->stop.piece[i].slot == CB_LINES_LITERAL ? l->stop.piece[i].size : 2;
    if (l->stop.piece[i].slot > CB_LINES_ADDRESS || l->stop.piece[i].slot == CB_LINES_POSITION)
      return cb_yaml_fail(at, err, CB_E_PARSE,
                          "stop = '%s': of the placeholders only {address} may stand in it", l->stop.written);
  }
  if (n <= 15 && n > 0) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_RANGE, "stop = '%s': 1 to 15 bytes with its line end were wanted",
                      l->stop.written);
}

/* Each command that moves says where to; one that is told twice would move twice. */
static cb_status check_move(cb_ynode at, const cb_rig_lines *l, cb_err *err) {
  size_t moves = 0;
  bool speed = false;
  for (size_t i = 0; i < l->move.n; i++) {
    moves += has(&l->move.command[i].send, CB_LINES_POSITION);
    speed = speed || has(&l->move.command[i].send, CB_LINES_SPEED);
  }
  if (moves != 1 || !has(&l->move.command[l->move.n - 1].send, CB_LINES_POSITION))
    return cb_yaml_fail(at, err, CB_E_PARSE, "move: {position} was wanted in its last command and no other");
  if (!speed) return cb_yaml_fail(at, err, CB_E_PARSE, "move: {speed} was wanted in one of its commands");
  return CB_OK;
}

/* What tells late answers from others: no other answer looks like it. */
static cb_status check_identity(cb_ynode at, const cb_lines_text *t, cb_err *err) {
  for (size_t i = 0; i < t->n; i++)
    if (t->piece[i].slot == CB_LINES_LITERAL && t->piece[i].size >= 2) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_PARSE,
                      "identity.reply = '%s': a text of 2 bytes or more was wanted in it, which no other "
                      "answer has",
                      t->written);
}

static cb_status bind_parts(lines_section *s, cb_ynode at, cb_err *err) {
  cb_rig_lines *l = &s->l;
  CB_TRY(compile(at, "stop", true, &l->stop, err));
  CB_TRY(check_stop(at, l, err));
  CB_TRY(bind_question(s->identity, "identity", CB_LINES_LITERAL, 0, 0, &l->identity, err));
  CB_TRY(check_identity(s->identity, &l->identity.reply, err));
  if (s->serial.doc) CB_TRY(bind_question(s->serial, "serial", CB_LINES_SERIAL, 0, 0, &l->serial, err));
  if (s->accept.doc)
    CB_TRY(
        bind_question(s->accept, "accept", CB_LINES_CODE, CB_LINES_GOOD, CB_LINES_REFUSED, &l->accept, err));
  CB_TRY(bind_question(s->state, "state", CB_LINES_CODE, CB_LINES_IDLE, CB_LINES_FAULT, &l->state, err));
  if (s->reference.doc)
    CB_TRY(bind_question(s->reference, "reference", CB_LINES_CODE, CB_LINES_IDLE, CB_LINES_FAULT,
                         &l->reference, err));
  CB_TRY(bind_question(s->position, "position", CB_LINES_POSITION, 0, 0, &l->position, err));
  CB_TRY(bind_commands(s->setup, "setup", &l->setup, err));
  CB_TRY(bind_commands(s->home, "home", &l->home, err));
  CB_TRY(bind_commands(s->ready, "ready", &l->ready, err));
  CB_TRY(bind_commands(s->move, "move", &l->move, err));
  return check_move(s->move, l, err);
}

cb_status cb_rig_lines_bind(cb_ynode at, cb_rig_lines *out, cb_err *err) {
  cb_status st = CB_OK;
  lines_section *s = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "the section 'lines'");
  s->l.unit_m = s->l.speed_unit_m_per_s = s->l.acceleration_unit_m_per_s2 = 1e-3;
  s->l.ask_period_s = 0.05;
  CB_GOTO(cb_yaml_bind(at, lines_fields, COUNT(lines_fields), s, err));
  strcpy(s->l.line_end, end_names[s->end]);
  CB_GOTO(bind_parts(s, at, err));
  *out = s->l;
done:
  free(s);
  return st;
}
