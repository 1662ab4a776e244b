#include "fit_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_digit.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "cb_yaml.h"
#include "fit_cells.h"
#include "fit_text.h"
#include "fit_table_raw.h"
#include "fit_workbook.h"

#define MAX_MAPPING_BYTES ((size_t)1 << 20)
#define TO_FILL_IN "?" /* in a guessed mapping: what the table does not say (fit_guess.h) */

/* How the mapping gives a field. */
typedef struct column {
  bool given;
  bool constant;
  size_t index; /* in the table */
  double to_si, offset;
  double u_rel, digit;
  char text[128]; /* of a constant */
  char unit[32];  /* as the mapping states it */
  cb_ynode words; /* numbers that texts stand for */
  double *v;      /* as written; owned; NULL: a text */
} column;

struct fit_table {
  cb_yaml *doc;
  cb_csv *csv;
  size_t n_fields;
  const fit_table_field *fields;
  column *columns;
  char decimal;       /* '.' or ',' */
  const char **units; /* of a row below the header, a text for each column; NULL: there is none; owned */
  char kind[32], method[32], source[256], fingerprint[17], note[256];
};

#define AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* ---- mapping ---- */

typedef struct head {
  char kind[32], method[32], source[256], separator[8], encoding[16], sheet[64];
  bool header, decimal_comma;
  int skip_lines, last_line;
  cb_ynode columns, leave_out;
} head;

typedef struct entry {
  char column[64], value[128], unit[32];
  double u_rel;
  cb_ynode words;
} entry;

static cb_status bind_head(cb_ynode root, head *h, cb_err *err) {
  static const cb_yfield fields[] = {
      {"kind", CB_Y_STR, AT(head, kind), .required = true},
      {"method", CB_Y_STR, AT(head, method)},
      {"source", CB_Y_STR, AT(head, source), .required = true},
      {"separator", CB_Y_STR, AT(head, separator)},
      {"header", CB_Y_BOOL, AT(head, header)},
      {"decimal_comma", CB_Y_BOOL, AT(head, decimal_comma)},
      {"skip_lines", CB_Y_INT, AT(head, skip_lines), .min = 0, .max = 10000},
      {"last_line", CB_Y_INT, AT(head, last_line), .min = 1, .max = 1e9},
      {"encoding", CB_Y_STR, AT(head, encoding)},
      {"sheet", CB_Y_STR, AT(head, sheet)},
      {"columns", CB_Y_NODE, AT(head, columns), .required = true},
      {"leave_out", CB_Y_NODE, AT(head, leave_out)},
  };
  *h = (head){.header = true};
  CB_TRY(cb_yaml_bind(root, fields, sizeof fields / sizeof fields[0], h, err));
  if (strcmp(h->source, TO_FILL_IN) == 0)
    return cb_yaml_fail(root, err, CB_E_PARSE, "source = '?': who measured it was wanted");
  bool known = !h->encoding[0];
  for (size_t i = 0; fit_text_encodings[i]; i++) known |= strcmp(h->encoding, fit_text_encodings[i]) == 0;
  if (!known)
    return cb_yaml_fail(root, err, CB_E_PARSE, "encoding = '%s': utf-8, utf-16, latin1 or gb18030 was wanted",
                        h->encoding);
  if (strlen(h->separator) > 1)
    return cb_yaml_fail(root, err, CB_E_PARSE, "separator = '%s': one character was wanted", h->separator);
  if (h->decimal_comma && (!h->separator[0] || h->separator[0] == ','))
    return cb_yaml_fail(root, err, CB_E_PARSE,
                        "decimal_comma: the table's separator must be given, and be another character");
  return CB_OK;
}

/* Every name under `columns` must be one that is read: cb_yaml_bind refuses the others. */
static cb_status bind_columns(fit_table *t, cb_ynode map, cb_ynode *nodes, cb_err *err) {
  cb_yfield *fields = calloc(t->n_fields, sizeof *fields);
  if (!fields) return cb_no_memory(err, "%zu columns", t->n_fields);
  for (size_t i = 0; i < t->n_fields; i++)
    fields[i] = (cb_yfield){.key = t->fields[i].name,
                            .kind = CB_Y_NODE,
                            .offset = i * sizeof *nodes,
                            .required = t->fields[i].required};
  cb_status st = cb_yaml_bind(map, fields, t->n_fields, nodes, err);
  free(fields);
  return st;
}

/* "100 cm2": the unit, and its factor. */
static const cb_unit *find_multiple(const char *text, double *factor) {
  char number[32] = "";
  const char *blank = strchr(text, ' ');
  if (!blank || blank - text >= (ptrdiff_t)sizeof number) return NULL;
  memcpy(number, text, (size_t)(blank - text));
  if (cb_parse_double(number, "factor", factor, NULL) != CB_OK) return NULL;
  return cb_unit_find(blank + strspn(blank, " "));
}

/* "mm", "0.2527 mm" */
static cb_status find_unit(cb_ynode at, const char *text, const fit_table_field *f, column *c, cb_err *err) {
  double factor = 1;
  const cb_unit *u = cb_unit_find(text);
  if (!u) u = find_multiple(text, &factor);
  if (!u || u->dim != f->dim || factor == 0) {
    char allowed[160];
    cb_unit_list(f->dim, allowed, sizeof allowed);
    return cb_yaml_fail(at, err, CB_E_PARSE, "%s: unit = '%s': must be one of %s", f->name, text, allowed);
  }
  c->to_si = factor * u->to_si;
  c->offset = u->offset;
  return CB_OK;
}

static cb_status bind_entry(cb_ynode node, const fit_table_field *f, const cb_csv *csv, column *c,
                            cb_err *err) {
  static const cb_yfield keys[] = {
      {"column", CB_Y_STR, AT(entry, column)}, {"value", CB_Y_STR, AT(entry, value)},
      {"unit", CB_Y_STR, AT(entry, unit)},     {"u_rel", CB_Y_NUM, AT(entry, u_rel), .min = 0, .max = 1},
      {"words", CB_Y_NODE, AT(entry, words)},
  };
  entry e = {.column = ""};
  CB_TRY(cb_yaml_bind(node, keys, sizeof keys / sizeof keys[0], &e, err));
  *c =
      (column){.given = true, .constant = e.value[0] != '\0', .to_si = 1, .u_rel = e.u_rel, .words = e.words};
  (void)snprintf(c->text, sizeof c->text, "%s", e.value);
  memcpy(c->unit, e.unit, sizeof e.unit);
  bool number = f->dim != CB_DIM_NONE, unit = number && f->dim != CB_DIM_COUNT;
  if (!e.column[0] == !e.value[0])
    return cb_yaml_fail(node, err, CB_E_PARSE, "%s: either column or value was wanted", f->name);
  if (strcmp(e.value, TO_FILL_IN) == 0 || strcmp(e.unit, TO_FILL_IN) == 0)
    return cb_yaml_fail(node, err, CB_E_PARSE, "%s = '?': %s was wanted", f->name,
                        e.value[0] ? "its value" : "its unit");
  if (unit && !e.unit[0])
    return cb_yaml_fail(node, err, CB_E_PARSE, "%s: the key 'unit' is missing", f->name);
  if (!unit && e.unit[0])
    return cb_yaml_fail(node, err, CB_E_PARSE, "%s: unit = '%s': it has none", f->name, e.unit);
  if (unit) CB_TRY(find_unit(node, e.unit, f, c, err));
  return c->constant ? CB_OK : cb_csv_find(csv, e.column, &c->index, err);
}

/* ---- numbers ---- */

static cb_status check_range(const fit_table_field *f, double si, cb_err *err) {
  bool any = f->min == 0 && f->max == 0;
  return any ? CB_OK : cb_check_range(si, f->min, f->max, f->name, "(SI)", err);
}

static double in_si(const column *c, double value) { return value * c->to_si + c->offset; }

static cb_status read_constant(cb_ynode node, const fit_table_field *f, const column *c, double *value,
                               cb_err *err) {
  cb_status st = cb_parse_double(c->text, f->name, value, err);
  if (st == CB_OK) st = check_range(f, in_si(c, *value), err);
  return st == CB_OK
             ? CB_OK
             : cb_yaml_fail(node, err, st, "%s = '%s': a number in range was wanted", f->name, c->text);
}

/* A number, or the one that a text stands for. */
static cb_status read_cell(const fit_table *t, const column *c, size_t row, double *value, bool *missing,
                           cb_err *err) {
  const char *number = cb_yaml_scalar(cb_yaml_get(c->words, cb_csv_cell(t->csv, row, c->index)));
  *missing = false;
  if (!number) return cb_csv_number(t->csv, row, c->index, -HUGE_VAL, HUGE_VAL, value, missing, err);
  const cb_status st = cb_parse_double(number, "words", value, err);
  return st == CB_OK ? st : cb_yaml_fail(c->words, err, st, "words: '%s': a number was wanted", number);
}

/* The unit that stands in the table, in SI. */
static bool scale_of(const char *text, cb_dim *dim, double *to_si) {
  const char *name = fit_unit_find(text, dim);
  const cb_unit *u = name ? cb_unit_find(name) : NULL;
  double factor = 1;
  if (name && !u) u = find_multiple(name, &factor);
  if (u) *to_si = factor * u->to_si;
  return u != NULL;
}

/* The table may say itself, in its cells or below its header, what its unit is. A mass stands for its weight.
 */
static cb_status check_unit(const fit_table *t, cb_ynode node, const fit_table_field *f, const column *c,
                            const char *text, cb_err *err) {
  double to_si;
  cb_dim dim;
  if (!text[0] || !scale_of(text, &dim, &to_si)) return CB_OK;
  const bool weight = dim == CB_DIM_MASS && f->dim == CB_DIM_FORCE;
  if (weight) to_si *= CB_STANDARD_GRAVITY_M_PER_S2;
  if ((dim == f->dim || weight) && fabs(fabs(c->to_si) - to_si) <= 1e-9 * to_si) return CB_OK;
  if (dim == CB_DIM_RATIO && f->dim == CB_DIM_COUNT) return CB_OK;
  return cb_yaml_fail(node, err, CB_E_PARSE, "%s: unit = '%s', but %s says '%s': one of them was wanted",
                      f->name, c->unit, cb_csv_name(t->csv), text);
}

static cb_status read_numbers(fit_table *t, const fit_table_field *f, column *c, cb_err *err) {
  for (size_t row = 0; row < cb_csv_rows(t->csv); row++) {
    double value;
    bool missing;
    CB_TRY(read_cell(t, c, row, &value, &missing, err));
    c->v[row] = missing ? NAN : value;
    cb_status st = missing ? CB_OK : check_range(f, in_si(c, value), err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s:%d", cb_csv_name(t->csv), cb_csv_line(t->csv, row));
  }
  cb_digit digit;
  CB_TRY(cb_digit_find(t->csv, c->index, &digit, err));
  c->digit = fabs(c->to_si) * digit.value;
  if (!t->note[0]) cb_digit_note(t->csv, c->index, &digit, t->note, sizeof t->note);
  return CB_OK;
}

static cb_status read_cells(fit_table *t, cb_ynode node, const fit_table_field *f, column *c, cb_err *err) {
  char unit[40];
  bool clock = false;
  if (f->dim == CB_DIM_TIME) CB_TRY(fit_daytime_make_plain(t->csv, c->index, &clock, err));
  if (clock && c->to_si != 1)
    return cb_yaml_fail(node, err, CB_E_PARSE, "%s: unit = '%s': times of day are seconds here: s was wanted",
                        f->name, c->unit);
  CB_TRY(fit_cells_make_plain(t->csv, c->index, t->decimal, unit, err));
  CB_TRY(check_unit(t, node, f, c, unit, err));
  if (t->units) fit_cells_strip_brackets(t->units[c->index], unit);
  if (t->units) CB_TRY(check_unit(t, node, f, c, unit, err));
  return read_numbers(t, f, c, err);
}

static cb_status read_texts(const fit_table *t, const column *c, cb_err *err) {
  const char *text;
  if (c->constant) return CB_OK;
  for (size_t row = 0; row < cb_csv_rows(t->csv); row++)
    CB_TRY(cb_csv_text(t->csv, row, c->index, &text, err));
  return fit_cells_check_text(t->csv, c->index, err);
}

static cb_status read_column(fit_table *t, cb_ynode node, const fit_table_field *f, column *c, cb_err *err) {
  size_t n = cb_csv_rows(t->csv);
  CB_TRY(bind_entry(node, f, t->csv, c, err));
  if (f->dim == CB_DIM_NONE) return read_texts(t, c, err);
  c->v = malloc(n * sizeof *c->v);
  if (!c->v) return cb_no_memory(err, "%s, %zu rows", cb_csv_name(t->csv), n);
  if (!c->constant) return read_cells(t, node, f, c, err);
  double value = 0;
  CB_TRY(read_constant(node, f, c, &value, err));
  for (size_t row = 0; row < n; row++) c->v[row] = value;
  return CB_OK;
}

/* ---- the whole ---- */

static cb_status read_columns(fit_table *t, cb_ynode map, cb_err *err) {
  cb_status st = CB_OK;
  cb_ynode *nodes = calloc(t->n_fields, sizeof *nodes);
  if (!nodes) return cb_no_memory(err, "%zu columns", t->n_fields);
  CB_GOTO(bind_columns(t, map, nodes, err));
  for (size_t i = 0; i < t->n_fields; i++)
    if (nodes[i].doc) CB_GOTO(read_column(t, nodes[i], &t->fields[i], &t->columns[i], err));
done:
  free(nodes);
  return st;
}

/* Bytes of the first lines. */
static size_t measure_lines(const char *text, size_t n, int lines) {
  size_t i = 0;
  for (; i < n && lines > 0; i++)
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < n && text[i + 1] == '\n'))) lines--;
  return i;
}

/* Behind the lines to skip. */
static char *skip_lines(char *text, size_t n, int lines) { return text + measure_lines(text, n, lines); }

/* A row of units below the header is no row of the table. */
static cb_status take_units_row(fit_table *t, cb_err *err) {
  size_t columns = 0;
  if (!fit_cells_are_units(t->csv)) return CB_OK;
  while (cb_csv_header(t->csv, columns)) columns++;
  t->units = malloc((columns + 1) * sizeof *t->units);
  if (!t->units) return cb_no_memory(err, "%zu columns", columns);
  for (size_t i = 0; i < columns; i++) t->units[i] = cb_csv_cell(t->csv, 0, i);
  cb_csv_drop_row(t->csv, 0);
  return CB_OK;
}

static cb_status parse_text(fit_table *t, const head *h, const char *name, char *text, size_t n,
                            cb_err *err) {
  cb_csv_options opt = cb_csv_options_default();
  opt.separator = h->separator[0];
  opt.has_header = h->header;
  opt.skip_lines = h->skip_lines;
  if (h->last_line) text[measure_lines(text, n, h->last_line)] = '\0';
  char *table = skip_lines(text, strlen(text), h->skip_lines);
  if (opt.separator == ' ' || (!opt.separator && fit_text_has_blanks(table))) {
    fit_text_make_tabs(table);
    opt.separator = '\t';
  }
  CB_TRY(cb_csv_parse(text, strlen(text), name, &opt, &t->csv, err));
  if (!h->header) return CB_OK;
  CB_TRY(fit_cells_check_headers(t->csv, err));
  return take_units_row(t, err);
}

static cb_status parse_csv(fit_table *t, head *h, fit_table_file csv, cb_err *err) {
  size_t n;
  char *text;
  t->decimal = h->decimal_comma ? ',' : '.';
  fit_fingerprint(csv.text, csv.n, t->fingerprint);
  CB_TRY(
      fit_workbook_or_text(csv.text, csv.n, h->encoding, h->sheet, csv.name, h->separator, &text, &n, err));
  const cb_status st = parse_text(t, h, csv.name, text, n, err);
  free(text);
  return st;
}

/* Rows that the laboratory itself marked. */
static cb_status leave_rows_out(fit_table *t, cb_ynode node, cb_err *err) {
  static const cb_yfield keys[] = {{"column", CB_Y_STR, AT(entry, column), .required = true},
                                   {"value", CB_Y_STR, AT(entry, value), .required = true}};
  entry e = {.column = ""};
  size_t index, rows = cb_csv_rows(t->csv);
  if (!node.doc) return CB_OK;
  CB_TRY(cb_yaml_bind(node, keys, 2, &e, err));
  CB_TRY(cb_csv_find(t->csv, e.column, &index, err));
  for (size_t row = rows; row-- > 0;)
    if (strcmp(cb_csv_cell(t->csv, row, index), e.value) == 0) cb_csv_drop_row(t->csv, row);
  const size_t left = cb_csv_rows(t->csv), n = rows - left;
  if (left == 0)
    return cb_yaml_fail(node, err, CB_E_RANGE, "leave_out: all %zu row%s left out", rows,
                        CB_PLURAL(rows, " is", "s are"));
  (void)snprintf(t->note, sizeof t->note, "%.100s: %zu row%s left out, where %.40s is %.40s",
                 cb_csv_name(t->csv), n, n == 1 ? " is" : "s are", e.column, e.value);
  return CB_OK;
}

static cb_status parse_all(fit_table *t, fit_table_file mapping, fit_table_file csv, const char *kind,
                           cb_err *err) {
  head h;
  CB_TRY(cb_yaml_parse(mapping.text, mapping.n, mapping.name, &t->doc, err));
  cb_ynode root = cb_yaml_root(t->doc);
  CB_TRY(bind_head(root, &h, err));
  if (strcmp(h.kind, kind) != 0)
    return cb_yaml_fail(root, err, CB_E_PARSE, "kind = '%s': this mapping is not for '%s'", h.kind, kind);
  memcpy(t->method, h.method, sizeof h.method);
  memcpy(t->source, h.source, sizeof h.source);
  CB_TRY(parse_csv(t, &h, csv, err));
  CB_TRY(leave_rows_out(t, h.leave_out, err));
  return read_columns(t, h.columns, err);
}

cb_status fit_table_parse(fit_table_file mapping, fit_table_file csv, const char *kind,
                          const fit_table_field *fields, size_t n_fields, fit_table **out, cb_err *err) {
  *out = NULL;
  fit_table *t = calloc(1, sizeof *t);
  if (t) t->columns = calloc(n_fields, sizeof *t->columns);
  if (!t || !t->columns) {
    fit_table_free(t);
    return cb_no_memory(err, "%s", mapping.name);
  }
  t->fields = fields;
  t->n_fields = n_fields;
  cb_status st = parse_all(t, mapping, csv, kind, err);
  if (st == CB_OK)
    *out = t;
  else
    fit_table_free(t);
  return st;
}

cb_status fit_table_read(const char *mapping_path, const char *csv_path, const char *kind,
                         const fit_table_field *fields, size_t n_fields, fit_table **out, cb_err *err) {
  cb_status st = CB_OK;
  char *mapping = NULL, *csv = NULL;
  size_t n_mapping, n_csv;
  *out = NULL;
  CB_GOTO(cb_file_read(mapping_path, MAX_MAPPING_BYTES, &mapping, &n_mapping, err));
  CB_GOTO(cb_file_read(csv_path, cb_csv_options_default().max_bytes, &csv, &n_csv, err));
  CB_GOTO(fit_table_parse((fit_table_file){mapping_path, mapping, n_mapping},
                          (fit_table_file){csv_path, csv, n_csv}, kind, fields, n_fields, out, err));
done:
  free(mapping);
  free(csv);
  return st;
}

void fit_table_free(fit_table *t) {
  if (!t) return;
  for (size_t i = 0; t->columns && i < t->n_fields; i++) free(t->columns[i].v);
  free(t->columns);
  free(t->units);
  cb_csv_free(t->csv);
  cb_yaml_free(t->doc);
  free(t);
}

size_t fit_table_rows(const fit_table *t) { return cb_csv_rows(t->csv); }
double fit_table_raw(const fit_table *t, size_t field, size_t row) {
  return t->columns[field].v ? t->columns[field].v[row] : NAN;
}
double fit_table_number(const fit_table *t, size_t field, size_t row) {
  return in_si(&t->columns[field], fit_table_raw(t, field, row));
}
double fit_table_number_or(const fit_table *t, size_t field, size_t row, double otherwise) {
  const double v = fit_table_number(t, field, row);
  return isnan(v) ? otherwise : v;
}
double fit_table_scale(const fit_table *t, size_t field, double *offset) {
  *offset = t->columns[field].offset;
  return t->columns[field].to_si;
}
bool fit_table_constant(const fit_table *t, size_t field) { return t->columns[field].constant; }
const char *fit_table_text(const fit_table *t, size_t field, size_t row) {
  const column *c = &t->columns[field];
  return !c->given || c->constant ? c->text : cb_csv_cell(t->csv, row, c->index);
}
cb_status fit_table_name(const fit_table *t, size_t field, size_t row, char *out, size_t size, cb_err *err) {
  const char *text = fit_table_text(t, field, row);
  if (strlen(text) >= size || (t->fields[field].required && !text[0]))
    return fit_table_fail(t, row, CB_E_PARSE, err, "%s '%.60s': a name of 1 to %zu bytes was wanted",
                          t->fields[field].name, text, size - 1);
  memcpy(out, text, strlen(text) + 1);
  return CB_OK;
}

cb_status fit_table_origin(const fit_table *t, size_t field, size_t row, cb_origin *out, cb_err *err) {
  const char *text = fit_table_text(t, field, row);
  *out = CB_IMPORTED;
  if (!text[0]) return CB_OK;
  for (int o = CB_IMPORTED; cb_origin_names[o]; o++) {
    *out = (cb_origin)o;
    if (strcmp(text, cb_origin_names[o]) == 0) return CB_OK;
  }
  return fit_table_fail(t, row, CB_E_PARSE, err,
                        "origin = '%.40s': must be one of imported, virtual, simulated", text);
}

bool fit_table_given(const fit_table *t, size_t field) { return t->columns[field].given; }
double fit_table_u_rel(const fit_table *t, size_t field) { return t->columns[field].u_rel; }
double fit_table_digit(const fit_table *t, size_t field) { return t->columns[field].digit; }

cb_status fit_table_fail(const fit_table *t, size_t row, cb_status st, cb_err *err, const char *fmt, ...) {
  char text[256];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return cb_fail(err, st, "%s:%d: %s", cb_csv_name(t->csv), cb_csv_line(t->csv, row), text);
}

const char *fit_table_note(const fit_table *t) { return t->note; }
const char *fit_table_method(const fit_table *t) { return t->method; }
const char *fit_table_source(const fit_table *t) { return t->source; }
const char *fit_table_mapping(const fit_table *t) { return cb_yaml_text(t->doc); }
const char *fit_table_fingerprint(const fit_table *t) { return t->fingerprint; }
