/* A material file through import, export to every format, and back. Where it is accepted:
 *   every line of Blender's preset is one of ours, or a comment; its first two lines are ours whatever the
 *   names are no cell of a table begins as a formula does, but numbers
 *   no text that is written holds a control character
 *   the JSON that comes out of the database is imported into another database, and comes out of that the
 *   same */
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_material_law.h"
#include "cb_file.h"
#include "law.h"
#include "cb_text.h"
#include "cb_text_impl.h"
#include "cli_card.h"
#include "exch_cloth_impl.h"
#include "exch_u3m.h"
#include "lab_material.h"
#include "lab_material_parts.h"
#include "lab_exch_cloth.h"
#include "lab_card_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
/* Only libFuzzer's program has it, and only that one calls the function below that wants it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

/* ---- hostile texts where texts stand ---- */

static const char *const pieces[] = {"\\n",
                                     "\\r",
                                     "\\t",
                                     "\\u001b[31m",
                                     "\\u0000",
                                     "\\u007f",
                                     "\\u0085",
                                     "\\u2028",
                                     "\\u202e",
                                     "\x7f",
                                     "\xc2\x9b",
                                     "\\nimport os",
                                     "coding: utf-7",
                                     "-*- coding: raw_unicode_escape -*-",
                                     "\\\\u000aimport os",
                                     "+AAo-import os",
                                     "=1+1",
                                     "=HYPERLINK(1)",
                                     "+1",
                                     "-1",
                                     "@SUM(1)",
                                     "'=1",
                                     ",=1",
                                     ";=1",
                                     "\\\"=1",
                                     ", =1",
                                     "#",
                                     "\\\"\\\"\\\"",
                                     "'''",
                                     " ",
                                     "\xc3\xb6",
                                     "\xff",
                                     "\\\\",
                                     "nan",
                                     "1e308",
                                     "1e-308",
                                     "0",
                                     "null",
                                     "\"",
                                     "{}",
                                     "[]"};
#define N_PIECES (sizeof pieces / sizeof pieces[0])

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  if (seed % 3 == 0 || size == 0) return LLVMFuzzerMutate(data, size, max_size);
  size_t quotes = 0, wanted;
  for (size_t i = 0; i < size; i++) quotes += data[i] == '"';
  if (quotes == 0) return LLVMFuzzerMutate(data, size, max_size);
  wanted = seed / 3 % quotes;
  const char *piece = pieces[seed / 7 % N_PIECES];
  size_t n = strlen(piece), at = 0;
  for (; at < size; at++)
    if (data[at] == '"' && wanted-- == 0) break;
  at++; /* behind an opening quote a text's beginning, behind a closing one what should not be */
  if (at > size || size + n > max_size) return size;
  memmove(data + at + n, data + at, size - at);
  memcpy(data + at, piece, n);
  return size + n;
}

/* ---- what comes out ---- */

static void want(bool fine, const char *what, const char *text) {
  if (fine) return;
  fprintf(stderr, "fuzz_material_files: %s: %s\n", what, text);
  __builtin_trap();
}

/* Numbers and comments, and then the script that all presets share. */
static void check_script(char *text) {
  static const char head[] = "# -*- coding: utf-8 -*-\n# Cloth settings for Blender.\n# ";
  static const char *const ours[] = {
      "#", "areal_density = ", "tension = ", "shear = ", "bending = ", "terminal_speed = ", "passport = []"};
  char *rest = NULL;
  const size_t n = strlen(text), shared = strlen(exch_blender_script);
  want(strncmp(text, head, strlen(head)) == 0, "the preset's head", text);
  want(cb_check_lines(text, "text", NULL) == CB_OK && !strchr(text, '\r'), "control characters in the preset",
       text);
  want(n > shared && strcmp(text + n - shared, exch_blender_script) == 0, "the preset's script", text);
  text[n - shared] = '\0';
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    bool known = false;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
      known |= strncmp(line, ours[i], strlen(ours[i])) == 0;
    want(known, "a line of the preset", line);
  }
}

/* Cut as spreadsheets do: at either separator outside of quotes, which only a cell's first character
 * opens. */
static void check_table(const char *table) {
  bool quoted = false;
  want(cb_check_lines(table, "text", NULL) == CB_OK && !strpbrk(table, "\r\t"),
       "control characters in the table", table);
  for (const char *c = table, *begin = table;; c++) {
    if (*c == '"' && (quoted || c == begin)) quoted = !quoted;
    if (*c == '"' && !quoted && c[1] == '"' && c > begin) quoted = true, c++;
    if (*c && (quoted || !strchr(",;\n", *c))) continue;
    const char *at = begin + (*begin == '"');
    char *end;
    at += strspn(at, " ");
    (void)strtod(at, &end);
    want(at >= c || !strchr("=+-@", *at) || (end == c && end > at), "a formula", at);
    if (!*c) return;
    begin = c + 1;
  }
}

static void check_json(const char *text) {
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  want(doc && cb_check_lines(text, "text", NULL) == CB_OK, "a JSON document", text);
  json_decref(doc);
}

static void export_sheet(const exch_material *m, cb_err *err) {
  exch_cloth s;
  char *text;
  if (lab_exch_cloth_of(m, NULL, &s, err) != CB_OK) return;
  want(exch_blender_write(&s, NULL, &text, err) == CB_OK, "blender", err->msg);
  check_script(text);
  free(text);
  want(exch_clo_table_write(&s, &text, err) == CB_OK, "clo", err->msg);
  check_table(text);
  free(text);
  want(exch_clo_jfab_write(&s, &text, err) == CB_OK, "jfab", err->msg);
  check_json(text);
  free(text);
  want(exch_newton_write(&s, NULL, &text, err) == CB_OK, "newton", err->msg);
  check_json(text);
  free(text);
  want(exch_pybullet_write(&s, NULL, &text, err) == CB_OK, "pybullet", err->msg);
  check_json(text);
  free(text);
}

static void export_arcsim(const exch_material *m, cb_err *err) {
  exch_arcsim a;
  bool beyond;
  char *text;
  if (lab_arcsim_of(m, &a, &beyond, err) != CB_OK || exch_arcsim_write(&a, &text, err) != CB_OK) return;
  check_json(text);
  free(text);
}

/* What was written is read as it was. */
static void export_u3m(const exch_material *m, cb_err *err) {
  exch_material back;
  char *text, *before, *after;
  if (exch_u3m_write(m, &text, err) != CB_OK) return;
  check_json(text);
  want(exch_u3m_read(text, strlen(text), "u3m", &back, err) == CB_OK, "u3m", err->msg);
  free(text);
  if (exch_material_write(m, &before, err) == CB_OK && exch_material_write(&back, &after, err) == CB_OK) {
    want(strcmp(before, after) == 0, "u3m read back", after);
    free(before);
    free(after);
  }
  exch_material_clear(&back);
}

static void export_card(cb_store *s, const exch_material *m, cb_err *err) {
  lab_card card;
  char *text = NULL;
  size_t n;
  if (lab_card_make(s, m, &card, err) != CB_OK) return;
  FILE *f = open_memstream(&text, &n);
  lab_card_csv(m, &card, f);
  fclose(f);
  check_table(text);
  free(text);
  f = open_memstream(&text, &n);
  cli_card_print(m, &card, f);
  fclose(f);
  want(cb_check_lines(text, "text", NULL) == CB_OK, "control characters on the card", text);
  free(text);
  lab_card_clear(&card);
}

/* ---- the databases ---- */

static char folder[64];

static void remove_folder(void) {
  char command[100];
  (void)snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) perror(folder);
}

/* An empty one, made once and copied: SQLite's pages are the slow part. */
static cb_store *fresh(const char *name) {
  static char *empty;
  static size_t n;
  char path[100];
  cb_store *s;
  cb_err err = {""};
  if (!empty) {
    (void)gsl_set_error_handler_off();
    (void)snprintf(folder, sizeof folder, "%s/clothbench-fuzz-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    want(mkdtemp(folder) && atexit(remove_folder) == 0, "a folder", folder);
    (void)snprintf(path, sizeof path, "%s/empty.db", folder);
    want(cb_store_open(path, CB_STORE_WRITE, &s, &err) == CB_OK && cb_store_close(s, &err) == CB_OK,
         "an empty database", err.msg);
    want(cb_file_read(path, 1 << 24, &empty, &n, &err) == CB_OK, "an empty database", err.msg);
  }
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  want(fd >= 0 && write(fd, empty, n) == (ssize_t)n && close(fd) == 0, "a copy of it", path);
  want(cb_store_open(path, CB_STORE_WRITE, &s, &err) == CB_OK, "a copy of it", err.msg);
  return s;
}

/* As `import material` looks at them. */
static bool are_laws(const exch_material *m) {
  cb_err err;
  for (int k = 0; k < CB_LAW_KINDS; k++)
    if (m->laws[k].result_json && law_check((cb_material_law_kind)k, m->laws[k].result_json, &err) != CB_OK)
      return false;
  return true;
}

/* Exported from the database that it was imported into; NULL: refused with a sentence. The caller frees. */
static char *through(exch_material *m, const char *database, bool all) {
  exch_material loaded;
  cb_err err = {""};
  char *text = NULL, name[sizeof m->facts.name];
  memcpy(name, m->facts.name, sizeof name);
  cb_store *s = fresh(database);
  if (lab_material_put(s, "f.json", m, &err) == CB_OK) {
    want(lab_material_load(s, name, &loaded, &err) == CB_OK, "what was imported is there", err.msg);
    want(exch_material_write(&loaded, &text, &err) == CB_OK, "what was imported is exported", err.msg);
    if (all) {
      export_card(s, &loaded, &err);
      export_sheet(&loaded, &err);
      export_arcsim(&loaded, &err);
      export_u3m(&loaded, &err);
    }
    exch_material_clear(&loaded);
  } else {
    want(err.msg[0] && cb_text_is_line(err.msg), "a sentence", err.msg);
  }
  (void)cb_store_close(s, NULL);
  return text;
}

/* When something was stored belongs to the database. */
static char *undated(const char *text) {
  json_t *doc = json_loads(text, 0, NULL), *value;
  const char *key;
  size_t i;
  json_object_foreach(doc, key, value)(void) json_object_del(value, "created_at");
  json_array_foreach(json_object_get(doc, "friction"), i, value)(void) json_object_del(value, "created_at");
  char *out = json_dumps(doc, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
  json_decref(doc);
  return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  exch_material m;
  cb_err err = {""};
  if (exch_u3m_read((const char *)data, size, "f", &m, &err) != CB_OK)
    want(err.msg[0] && cb_text_is_line(err.msg), "a sentence", err.msg);
  exch_material_clear(&m);
  if (exch_material_read((const char *)data, size, "f", &m, &err) != CB_OK) {
    want(err.msg[0] && cb_text_is_line(err.msg), "a sentence", err.msg);
    return 0;
  }
  char *text = are_laws(&m) ? through(&m, "one.db", true) : NULL;
  exch_material_clear(&m);
  if (!text) return 0;
  check_json(text);
  want(exch_material_read(text, strlen(text), "f", &m, &err) == CB_OK && are_laws(&m),
       "what was exported is read", err.msg);
  char *again = through(&m, "two.db", false);
  want(again != NULL, "what was exported is imported", text);
  char *a = undated(text), *b = undated(again);
  want(strcmp(a, b) == 0, "the same comes back", a);
  free(a);
  free(b);
  free(text);
  free(again);
  exch_material_clear(&m);
  return 0;
}
