/* Growing text, private to report/. A failed allocation sets `failed`: callers append freely and check once,
 * at the end. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct report_text {
  char *s; /* NUL-terminated once anything was added */
  size_t n, cap;
  bool failed;
} report_text;

void report_text_add(report_text *t, const char *s);
/* Appends HTML of this program whose headings, the words behind each tag but <p>, are put into the language
 * of the person. tests/languages finds them. */
void report_text_words(report_text *t, const char *html);
void report_text_bytes(report_text *t, const void *data, size_t n);
void report_text_addf(report_text *t, const char *fmt, ...) CB_PRINTF(2, 3);
/* Appends a number with seven digits, as "%.7g" does but for halves of the last one. */
void report_text_number(report_text *t, double v);
/* Appends foreign text, escaped as HTML text or attribute value. */
void report_text_html(report_text *t, const char *s);
/* Foreign text between two pieces of HTML. */
void report_text_in(report_text *t, const char *before, const char *foreign, const char *after);
/* Appends foreign text as a single-quoted gnuplot string, in which nothing is executed. A quote becomes a
 * typographic one: gnuplot 5.4 reads the doubled quote of its manual as an empty string at the start of a
 * text. */
void report_text_gnuplot(report_text *t, const char *s);
void report_text_base64(report_text *t, const void *data, size_t n);
/* Shortens the text to its first n bytes. */
void report_text_cut(report_text *t, size_t n);
/* Error: memory, if an allocation failed. */
CB_CHECKED cb_status report_text_check(const report_text *t, cb_err *err);
void report_text_clear(report_text *t);

#endif
