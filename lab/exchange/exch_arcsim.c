#include "exch_arcsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_draft.h"
#include "cb_column.h"
#include "cb_num.h"
#include "exch_json.h"

/* A table of numbers at `key`. */
static cb_status read_table(const exch_at *root, const char *key, size_t rows, size_t columns, double min,
                            double max, double *out, cb_err *err) {
  exch_at table;
  CB_TRY(exch_json_member(root, key, &table, err));
  CB_TRY(exch_json_list(&table, rows, rows, err));
  for (size_t i = 0; i < rows; i++) {
    exch_at row = exch_json_item(&table, i);
    CB_TRY(exch_json_list(&row, columns, columns, err));
    for (size_t j = 0; j < columns; j++) {
      exch_at cell = exch_json_item(&row, j);
      CB_TRY(exch_json_number(&cell, min, max, out++, err));
    }
  }
  return CB_OK;
}

/* Keys that stand in such files, and that no law has a place for. */
static void list_unread(const exch_at *root, char list[EXCH_ARCSIM_UNREAD]) {
  static const char *const unread[] = {"damping", "yield_curv", "weakening", "strain_limits"};
  list[0] = '\0';
  for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++)
    if (json_object_get(root->value, unread[i])) cb_text_add(list, EXCH_ARCSIM_UNREAD, ", ", "%s", unread[i]);
}

static cb_status read_thickness(const exch_at *root, double *out, cb_err *err) {
  exch_at at;
  *out = 0;
  if (!json_object_get(root->value, "thickness")) return CB_OK;
  CB_TRY(exch_json_member(root, "thickness", &at, err));
  CB_TRY(exch_json_number(&at, 0, 1, out, err));
  return *out > 0 ? cb_column_check(cb_column_find("material", "thickness_m"), *out, at.where, err) : CB_OK;
}

static cb_status read_document(const exch_at *root, exch_arcsim *m, cb_err *err) {
  static const char *const keys[] = {"density",    "stretching", "bending",       "thickness", "damping",
                                     "yield_curv", "weakening",  "strain_limits", NULL};
  exch_at density;
  CB_TRY(exch_json_object(root, keys, err));
  CB_TRY(read_thickness(root, &m->thickness_m, err));
  list_unread(root, m->unread);
  CB_TRY(exch_json_member(root, "density", &density, err));
  CB_TRY(exch_json_number(&density, 1e-3, 10, &m->density_kg_per_m2, err));
  CB_TRY(read_table(root, "stretching", 6, 4, -1e7, 1e7, m->stretching_N_per_m[0], err));
  return read_table(root, "bending", 3, 5, 0, 10, m->bending_N_m[0], err);
}

/* Returns the end of a comment that begins at `at`; NULL: none begins there, or it has no end. */
static const char *find_comment_end(const char *at, const char *end) {
  if (end - at < 2 || at[0] != '/') return NULL;
  if (at[1] == '/') {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    return line_end ? line_end : end;
  }
  for (const char *c = at + 2; at[1] == '*' && c + 1 < end; c++)
    if (c[0] == '*' && c[1] == '/') return c + 2;
  return NULL;
}

/* Comments become blanks: the lines keep their numbers. */
static void blank_comments(char *text, size_t n) {
  bool quoted = false;
  for (size_t i = 0; i < n; i++) {
    const char *end = quoted ? NULL : find_comment_end(text + i, text + n);
    if (text[i] == '"' && !end) quoted = !quoted;
    if (quoted && text[i] == '\\') i++;
    for (; end && text + i < end; i++)
      if (text[i] != '\n') text[i] = ' ';
    if (end) i--;
  }
}

cb_status exch_arcsim_read(const char *text, size_t n, const char *name, exch_arcsim *out, cb_err *err) {
  json_t *doc;
  exch_at root;
  char *plain = malloc(n + 1);
  *out = (exch_arcsim){.thickness_m = 0};
  if (!plain) return cb_no_memory(err, "%s, %zu bytes", name, n);
  if (n) memcpy(plain, text, n);
  blank_comments(plain, n);
  cb_status st = exch_json_parse(plain, n, name, &doc, &root, err);
  if (st == CB_OK) st = read_document(&root, out, err);
  json_decref(doc);
  free(plain);
  return st;
}

/* One row a line, as people keep these files, with no more digits than the bits need. */
static void print_table(FILE *f, const char *key, const double *v, size_t rows, size_t columns) {
  char text[32];
  fprintf(f, ",\n  \"%s\": [", key);
  for (size_t i = 0; i < rows; i++) {
    fputs(i ? ",\n    [" : "\n    [", f);
    for (size_t j = 0; j < columns; j++) fprintf(f, "%s%s", j ? ", " : "", cb_shortest(*v++, text));
    fputc(']', f);
  }
  fputs("\n  ]", f);
}

cb_status exch_arcsim_write(const exch_arcsim *m, char **text, cb_err *err) {
  char density[32];
  cb_draft t;
  CB_TRY(cb_draft_begin(&t, err));
  fprintf(t.to, "{\n  \"density\": %s", cb_shortest(m->density_kg_per_m2, density));
  print_table(t.to, "stretching", m->stretching_N_per_m[0], 6, 4);
  print_table(t.to, "bending", m->bending_N_m[0], 3, 5);
  fputs("\n}\n", t.to);
  return cb_draft_end(&t, CB_OK, text, err);
}
