#include "daq_format.h"

#include <ctype.h>
#include <string.h>

static bool is_end(char c) { return c == '\r' || c == '\n'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Blanks between fields count as one, other separators one by one. */
static const char *next_field(const char *at, const char *end, const char *separator) {
  if (separator[0]) {
    const char *found = memchr(at, separator[0], (size_t)(end - at));
    return found ? found + 1 : NULL;
  }
  while (at < end && !is_blank(*at)) at++;
  while (at < end && is_blank(*at)) at++;
  return at < end ? at : NULL;
}

/* at: the field in which the reading stands, or begins. */
static void look_at_number(const char *at, const char *end, daq_form *form) {
  while (at < end && !isdigit((unsigned char)*at) && !strchr("+-.", *at)) at++;
  form->plus = at < end && *at == '-' ? -1 : at < end && *at == '+';
  while (at < end && (isdigit((unsigned char)*at) || strchr("+-", *at))) at++;
  if (at == end || *at != '.') return;
  while (++at < end && isdigit((unsigned char)*at)) form->decimals++;
}

daq_form daq_form_of(const char *line, size_t n, int field, const char *separator) {
  const char *end = line + n;
  daq_form form = {0};
  while (line < end && (is_end(*line) || (!separator[0] && is_blank(*line)))) line++;
  while (end > line && is_end(end[-1])) end--;
  for (const char *at = line; at; at = next_field(at, end, separator)) {
    if (form.fields == field) look_at_number(at, end, &form);
    form.fields++;
  }
  return form;
}

static bool agree(const daq_form *a, const daq_form *b) {
  return a->fields == b->fields && a->decimals == b->decimals &&
         (a->plus == b->plus || a->plus < 0 || b->plus < 0);
}

static void learn_sign(daq_form *known, const daq_form *seen) {
  if (known->plus < 0) known->plus = seen->plus;
}

bool daq_format_holds(daq_format *f, daq_form form) {
  if (!f->locked) *f = (daq_format){.locked = true, .form = form};
  if (agree(&f->form, &form)) {
    learn_sign(&f->form, &form);
    f->n_candidate = 0;
    return true;
  }
  if (f->n_candidate == 0 || !agree(&f->candidate, &form)) {
    f->candidate = form;
    f->n_candidate = 0;
  }
  learn_sign(&f->candidate, &form);
  if (++f->n_candidate < DAQ_FORMAT_AGAIN) return false;
  f->n_changed++;
  f->form = f->candidate;
  f->n_candidate = 0;
  return true;
}
