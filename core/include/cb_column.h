/* What a number or a text may be in a column of the store: one table for all who read, import, merge, write and check.
 *
 * The bounds are those of a textile laboratory with room to spare: a value outside is no measurement but damage, a wrong unit or malice.
 * They also keep arithmetic safe: squares and products of values inside them neither overflow nor lose their sign. */
#ifndef CB_COLUMN_H
#define CB_COLUMN_H

#include <stdbool.h>

#include "cb_err.h"

typedef enum cb_column_kind {
  CB_COLUMN_NUMBER,
  CB_COLUMN_LINE,  /* one line of plain text (cb_text.h) */
  CB_COLUMN_LINES, /* plain text */
  CB_COLUMN_JSON,  /* plain text that is "" or JSON */
  CB_COLUMN_BYTES
} cb_column_kind;

typedef struct cb_column {
  const char *name; /* "angle_deg"; "friction_law.dof" where the column of one table has bounds of its own */
  cb_column_kind kind;
  double min, max; /* of numbers, both allowed */
} cb_column;

/* NULL: there is no such column in any table. */
const cb_column *cb_column_find(const char *table, const char *column);

/* CB_OK, or CB_E_RANGE: `what = value: must be min to max`. A NaN is refused: NULL is what "not known" is. */
CB_CHECKED cb_status cb_column_check(const cb_column *c, double value, const char *what, cb_err *err);
/* The same for a text. JSON is looked at as text only. */
CB_CHECKED cb_status cb_column_check_text(const cb_column *c, const char *text, const char *what, cb_err *err);

#endif
