/* What core alone asks of a text. */
#ifndef CB_TEXT_IMPL_H
#define CB_TEXT_IMPL_H

#include "cb_text.h"

/* As cb_check_line, of lines: UTF-8 whose only control characters are line feed, carriage return and tab. */
CB_CHECKED cb_status cb_check_lines(const char *text, const char *what, cb_err *err);

#endif
