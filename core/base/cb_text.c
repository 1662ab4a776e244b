#include "cb_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text_impl.h"

#define NOT_UTF8 UINT32_MAX

static bool is_tail(unsigned char c) { return (c & 0xc0) == 0x80; }

/* Bytes of the character that begins with this one; 0: none does. */
static size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* The code point at s and its length in bytes; NOT_UTF8 and 1 for a byte that begins none (RFC 3629: shortest
 * form, no surrogates). */
static uint32_t decode(const unsigned char *s, size_t *length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t n = sequence_length(s[0]);
  *length = 1;
  if (n == 0) return NOT_UTF8;
  if (n == 1) return s[0];
  uint32_t c = s[0] & (0xffu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if (!is_tail(s[i])) return NOT_UTF8;
    c = c << 6 | (s[i] & 0x3fu);
  }
  if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return NOT_UTF8;
  *length = n;
  return c;
}

static bool is_control(uint32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  if (c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e)) return true;
  return c >= 0x2066 && c <= 0x2069;
}

/* The first character that may not stand in a text whose allowed control characters are these; NULL: all
 * may. */
static const unsigned char *first_bad(const char *text, const char *allowed) {
  size_t n;
  for (const unsigned char *s = (const unsigned char *)text; *s; s += n) {
    uint32_t c = decode(s, &n);
    if (c == NOT_UTF8 || (is_control(c) && !(c < 0x80 && strchr(allowed, (int)c)))) return s;
  }
  return NULL;
}

static void name_character(const unsigned char *s, char out[16]) {
  size_t n;
  uint32_t c = decode(s, &n);
  if (c == NOT_UTF8) c = s[0];
  (void)snprintf(out, 16, c > 0xff ? "\\u{%04x}" : "\\x%02x", (unsigned)c);
}

static cb_status check_characters(const char *text, const char *allowed, const char *wanted, const char *what,
                                  cb_err *err) {
  const unsigned char *bad = first_bad(text, allowed);
  if (!bad) return CB_OK;
  char shown[80], name[16];
  size_t n;
  name_character(bad, name);
  return cb_fail(err, CB_E_RANGE, "%s = '%s': has %s (%s) at byte %zu: %s was wanted", what,
                 cb_text_show(text, shown, sizeof shown),
                 decode(bad, &n) == NOT_UTF8 ? "a byte that is not UTF-8" : "a control character", name,
                 (size_t)(bad - (const unsigned char *)text) + 1, wanted);
}

bool cb_text_is_line(const char *text) { return !first_bad(text, ""); }

cb_status cb_check_line(const char *text, const char *what, cb_err *err) {
  return check_characters(text, "", "one line of plain text", what, err);
}
cb_status cb_check_lines(const char *text, const char *what, cb_err *err) {
  return check_characters(text, "\n\r\t", "plain text", what, err);
}

static char *show_characters(const char *text, const char *kept, char *out, size_t size) {
  size_t at = 0, n;
  for (const unsigned char *s = (const unsigned char *)text; *s; s += n) {
    char name[16];
    uint32_t c = decode(s, &n);
    bool named = c == NOT_UTF8 || (is_control(c) && !(c < 0x80 && strchr(kept, (int)c)));
    if (named) name_character(s, name);
    size_t bytes = named ? strlen(name) : n;
    if (at + bytes >= size) break;
    memcpy(out + at, named ? name : (const char *)s, bytes);
    at += bytes;
  }
  out[at] = '\0';
  return out;
}

char *cb_text_show(const char *text, char *out, size_t size) { return show_characters(text, "", out, size); }
char *cb_text_show_lines(const char *text, char *out, size_t size) {
  return show_characters(text, "\n\t", out, size);
}

size_t cb_text_next(const char *text, char out[16]) {
  size_t n = 0;
  if (*text) (void)decode((const unsigned char *)text, &n);
  memcpy(out, text, n);
  out[n] = '\0';
  if (first_bad(out, "")) name_character((const unsigned char *)text, out);
  return n;
}

/* All of them have four hexadecimal digits: is_control knows none beyond 0x2069. */
char *cb_text_json(const char *json) {
  char *out = malloc(6 * strlen(json) + 1);
  size_t at = 0, n;
  if (!out) return NULL;
  for (const unsigned char *s = (const unsigned char *)json; *s; s += n) {
    uint32_t c = decode(s, &n);
    bool named = c != NOT_UTF8 && c >= 0x7f && is_control(c);
    if (named)
      at += (size_t)sprintf(out + at, "\\u%04x", (unsigned)c);
    else
      memcpy(out + at, s, n), at += n;
  }
  out[at] = '\0';
  return out;
}

void cb_text_add(char *text, size_t size, const char *between, const char *fmt, ...) {
  const size_t was = strlen(text);
  size_t n = was;
  if (was > 0) n += (size_t)snprintf(text + was, size - was, "%s", between);
  va_list ap;
  va_start(ap, fmt);
  if (n < size) n += (size_t)vsnprintf(text + n, size - n, fmt, ap);
  va_end(ap);
  if (n >= size) text[was] = '\0';
}

void cb_text_put_shell(FILE *to, const char *text) {
  fputc('\'', to);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", to);
    else
      fputc(*text, to);
  }
  fputc('\'', to);
}
