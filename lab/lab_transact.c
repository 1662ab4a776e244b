#include "lab_transact.h"

static cb_status try_work(cb_store *s, lab_work *work, void *context, cb_err *err) {
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = work(s, context, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

cb_status lab_transact(cb_store *s, lab_work *work, void *context, cb_err *err) {
  const cb_status st = try_work(s, work, context, err);
  if (st == CB_OK) return CB_OK;
  CB_TRY(cb_store_names_settle(s, st, err));
  return try_work(s, work, context, err);
}
