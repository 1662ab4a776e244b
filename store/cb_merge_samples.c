/* Have two files the same samples of a run? */
#include <string.h>

#include "cb_merge_row.h"

/* The same rows say the same; others are unpacked and compared. */
static cb_status same_rows(cb_store *here, int64_t id_here, cb_store *there, int64_t id_there, bool *same,
                           cb_err *err) {
  static const char sql[] =
      "SELECT ifnull(group_concat(x), '') FROM (SELECT channel || first_index || ':' || n || ':' || crc32 AS "
      "x FROM"
      " (SELECT channel, first_index, n, crc32 FROM sample_chunk WHERE run_id = ?1 UNION ALL"
      "  SELECT channel, first_index, n, crc32 FROM sample_tail WHERE run_id = ?1) ORDER BY channel, "
      "first_index)";
  sqlite3_stmt *a = NULL, *b = NULL;
  bool row_a, row_b;
  cb_status st;
  CB_GOTO(cbs_prepare(here, &a, err, sql, "i", id_here));
  CB_GOTO(cbs_prepare(there, &b, err, sql, "i", id_there));
  CB_GOTO(cbs_step(here, &a, &row_a, err));
  CB_GOTO(cbs_step(there, &b, &row_b, err));
  cb_merge_cell one = cbm_cell(a, 0), other = cbm_cell(b, 0);
  *same = cbm_same(&one, &other);
done:
  sqlite3_finalize(a);
  sqlite3_finalize(b);
  return st;
}

static bool same_series(const cb_series *a, const cb_series *b) {
  return a->n == b->n && (a->n == 0 || (memcmp(a->v, b->v, a->n * sizeof *a->v) == 0 &&
                                        memcmp(a->t_s, b->t_s, a->n * sizeof *a->t_s) == 0));
}

cb_status cbm_same_samples(cb_store *here, int64_t id_here, cb_store *there, int64_t id_there, bool *same,
                           cb_err *err) {
  CB_TRY(same_rows(here, id_here, there, id_there, same, err));
  if (*same) return CB_OK;
  *same = true;
  for (int c = 0; c < CB_N_CHANNELS && *same; c++) {
    cb_series a, b = {0};
    CB_TRY(cb_store_samples(here, id_here, (cb_channel)c, &a, err));
    cb_status st = cb_store_samples(there, id_there, (cb_channel)c, &b, err);
    *same = st == CB_OK && same_series(&a, &b);
    cb_series_clear(&a);
    cb_series_clear(&b);
    CB_TRY(st);
  }
  return CB_OK;
}
