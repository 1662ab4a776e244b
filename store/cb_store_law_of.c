#include "cb_store_rows_impl.h"

#include <stdlib.h>

#include "cb_store_material_test.h"
#include "law.h"

cb_status cb_store_law_of(cb_store *s, cb_material_law_kind kind, const char *material, void *out,
                          cb_material_law *row, cb_err *err) {
  const law_row *l = law_of_kind(kind);
  cb_material m;
  cb_material_law found;
  CB_TRY(cb_store_material_find(s, l->of, material, &m, err));
  CB_TRY(cb_store_material_law_find(s, &m, kind, &found, err));
  const cb_status st = l->read(found.result_json, out, err);
  if (st == CB_OK) l->adopt(out, &found, m.name);
  if (row && st == CB_OK)
    *row = found;
  else
    free(found.result_json);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s: law %lld", cb_store_path(s), (long long)found.id);
}

static cb_status fail_law(const cb_store *s, cb_status st, int64_t id, cb_err *err) {
  if (st == CB_OK || st == CB_E_NOMEM) return st;
  return cb_fail_in(err, CB_E_DB, "%s: law %lld", cb_store_path(s), (long long)id);
}

static cb_status check_materials(cb_store *s, cb_err *err) {
  cb_material_law *list;
  size_t n;
  CB_TRY(cb_store_material_laws(s, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = fail_law(s, law_check(list[i].kind, list[i].result_json, err), list[i].id, err);
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
    st = fail_law(s, cb_self_friction_parse(&list[i], &law, err), list[i].id, err);
  cb_self_friction_rows_free(list, n);
  return st;
}
