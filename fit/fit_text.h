/* Texts of tables as files have them, private to fit/. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* Encodings that a mapping may name; NULL at the end. */
extern const char *const fit_text_encodings[];

/* Returns the encoding of a text that names none: one of the above. */
const char *fit_text_encoding(const char *text, size_t n);

/* Makes NUL-terminated UTF-8 of a file's n bytes. encoding "": UTF-16 if the bytes show it, else as they are.
 * NUL bytes and a Ctrl-Z at the end, which loggers leave, are cut off. name stands for the file in errors.
 * The caller frees *out; it is NULL after an error. Errors: CB_E_PARSE for bytes that are not in this
 * encoding, and for NUL bytes inside; CB_E_NOMEM. */
CB_CHECKED cb_status fit_text_decode(const char *bytes, size_t n, const char *encoding, const char *name,
                                     char **out, size_t *n_out, cb_err *err);

/* Returns whether the columns of this text stand between blanks: its first line that is no comment has two
 * blanks between words, and none of , ; | and tab. */
bool fit_text_has_blanks(const char *text);

/* Puts tabs between the columns of a text whose columns stand between blanks. In a row of numbers each blank
 * separates; in a header two do, or one where "Load (N)" then counts as one column. A line that does not have
 * as many columns as the rows of numbers is cut at two blanks. Lines stay lines. */
void fit_text_make_tabs(char *text);

/* Fingerprint of bytes: FNV-1a, 64 bit (Fowler, Noll, Vo; RFC 9923), hexadecimal. No protection against
 * malice. */

void fit_fingerprint(const char *text, size_t n, char out[17]);

#endif
