#define _GNU_SOURCE /* iconv's names, strchrnul */
#include "fit_text.h"
#include "cb_plural.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const fit_text_encodings[] = {"utf-8", "utf-16", "latin1", "gb18030", NULL};

/* ---- which encoding ---- */

/* Bytes that follow the first one of a character; -1: no first byte. */
static int count_following(unsigned char c) {
  if (c < 0x80) return 0;
  if (c >= 0xc2 && c < 0xe0) return 1;
  if (c >= 0xe0 && c < 0xf0) return 2;
  return c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

static bool is_utf8(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const int more = count_following((unsigned char)text[i]);
    if (more < 0 || (size_t)more >= n - i) return false;
    for (int k = 0; k < more; k++)
      if (((unsigned char)text[++i] & 0xc0) != 0x80) return false;
  }
  return true;
}

/* The name of the byte order; NULL: no UTF-16. Without a mark the first pairs have one NUL each, all at the
 * same place. */
static const char *find_utf16(const char *text, size_t n) {
  size_t nul[2] = {0}, pairs = 0;
  if (n >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) return "UTF-16";
  for (; pairs < 32 && 2 * pairs + 1 < n && (text[2 * pairs] || text[2 * pairs + 1]); pairs++)
    for (size_t k = 0; k < 2; k++) nul[k] += text[2 * pairs + k] == '\0';
  if (pairs < 4) return NULL;
  if (nul[0] == 0 && nul[1] == pairs) return "UTF-16LE";
  return nul[1] == 0 && nul[0] == pairs ? "UTF-16BE" : NULL;
}

/* Chinese characters of GB 2312 that are in use: pairs of high bytes whose first is of the signs or of the
 * frequent characters. Latin-1 has single high bytes between letters. */
static bool is_gb(const char *text, size_t n) {
  size_t pairs = 0;
  for (size_t i = 0; i < n; i++) {
    const unsigned char lead = (unsigned char)text[i];
    if (lead < 0x80) continue;
    const unsigned char trail = i + 1 < n ? (unsigned char)text[i + 1] : 0;
    if (trail < 0xa1 || !((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xd7))) return false;
    pairs++, i++;
  }
  return pairs > 0;
}

const char *fit_text_encoding(const char *text, size_t n) {
  if (find_utf16(text, n)) return "utf-16";
  if (is_utf8(text, n)) return "utf-8";
  return is_gb(text, n) ? "gb18030" : "latin1";
}

/* ---- to UTF-8 ---- */

static char *copy_bytes(const char *bytes, size_t n, size_t *n_out) {
  char *out = malloc(n + 1);
  if (!out) return NULL;
  if (n) memcpy(out, bytes, n);
  out[n] = '\0';
  *n_out = n;
  return out;
}

/* Bytes that Windows leaves free are letters of Latin-1. */
static char *decode_latin1(const char *bytes, size_t n, size_t *n_out) {
  char *out = malloc(2 * n + 1);
  size_t m = 0;
  if (!out) return NULL;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    if (c >= 0x80) out[m++] = (char)(0xc0 | c >> 6);
    out[m++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
  }
  out[m] = '\0';
  *n_out = m;
  return out;
}

/* Returns false with *bad, the place of the byte, if the bytes are not in this encoding. Half a character at
 * the end of a cut file is left out. */
static bool convert(iconv_t to, const char *bytes, size_t n, char *out, size_t room, size_t *m, size_t *bad) {
  char *in = (char *)(uintptr_t)bytes, *at = out;
  size_t left = n, free_bytes = room;
  const size_t done = iconv(to, &in, &left, &at, &free_bytes);
  *m = room - free_bytes;
  *bad = n - left;
  out[*m] = '\0';
  return done != (size_t)-1 || errno == EINVAL;
}

/* iconv knows it. */
static cb_status decode_by_name(const char *bytes, size_t n, const char *encoding, const char *name,
                                char **out, size_t *m, cb_err *err) {
  size_t bad = 0;
  const size_t room = 4 * n + 4;
  const iconv_t to = iconv_open("UTF-8", encoding);
  if (to == (iconv_t)-1)
    return cb_fail(err, CB_E_IO, "%s: this system's iconv does not know %s", name, encoding);
  *out = malloc(room + 1);
  const bool fine = *out && convert(to, bytes, n, *out, room, m, &bad);
  (void)iconv_close(to);
  if (!*out) return cb_no_memory(err, "%s, %zu bytes", name, n);
  return fine ? CB_OK
              : cb_fail(err, CB_E_PARSE, "%s: byte %zu is no character of %s: another encoding was wanted",
                        name, bad + 1, encoding);
}

static cb_status decode(const char *bytes, size_t n, const char *encoding, const char *name, char **out,
                        size_t *m, cb_err *err) {
  const char *utf16 = find_utf16(bytes, n);
  if (strcmp(encoding, "utf-16") == 0 && !utf16) utf16 = "UTF-16LE";
  if (utf16 && (!encoding[0] || strcmp(encoding, "utf-16") == 0))
    return decode_by_name(bytes, n, utf16, name, out, m, err);
  if (strcmp(encoding, "gb18030") == 0) return decode_by_name(bytes, n, "GB18030", name, out, m, err);
  if (strcmp(encoding, "latin1") == 0) {
    if (decode_by_name(bytes, n, "CP1252", name, out, m, NULL) == CB_OK) return CB_OK;
    free(*out);
    *out = decode_latin1(bytes, n, m);
  } else {
    *out = copy_bytes(bytes, n, m);
  }
  return *out ? CB_OK : cb_no_memory(err, "%s, %zu bytes", name, n);
}

/* A logger that was switched off leaves its last block filled with NUL bytes. */
static cb_status cut_tail(char *text, size_t *n, const char *name, cb_err *err) {
  while (*n > 0 && (text[*n - 1] == '\0' || text[*n - 1] == '\x1a')) (*n)--;
  text[*n] = '\0';
  const char *nul = memchr(text, '\0', *n);
  if (!nul) return CB_OK;
  int line = 1;
  size_t run = 1;
  for (const char *c = text; c < nul; c++) line += *c == '\n';
  while (nul[run] == '\0') run++;
  return cb_fail(err, CB_E_PARSE,
                 "%s:%d: %zu NUL byte%s inside: readings were lost there, or this is not a text table", name,
                 line, run, CB_S(run));
}

cb_status fit_text_decode(const char *bytes, size_t n, const char *encoding, const char *name, char **out,
                          size_t *n_out, cb_err *err) {
  *out = NULL;
  cb_status st = decode(bytes, n, encoding, name, out, n_out, err);
  if (st == CB_OK) st = cut_tail(*out, n_out, name, err);
  if (st == CB_OK) return CB_OK;
  free(*out);
  *out = NULL;
  return st;
}

/* ---- columns between blanks ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_line_end(char c) { return c == '\n' || c == '\r' || c == '\0'; }

static const char *find_line_end(const char *at) { return at + strcspn(at, "\r\n"); }

/* The blanks that stand here. */
static size_t count_blanks(const char *at) { return strspn(at, " \t"); }

/* How a line is cut. */
typedef enum cut { CUT_EACH, CUT_TWO, CUT_UNITS, N_CUTS } cut;

/* Whether the blanks at `at` separate columns. */
static bool separates(const char *at, cut how) {
  const size_t n = count_blanks(at);
  if (n == 0 || is_line_end(at[n])) return false;
  if (how == CUT_TWO) return n > 1 || *at == '\t';
  return how == CUT_EACH || !strchr("([", at[n]);
}

static const char *skip_word(const char *at) {
  const char *close = *at == '"' ? strchr(at + 1, '"') : NULL;
  return close && close < find_line_end(at) ? close + 1 : at + 1;
}

static size_t count_columns(const char *line, cut how) {
  size_t n = 1;
  const char *at = line + count_blanks(line);
  if (is_line_end(*at)) return 0;
  while (!is_line_end(*at)) {
    n += separates(at, how);
    at += is_blank(*at) ? count_blanks(at) : (size_t)(skip_word(at) - at);
  }
  return n;
}

static bool is_numbers(const char *line) {
  bool digits = false;
  for (; !is_line_end(*line); line++) {
    digits |= isdigit((unsigned char)*line);
    if (isalpha((unsigned char)*line) && *line != 'e' && *line != 'E') return false;
  }
  return digits;
}

static const char *next_line(const char *at) {
  at = find_line_end(at);
  return *at ? at + 1 : at;
}

/* The columns of most rows of numbers. */
static size_t find_width(const char *text) {
  size_t width = 0, lead = 0;
  for (const char *at = text; *at; at = next_line(at)) {
    if (!is_numbers(at)) continue;
    const size_t n = count_columns(at, CUT_EACH);
    if (n == width)
      lead++;
    else if (lead > 0)
      lead--;
    else
      width = n, lead = 1;
  }
  return width;
}

static cut choose_cut(const char *line, size_t width) {
  for (cut how = 0; how < N_CUTS; how++)
    if (count_columns(line, how) == width) return how;
  return CUT_TWO;
}

void fit_text_make_tabs(char *text) {
  const size_t width = find_width(text);
  char *to = text;
  for (char *at = text; *at;) {
    while (*at == '#') *to++ = *at++;
    const cut how = choose_cut(at, width);
    at += count_blanks(at);
    while (!is_line_end(*at)) {
      const size_t blanks = count_blanks(at);
      const char *next = blanks ? at + blanks : skip_word(at);
      if (blanks && separates(at, how))
        *to++ = '\t', at += blanks;
      else
        while (at < next) *to++ = *at++;
    }
    if (*at) *to++ = *at++;
  }
  *to = '\0';
}

bool fit_text_has_blanks(const char *text) {
  while (is_line_end(*text) && *text) text++;
  while (*text == '#') {
    text = next_line(text);
    while (is_line_end(*text) && *text) text++;
  }
  const char *end = find_line_end(text);
  for (const char *c = text; c < end; c++)
    if (strchr(",;|\t", *c)) return false;
  return count_columns(text, CUT_TWO) > 1;
}
