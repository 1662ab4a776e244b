#include <stdlib.h>
#include <string.h>

#include "api_impl.h"
#include "cb_json.h"
#include "cb_store_query.h"
#include "cb_version.h"
#include "lab_card.h"
#include "lab_contents.h"
#include "lab_export.h"
#include "lab_material.h"
#include "lab_tidy.h"

const char *clothbench_version(void) { return cb_version(); }

const char *clothbench_status_text(clothbench_status status) { return cb_status_text((cb_status)status); }

void clothbench_free(void *memory) { free(memory); }

clothbench_status api_json(json_t *document, char **text, clothbench_error *error) {
  *text = cb_json_text(document);
  json_decref(document);
  return api_status(*text ? CB_OK : cb_no_memory(api_err(error), "a document"));
}

size_t api_find_word(const char *word, const char *what, const char *(*name)(size_t i), size_t n,
                     clothbench_error *error) {
  size_t i = 0;
  while (i < n && strcmp(word, name(i)) != 0) i++;
  if (i == n) cb_err_say(api_err(error), "'%s': a %s such as \"%s\" was wanted", word, what, name(0));
  return i;
}

/* ---- open ---- */

clothbench_status clothbench_open(const char *path, bool writable, clothbench_database **out,
                                  clothbench_error *error) {
  clothbench_database *db = malloc(sizeof *db);
  *out = NULL;
  if (!db) return api_status(cb_no_memory(api_err(error), "a database"));
  db->writable = writable;
  const cb_status st =
      cb_store_open(path, writable ? CB_STORE_WRITE : CB_STORE_READ, &db->store, api_err(error));
  if (st == CB_OK)
    *out = db;
  else
    free(db);
  return api_status(st);
}

clothbench_status clothbench_close(clothbench_database *database, clothbench_error *error) {
  if (!database) return CLOTHBENCH_OK;
  const cb_status st = cb_store_close(database->store, api_err(error));
  free(database);
  return api_status(st);
}

/* ---- contents ---- */

/* One block: pointers, and the texts behind them. */
static const char *const *copy_names(const cb_material *list, size_t n, cb_material_kind kind,
                                     size_t *found) {
  const char **names = malloc((n + 1) * (sizeof *names + sizeof list->name));
  char *text = names ? (char *)(names + n + 1) : NULL;
  *found = 0;
  for (size_t i = 0; names && i < n; i++) {
    if (list[i].kind != kind) continue;
    memcpy(text, list[i].name, sizeof list[i].name);
    names[(*found)++] = text;
    text += sizeof list[i].name;
  }
  return names;
}

clothbench_status clothbench_names(clothbench_database *database, clothbench_material kind,
                                   const char *const **names, size_t *n, clothbench_error *error) {
  cb_material *list;
  size_t n_all;
  *names = NULL;
  *n = 0;
  const cb_status st = cb_store_materials(database->store, &list, &n_all, api_err(error));
  if (st != CB_OK) return api_status(st);
  *names = copy_names(list, n_all, (cb_material_kind)kind, n);
  free(list);
  return api_status(*names ? CB_OK : cb_no_memory(api_err(error), "%zu names", n_all));
}

clothbench_status clothbench_contents(clothbench_database *database, char **json, clothbench_error *error) {
  lab_contents c;
  *json = NULL;
  const cb_status st = lab_contents_read(database->store, 0, &c, api_err(error));
  const clothbench_status out =
      st == CB_OK ? api_json(lab_contents_json(cb_store_path(database->store), &c), json, error)
                  : api_status(st);
  lab_contents_clear(&c);
  return out;
}

clothbench_status clothbench_card(clothbench_database *database, const char *name, char **json,
                                  clothbench_error *error) {
  exch_material m;
  lab_card card = {.n = 0};
  *json = NULL;
  cb_status st = lab_material_load(database->store, name, &m, api_err(error));
  if (st == CB_OK) st = lab_card_make(database->store, &m, &card, api_err(error));
  const clothbench_status out =
      st == CB_OK ? api_json(lab_card_json(&m, &card), json, error) : api_status(st);
  lab_card_clear(&card);
  exch_material_clear(&m);
  return out;
}

/* ---- texts ---- */

static const char *format_name(size_t i) { return lab_export_format_facts[i].name; }

clothbench_status clothbench_export(clothbench_database *database, const char *name, const char *format,
                                    const char *body, char **text, clothbench_error *error) {
  bool beyond;
  *text = NULL;
  const size_t i = api_find_word(format, "format", format_name, LAB_EXPORT_FORMATS, error);
  if (i == LAB_EXPORT_FORMATS) return CLOTHBENCH_E_ARG;
  return api_status(
      lab_export_material(database->store, name, (lab_export_format)i, body, text, &beyond, api_err(error)));
}

static const char *table_name(size_t i) { return lab_tidy_names[i]; }

clothbench_status clothbench_table(clothbench_database *database, const char *which, char **csv,
                                   clothbench_error *error) {
  size_t bytes;
  *csv = NULL;
  const size_t i = api_find_word(which, "table", table_name, LAB_TIDY_N, error);
  if (i == LAB_TIDY_N) return CLOTHBENCH_E_ARG;
  FILE *to = open_memstream(csv, &bytes);
  if (!to) return api_status(cb_no_memory(api_err(error), "a table"));
  cb_status st = lab_tidy_write(database->store, (lab_tidy)i, NULL, 0, to, api_err(error));
  if (fclose(to) != 0 && st == CB_OK) st = cb_no_memory(api_err(error), "a table");
  if (st == CB_OK) return CLOTHBENCH_OK;
  free(*csv);
  *csv = NULL;
  return api_status(st);
}

clothbench_status clothbench_query(clothbench_database *database, const char *sql, char **json,
                                   clothbench_error *error) {
  json_t *answer;
  *json = NULL;
  const cb_status st = cb_store_query(database->store, sql, NULL, 0, &answer, api_err(error));
  return st == CB_OK ? api_json(answer, json, error) : api_status(st);
}

clothbench_status clothbench_verdicts(clothbench_database *database, char **json, clothbench_error *error) {
  return clothbench_query(database,
                          "SELECT v.experiment, c.name AS cloth, b.name AS body, v.pass, v.worst_en, "
                          "v.created_at FROM validation v LEFT JOIN material c ON c.id = v.cloth_id "
                          "LEFT JOIN material b ON b.id = v.body_id ORDER BY v.id",
                          json, error);
}
