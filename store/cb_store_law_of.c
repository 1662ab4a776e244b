#include "cb_store_rows_impl.h"

#include <stdlib.h>
#include <string.h>

#include "cb_store_impl.h"
#include "cb_store_material_test.h"
#include "law.h"

cb_status cb_store_law_of(cb_store *s, cb_material_law_kind kind, const char *material, void *out,
                          cb_material_law *row, cb_err *err) {
  const law_row *l = law_of_kind(kind);
  cb_material m;
  cb_material_law found;
  CB_TRY(cb_store_material_find(s, l->of, material, &m, err));
  CB_TRY(cb_store_material_law_find(s, &m, kind, &found, err));
  const cb_status st = law_read(kind, found.result_json, out, err);
  if (st == CB_OK && l->adopt) l->adopt(out, &found, m.name);
  if (row && st == CB_OK)
    *row = found;
  else
    free(found.result_json);
  char ref[LAW_REF];
  return st == CB_OK ? CB_OK
                     : cb_fail_in(err, st, "%s: law %s", cb_store_path(s),
                                  law_ref(cb_material_law_kind_names[kind], found.id, ref));
}

/* ---- whose law it is ---- */

typedef struct owned_law {
  int64_t id;
  char kind[32];
  cb_material_kind owner;
} owned_law;

static void read_owned(sqlite3_stmt *q, void *item) {
  owned_law *l = item;
  l->id = sqlite3_column_int64(q, 0);
  cbs_text(q, 1, l->kind, sizeof l->kind);
  l->owner = (cb_material_kind)cbs_enum(q, 2, cb_material_kind_names);
}

static int find_kind(const char *name) {
  int kind = CB_LAW_KINDS - 1;
  while (kind >= 0 && strcmp(cb_material_law_kind_names[kind], name) != 0) kind--;
  return kind;
}

static cb_status check_owner(const cb_store *s, const owned_law *l, cb_err *err) {
  const int kind = find_kind(l->kind);
  char ref[LAW_REF];
  (void)law_ref(l->kind, l->id, ref);
  if (kind < 0)
    return cb_fail(err, CB_E_DB, "%s: law %s is of the kind '%s', which this version does not know",
                   cb_store_path(s), ref, l->kind);
  const cb_material_kind of = law_of_kind((cb_material_law_kind)kind)->of;
  if (of == l->owner) return CB_OK;
  return cb_fail(err, CB_E_DB, "%s: law %s: %s is a law of %s", cb_store_path(s), ref, l->kind,
                 of == CB_BODY ? "bodies" : "cloths");
}

cb_status cbs_law_owners_check(cb_store *s, int64_t id, cb_err *err) {
  owned_law *list;
  size_t n;
  CB_TRY(cbs_list(s, read_owned, sizeof *list, (void **)&list, &n, err,
                  "SELECT l.id, l.kind, m.kind FROM material_law l JOIN material m ON m.id = l.material_id"
                  " WHERE ?1 IN (0, l.id) ORDER BY l.id",
                  "i", id));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) st = check_owner(s, &list[i], err);
  free(list);
  return st;
}

/* ---- every law ---- */

static cb_status fail_law(const cb_store *s, cb_status st, const char *kind, int64_t id, cb_err *err) {
  char ref[LAW_REF];
  if (st == CB_OK || st == CB_E_NOMEM) return st;
  return cb_fail_in(err, CB_E_DB, "%s: law %s", cb_store_path(s), law_ref(kind, id, ref));
}

static cb_status check_materials(cb_store *s, cb_err *err) {
  cb_material_law *list;
  size_t n;
  CB_TRY(cbs_law_owners_check(s, 0, err));
  CB_TRY(cb_store_material_laws(s, false, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = fail_law(s, law_check(list[i].kind, list[i].result_json, err),
                  cb_material_law_kind_names[list[i].kind], list[i].id, err);
  cb_material_laws_free(list, n);
  return st;
}

cb_status cb_store_laws_check(cb_store *s, cb_err *err) {
  cb_self_friction_row *list;
  cb_self_friction_law law;
  size_t n;
  CB_TRY(check_materials(s, err));
  CB_TRY(cb_store_self_friction_all(s, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = fail_law(s, cb_self_friction_parse(&list[i], &law, err), "self-friction", list[i].id, err);
  cb_self_friction_rows_free(list, n);
  return st;
}
