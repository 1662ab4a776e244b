#include "lab_transact.h"

cb_status lab_transact(cb_store *s, lab_work *work, void *context, cb_err *err) {
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = work(s, context, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}
