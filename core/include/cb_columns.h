/* How wide UTF-8 stands on a terminal. Signs of Chinese, Japanese and Korean, and what has their width, take
 * two columns (Unicode Standard Annex 11, W and F). No locale is asked. */
#ifndef CB_COLUMNS_H
#define CB_COLUMNS_H

#include <stddef.h>

/* The columns of the first n bytes. */
size_t cb_columns(const char *text, size_t n);
/* How many of the first n bytes fit into so many columns, in whole letters. */
size_t cb_columns_fit(const char *text, size_t n, size_t columns);
/* How many bytes stay together in one line: a word up to a blank, a line feed or a wide sign; a wide sign;
 * each with the closing marks behind it. */
size_t cb_columns_word(const char *text);

#endif
