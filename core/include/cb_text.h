/* Texts from outside: which are accepted, and how they are shown.
 *
 * A control character is a code point of C0 (0x00-0x1f), DEL or C1 (0x80-0x9f). So are the line and paragraph
 * separators (U+2028, U+2029), and the marks that change the direction of writing (Unicode Annex 9: U+200e,
 * U+200f, U+202a-U+202e, U+2066-U+2069). In a terminal, a script, a table or a page such a character can act.
 * Names and free texts that contain one are refused on entry. */
#ifndef CB_TEXT_H
#define CB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cb_err.h"

/* Returns true for one line: UTF-8 without control characters. "" is a line. */
bool cb_text_is_line(const char *text);

/* Check the same. `what` names the text in the sentence.
 * Errors: CB_E_RANGE, `what = 'text': has a control character (\x1b) at byte 3: one line of plain text was
 * wanted`. */
CB_CHECKED cb_status cb_check_line(const char *text, const char *what, cb_err *err);

/* Writes the text as one line that is safe to show. Control characters and bytes that are not UTF-8 become
 * \xHH, code points above 0xff \u{HHHH}. The text is cut to size > 0 bytes, between characters. in and out
 * must not overlap. Returns out. */
char *cb_text_show(const char *text, char *out, size_t size);
/* Does the same, but keeps line feeds and tabs. */
char *cb_text_show_lines(const char *text, char *out, size_t size);
/* Writes the text's first character as cb_text_show shows it. Returns its length in the text in bytes; 0 at
 * the end. */
size_t cb_text_next(const char *text, char out[16]);

/* Returns a copy of a JSON document in which the control characters that JSON allows in strings (DEL, C1,
 * separators, marks of direction) are written as \uHHHH. The document means the same. The caller frees it.
 * NULL: no memory. */
char *cb_text_json(const char *json);

/* Adds an item to a text in size > 0 bytes; between stands before it, unless the text is empty. What does not
 * fit is left out whole. */
void cb_text_add(char *text, size_t size, const char *between, const char *fmt, ...) CB_PRINTF(4, 5);

/* Writes the text as one word of a POSIX shell, in single quotes. */
void cb_text_put_shell(FILE *to, const char *text);

#endif
