/* Units as people and machines write them, private to fit/. */
#ifndef FIT_UNIT_H
#define FIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_num.h"

/* Returns the unit as a mapping has it, with a factor where there is no such unit: "cN" is "0.01 N". NULL:
 * none known. *dim: its dimension. */
const char *fit_unit_find(const char *text, cb_dim *dim);
/* Whether the text is nothing but a unit. */
bool fit_unit_is(const char *text);

/* Returns the ASCII text of a letter beyond ASCII (UTF-8) that stands at `at`; NULL: it is none that tables
 * have. *length: its bytes, 1 if NULL. */
const char *fit_unit_letter(const char *at, size_t *length);

#endif
