/* Workbooks of OpenDocument (ISO/IEC 26300): one part has all sheets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "fit_workbook_impl.h"

#define PART "content.xml"

typedef struct cell_reader {
  book_walk walk;
  book *list;    /* the names of all sheets are wanted ... */
  size_t wanted; /* ... or the cells of this one */
  size_t sheets; /* that began */
  book_grid *grid;
  size_t row, column;   /* from 0 */
  size_t rows, columns; /* for which the row and the cell that are read stand */
  char value[80], type[16];
  book_text text;
  int notes; /* depth within annotations */
  bool in_paragraph, in_cell;
} cell_reader;

static size_t read_count(const char *const *attributes, const char *name) {
  const char *text = book_attribute(attributes, name);
  const long n = text ? strtol(text, NULL, 10) : 1;
  return n > 0 ? (size_t)n : 1;
}

static void begin_sheet(cell_reader *r, const char *const *attributes) {
  const char *name = book_attribute(attributes, "name");
  r->row = 0, r->rows = 0;
  r->sheets++;
  if (!r->list) return;
  if (r->list->n_sheets == BOOK_SHEETS) {
    book_walk_stop(&r->walk, cb_fail(r->walk.err, CB_E_RANGE, "more than %d sheets", BOOK_SHEETS));
    return;
  }
  book_sheet *s = &r->list->sheets[r->list->n_sheets++];
  (void)snprintf(s->name, sizeof s->name, "%s", name ? name : "");
}

static void begin_cell(cell_reader *r, const char *const *a) {
  const char *value = book_attribute(a, "value"), *type = book_attribute(a, "value-type");
  r->columns = read_count(a, "number-columns-repeated");
  (void)snprintf(r->value, sizeof r->value, "%s", value ? value : "");
  (void)snprintf(r->type, sizeof r->type, "%s", type ? type : "");
  r->text.n = 0;
  if (r->text.s) r->text.s[0] = '\0';
  r->in_cell = true;
}

static void add_text(cell_reader *r, const char *s, size_t n) {
  if (!book_text_add(&r->text, s, n))
    book_walk_stop(&r->walk, cb_no_memory(r->walk.err, "a text of %zu bytes", r->text.n));
}

static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **attributes) {
  cell_reader *r = user;
  const char *const *a = (const char *const *)attributes;
  const char *local = book_local(name);
  if (strcmp(local, "table") == 0) begin_sheet(r, a);
  if (r->list || r->sheets != r->wanted + 1) return;
  if (strcmp(local, "annotation") == 0) r->notes++;
  if (strcmp(local, "table-row") == 0) {
    r->row += r->rows;
    r->rows = read_count(a, "number-rows-repeated");
    r->column = 0;
  } else if (strcmp(local, "table-cell") == 0 || strcmp(local, "covered-table-cell") == 0) {
    begin_cell(r, a);
  } else if (strcmp(local, "p") == 0 && r->in_cell && r->notes == 0) {
    if (r->text.n > 0) add_text(r, " ", 1);
    r->in_paragraph = true;
  } else if (strcmp(local, "s") == 0 && r->in_paragraph) {
    add_text(r, " ", 1);
  }
}

static void XMLCALL text(void *user, const XML_Char *s, int n) {
  cell_reader *r = user;
  if (r->in_paragraph) add_text(r, s, (size_t)n);
}

/* Numbers as they are stored, all else as it is shown. */
static const char *find_text(cell_reader *r, char number[80]) {
  double v;
  const bool percent = strcmp(r->type, "percentage") == 0;
  if (!percent && strcmp(r->type, "float") != 0) return r->text.s;
  if (!percent || cb_parse_double(r->value, "", &v, NULL) != CB_OK) return r->value;
  (void)snprintf(number, 80, "%.14g %%", 100 * v);
  return number;
}

/* Empty cells and rows are repeated to the end of the sheet. */
static void end_cell(cell_reader *r) {
  char number[80];
  const char *shown = find_text(r, number);
  r->in_cell = false;
  for (size_t i = 0; shown && shown[0] && i < r->columns; i++) {
    const cb_status st = book_grid_put(r->grid, r->row, r->column + i, shown, r->walk.err);
    if (st == CB_OK) continue;
    book_walk_stop(&r->walk, st);
    return;
  }
  r->column += r->columns;
}

/* A row that stands for several is copied. */
static void end_row(cell_reader *r) {
  size_t first = r->grid->n;
  while (first > 0 && r->grid->cells[first - 1].row == r->row) first--;
  const size_t n = r->grid->n - first;
  for (size_t copy = 1; n > 0 && copy < r->rows; copy++)
    for (size_t i = 0; i < n; i++) {
      const book_cell *c = &r->grid->cells[first + i];
      const cb_status st = book_grid_put(r->grid, r->row + copy, c->column, c->text, r->walk.err);
      if (st == CB_OK) continue;
      book_walk_stop(&r->walk, st);
      return;
    }
}

static void XMLCALL end(void *user, const XML_Char *name) {
  cell_reader *r = user;
  const char *local = book_local(name);
  if (r->list || r->sheets != r->wanted + 1) return;
  if (strcmp(local, "annotation") == 0) r->notes--;
  if (strcmp(local, "p") == 0) r->in_paragraph = false;
  if (strcmp(local, "table-row") == 0) end_row(r);
  if (r->in_cell && (strcmp(local, "table-cell") == 0 || strcmp(local, "covered-table-cell") == 0))
    end_cell(r);
  if (strcmp(local, "table") == 0) r->sheets++; /* what follows is not wanted */
}

static cb_status walk_content(const book *b, cell_reader *r, cb_err *err) {
  char *xml;
  size_t n;
  CB_TRY(book_part(b, PART, &xml, &n, err));
  if (!xml) return cb_fail(err, CB_E_PARSE, "%s: no " PART, b->name);
  const cb_status st = book_walk_xml(b, PART, xml, n, &r->walk, begin, end, text);
  free(xml);
  free(r->text.s);
  return st;
}

cb_status book_ods_open(book *b, cb_err *err) {
  cell_reader r = {.walk = {.err = err}, .list = b};
  return walk_content(b, &r, err);
}

cb_status book_ods_sheet(const book *b, size_t sheet, book_grid *out, cb_err *err) {
  cell_reader r = {.walk = {.err = err}, .wanted = sheet, .grid = out};
  return walk_content(b, &r, err);
}
