/* Verdicts: predictions against measurements. */
#include <stdlib.h>

#include "cb_store_impl.h"
#include "cb_version.h"

static cb_status put_inputs(cb_store *s, int64_t id, const char *sql, const int64_t *ids, size_t n,
                            cb_err *err) {
  for (size_t i = 0; i < n; i++) CB_TRY(cbs_run(s, NULL, err, sql, "ii", id, ids[i]));
  return CB_OK;
}

static cb_status put_row(cb_store *s, cb_validation *v, cb_err *err) {
  CB_TRY(
      cbs_run(s, &v->id, err,
              "INSERT INTO validation(experiment, run_id, cloth_id, body_id, law_static_id, law_kinetic_id, "
              "pass, worst_en, result_json, "
              "program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              "tnnnnnidttt", v->experiment, v->run_id, v->cloth_id, v->body_id, v->law_static_id,
              v->law_kinetic_id, (int64_t)v->pass, v->worst_en, v->result_json, cb_version(), v->created_at));
  CB_TRY(put_inputs(s, v->id, "INSERT INTO validation_law VALUES(?, ?)", v->material_law_ids,
                    v->n_material_laws, err));
  CB_TRY(put_inputs(s, v->id, "INSERT INTO validation_test VALUES(?, ?)", v->test_ids, v->n_tests, err));
  return put_inputs(s, v->id, "INSERT INTO validation_drape VALUES(?, ?)", v->drape_ids, v->n_drapes, err);
}

cb_status cb_store_validation_put(cb_store *s, cb_validation *v, cb_err *err) {
  if (v->cloth_id == 0) {
    cb_run run;
    CB_TRY(cb_store_run_get(s, v->run_id, &run, err));
    v->cloth_id = run.cloth_id;
    v->body_id = run.body_id;
  }
  cb_store_now(s, v->created_at);
  CB_TRY(cbs_exec(s, "SAVEPOINT validation", err));
  return cbs_end_savepoint(s, "validation", put_row(s, v, err), err);
}

static void read_validation(sqlite3_stmt *q, void *item) {
  cb_validation *v = item;
  int64_t *const ids[] = {&v->id,      &v->run_id,        &v->cloth_id,
                          &v->body_id, &v->law_static_id, &v->law_kinetic_id};
  int i = 0;
  for (; i < (int)(sizeof ids / sizeof ids[0]); i++) *ids[i] = sqlite3_column_int64(q, i);
  cbs_text(q, i++, v->experiment, sizeof v->experiment);
  v->pass = sqlite3_column_int(q, i++) != 0;
  v->worst_en = cbs_real(q, i++);
  v->result_json = cbs_text_dup(q, i++);
  cbs_text(q, i, v->created_at, sizeof v->created_at);
}

cb_status cb_store_validations(cb_store *s, int64_t run_id, cb_validation **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_validation, sizeof **list, (void **)list, n, err,
 "SELECT id, run_id, " CBS_IS("cloth_id") ", " CBS_IS(
                         "body_id") ", law_static_id, law_kinetic_id, "
                                    "experiment, pass, worst_en, result_json, created_at "
                                    "FROM validation WHERE ?1 IS NULL OR run_id = ?1 ORDER BY id",
                     "n", run_id);
}

void cb_validations_free(cb_validation *list, size_t n) {
  for (size_t i = 0; i < n; i++) free(list[i].result_json);
  free(list);
}
