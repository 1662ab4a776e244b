#include "lab_law.h"
#include "cb_store_material_test.h"

#include <stdlib.h>

cb_status lab_law_put(cb_store *s, cb_material_law *row, const char *name, json_t *doc,
                      const int64_t *test_ids, size_t n_tests, cb_err *err) {
  row->result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row->result_json) return cb_no_memory(err, "the law of '%s'", name);
  cb_status st = cb_store_material_law_put(s, row, test_ids, n_tests, err);
  free(row->result_json);
  row->result_json = NULL;
  return st;
}

cb_status lab_law_no_tests(const cb_store *s, int origin, const char *tests, const char *cloth,
                           const char *imports, cb_err *err) {
  return cb_fail(err, CB_E_NOTFOUND, "%s: there are no %s%s%s of '%s': %s adds some", cb_store_path(s),
                 origin >= 0 ? cb_origin_names[origin] : "", origin >= 0 ? " " : "", tests, cloth, imports);
}

json_t *lab_whole(json_t *doc, int failed) {
  if (!failed) return doc;
  json_decref(doc);
  return NULL;
}
