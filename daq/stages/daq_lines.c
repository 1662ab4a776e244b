#include "daq_lines.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

/* ---- what is sent ---- */

static double value_of(int slot, const cb_rig_stage *rig, const daq_lines_values *v) {
  const cb_rig_lines *l = rig->lines;
  switch (slot) {
    case CB_LINES_POSITION: return v->position_m / l->unit_m;
    case CB_LINES_SPEED: return v->speed_m_per_s / l->speed_unit_m_per_s;
    case CB_LINES_ACCELERATION: return rig->acceleration_m_per_s2 / l->acceleration_unit_m_per_s2;
    case CB_LINES_MIN: return fmin(rig->limit_min_m, 0) / l->unit_m; /* its home lies within */
    default: return fmax(rig->limit_max_m, 0) / l->unit_m;
  }
}

size_t daq_lines_fill(const cb_lines_text *t, const cb_rig_stage *rig, const daq_lines_values *v,
                      char out[DAQ_LINES_MESSAGE], double *last, double *digit) {
  const char *kind = rig->lines->line_end;
  const char *end = t->bare ? "" : strcmp(kind, "cr") == 0 ? "\r" : strcmp(kind, "lf") == 0 ? "\n" : "\r\n";
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++) {
    char number[64], *text = number;
    if (t->piece[i].slot == CB_LINES_LITERAL) {
      memcpy(out + n, t->bytes + t->piece[i].from, t->piece[i].size);
      n += t->piece[i].size;
      continue;
    }
    if (t->piece[i].slot == CB_LINES_ADDRESS) {
      (void)snprintf(number, sizeof number, "%0*d", t->piece[i].digits, rig->device_address);
    } else {
      (void)snprintf(number, sizeof number, "%.*f", t->piece[i].digits, value_of(t->piece[i].slot, rig, v));
      text += number[0] == '-' && strtod(number, NULL) == 0; /* no "-0" */
      if (last) *last = strtod(text, NULL);
      if (digit) *digit = pow(10, -t->piece[i].digits);
    }
    memcpy(out + n, text, strlen(text));
    n += strlen(text);
  }
  memcpy(out + n, end, strlen(end) + 1);
  return n + strlen(end);
}

/* ---- what is answered ---- */

static size_t take_number(const char *at, double *number) {
  char text[64];
  size_t sign = *at == '+', n = sign + strspn(at + sign, "0123456789.-+eE");
  if (n >= sizeof text) return 0;
  memcpy(text, at + sign, n - sign);
  text[n - sign] = '\0';
  return cb_parse_double(text, "", number, NULL) == CB_OK ? n : 0;
}

/* A word: up to a blank, or to the text that follows. */
static size_t word_length(const char *at, char stop) {
  size_t n = 0;
  while (at[n] > ' ' && at[n] <= '~' && at[n] != stop) n++;
  return n;
}

static void add_word(char *to, size_t size, const char *word, size_t n) {
  size_t used = strlen(to);
  (void)snprintf(to + used, size - used, "%s%.*s", used > 0 ? " " : "", (int)n, word);
}

/* The length of what stands for a placeholder; 0: nothing does. */
static size_t take_slot(int slot, const char *at, char stop, int address, daq_lines_found *f) {
  const size_t blanks = stop == ' ' ? 0 : strspn(at, " ");
  at += blanks;
  size_t n = word_length(at, stop);
  switch (slot) {
    case CB_LINES_POSITION:
    case CB_LINES_VALUE: n = take_number(at, &f->number); break;
    case CB_LINES_ADDRESS: n = strspn(at, "0123456789") * (strtol(at, NULL, 10) == address); break;
    case CB_LINES_CODE: add_word(f->code, sizeof f->code, at, n); break;
    default: add_word(f->serial, sizeof f->serial, at, n); break;
  }
  return n > 0 ? blanks + n : 0;
}

bool daq_lines_match(const cb_lines_text *t, const char *line, int address, daq_lines_found *found) {
  const char *at = line;
  *found = (daq_lines_found){0};
  for (size_t i = 0; i < t->n; i++) {
    const char *next = i + 1 < t->n ? t->bytes + t->piece[i + 1].from : "";
    const size_t size = t->piece[i].size;
    size_t n = size;
    if (t->piece[i].slot == CB_LINES_LITERAL) {
      if (strncmp(at, t->bytes + t->piece[i].from, size) != 0) return false;
    } else if (t->piece[i].slot != CB_LINES_ANY) {
      n = take_slot(t->piece[i].slot, at, *next, address, found);
      if (n == 0) return false;
    } else {
      /* a text follows, or the line ends */
      char text[CB_LINES_TEXT] = "";
      if (*next) memcpy(text, next, t->piece[i + 1].size);
      const char *to = *next ? strstr(at, text) : at + strlen(at);
      if (!to) return false;
      n = (size_t)(to - at);
    }
    at += n;
  }
  return at[strspn(at, " ")] == '\0';
}

const cb_lines_rule *daq_lines_rule_of(const cb_lines_question *q, const char *code) {
  for (size_t i = 0; i < q->n; i++)
    if (fnmatch(q->rule[i].code, code, 0) == 0) return &q->rule[i];
  return NULL;
}
