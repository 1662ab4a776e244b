/* Allowed numbers and texts of each column of the store: one table for reading, import, merge, writing and
 * checks.
 *
 * The bounds are those of a textile laboratory with a wide margin. A value outside is no measurement, but
 * damage, a wrong unit or malice. The bounds also keep arithmetic safe: squares and products of values inside
 * them do not overflow. */
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
  const char *name; /* "angle_deg"; "friction_law.dof" where one table has its own bounds */
  cb_column_kind kind;
  double min, max; /* of numbers; both are allowed */
} cb_column;

/* Returns the column of a table, or NULL if no table has such a column. The column is static. */
const cb_column *cb_column_find(const char *table, const char *column);

/* Checks a number against the column's bounds.
 * Errors: CB_E_RANGE, "what = value: must be min to max"; also for a NaN, as an unknown value is stored as
 * NULL, and for a column of text. */
CB_CHECKED cb_status cb_column_check(const cb_column *c, double value, const char *what, cb_err *err);
/* Checks the characters of a text; whether JSON is well-formed is not checked.
 * Errors: CB_E_RANGE, also for a column of numbers. */
CB_CHECKED cb_status cb_column_check_text(const cb_column *c, const char *text, const char *what,
                                          cb_err *err);

#endif
