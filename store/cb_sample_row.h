/* Private: rows of sample_chunk and sample_tail, which have the same columns, and how to read them. */
#ifndef CB_SAMPLE_ROW_H
#define CB_SAMPLE_ROW_H

#include "cb_store_impl.h"

/* Of both tables, in the order of the samples. where: "" or "WHERE ..." with the same values bound twice. */
#define CB_SAMPLE_COLUMNS "run_id, channel, first_index, n, encoding, crc32, payload"
#define CB_SAMPLE_ROWS(where)                                                                               \
  "SELECT " CB_SAMPLE_COLUMNS ", 0 AS tail FROM sample_chunk " where " UNION ALL SELECT " CB_SAMPLE_COLUMNS \
  ", 1 FROM sample_tail " where " ORDER BY run_id, channel, first_index"

typedef struct cb_sample_row {
  int64_t run_id, first_index, n;
  char channel[16];
  bool tail;
} cb_sample_row;

/* The present row of CB_SAMPLE_ROWS: checks that its samples begin at `expected` (of the channel), its CRC
 * and its content, and appends them to out. */
CB_CHECKED cb_status cbs_sample_row(cb_store *s, sqlite3_stmt *q, int64_t expected, cb_sample_row *row,
                                    cb_series *out, cb_err *err);

/* Packs the tail of a run, best effort. Samples in the tail are as safe and as readable; they only take more
 * space. */
void cbs_pack_run(cb_store *s, int64_t run_id);

#endif
