/* Workbooks of Office Open XML (ECMA-376): sheets, shared strings and formats of numbers are parts of their
 * own. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cb_array.h"
#include "cb_num.h"
#include "fit_workbook_impl.h"

static void copy_name(char *out, size_t size, const char *from) {
  (void)snprintf(out, size, "%s", from ? from : "");
}

static void XMLCALL no_text(void *user, const XML_Char *s, int n) { (void)user, (void)s, (void)n; }
static void XMLCALL no_end(void *user, const XML_Char *name) { (void)user, (void)name; }

/* Walks through a part that may be missing. */
static cb_status walk_part(const book *b, const char *path, book_walk *walk, XML_StartElementHandler start,
                           XML_EndElementHandler end, XML_CharacterDataHandler text, cb_err *err) {
  char *xml;
  size_t n;
  CB_TRY(book_part(b, path, &xml, &n, err));
  if (!xml) return CB_OK;
  const cb_status st = book_walk_xml(b, path, xml, n, walk, start, end, text);
  free(xml);
  return st;
}

/* ---- sheets and where they are ---- */

typedef struct book_reader {
  book_walk walk;
  book *b;
} book_reader;

static void XMLCALL list_sheet(void *user, const XML_Char *name, const XML_Char **attributes) {
  book_reader *r = user;
  const char *const *a = (const char *const *)attributes;
  const char *state = book_attribute(a, "state");
  if (strcmp(book_local(name), "sheet") != 0 || (state && strcmp(state, "visible") != 0)) return;
  if (r->b->n_sheets == BOOK_SHEETS) {
    book_walk_stop(&r->walk, cb_fail(r->walk.err, CB_E_RANGE, "more than %d sheets", BOOK_SHEETS));
    return;
  }
  book_sheet *s = &r->b->sheets[r->b->n_sheets++];
  copy_name(s->name, sizeof s->name, book_attribute(a, "name"));
  copy_name(s->id, sizeof s->id, book_attribute(a, "id"));
}

static void XMLCALL find_target(void *user, const XML_Char *name, const XML_Char **attributes) {
  book_reader *r = user;
  const char *id = book_attribute((const char *const *)attributes, "Id"),
             *target = book_attribute((const char *const *)attributes, "Target");
  if (strcmp(book_local(name), "Relationship") != 0 || !id || !target) return;
  for (size_t i = 0; i < r->b->n_sheets; i++) {
    book_sheet *s = &r->b->sheets[i];
    if (strcmp(s->id, id) != 0) continue;
    (void)snprintf(s->path, sizeof s->path, "%s%s", target[0] == '/' ? "" : "xl/",
                   target + (target[0] == '/'));
  }
}

/* ---- formats of numbers ---- */

typedef struct format_reader {
  book_walk walk;
  book *b;
  char own[400]; /* letters of formats of the file's own, from 164 on */
  bool in_cells;
} format_reader;

/* Texts in quotes, brackets and behind a backslash are no part of the form. */
static char letter_of(const char *code) {
  for (const char *c = code; *c; c++) {
    if (*c == '"' || *c == '[') {
      const char *end = strchr(c + 1, *c == '"' ? '"' : ']');
      if (*c == '[' && strchr("hms", tolower((unsigned char)c[1]))) return 'd';
      if (!end) return ' ';
      c = end;
    } else if (*c == '\\' && c[1]) {
      c++;
    } else if (*c == '%') {
      return '%';
    } else if (strchr("yYdDhHsS", *c)) {
      return 'd';
    }
  }
  return ' ';
}

/* The formats that every program knows. */
static char letter_of_known(long id) {
  if (id == 9 || id == 10) return '%';
  return (id >= 14 && id <= 22) || (id >= 45 && id <= 47) ? 'd' : ' ';
}

static void push_format(format_reader *r, long id) {
  book *b = r->b;
  char *grown = cb_array_grow(b->formats, &b->cap_formats, b->n_formats + 1, 1);
  if (!grown) {
    book_walk_stop(&r->walk, cb_no_memory(r->walk.err, "%zu formats", b->n_formats));
    return;
  }
  b->formats = grown;
  const bool own = id >= 164 && id < 164 + (long)sizeof r->own;
  b->formats[b->n_formats++] = own ? r->own[id - 164] : letter_of_known(id);
}

static void XMLCALL read_format(void *user, const XML_Char *name, const XML_Char **attributes) {
  format_reader *r = user;
  const char *local = book_local(name), *id = book_attribute((const char *const *)attributes, "numFmtId"),
             *code = book_attribute((const char *const *)attributes, "formatCode");
  const long number = id ? strtol(id, NULL, 10) : 0;
  if (strcmp(local, "cellXfs") == 0) r->in_cells = true;
  if (strcmp(local, "numFmt") == 0 && code && number >= 164 && number < 164 + (long)sizeof r->own)
    r->own[number - 164] = letter_of(code);
  if (strcmp(local, "xf") == 0 && r->in_cells) push_format(r, number);
}

static void XMLCALL end_format(void *user, const XML_Char *name) {
  format_reader *r = user;
  if (strcmp(book_local(name), "cellXfs") == 0) r->in_cells = false;
}

/* ---- shared strings ---- */

typedef struct string_reader {
  book_walk walk;
  book *b;
  book_text text;
  bool in_text;
  int reading_aid; /* depth within what says how a word is spoken */
} string_reader;

static void XMLCALL begin_string(void *user, const XML_Char *name, const XML_Char **attributes) {
  string_reader *r = user;
  (void)attributes;
  if (strcmp(book_local(name), "rPh") == 0) r->reading_aid++;
  r->in_text = strcmp(book_local(name), "t") == 0 && r->reading_aid == 0;
}

static void XMLCALL add_string_text(void *user, const XML_Char *s, int n) {
  string_reader *r = user;
  if (r->in_text && !book_text_add(&r->text, s, (size_t)n))
    book_walk_stop(&r->walk, cb_no_memory(r->walk.err, "a text of %zu bytes", r->text.n));
}

static void XMLCALL end_string(void *user, const XML_Char *name) {
  string_reader *r = user;
  const char *local = book_local(name);
  r->in_text = false;
  if (strcmp(local, "rPh") == 0) r->reading_aid--;
  if (strcmp(local, "si") != 0) return;
  book *b = r->b;
  char **grown = cb_array_grow(b->strings, &b->cap_strings, b->n_strings + 1, sizeof *grown);
  if (grown) b->strings = grown;
  char *copy = grown ? strdup(r->text.s ? r->text.s : "") : NULL;
  if (!copy) {
    book_walk_stop(&r->walk, cb_no_memory(r->walk.err, "%zu texts", b->n_strings));
    return;
  }
  b->strings[b->n_strings++] = copy;
  r->text.n = 0;
  if (r->text.s) r->text.s[0] = '\0';
}

/* ---- the parts ---- */

cb_status book_xlsx_open(book *b, cb_err *err) {
  book_reader r = {.walk = {.err = err}, .b = b};
  CB_TRY(walk_part(b, "xl/workbook.xml", &r.walk, list_sheet, no_end, no_text, err));
  CB_TRY(walk_part(b, "xl/_rels/workbook.xml.rels", &r.walk, find_target, no_end, no_text, err));
  format_reader f = {.walk = {.err = err}, .b = b};
  memset(f.own, ' ', sizeof f.own);
  CB_TRY(walk_part(b, "xl/styles.xml", &f.walk, read_format, end_format, no_text, err));
  string_reader s = {.walk = {.err = err}, .b = b};
  const cb_status st =
      walk_part(b, "xl/sharedStrings.xml", &s.walk, begin_string, end_string, add_string_text, err);
  free(s.text.s);
  return st;
}

/* ---- cells ---- */

typedef struct cell_reader {
  book_walk walk;
  const book *b;
  book_grid *grid;
  size_t row, column; /* of the cell that is read, from 0 */
  char type[16], format;
  book_text text;
  bool in_value;
} cell_reader;

/* "BC12": the column and the row, from 0. */
static bool read_place(const char *ref, size_t *row, size_t *column) {
  size_t letters = 0, c = 0;
  for (; isupper((unsigned char)ref[letters]) && letters < 4; letters++)
    c = 26 * c + (size_t)(ref[letters] - 'A' + 1);
  const long r = strtol(ref + letters, NULL, 10);
  if (letters == 0 || r < 1) return false;
  *row = (size_t)r - 1;
  *column = c - 1;
  return true;
}

static char format_of(const book *b, const char *style) {
  const long i = style ? strtol(style, NULL, 10) : 0;
  return i >= 0 && (size_t)i < b->n_formats ? b->formats[i] : ' ';
}

static void XMLCALL begin_cell(void *user, const XML_Char *name, const XML_Char **attributes) {
  cell_reader *r = user;
  const char *const *a = (const char *const *)attributes;
  const char *local = book_local(name), *ref = book_attribute(a, "r");
  r->in_value = strcmp(local, "v") == 0 || strcmp(local, "t") == 0;
  if (strcmp(local, "row") == 0) {
    const long n = ref ? strtol(ref, NULL, 10) : 0;
    r->row = n > 0 ? (size_t)n - 1 : r->row + 1;
    r->column = SIZE_MAX;
  }
  if (strcmp(local, "c") != 0) return;
  r->column++;
  if (ref && !read_place(ref, &r->row, &r->column))
    book_walk_stop(&r->walk, cb_fail(r->walk.err, CB_E_PARSE, "'%.20s' is no place of a cell", ref));
  copy_name(r->type, sizeof r->type, book_attribute(a, "t"));
  r->format = format_of(r->b, book_attribute(a, "s"));
  r->text.n = 0;
  if (r->text.s) r->text.s[0] = '\0';
}

static void XMLCALL add_cell_text(void *user, const XML_Char *s, int n) {
  cell_reader *r = user;
  if (r->in_value && !book_text_add(&r->text, s, (size_t)n))
    book_walk_stop(&r->walk, cb_no_memory(r->walk.err, "a text of %zu bytes", r->text.n));
}

/* Days since the end of 1899 in ISO's form; less than one is a time of day. */
static void write_date(double days, char *out, size_t size) {
  const double seconds = round(days * 86400 * 1000) / 1000, whole = floor(days);
  const time_t t = (time_t)((whole - 25569) * 86400);
  struct tm day = {0};
  char date[40] = "";
  const double rest = fmax(0, seconds - whole * 86400);
  const int minutes = (int)(rest / 60);
  if (whole >= 1 && gmtime_r(&t, &day)) (void)strftime(date, sizeof date, "%Y-%m-%d ", &day);
  (void)snprintf(out, size, "%s%02d:%02d:%06.3f", date, minutes / 60, minutes % 60, rest - 60 * minutes);
}

/* A number as the sheet shows it, where its format changes what it is. */
static void write_number(const char *text, char format, char *out, size_t size) {
  double v;
  copy_name(out, size, text);
  if (format == ' ' || cb_parse_double(text, "", &v, NULL) != CB_OK) return;
  if (format == '%')
    (void)snprintf(out, size, "%.14g %%", 100 * v);
  else if (v >= 0 && v < 2958466)
    write_date(v, out, size);
}

static void put_value(cell_reader *r) {
  char number[80];
  const char *text = r->text.s ? r->text.s : "";
  if (strcmp(r->type, "s") == 0) {
    const long i = strtol(text, NULL, 10);
    text = i >= 0 && (size_t)i < r->b->n_strings ? r->b->strings[i] : "";
  } else if ((!r->type[0] || strcmp(r->type, "n") == 0) && strlen(text) < sizeof number) {
    write_number(text, r->format, number, sizeof number);
    text = number;
  }
  const cb_status st = book_grid_put(r->grid, r->row, r->column, text, r->walk.err);
  if (st != CB_OK) book_walk_stop(&r->walk, st);
}

static void XMLCALL end_cell(void *user, const XML_Char *name) {
  cell_reader *r = user;
  r->in_value = false;
  if (strcmp(book_local(name), "c") == 0) put_value(r);
}

cb_status book_xlsx_sheet(const book *b, size_t sheet, book_grid *out, cb_err *err) {
  cell_reader r = {.walk = {.err = err}, .b = b, .grid = out, .row = SIZE_MAX, .column = SIZE_MAX};
  const cb_status st = walk_part(b, b->sheets[sheet].path, &r.walk, begin_cell, end_cell, add_cell_text, err);
  free(r.text.s);
  return st;
}
