/* Text of others: what may enter, and how it is shown.
 *
 * A control character is a code point of C0 (0x00-0x1f), DEL, C1 (0x80-0x9f), a line or paragraph separator (U+2028, U+2029) or one that
 * turns the direction of writing (U+200e, U+200f, U+202a-U+202e, U+2066-U+2069: Unicode Annex 9). In a terminal, a script, a table or a
 * page such a character can do more than be read. Names and free texts that hold one are refused where they enter. */
#ifndef CB_TEXT_H
#define CB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* One line: UTF-8 without control characters. "" is one. */
bool cb_text_is_line(const char *text);

/* CB_OK, or CB_E_RANGE: `what = 'text': has a control character (\x1b) at byte 3: a line of plain text was wanted`. */
CB_CHECKED cb_status cb_check_line(const char *text, const char *what, cb_err *err);

/* The text as one line that is safe to show: control characters and bytes that are not UTF-8 become \xHH, code points above 0xff \u{HHHH}.
 * Whole characters only; cut to size, which must be > 0. Returns out. in and out must not overlap. */
char *cb_text_show(const char *text, char *out, size_t size);
/* The same with line feeds and tabs as they are. */
char *cb_text_show_lines(const char *text, char *out, size_t size);
/* The text's first character as cb_text_show shows it. Returns the bytes that it has in the text; 0 at the end. */
size_t cb_text_next(const char *text, char out[16]);

/* A JSON document with the control characters that JSON lets stand in a string (DEL, C1, separators, marks of direction) as \uHHHH, which
 * is the same document. Caller frees; NULL: no memory. */
char *cb_text_json(const char *json);

#endif
