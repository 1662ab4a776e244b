#include "cb_law_json_impl.h"
#include "cb_store_material_test.h"
#include "cb_store_self_friction_impl.h"

#include <stdlib.h>

cb_status cb_law_text_check(cb_material_law_kind kind, const char *result_json, cb_err *err) {
  union {
    cb_permeability_law permeability;
    cb_bending_law bending;
    cb_elasticity_law elasticity;
  } law;
  cb_stretch_law *stretch;
  cb_status st;
  switch (kind) {
    case CB_LAW_PERMEABILITY: return cb_permeability_parse(result_json, &law.permeability, err);
    case CB_LAW_BENDING: return cb_bending_parse(result_json, &law.bending, err);
    case CB_LAW_ELASTICITY: return cb_elasticity_parse(result_json, &law.elasticity, err);
    case CB_LAW_STRETCH: break;
  }
  stretch = malloc(sizeof *stretch); /* large */
  if (!stretch) return cb_no_memory(err, "a law of stretch");
  st = cb_stretch_parse(result_json, stretch, err);
  free(stretch);
  return st;
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
    st = fail_law(s, cb_law_text_check(list[i].kind, list[i].result_json, err), list[i].id, err);
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
