/* Private to the parts of a sweep's file. */
#ifndef CB_SWEEP_IMPL_H
#define CB_SWEEP_IMPL_H

#include "cb_store_impl.h"
#include "cb_sweep_file.h"

struct cb_sweep_file {
  cb_store s; /* its path and handle, for cbs_* */
  cb_sweep_head head;
  int lock; /* of the file PATH.lock; -1: a reader */
};

/* Columns before those of the plan. */
enum { CBW_CASE, CBW_STATE, CBW_EXIT, CBW_SENTENCE, CBW_SECONDS, CBW_HOST, CBW_OWN };

static inline size_t cbw_columns(const cb_sweep_file *f) {
  return CBW_OWN + f->head.n_variables + f->head.n_figures;
}
/* Prepares "INSERT INTO sweep VALUES(?, ...)", where a row that is done stays, and one that failed is
 * replaced. */
CB_CHECKED cb_status cbw_prepare_add(cb_sweep_file *f, sqlite3_stmt **out, cb_err *err);

#endif
