/* Encodings of tables, private to fit/. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

bool fit_text_is_utf8(const char *text, size_t n);

/* Returns a NUL-terminated copy of n bytes in UTF-8; of Latin-1 if `latin1`, else of UTF-8. n_out: its bytes;
 * may be NULL. The caller frees it. NULL without memory. */
char *fit_text_utf8(const char *text, size_t n, bool latin1, size_t *n_out);

#endif
