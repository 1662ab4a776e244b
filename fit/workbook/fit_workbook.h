/* A sheet of a workbook (.xlsx, .ods) as a text of rows and tabs; private to fit/.
 *
 * A row of the sheet is a line of the text, so that lines count as rows do. Numbers are written as they are
 * stored, with a point; a percentage as "12 %"; a date or time of .xlsx in ISO's form, of .ods as it is
 * shown. Formulas count by the value that the program stored. Hidden sheets of .xlsx are not read. */
#ifndef FIT_WORKBOOK_H
#define FIT_WORKBOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

bool fit_workbook_is(const char *bytes, size_t n);

/* Reads the sheet of this name; "": the only one that has cells. used, of 64 bytes, gets its name. The caller
 * frees *text. Errors: CB_E_PARSE for what is no workbook, or one of an older form; CB_E_NOTFOUND for another
 * sheet, or several: the sentence lists them; CB_E_RANGE for one that is too large; CB_E_NOMEM. */
CB_CHECKED cb_status fit_workbook_text(const char *bytes, size_t n, const char *name, const char *sheet,
                                       char *used, char **text, size_t *n_out, cb_err *err);

/* The same of a workbook, fit_text_decode of any other file. Of a workbook *separator becomes a tab. */
CB_CHECKED cb_status fit_workbook_or_text(const char *bytes, size_t n, const char *encoding,
                                          const char *sheet, const char *name, char *separator, char **text,
                                          size_t *n_out, cb_err *err);

#endif
