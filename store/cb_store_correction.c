#include "cb_store_correction.h"

#include "cb_store_impl.h"
#include "cb_version.h"

const char *const cb_correction_kind_names[] = {"void", "unvoid", "note", NULL};

static cb_status check_change(cb_store *s, const cb_correction *c, cb_err *err) {
  cb_run run;
  CB_TRY(cb_store_run_get(s, c->run_id, &run, err));
  if (c->kind == CB_CORRECTION_NOTE) return CB_OK;
  const cb_run_status wanted = c->kind == CB_CORRECTION_VOID ? CB_RUN_DONE : CB_RUN_VOIDED;
  return run.status == wanted
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s: run %lld is %s: a run that is %s was wanted", cb_store_path(s),
                       (long long)run.id, cb_run_status_names[run.status], cb_run_status_names[wanted]);
}

cb_status cb_store_correction_put(cb_store *s, cb_correction *c, cb_err *err) {
  char uuid[37];
  CB_TRY(check_change(s, c, err));
  cbs_uuid(s, "", uuid);
  cb_store_now(s, c->created_at);
  return cbs_run(
      s, &c->id, err,
      "INSERT INTO correction(uuid, run_id, kind, reason, operator_name, program_version, created_at)"
      " VALUES(?, ?, ?, ?, ?, ?, ?)",
      "tittttt", uuid, c->run_id, cb_correction_kind_names[c->kind], c->reason, c->operator_name,
      cb_version(), c->created_at);
}

static void read_correction(sqlite3_stmt *q, void *item) {
  cb_correction *c = item;
  *c = (cb_correction){.id = sqlite3_column_int64(q, 0), .run_id = sqlite3_column_int64(q, 1)};
  c->kind = (cb_correction_kind)cbs_enum(q, 2, cb_correction_kind_names);
  cbs_text(q, 3, c->reason, sizeof c->reason);
  cbs_text(q, 4, c->operator_name, sizeof c->operator_name);
  cbs_text(q, 5, c->created_at, sizeof c->created_at);
}

cb_status cb_store_corrections(cb_store *s, int64_t run_id, cb_correction **list, size_t *n, cb_err *err) {
  sqlite3_stmt *q;
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT id, run_id, kind, reason, operator_name, created_at FROM correction"
                     " WHERE run_id = ifnull(?, run_id) ORDER BY created_at, id",
                     "n", run_id));
  return cbs_list(s, q, read_correction, sizeof **list, (void **)list, n, err);
}
