/* Private to the merge: rows of any table, by SQLite's description of its columns and references. A new
 * column is therefore merged without a change here. */
#ifndef CB_MERGE_ROW_H
#define CB_MERGE_ROW_H

#include "cb_store_impl.h"

#define CB_MERGE_COLUMNS 64

typedef struct cb_merge_column {
  char name[48];
  char refers_to[48]; /* table; "" */
} cb_merge_column;

/* A table without its id. */
typedef struct cb_merge_table {
  const char *name;
  bool has_id;
  int n;
  cb_merge_column column[CB_MERGE_COLUMNS];
} cb_merge_table;

/* A value that belongs to SQLite; valid until the next step of its statement. */
typedef struct cb_merge_cell {
  int type; /* SQLITE_INTEGER, ... */
  int64_t i;
  double d;
  const void *bytes; /* TEXT and BLOB */
  int n_bytes;
} cb_merge_cell;

CB_CHECKED cb_status cbm_describe(cb_store *s, const char *name, cb_merge_table *t, cb_err *err);
int cbm_column(const cb_merge_table *t, const char *name); /* -1: there is none */

/* SELECT id (0 where there is none), all columns; cells are read from it with cbm_cell(q, 1 + column). where:
 * "" or "WHERE ...". */
CB_CHECKED cb_status cbm_select(cb_store *s, const cb_merge_table *t, const char *where, sqlite3_stmt **q,
                                cb_err *err);
/* The same WHERE the columns of the mask are what will be bound (bit i: column i). */
CB_CHECKED cb_status cbm_select_by(cb_store *s, const cb_merge_table *t, uint64_t mask, sqlite3_stmt **q,
                                   cb_err *err);
CB_CHECKED cb_status cbm_insert(cb_store *s, const cb_merge_table *t, sqlite3_stmt **q, cb_err *err);

cb_merge_cell cbm_cell(sqlite3_stmt *q, int i);
bool cbm_same(const cb_merge_cell *a, const cb_merge_cell *b);
bool cbm_unknown(const cb_merge_cell *a); /* NULL or "" */
void cbm_text(const cb_merge_cell *a, char out[64]);
CB_CHECKED cb_status cbm_bind(cb_store *s, sqlite3_stmt *q, int at, const cb_merge_cell *a, cb_err *err);

/* All samples of a run here and of one there, bit for bit. */
CB_CHECKED cb_status cbm_same_samples(cb_store *here, int64_t id_here, cb_store *there, int64_t id_there,
                                      bool *same, cb_err *err);

#endif
