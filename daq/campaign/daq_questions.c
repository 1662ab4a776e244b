#include "daq_questions_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_language.h"
#include "cb_num.h"
#include "cb_text.h"

/* ---- numbers with units ---- */

#define DIGITS "0123456789"

/* "20", "20 mm", "2cm": how many bytes are the number. */
static size_t number_length(const char *text) {
  size_t n = strspn(text, "+-." DIGITS);
  if (n > 0 && (text[n] == 'e' || text[n] == 'E') && strspn(text + n + 1, "+-0123456789") > 0)
    n += 1 + strspn(text + n + 1, "+-0123456789");
  return n;
}

/* "0,25" is 0.25. "1,250" may be meant as 1250. */
static cb_status read_comma(const daq_ask *q, char *text, cb_err *err) {
  char *comma = strchr(text, ',');
  if (!comma || comma == text || !isdigit((unsigned char)comma[-1])) return CB_OK;
  const size_t digits = strspn(comma + 1, DIGITS);
  if (digits == 0 || strpbrk(comma + 1, ",.") || memchr(text, '.', (size_t)(comma - text))) return CB_OK;
  if (digits == 3 && strtod(text, NULL) != 0)
    return cb_fail(err, CB_E_PARSE,
                   _("%s = '%.60s': the comma may mean thousands, a number with a point was wanted"),
                   q->field.key, text);
  *comma = '.';
  return CB_OK;
}

/* unit: of a number that has none; NULL: the question's. */
static cb_status read_number(const daq_ask *q, const char *answer, const char *unit, double *out,
                             cb_err *err) {
  char number[64], units[120], copy[DAQ_ANSWER], *text = copy;
  (void)snprintf(copy, sizeof copy, "%s", answer);
  CB_TRY(read_comma(q, copy, err));
  const cb_unit *own = q->unit ? cb_unit_find(q->unit) : NULL, *typed = own;
  const size_t n = number_length(text), rest = n + strspn(text + n, " ");
  if (own && n > 0 && n < sizeof number && (text[rest] || unit)) {
    typed = cb_unit_find(text[rest] ? text + rest : unit);
    cb_unit_list(own->dim, units, sizeof units);
    if (!typed || typed->dim != own->dim)
      return cb_fail(err, CB_E_PARSE, _("%s = '%.60s': a number in %s was wanted, or in one of %s"),
                     q->field.key, text, q->unit, units);
    (void)snprintf(number, sizeof number, "%.*s", (int)n, text);
    text = number;
  }
  CB_TRY(cb_parse_double(text, q->field.key, out, err));
  if (typed != own) *out = (*out * typed->to_si + typed->offset - own->offset) / own->to_si;
  if (typed != own) *out = cb_round_decimals(*out, 9); /* 0.1 kg is 100 g */
  if (q->field.min == 0 && q->field.max == 0) return CB_OK;
  return cb_check_range(*out, q->field.min, q->field.max, q->field.key, "", err);
}

static char *trimmed(char *text) {
  text += strspn(text, " ");
  for (char *end = text + strlen(text); end > text && end[-1] == ' ';) *--end = '\0';
  return text;
}

static bool is_decimal(const char *list, const char *comma) {
  return *comma == ',' && comma > list && isdigit((unsigned char)comma[-1]) &&
         isdigit((unsigned char)comma[1]);
}

/* "[0, 45; 90]", "0 45 90": with a comma between two numbers, and nowhere else. Between semicolons, and where
 * people write so, "0,5" is no list for certain. */
static cb_status put_commas(const daq_ask *q, char *list, cb_err *err) {
  const bool has = strpbrk(list, ",;") != NULL, doubtful = strchr(list, ';') || _("0.5")[1] == ',';
  for (char *c = list; *c; c++) {
    if (doubtful && is_decimal(list, c))
      return cb_fail(err, CB_E_PARSE,
                     _("%s = '%.60s': a blank behind a comma was wanted, or a point in a number"),
                     q->field.key, list);
    if (strchr("[]", *c)) *c = ' ';
    if (*c == ';' || (!has && *c == ' ' && c > list && strchr("+-." DIGITS, c[strspn(c, " ")]))) *c = ',';
  }
  return CB_OK;
}

/* The unit behind the last number counts for all that have none: "0, 0.1, 0.2 kg". */
static cb_status read_list(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err) {
  char copy[DAQ_ANSWER], unit[DAQ_ANSWER], number[32], *at = copy;
  size_t n = 0;
  (void)snprintf(copy, sizeof copy, "%s", typed);
  CB_TRY(put_commas(q, copy, err));
  char *last = strrchr(copy, ',');
  last = trimmed(last ? last + 1 : copy);
  (void)snprintf(unit, sizeof unit, "%s", trimmed(last + number_length(last)));
  out[0] = '\0';
  for (char *item; (item = strsep(&at, ","));) {
    double v;
    item = trimmed(item);
    if (!item[0]) continue;
    if (++n > CB_NUMLIST_MAX)
      return cb_fail(err, CB_E_RANGE, _("%s: more than %d numbers"), q->field.key, CB_NUMLIST_MAX);
    CB_TRY(read_number(q, item, unit[0] ? unit : NULL, &v, err));
    cb_text_add(out, DAQ_ANSWER, ", ", "%s", cb_shortest(v, number));
  }
  if (n > 0) return CB_OK;
  return cb_fail(err, CB_E_PARSE, _("%s = '%.60s': numbers were wanted, such as %s"), q->field.key, typed,
                 q->example);
}

/* ---- one answer ---- */

static bool is_choice(const char *choice, const char *word) {
  return strcmp(choice, word) == 0 || strcmp(_(choice), word) == 0;
}

/* Also by the beginning of a word, and in the person's language. */
static int choice_of(const cb_yfield *f, const char *word) {
  int found = -1, n = 0;
  const size_t length = strlen(word);
  for (int k = 0; f->choices[k]; k++) {
    if (is_choice(f->choices[k], word)) return k;
    if (length > 0 &&
        (strncmp(f->choices[k], word, length) == 0 || strncmp(_(f->choices[k]), word, length) == 0))
      found = k, n++;
  }
  return n == 1 ? found : -1;
}

static cb_status read_choice(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err) {
  const int k = choice_of(&q->field, typed);
  char text[300];
  daq_ask_text(q, text);
  if (k < 0)
    return cb_fail(err, CB_E_PARSE, _("%s = '%.60s': must be one of %s"), q->field.key, typed,
                   strrchr(text, '('));
  (void)snprintf(out, DAQ_ANSWER, "%s", q->field.choices[k]);
  return CB_OK;
}

static cb_status read_text(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err) {
  CB_TRY(cb_check_line(typed, q->field.key, err));
  if (strlen(typed) >= q->field.size)
    return cb_fail(err, CB_E_RANGE, _("%s = '%.40s...': must be shorter than %zu bytes"), q->field.key, typed,
                   q->field.size);
  (void)snprintf(out, DAQ_ANSWER, "%s", typed);
  return CB_OK;
}

cb_status daq_ask_read(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err) {
  double v = 0;
  long long whole;
  if (q->field.kind == CB_Y_ENUM) return read_choice(q, typed, out, err);
  if (q->field.kind == CB_Y_NUMLIST) return read_list(q, typed, out, err);
  if (q->field.kind != CB_Y_NUM && q->field.kind != CB_Y_INT) return read_text(q, typed, out, err);
  if (q->field.kind == CB_Y_INT) CB_TRY(cb_parse_int(typed, q->field.key, &whole, err));
  CB_TRY(read_number(q, typed, NULL, &v, err));
  (void)cb_shortest(v, out);
  return CB_OK;
}

/* ---- the list ---- */

static bool is_wanted(const daq_questions *q, size_t i) { return !q->wanted || q->wanted(q->context, i); }

size_t daq_questions_next(const daq_questions *q, size_t i) {
  while (i < q->n && !is_wanted(q, i)) i++;
  return i;
}

size_t daq_questions_before(const daq_questions *q, size_t i) {
  while (i > 0)
    if (is_wanted(q, --i)) return i;
  return q->n;
}

void daq_questions_proposal(const daq_questions *q, size_t i, daq_proposal *p) {
  p->text[0] = p->why[0] = '\0';
  if (q->answer[i][0])
    memcpy(p->text, q->answer[i], sizeof p->text);
  else if (q->propose)
    q->propose(q->context, i, p);
}

char daq_questions_key(const daq_questions *q, size_t i, const char *line) {
  const cb_yfield *f = &q->table[i].field;
  for (int k = 0; f->kind == CB_Y_ENUM && f->choices[k]; k++)
    if (is_choice(f->choices[k], line)) return '\0';
  if (strcmp(line, "back") == 0 || strcmp(line, "<") == 0) return 'b';
  return line[0] && !line[1] && strchr("?bq", line[0]) ? line[0] : '\0';
}

cb_status daq_questions_answer(daq_questions *q, size_t i, const char *line, cb_err *err) {
  char before[DAQ_ANSWER], read[DAQ_ANSWER] = "";
  daq_proposal p = {.text = ""};
  const bool given = q->given[i];
  if (!line[0]) daq_questions_proposal(q, i, &p);
  if (!line[0]) line = p.text;
  if (!line[0] && q->table[i].field.required)
    return cb_fail(err, CB_E_PARSE, _("%s: an answer was wanted, such as %s"), q->table[i].field.key,
                   q->table[i].example);
  if (line[0]) CB_TRY(daq_ask_read(&q->table[i], line, read, err));
  memcpy(before, q->answer[i], sizeof before);
  memcpy(q->answer[i], read, sizeof read);
  q->given[i] = true;
  const cb_status st = q->check ? q->check(q->context, i, err) : CB_OK;
  if (st == CB_OK) return CB_OK;
  memcpy(q->answer[i], before, sizeof before);
  q->given[i] = given;
  return st;
}

/* ---- what is said ---- */

const char *daq_ask_shown(const daq_ask *q, const char *answer) {
  return q->field.kind == CB_Y_ENUM ? _(answer) : answer;
}

void daq_ask_text(const daq_ask *q, char out[300]) {
  size_t n = (size_t)snprintf(out, 300, "%s", _(q->text));
  if (q->unit) n += (size_t)snprintf(out + n, 300 - n, " [%s]", q->unit);
  for (size_t k = 0; q->field.kind == CB_Y_ENUM && q->field.choices[k]; k++)
    n += (size_t)snprintf(out + n, 300 - n, "%s%s", k ? " | " : " (", _(q->field.choices[k]));
  if (q->field.kind == CB_Y_ENUM) (void)snprintf(out + n, 300 - n, ")");
}

static void say_wanted(const daq_ask *q, char out[1000]) {
  const cb_yfield *f = &q->field;
  if (f->kind == CB_Y_ENUM) {
    cb_text_add(out, 1000, "", _(" Wanted: one of the words in brackets."));
    return;
  }
  if (f->kind == CB_Y_STR)
    cb_text_add(out, 1000, "", _(" Wanted: a text of at most %zu bytes"), f->size - 1);
  else
    cb_text_add(out, 1000, "", _(" Wanted: %s"),
                f->kind == CB_Y_INT   ? _("a whole number")
                : f->kind == CB_Y_NUM ? _("a number")
                                      : _("numbers with commas"));
  if (f->kind != CB_Y_STR && (f->min != 0 || f->max != 0))
    cb_text_add(out, 1000, "", _(" from %g to %g"), f->min, f->max);
  if (q->unit) cb_text_add(out, 1000, "", _(", in %s unless a unit follows"), q->unit);
  cb_text_add(out, 1000, "", _(", such as %s."), q->example);
}

void daq_questions_explain(const daq_questions *q, size_t i, char out[1000]) {
  char shown[600];
  daq_proposal p;
  const daq_ask *it = &q->table[i];
  daq_questions_proposal(q, i, &p);
  (void)snprintf(out, 1000, _("%s."), _(it->help));
  say_wanted(it, out);
  if (p.text[0])
    cb_text_add(out, 1000, "", _(" Enter takes %s."),
                cb_text_show(daq_ask_shown(it, p.text), shown, sizeof shown));
  else
    cb_text_add(out, 1000, "",
                it->field.required ? _(" Enter alone is no answer.") : _(" Enter leaves it out."));
  cb_text_add(out, 1000, "", _(" b: the question before; q: leaves"));
}

const char *daq_said_of(const char *msg, const char *file, const char *key) {
  char quoted[40];
  if (strncmp(msg, file, strlen(file)) == 0) msg += strlen(file);
  msg += strspn(msg, ":0123456789 ");
  (void)snprintf(quoted, sizeof quoted, "'%s'", key);
  const char next = strncmp(msg, key, strlen(key)) == 0 ? msg[strlen(key)] : 'x';
  return next == ' ' || next == ':' || strstr(msg, quoted) ? msg : NULL;
}

/* ---- the answers so far ---- */

void daq_answer_put(FILE *to, const char *answer) {
  fputc('"', to);
  for (const char *c = answer; *c; c++) fprintf(to, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  fputc('"', to);
}

cb_status daq_questions_save(const daq_questions *q, const char *path, cb_err *err) {
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  for (size_t i = 0; i < q->n; i++) {
    if (!q->given[i]) continue;
    fprintf(d.to, "%s: ", q->table[i].field.key);
    daq_answer_put(d.to, q->answer[i]);
    fputc('\n', d.to);
  }
  return cb_draft_save(&d, CB_OK, path, err);
}

cb_status daq_questions_load(daq_questions *q, const char *path, cb_err *err) {
  cb_yaml *doc;
  CB_TRY(cb_yaml_load(path, &doc, err));
  for (size_t i = 0; i < q->n; i++) {
    const char *text = cb_yaml_scalar(cb_yaml_get(cb_yaml_root(doc), q->table[i].field.key));
    if (!text) continue;
    q->given[i] = !text[0] && !q->table[i].field.required;
    q->answer[i][0] = '\0';
    if (text[0]) (void)!daq_questions_answer(q, i, text, NULL);
  }
  cb_yaml_free(doc);
  return CB_OK;
}
