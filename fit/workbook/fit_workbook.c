#include "fit_workbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_draft.h"
#include "cb_array.h"
#include "cb_plural.h"
#include "fit_text.h"
#include "fit_workbook_impl.h"

#define MAX_ROWS 1048576
#define MAX_COLUMNS 16384
#define MAX_CELLS 5000000            /* with a text */
#define MAX_WRITTEN 20000000         /* cells of the text, empty ones among them */
#define MAX_PART ((size_t)256 << 20) /* bytes of an unpacked part */

/* ---- texts ---- */

bool book_text_add(book_text *t, const char *s, size_t n) {
  char *grown = cb_array_grow(t->s, &t->cap, t->n + n + 1, 1);
  if (!grown) return false;
  t->s = grown;
  memcpy(t->s + t->n, s, n);
  t->n += n;
  t->s[t->n] = '\0';
  return true;
}

/* ---- cells ---- */

cb_status book_grid_put(book_grid *g, size_t row, size_t column, const char *text, cb_err *err) {
  if (!text || !text[0]) return CB_OK;
  if (row >= MAX_ROWS || column >= MAX_COLUMNS)
    return cb_fail(err, CB_E_RANGE, "a cell in row %zu, column %zu: at most %d and %d are read", row + 1,
                   column + 1, MAX_ROWS, MAX_COLUMNS);
  if (g->n >= MAX_CELLS) return cb_fail(err, CB_E_RANGE, "more than %d cells", MAX_CELLS);
  const book_cell *last = g->n > 0 ? &g->cells[g->n - 1] : NULL;
  if (last && (row < last->row || (row == last->row && column <= last->column)))
    return cb_fail(err, CB_E_PARSE, "the cells of row %zu are out of order", row + 1);
  book_cell *grown = cb_array_grow(g->cells, &g->cap, g->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu cells", g->n + 1);
  g->cells = grown;
  char *copy = strdup(text);
  if (!copy) return cb_no_memory(err, "%zu cells", g->n + 1);
  g->cells[g->n++] = (book_cell){row, column, copy};
  return CB_OK;
}

static void clear_grid(book_grid *g) {
  for (size_t i = 0; i < g->n; i++) free(g->cells[i].text);
  free(g->cells);
  *g = (book_grid){.n = 0};
}

/* A line of the text is one of the file: line ends within a cell become blanks. */
static void put_cell(FILE *to, const char *text) {
  const bool quoted = strpbrk(text, "\"\t\r\n") || text[0] == '#' || text[0] == ' ';
  if (quoted) fputc('"', to);
  for (; *text; text++) {
    if (*text == '"') fputc('"', to);
    fputc(strchr("\t\r\n", *text) ? ' ' : *text, to);
  }
  if (quoted) fputc('"', to);
}

/* Every row that has a cell gets as many cells as the widest. */
static void put_rows(const book_grid *g, size_t width, FILE *to) {
  size_t i = 0;
  for (size_t row = 0; i < g->n; row++) {
    for (size_t column = 0; i < g->n && g->cells[i].row == row && column < width; column++) {
      if (g->cells[i].column == column) put_cell(to, g->cells[i++].text);
      const bool more = i < g->n && g->cells[i].row == row;
      if (!more)
        for (; column + 1 < width; column++) fputc('\t', to);
      if (column + 1 < width) fputc('\t', to);
    }
    fputc('\n', to);
  }
}

static cb_status write_grid(const book_grid *g, const char *name, char **text, size_t *n, cb_err *err) {
  size_t width = 0;
  for (size_t i = 0; i < g->n; i++)
    if (g->cells[i].column >= width) width = g->cells[i].column + 1;
  const size_t rows = g->n > 0 ? g->cells[g->n - 1].row + 1 : 0;
  if (rows * width > MAX_WRITTEN)
    return cb_fail(err, CB_E_RANGE, "%s: %zu row%s of %zu column%s: at most %d cells are read", name, rows,
                   CB_S(rows), width, CB_S(width), MAX_WRITTEN);
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  put_rows(g, width, d.to);
  const cb_status st = cb_draft_end(&d, CB_OK, text, err);
  *n = d.n;
  return st;
}

/* ---- parts ---- */

cb_status book_part(const book *b, const char *path, char **text, size_t *n, cb_err *err) {
  zip_stat_t about;
  *text = NULL;
  if (zip_stat(b->zip, path, ZIP_FL_NOCASE, &about) != 0) return CB_OK;
  if (!(about.valid & ZIP_STAT_SIZE) || about.size > MAX_PART)
    return cb_fail(err, CB_E_RANGE, "%s: %s: more than %zu bytes", b->name, path, MAX_PART);
  zip_file_t *file = zip_fopen_index(b->zip, about.index, 0);
  if (!file)
    return cb_fail(err, CB_E_PARSE, "%s: %s cannot be unpacked: %s", b->name, path, zip_strerror(b->zip));
  *n = (size_t)about.size;
  *text = malloc(*n + 1);
  const zip_int64_t got = *text ? zip_fread(file, *text, *n) : 0;
  (void)zip_fclose(file);
  if (*text && got == (zip_int64_t)*n) return CB_OK;
  const bool memory = !*text;
  free(*text);
  *text = NULL;
  return memory ? cb_no_memory(err, "%s: %s", b->name, path)
                : cb_fail(err, CB_E_PARSE, "%s: %s cannot be unpacked", b->name, path);
}

/* ---- XML ---- */

const char *book_local(const char *name) {
  const char *colon = strchr(name, ':');
  return colon ? colon + 1 : name;
}

const char *book_attribute(const char *const *attributes, const char *local) {
  for (; attributes[0]; attributes += 2)
    if (strcmp(book_local(attributes[0]), local) == 0) return attributes[1];
  return NULL;
}

void book_walk_stop(book_walk *walk, cb_status st) {
  if (walk->st == CB_OK) walk->st = st;
  (void)XML_StopParser(walk->parser, XML_FALSE);
}

/* Entities are how a small file becomes a large one; no workbook has a document type. */
static void refuse_doctype(void *user, const XML_Char *a, const XML_Char *b, const XML_Char *c,
                           int internal) {
  book_walk *walk = user;
  (void)a, (void)b, (void)c, (void)internal;
  book_walk_stop(walk, cb_fail(walk->err, CB_E_PARSE, "a document type"));
}

cb_status book_walk_xml(const book *b, const char *path, const char *xml, size_t n, book_walk *walk,
                        XML_StartElementHandler start, XML_EndElementHandler end,
                        XML_CharacterDataHandler text) {
  walk->parser = XML_ParserCreate(NULL);
  walk->st = CB_OK;
  if (!walk->parser) return cb_no_memory(walk->err, "%s: %s", b->name, path);
  XML_SetUserData(walk->parser, walk);
  XML_SetElementHandler(walk->parser, start, end);
  XML_SetCharacterDataHandler(walk->parser, text);
  XML_SetStartDoctypeDeclHandler(walk->parser, refuse_doctype);
  const enum XML_Status done = XML_Parse(walk->parser, xml, (int)n, 1);
  cb_status st = walk->st;
  if (st != CB_OK)
    st = cb_fail_in(walk->err, st, "%s: %s", b->name, path);
  else if (done != XML_STATUS_OK)
    st = cb_fail(walk->err, CB_E_PARSE, "%s: %s:%lu: %s", b->name, path,
                 (unsigned long)XML_GetCurrentLineNumber(walk->parser),
                 XML_ErrorString(XML_GetErrorCode(walk->parser)));
  XML_ParserFree(walk->parser);
  return st;
}

/* ---- the whole ---- */

bool fit_workbook_is(const char *bytes, size_t n) {
  return n >= 8 &&
         (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8) == 0);
}

typedef cb_status reader(const book *b, size_t sheet, book_grid *out, cb_err *err);

static cb_status fail_sheets(const book *b, const char *says, cb_err *err) {
  char list[300] = "";
  for (size_t i = 0; i < b->n_sheets; i++) cb_text_add(list, sizeof list, ", ", "'%s'", b->sheets[i].name);
  return cb_fail(err, CB_E_NOTFOUND, "%s: %s; the sheets are %s", b->name, says, list);
}

static cb_status find_named(const book *b, const char *sheet, reader *read, book_grid *out, size_t *used,
                            cb_err *err) {
  char says[100];
  for (*used = 0; *used < b->n_sheets; ++*used)
    if (strcmp(b->sheets[*used].name, sheet) == 0) return read(b, *used, out, err);
  (void)snprintf(says, sizeof says, "no sheet '%.60s'", sheet);
  return fail_sheets(b, says, err);
}

static cb_status find_only(const book *b, reader *read, book_grid *out, size_t *used, cb_err *err) {
  for (size_t i = 0; i < b->n_sheets; i++) {
    book_grid g = {.n = 0};
    const cb_status st = read(b, i, &g, err);
    const bool second = st == CB_OK && g.n > 0 && out->n > 0;
    if (st != CB_OK || g.n == 0 || second)
      clear_grid(&g);
    else
      *out = g, *used = i;
    if (st != CB_OK) return st;
    if (second) return fail_sheets(b, "several sheets have cells: the name of one of them was wanted", err);
  }
  return out->n > 0 ? CB_OK : cb_fail(err, CB_E_PARSE, "%s: no sheet has a cell", b->name);
}

static cb_status read_sheet(book *b, const char *sheet, book_grid *grid, size_t *used, cb_err *err) {
  const bool ods = zip_name_locate(b->zip, "content.xml", 0) >= 0;
  reader *read = ods ? book_ods_sheet : book_xlsx_sheet;
  CB_TRY(ods ? book_ods_open(b, err) : book_xlsx_open(b, err));
  if (b->n_sheets == 0) return cb_fail(err, CB_E_PARSE, "%s: no workbook: no sheets are in it", b->name);
  return sheet[0] ? find_named(b, sheet, read, grid, used, err) : find_only(b, read, grid, used, err);
}

static void close_book(book *b) {
  for (size_t i = 0; i < b->n_strings; i++) free(b->strings[i]);
  free(b->strings);
  free(b->formats);
  if (b->zip) zip_discard(b->zip);
  free(b);
}

static zip_t *open_zip(const char *bytes, size_t n) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(bytes, n, 0, &error);
  zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
  if (source && !zip) zip_source_free(source);
  zip_error_fini(&error);
  return zip;
}

cb_status fit_workbook_text(const char *bytes, size_t n, const char *name, const char *sheet, char *used,
                            char **text, size_t *n_out, cb_err *err) {
  size_t at = 0;
  book_grid grid = {.n = 0};
  *text = NULL;
  if (memcmp(bytes, "PK", 2) != 0)
    return cb_fail(err, CB_E_PARSE,
                   "%s: a workbook of an older form: one saved as .xlsx, .ods or CSV was wanted", name);
  book *b = calloc(1, sizeof *b);
  if (!b) return cb_no_memory(err, "%s", name);
  b->name = name;
  b->zip = open_zip(bytes, n);
  cb_status st = b->zip ? read_sheet(b, sheet, &grid, &at, err)
                        : cb_fail(err, CB_E_PARSE, "%s: a packed file that is cut or damaged", name);
  if (st == CB_OK) memcpy(used, b->sheets[at].name, BOOK_NAME);
  if (st == CB_OK) st = write_grid(&grid, name, text, n_out, err);
  clear_grid(&grid);
  close_book(b);
  return st;
}

cb_status fit_workbook_or_text(const char *bytes, size_t n, const char *encoding, const char *sheet,
                               const char *name, char *separator, char **text, size_t *n_out, cb_err *err) {
  char used[BOOK_NAME];
  if (!fit_workbook_is(bytes, n)) return fit_text_decode(bytes, n, encoding, name, text, n_out, err);
  *separator = '\t';
  return fit_workbook_text(bytes, n, name, sheet, used, text, n_out, err);
}
