#include "lab_reference.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_draft.h"
#include "cb_date.h"
#include "cb_file.h"
#include "lab_reference_impl.h"

typedef struct part {
  const char *file, *key; /* of its one list */
  lab_reference_builder *build;
  lab_reference_writer *write; /* NULL: people type it */
} part;

static const part parts[] = {
    {"materials.yaml", "materials", lab_reference_build_material, lab_reference_write_materials},
    {"imports.yaml", "imports", lab_reference_build_import, NULL},
    {"friction.yaml", "laws", lab_reference_build_friction, lab_reference_write_friction},
    {"laws.yaml", "laws", lab_reference_build_law, lab_reference_write_laws},
};
#define PARTS (sizeof parts / sizeof parts[0])

cb_status lab_reference_join(const char *dir, const char *name, char out[LAB_REFERENCE_PATH], cb_err *err) {
  int n = snprintf(out, LAB_REFERENCE_PATH, "%s/%s", dir, name);
  return n > 0 && n < LAB_REFERENCE_PATH ? CB_OK
                                         : cb_fail(err, CB_E_IO, "%.200s...: the path is too long", dir);
}

/* ---- text -> database ---- */

typedef struct head {
  char date[16];
  cb_ynode list;
} head;

static cb_status stamp_rows(cb_store *s, cb_ynode root, const char *date, cb_err *err) {
  char stamp[32], day[CB_DATE_SIZE];
  if (cb_date_add(date, 0, "date", day, NULL) != CB_OK)
    return cb_yaml_fail(cb_yaml_get(root, "date"), err, CB_E_PARSE, "date '%s': YYYY-MM-DD was wanted", date);
  (void)snprintf(stamp, sizeof stamp, "%sT00:00:00.000Z", day);
  cb_store_stamp(s, stamp);
  return CB_OK;
}

/* The first file has the date besides its list. */
static cb_status bind_head(const lab_reference *r, const part *p, cb_ynode root, cb_ynode *list,
                           cb_err *err) {
  const cb_yfield fields[] = {{.key = p->key, .kind = CB_Y_NODE, LAB_AT(head, list), .required = true},
                              {"date", CB_Y_STR, LAB_AT(head, date), .required = true}};
  const bool first = p == parts;
  head h = {.date = ""};
  CB_TRY(cb_yaml_bind(root, fields, first ? 2 : 1, &h, err));
  *list = h.list;
  const char *text = cb_yaml_scalar(h.list);
  if (!cb_yaml_is_list(h.list) && !(text && !*text))
    return cb_yaml_fail(h.list, err, CB_E_PARSE, "%s: a list was wanted", p->key);
  return first ? stamp_rows(r->s, root, h.date, err) : CB_OK;
}

/* Every item of the file's list, in its order. */
static cb_status build_items(const lab_reference *r, const part *p, const char *path, cb_yaml *doc,
                             cb_err *err) {
  cb_ynode list;
  CB_TRY(bind_head(r, p, cb_yaml_root(doc), &list, err));
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    const cb_ynode item = cb_yaml_item(list, i);
    const cb_status st = p->build(r, item, err);
    if (st == CB_OK) continue;
    return strstr(err->msg, path) ? st : cb_fail_in(err, st, "%s:%d", path, cb_yaml_line(item));
  }
  return CB_OK;
}

static cb_status build_part(const lab_reference *r, const part *p, cb_err *err) {
  char path[LAB_REFERENCE_PATH];
  cb_yaml *doc;
  CB_TRY(lab_reference_join(r->dir, p->file, path, err));
  if (p != parts && access(path, F_OK) != 0) return CB_OK;
  CB_TRY(cb_yaml_load(path, &doc, err));
  const cb_status st = build_items(r, p, path, doc, err);
  cb_yaml_free(doc);
  return st;
}

cb_status lab_reference_build(const char *dir, const char *db_path, cb_err *err) {
  cb_err local = {""};
  if (!err) err = &local;
  lab_reference r = {.dir = dir};
  if (access(db_path, F_OK) == 0)
    return cb_fail(err, CB_E_IO, "%s: exists already, a new file was wanted", db_path);
  CB_TRY(cb_store_open(db_path, CB_STORE_BUILD, &r.s, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < PARTS && st == CB_OK; i++) st = build_part(&r, &parts[i], err);
  st = cb_store_close_after(r.s, st, err);
  if (st != CB_OK) unlink(db_path);
  return st;
}

/* ---- database -> text ---- */

static cb_status write_part(cb_store *s, const char *path, lab_reference_writer *write, cb_err *err) {
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  return cb_draft_save(&d, write(s, d.to, err), path, err);
}

cb_status lab_reference_write(cb_store *s, const char *dir, cb_err *err) {
  char path[LAB_REFERENCE_PATH];
  CB_TRY(cb_dir_make(dir, err));
  for (const part *p = parts; p < parts + PARTS; p++) {
    CB_TRY(lab_reference_join(dir, p->file, path, err));
    const bool typed = p == parts && access(path, F_OK) == 0;
    if (p->write && !typed) CB_TRY(write_part(s, path, p->write, err));
  }
  return CB_OK;
}
