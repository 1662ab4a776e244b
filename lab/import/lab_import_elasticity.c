#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "law.h"
#include "lab_import_parts.h"
#include "lab_transact.h"

static cb_status check_statement(const cb_elasticity_law *law, const char *source, const char *method,
                                 cb_err *err) {
  const cb_material_law *row = NULL;
  if (strlen(source) >= sizeof row->source || strlen(method) >= sizeof row->method)
    return cb_fail(err, CB_E_ARG, "source and method of a law: at most %zu and %zu bytes were wanted",
                   sizeof row->source - 1, sizeof row->method - 1);
  return cb_elasticity_law_check(law, err);
}

static cb_status fill_row(const cb_elasticity_law *law, const char *source, const char *method,
                          cb_material_law *row, cb_err *err) {
  *row = (cb_material_law){.kind = CB_LAW_ELASTICITY, .form = "isotropic", .origin = CB_IMPORTED};
  CB_TRY(check_statement(law, source, method, err));
  (void)snprintf(row->source, sizeof row->source, "%s", source);
  (void)snprintf(row->method, sizeof row->method, "%s", method);
  json_t *doc = json_pack("{s:o}", "law", cb_elasticity_json(law));
  row->result_json = cb_json_text(doc);
  json_decref(doc);
  return row->result_json ? CB_OK : cb_no_memory(err, "a law of elasticity");
}

typedef struct statement {
  const char *body;
  cb_material_law *row;
} statement;

static cb_status put_statement(cb_store *s, void *context, cb_err *err) {
  const statement *q = context;
  CB_TRY(cb_store_material_ensure(s, CB_BODY, q->body, CB_IMPORTED, &q->row->material_id, err));
  return cb_store_material_law_put(s, q->row, NULL, 0, err);
}

cb_status lab_elasticity_store(cb_store *s, const char *body, const cb_elasticity_law *law,
                               const char *source, const char *method, int64_t *law_id, cb_err *err) {
  cb_material_law row;
  CB_TRY(fill_row(law, source, method, &row, err));
  cb_status st = lab_transact(s, put_statement, &(statement){body, &row}, err);
  *law_id = row.id;
  free(row.result_json);
  return st;
}

cb_status lab_import_elasticity(const lab_import *q, const char *body, const cb_elasticity_law *law,
                                const char *source, const char *method, int64_t *law_id, cb_err *err) {
  cb_store *s;
  CB_TRY(check_statement(law, source, method, err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_elasticity_store(s, body, law, source, method, law_id, err), err);
}
