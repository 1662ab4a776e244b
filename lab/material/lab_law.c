#include "lab_law.h"
#include "cb_store_material_test.h"

#include <stdlib.h>
#include <string.h>

#include "lab_transact.h"

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

size_t lab_law_piece(const cb_material_test *tests, size_t i) {
  for (size_t k = 0; k < i && tests[i].specimen[0]; k++)
    if (strcmp(tests[k].specimen, tests[i].specimen) == 0) return k;
  return i;
}

typedef struct cloths {
  const char *name; /* NULL: all */
  lab_fit_cloth *fit;
  void *context;
} cloths;

static cb_status fit_cloths(cb_store *s, void *context, cb_err *err) {
  const cloths *q = context;
  cb_material one, *all = &one;
  size_t n = 1;
  CB_TRY(q->name ? cb_store_material_find(s, CB_CLOTH, q->name, &one, err)
                 : cb_store_materials(s, &all, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    if (all[i].kind == CB_CLOTH) st = q->fit(s, &all[i], q->context, err);
  if (all != &one) free(all);
  return st;
}

cb_status lab_law_fit_cloths(cb_store *s, const char *cloth, lab_fit_cloth *fit, void *context, cb_err *err) {
  return lab_transact(s, fit_cloths, &(cloths){cloth, fit, context}, err);
}

json_t *lab_whole(json_t *doc, int failed) {
  if (!failed) return doc;
  json_decref(doc);
  return NULL;
}
