/* The parts of the reader of workbooks, private to fit/workbook/. */
#ifndef FIT_WORKBOOK_IMPL_H
#define FIT_WORKBOOK_IMPL_H

#include <expat.h>
#include <stdbool.h>
#include <stddef.h>
#include <zip.h>

#include "cb_err.h"

#define BOOK_SHEETS 64
#define BOOK_NAME 64

/* ---- texts ---- */

/* A text that grows, NUL-terminated; NULL while it is empty. */
typedef struct book_text {
  char *s; /* owned */
  size_t n, cap;
} book_text;
/* Returns false without memory. */
CB_CHECKED bool book_text_add(book_text *t, const char *s, size_t n);

/* ---- cells ---- */

typedef struct book_cell {
  size_t row, column; /* from 0 */
  char *text;         /* owned */
} book_cell;

typedef struct book_grid {
  book_cell *cells; /* owned; in the order of rows */
  size_t n, cap;
} book_grid;

/* Adds a cell whose text is not empty. Errors: CB_E_RANGE beyond the rows and columns of a sheet, and for
 * cells out of order; CB_E_NOMEM. */
CB_CHECKED cb_status book_grid_put(book_grid *g, size_t row, size_t column, const char *text, cb_err *err);

/* ---- the file ---- */

typedef struct book_sheet {
  char name[BOOK_NAME], id[BOOK_NAME], path[2 * BOOK_NAME]; /* id, path: of .xlsx */
} book_sheet;

typedef struct book {
  const char *name; /* of the file, for errors */
  zip_t *zip;
  book_sheet sheets[BOOK_SHEETS]; /* visible ones */
  size_t n_sheets;
  char **strings; /* shared ones of .xlsx; owned */
  size_t n_strings, cap_strings;
  char *formats; /* of .xlsx, one letter for each style: '%', 'd' for a date, or ' '; owned */
  size_t n_formats, cap_formats;
} book;

/* Unpacks a part. *text NULL: it is not there. The caller frees it. */
CB_CHECKED cb_status book_part(const book *b, const char *path, char **text, size_t *n, cb_err *err);

/* Walks through the XML of a part. `walk` has the handlers of the caller, whose user data begins with a
 * book_walk. A handler that fails sets walk->st and walk->err. */
typedef struct book_walk {
  XML_Parser parser;
  cb_status st;
  cb_err *err;
} book_walk;
CB_CHECKED cb_status book_walk_xml(const book *b, const char *path, const char *xml, size_t n,
                                   book_walk *walk, XML_StartElementHandler start, XML_EndElementHandler end,
                                   XML_CharacterDataHandler text);
void book_walk_stop(book_walk *walk, cb_status st);

/* The name without its prefix: "table:table-row" is "table-row". */
const char *book_local(const char *name);
/* The value of an attribute; NULL: it is not there. */
const char *book_attribute(const char *const *attributes, const char *local);

/* ---- the two forms ---- */

CB_CHECKED cb_status book_xlsx_open(book *b, cb_err *err);
CB_CHECKED cb_status book_xlsx_sheet(const book *b, size_t sheet, book_grid *out, cb_err *err);
CB_CHECKED cb_status book_ods_open(book *b, cb_err *err);
CB_CHECKED cb_status book_ods_sheet(const book *b, size_t sheet, book_grid *out, cb_err *err);

#endif
