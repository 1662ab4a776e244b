/* The log of a virtual rig's faults (vrig_fault.h), read as truth: which readings were measured, which lines
 * went over the wire, and which of them a host must take. */
#ifndef FAULTLOG_H
#define FAULTLOG_H

#include "cb_file.h"
#include "cbtest.h"
#include "vrig_fault_script.h"

#define FL_NO_KIND VRIG_N_FAULTS

typedef struct fl_line { /* what a host sees as one line */
  double t_s;
  double is, says;    /* the reading that was taken; what the line says, NAN where that is no number */
  unsigned char kind; /* the fault that touched it; FL_NO_KIND: none */
  bool ended;         /* false: no line, but a reading of which nothing came, or too little to be a line */
} fl_line;

typedef struct fl_log {
  fl_line *line; /* of the force read-out, in order */
  size_t n, cap;
  double *reply; /* the last numbers of the stage's replies, in order */
  size_t n_replies, cap_replies;
  size_t faults[VRIG_N_WIRES][VRIG_N_FAULTS]; /* injected */
  size_t n_faults;
} fl_log;

static inline int fl_kind(const char *name) {
  for (int k = 0; k < VRIG_N_FAULTS; k++)
    if (strcmp(name, vrig_fault_names[k]) == 0) return k;
  if (strcmp(name, "-") != 0) fail_msg("the log names a fault '%s'", name);
  return FL_NO_KIND;
}

/* In place; returns the end of the text behind the closing quote. */
static inline char *fl_unquote(char *at, char **text, size_t *n) {
  assert_int_equal(*at, '"');
  char *out = *text = ++at;
  for (; *at != '"'; at++) {
    if (*at != '\\') {
      *out++ = *at;
    } else if (*++at == 'x') {
      char digits[3] = {at[1], at[2], '\0'};
      *out++ = (char)strtol(digits, NULL, 16);
      at += 2;
    } else {
      *out++ = *at == 'r' ? '\r' : '\n';
    }
  }
  *n = (size_t)(out - *text);
  return at + 1;
}

/* A whole text that is a plain decimal number between blanks, or NAN. */
static inline double fl_number(const char *text, size_t n) {
  char copy[64], *end;
  while (n > 0 && text[0] == ' ') text++, n--;
  while (n > 0 && text[n - 1] == ' ') n--;
  if (n == 0 || n >= sizeof copy) return NAN;
  memcpy(copy, text, n);
  copy[n] = '\0';
  if (strspn(copy, "0123456789+-.") != n) return NAN;
  double v = strtod(copy, &end);
  return *end == '\0' && end != copy ? v : NAN;
}

static inline void fl_add(fl_log *log, fl_line line) {
  if (log->n == log->cap) {
    log->cap = log->cap ? 2 * log->cap : 4096;
    log->line = realloc(log->line, log->cap * sizeof *log->line);
    assert_non_null(log->line);
  }
  log->line[log->n++] = line;
}

static inline void fl_add_reply(fl_log *log, double v) {
  if (log->n_replies == log->cap_replies) {
    log->cap_replies = log->cap_replies ? 2 * log->cap_replies : 4096;
    log->reply = realloc(log->reply, log->cap_replies * sizeof *log->reply);
    assert_non_null(log->reply);
  }
  log->reply[log->n_replies++] = v;
}

typedef struct fl_wire { /* bytes of a line that has not ended */
  char text[512];
  size_t n;
  int kind; /* of the first fault in it */
} fl_wire;

/* What was sent for one reading goes over the wire. */
static inline void fl_send(fl_log *log, fl_wire *w, double t_s, int kind, double is, const char *sent,
                           size_t n) {
  bool seen = false;
  for (size_t i = 0; i < n; i++) {
    if (w->kind == FL_NO_KIND) w->kind = kind;
    if (sent[i] != '\r' && sent[i] != '\n') {
      if (w->n < sizeof w->text) w->text[w->n++] = sent[i];
      continue;
    }
    if (w->n > 0) fl_add(log, (fl_line){t_s, is, fl_number(w->text, w->n), (unsigned char)w->kind, true});
    seen |= w->n > 0;
    w->n = 0;
    w->kind = FL_NO_KIND;
  }
  if (!seen)
    fl_add(log, (fl_line){t_s, is, NAN, (unsigned char)kind, false}); /* a reading that left no line */
}

static inline void fl_take(fl_log *log, fl_wire *w, unsigned long *last, char *record) {
  char *save, *number = strtok_r(record, "\t", &save), *t = strtok_r(NULL, "\t", &save),
              *port = strtok_r(NULL, "\t", &save);
  char *kind = strtok_r(NULL, "\t", &save), *is, *sent;
  size_t n_is, n_sent;
  assert_true(number && t && port && kind && save);
  char *next = fl_unquote(save, &is, &n_is);
  (void)fl_unquote(next + 1, &sent, &n_sent);
  unsigned long fault = strtoul(number, NULL, 10);
  int k = fl_kind(kind), wire = strcmp(port, "stage") == 0;
  if (fault > *last) {
    log->faults[wire][k]++;
    log->n_faults++;
    *last = fault;
  }
  if (n_is == 0) return;
  const unsigned char *state = (const unsigned char *)is; /* of a Thorlabs controller: its position is in it
                                                           */
  if (wire == VRIG_WIRE_STAGE && n_is == 20 && state[0] == 0x91 && state[1] == 0x04) {
    fl_add_reply(log, (int32_t)((uint32_t)state[11] << 24 | (uint32_t)state[10] << 16 |
                                (uint32_t)state[9] << 8 | state[8]));
    return;
  }
  while (n_is > 0 && strchr("\r\n", is[n_is - 1])) n_is--;
  if (wire == VRIG_WIRE_FORCE) {
    if (is[n_is - 1] == 'A') n_is--; /* the D500's letter for saturation */
    fl_send(log, w, strtod(t, NULL), k, fl_number(is, n_is), sent, n_sent);
    return;
  }
  if (n_is > 3 && is[n_is - 3] == ':') n_is -= 3;
  size_t at = n_is;
  while (at > 0 && strchr("0123456789-.", is[at - 1])) at--;
  fl_add_reply(log, fl_number(is + at, n_is - at));
}

static inline void fl_read(const char *path, fl_log *log) {
  char *text = cbt_read(path), *save = NULL;
  unsigned long last = 0;
  fl_wire w = {.kind = FL_NO_KIND};
  *log = (fl_log){0};
  for (char *record = strtok_r(text, "\n", &save); record; record = strtok_r(NULL, "\n", &save))
    fl_take(log, &w, &last, record);
  free(text);
}

static inline void fl_clear(fl_log *log) {
  free(log->line);
  free(log->reply);
}

/* ---- a recorded run beside the log ---- */

typedef struct fl_walk {
  size_t from, to;                   /* lines of the log */
  size_t refused;                    /* lines in between that the host did not take */
  size_t false_taken[VRIG_N_FAULTS]; /* false numbers that it took, by what made them false */
} fl_walk;

/* Whether the record has one equal number more, from v[0] on, than the true lines behind `at` say. */
static inline bool fl_one_more(const fl_log *log, size_t at, const double *v, size_t n) {
  size_t samples = 0, lines = 0;
  while (samples < n && v[samples] == v[0]) samples++;
  while (++at < log->n) {
    if (log->line[at].says != log->line[at].is) continue;
    if (log->line[at].is != v[0]) break;
    lines++;
  }
  return samples > lines;
}

/* Does the record v go along the log from line `at`? Every true reading that came over the wire must be
 * there, in order, and nothing else, but false numbers that look like readings (counted). Returns how many
 * samples went along. */
static inline size_t fl_along(const fl_log *log, size_t at, const double *v, size_t n, fl_walk *walk) {
  size_t i = 0;
  *walk = (fl_walk){.from = at};
  for (; i < n && at < log->n; at++) {
    const fl_line *l = &log->line[at];
    bool true_line = l->says == l->is;
    walk->to = at;
    /* "0.5443" from "+0.5443" says the truth, and is no line of a display that shows every sign. The next
     * reading may be the same number. */
    if (true_line && l->kind <= VRIG_FAULT_NOT_A_NUMBER &&
        (l->says != v[i] || !fl_one_more(log, at, v + i, n - i))) {
      walk->refused += l->ended;
      continue;
    }
    if (true_line && l->says != v[i]) return i;
    i += true_line;
    if (true_line) continue;
    const bool more = fl_one_more(log, at, v + i, n - i), taken = more && l->says == v[i];
    /* The rest of a line that was too long may be the whole true one. */
    const bool rescued = more && !taken && l->is == v[i];
    i += rescued;
    if (taken) walk->false_taken[l->kind]++, i++;
    walk->refused += !taken && l->ended;
  }
  walk->to = at;
  return i;
}

#define FL_SURE 24 /* readings with noise: chance does not get so far */

/* Finds the record in the log, at or after line `from`, and goes along it to its end. */
static inline void fl_find(const fl_log *log, size_t from, const double *v, size_t n, fl_walk *walk) {
  size_t best = 0, head = n < FL_SURE ? n : FL_SURE;
  for (size_t at = from; at < log->n; at++) {
    size_t got = log->line[at].says == v[0] ? fl_along(log, at, v, n, walk) : 0;
    if (got == n) return;
    if (got > best) best = got;
    for (size_t k = walk->to - 4; got >= head && k < walk->to + 6 && k < log->n; k++)
      print_message("  %.4f s: %.9g, said %.9g, fault %d%s\n", log->line[k].t_s, log->line[k].is,
                    log->line[k].says, log->line[k].kind, log->line[k].ended ? "" : ", no line");
    for (size_t k = got - 4; got >= head && k < got + 4 && k < n; k++)
      print_message("  sample %zu: %.9g\n", k, v[k]);
    if (got >= head)
      fail_msg("sample %zu of the record, %.9g, is none that was measured then (near %.3f s)", got, v[got],
               log->line[at].t_s);
  }
  fail_msg("a record of %zu samples is nowhere in the log; at best %zu go along", n, best);
}

#endif
