#include "report_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_language.h"
#include "cb_text.h"

static bool reserve_bytes(report_text *t, size_t more) {
  if (t->failed) return false;
  char *grown = cb_array_grow(t->s, &t->cap, t->n + more + 1, 1);
  if (grown)
    t->s = grown;
  else
    t->failed = true;
  return !t->failed;
}

void report_text_bytes(report_text *t, const void *data, size_t n) {
  if (!reserve_bytes(t, n)) return;
  memcpy(t->s + t->n, data, n);
  t->n += n;
  t->s[t->n] = '\0';
}

void report_text_add(report_text *t, const char *s) { report_text_bytes(t, s, strlen(s)); }

void report_text_addf(report_text *t, const char *fmt, ...) {
  char most[200];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(most, sizeof most, fmt, ap);
  va_end(ap);
  if (n < 0) t->failed = true;
  if (n >= 0 && n < (int)sizeof most) report_text_bytes(t, most, (size_t)n);
  if (n < (int)sizeof most || !reserve_bytes(t, (size_t)n)) return;
  va_start(ap, fmt);
  (void)vsnprintf(t->s + t->n, (size_t)n + 1, fmt, ap);
  va_end(ap);
  t->n += (size_t)n;
}

/* printf would take most of the time of a long trace. */
void report_text_number(report_text *t, double v) {
  static const double scale[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};
  char digits[24], *at = digits + sizeof digits;
  const double size = fabs(v);
  int decimals = 10;
  if (!(size >= 1e-4 && size < 9e6)) {
    report_text_addf(t, "%.7g", v);
    return;
  }
  for (double power = 1e-3; size >= power; power *= 10) decimals--;
  uint64_t whole = (uint64_t)(size * scale[decimals] + 0.5);
  for (; decimals > 0 && whole % 10 == 0; decimals--) whole /= 10;
  for (int i = 0; whole > 0 || i <= decimals; i++, whole /= 10) {
    if (i > 0 && i == decimals) *--at = '.';
    *--at = (char)('0' + whole % 10);
  }
  if (v < 0) *--at = '-';
  report_text_bytes(t, at, (size_t)(digits + sizeof digits - at));
}

/* What follows a tag, but for paragraphs. */
void report_text_words(report_text *t, const char *html) {
  char words[120];
  while (*html) {
    const size_t tag = *html == '<' ? strcspn(html, ">") + 1 : 0, n = strcspn(html + tag, "<");
    report_text_bytes(t, html, tag);
    (void)snprintf(words, sizeof words, "%.*s", (int)n, html + tag);
    if (n < sizeof words && tag > 0 && html[1] != 'p' && words[0] != '\n')
      report_text_add(t, _(words));
    else
      report_text_bytes(t, html + tag, n);
    html += tag + n;
  }
}

void report_text_html(report_text *t, const char *s) {
  char shown[16];
  for (size_t n; (n = cb_text_next(s, shown)) > 0; s += n) {
    switch (*s) {
      case '&': report_text_add(t, "&amp;"); break;
      case '<': report_text_add(t, "&lt;"); break;
      case '>': report_text_add(t, "&gt;"); break;
      case '"': report_text_add(t, "&quot;"); break;
      case '\'': report_text_add(t, "&#39;"); break;
      case '\n': /* rigs and plans are texts of many lines */
      case '\t': report_text_bytes(t, s, 1); break;
      default: report_text_add(t, shown);
    }
  }
}

void report_text_in(report_text *t, const char *before, const char *foreign, const char *after) {
  report_text_add(t, before);
  report_text_html(t, foreign);
  report_text_add(t, after);
}

void report_text_gnuplot(report_text *t, const char *s) {
  char shown[16];
  report_text_add(t, "'");
  /* A line break would end the command. */
  for (size_t n; (n = cb_text_next(s, shown)) > 0; s += n)
    report_text_add(t, *s == '\'' ? "\u2019" : (unsigned char)*s < ' ' ? " " : shown);
  report_text_add(t, "'");
}

void report_text_base64(report_text *t, const void *data, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = data;
  for (size_t i = 0; i < n; i += 3) {
    size_t left = n - i;
    uint32_t v = (uint32_t)b[i] << 16 | (left > 1 ? (uint32_t)b[i + 1] << 8 : 0) | (left > 2 ? b[i + 2] : 0);
    char out[4] = {digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=',
                   left > 2 ? digits[v & 63] : '='};
    report_text_bytes(t, out, 4);
  }
}

void report_text_cut(report_text *t, size_t n) {
  if (n >= t->n) return;
  t->n = n;
  t->s[n] = '\0';
}

cb_status report_text_check(const report_text *t, cb_err *err) {
  return t->failed ? cb_no_memory(err, "a text of %zu bytes", t->n) : CB_OK;
}

void report_text_clear(report_text *t) {
  free(t->s);
  *t = (report_text){0};
}
