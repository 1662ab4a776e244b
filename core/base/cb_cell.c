#include "cb_cell.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Signs of several bytes, in UTF-8. */
static const char *const blanks[] = {" ", "\t", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x87",
                                     NULL};
static const char *const minuses[] = {"-", "\xe2\x88\x92", "\xe2\x80\x93", "\xef\xb9\xa3", "\xef\xbc\x8d",
                                      NULL};
static const char *const apostrophes[] = {"'", "\xe2\x80\x99", NULL};

/* Bytes of the sign of the list that stands here; 0: none does. */
static size_t match_sign(const char *at, const char *const *signs) {
  for (; *signs; signs++)
    if (strncmp(at, *signs, strlen(*signs)) == 0) return strlen(*signs);
  return 0;
}

static const char *skip_blanks(const char *at) {
  for (size_t n; (n = match_sign(at, blanks)) > 0;) at += n;
  return at;
}

/* The text that is read, and the one that comes out of it. */
typedef struct reader {
  const char *at;
  cb_cell *out;
  size_t n, digits;
} reader;

static void put(reader *r, char c) {
  if (r->n + 1 < sizeof r->out->plain) r->out->plain[r->n] = c;
  r->n++;
}

static void take_sign(reader *r) {
  const size_t minus = match_sign(r->at, minuses);
  if (minus) put(r, '-');
  r->at += minus ? minus : *r->at == '+';
}

static void take_digits(reader *r, size_t most) {
  for (size_t i = 0; i < most && isdigit((unsigned char)*r->at); i++, r->digits++) put(r, *r->at++);
}

/* Bytes of a mark of thousands with three digits behind it. */
static size_t match_group(const char *at, char thousands) {
  size_t n = *at == thousands ? 1 : match_sign(at, blanks);
  if (n == 0) n = match_sign(at, apostrophes);
  if (n == 0) return 0;
  for (size_t i = 0; i < 3; i++)
    if (!isdigit((unsigned char)at[n + i])) return 0;
  return isdigit((unsigned char)at[n + 3]) ? 0 : n;
}

/* "1 250 000": the same mark between all groups. A number that begins with 0 has no thousands. */
static void take_whole(reader *r, char thousands) {
  const bool zero = *r->at == '0';
  take_digits(r, SIZE_MAX);
  if (zero || r->digits < 1 || r->digits > 3) return;
  const char *mark = r->at;
  size_t groups = 0;
  for (size_t n; (n = match_group(r->at, thousands)) > 0 && strncmp(r->at, mark, n) == 0; groups++) {
    r->at += n;
    take_digits(r, 3);
  }
  r->out->doubtful = groups == 1 && *mark == thousands;
}

static void take_fraction(reader *r, char decimal) {
  const bool other = *r->at == '.' && isdigit((unsigned char)r->at[1]) && !r->out->doubtful;
  if (*r->at != decimal && !other) return;
  r->out->mark = *r->at++;
  put(r, '.');
  take_digits(r, SIZE_MAX);
}

static void take_exponent(reader *r) {
  if (*r->at != 'e' && *r->at != 'E') return;
  const size_t minus = match_sign(r->at + 1, minuses), sign = minus ? minus : r->at[1] == '+';
  if (!isdigit((unsigned char)r->at[1 + sign])) return;
  put(r, 'e');
  if (minus) put(r, '-');
  r->at += 1 + sign;
  take_digits(r, SIZE_MAX);
}

static bool begins_unit(const char *at) {
  return isalpha((unsigned char)*at) || *at == '%' || *at == '[' || (unsigned char)*at >= 0x80;
}

/* What stands behind a number, without blanks at its end. */
static bool take_unit(reader *r) {
  r->at = skip_blanks(r->at);
  if (!*r->at) return true;
  size_t n = strlen(r->at);
  while (n > 0 && (r->at[n - 1] == ' ' || r->at[n - 1] == '\t')) n--;
  if (!begins_unit(r->at) || n >= sizeof r->out->unit) return false;
  (void)snprintf(r->out->unit, sizeof r->out->unit, "%.*s", (int)n, r->at);
  return true;
}

bool cb_cell_read(const char *text, char decimal, cb_cell *out) {
  reader r = {.at = skip_blanks(text), .out = out};
  *out = (cb_cell){.mark = '\0'};
  take_sign(&r);
  take_whole(&r, decimal == ',' ? '.' : ',');
  take_fraction(&r, decimal);
  if (r.digits == 0) return false;
  out->doubtful = out->doubtful && !out->mark;
  take_exponent(&r);
  return take_unit(&r) && r.n < sizeof out->plain;
}

bool cb_cell_is_missing(const char *text) {
  static const char *const words[] = {"",    "-",    "--",   "---",          "NA",           "N/A",
                                      "n/a", "n.a.", "#N/A", "\xe2\x80\x93", "\xe2\x80\x94", NULL};
  for (size_t i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return true;
  return false;
}
