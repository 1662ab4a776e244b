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
  const char *digits = at + (at < end && strchr("+-", *at));
  form->leading_zero = end - digits > 1 && digits[0] == '0' && isdigit((unsigned char)digits[1]);
  form->zero = end - digits < 2 ? -1 : digits[0] == '.' ? 0 : digits[0] == '0' && digits[1] == '.' ? 1 : -1;
  while (at < end && (isdigit((unsigned char)*at) || strchr("+-", *at))) at++;
  if (at == end || *at != '.') return;
  for (at++; at < end && isdigit((unsigned char)*at); at++) {
    form->decimals++;
    form->last = *at - '0';
  }
}

daq_form daq_form_of(const char *line, size_t n, int field, const char *separator) {
  const char *end = line + n;
  daq_form form = {.zero = -1, .last = -1};
  while (line < end && (is_end(*line) || (!separator[0] && is_blank(*line)))) line++;
  while (end > line && is_end(end[-1])) end--;
  for (const char *at = line; at; at = next_field(at, end, separator)) {
    if (form.fields == field) look_at_number(at, end, &form);
    form.fields++;
  }
  return form;
}

/* ---- the way of printing ---- */

#define PRINTS_LEAST 20 /* fewer say nothing */
#define SHORTER_MANY 5  /* so many shorter readings, a share of SHORTER_SHARE, are no torn lines */
#define SHORTER_SHARE 0.05
#define LAST_DIGITS_LEAST 5 /* where so many different last digits came, a zero would have come */

static int count_bits(unsigned bits) {
  int n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}

static void note_print(daq_prints *p, const daq_form *form) {
  if (form->decimals > p->most_decimals) {
    p->in_shorter = p->n > 0; /* the longest until now */
    p->most_decimals = form->decimals;
    p->n_zeros = 0;
    p->last_digits = 0;
  }
  const bool longest = form->decimals == p->most_decimals && form->last >= 0;
  p->n++;
  /* A display that was switched to another range does not come back. */
  p->n_shorter += longest && p->in_shorter;
  p->in_shorter = !longest;
  p->n_zeros += longest && form->last == 0;
  if (longest) p->last_digits |= 1u << form->last;
}

/* A read-out of fixed decimals sends one zero in ten at the end. One torn reading of the other may end so. */
static bool few_zeros(const daq_prints *p) { return 5 * p->n_zeros < p->n_shorter; }

static bool prints_shortest(const daq_prints *p) {
  if (p->n < PRINTS_LEAST || !few_zeros(p)) return false;
  return count_bits(p->last_digits) >= LAST_DIGITS_LEAST ||
         (p->n_shorter >= SHORTER_MANY && (double)p->n_shorter >= SHORTER_SHARE * (double)p->n);
}

/* No shortest print looks so. */
static bool is_torn(const daq_format *f, const daq_form *form) {
  return form->leading_zero || (form->last == 0 && form->decimals > 1) ||
         (form->last == 0 && f->prints.most_decimals == 1);
}

/* ---- the lock ---- */

static bool agree(const daq_form *a, const daq_form *b, bool shortest) {
  return a->fields == b->fields && (a->decimals == b->decimals || shortest) &&
         (a->plus == b->plus || a->plus < 0 || b->plus < 0) &&
         (a->zero == b->zero || a->zero < 0 || b->zero < 0);
}

static void learn_signs(daq_form *known, const daq_form *seen) {
  if (known->plus < 0) known->plus = seen->plus;
  if (known->zero < 0) known->zero = seen->zero;
}

size_t daq_format_learn(daq_format *f, daq_form form) {
  if (!f->locked || f->form.fields != form.fields || form.leading_zero)
    *f = (daq_format){.locked = true, .form = form};
  note_print(&f->prints, &form);
  learn_signs(&f->form, &form);
  /* The longest: most lines have it, and a torn one has less. */
  if (form.decimals > f->form.decimals) f->form.decimals = form.decimals;
  if (form.zero > f->form.zero) f->form.zero = form.zero;
  f->shortest = prints_shortest(&f->prints);
  return f->prints.n;
}

/* *f holds `form` from now on. */
static bool change_form(daq_format *f) {
  f->n_changed++;
  f->form = f->candidate;
  f->n_candidate = 0;
  f->prints = (daq_prints){.n = 0};
  return true;
}

static bool refuse_until_repeated(daq_format *f, const daq_form *form) {
  if (f->n_candidate == 0 || !agree(&f->candidate, form, false)) {
    f->candidate = *form;
    f->n_candidate = 0;
  }
  learn_signs(&f->candidate, form);
  return ++f->n_candidate < DAQ_FORMAT_AGAIN ? false : change_form(f);
}

bool daq_format_holds(daq_format *f, daq_form form) {
  if (!f->locked) *f = (daq_format){.locked = true, .form = form};
  if (f->form.fields == form.fields) note_print(&f->prints, &form);
  f->shortest = prints_shortest(&f->prints) || (f->shortest && few_zeros(&f->prints));
  if (f->shortest && is_torn(f, &form)) return false;
  if (!agree(&f->form, &form, f->shortest)) return refuse_until_repeated(f, &form);
  learn_signs(&f->form, &form);
  f->n_candidate = 0;
  return true;
}
