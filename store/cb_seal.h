/* Private: the seals of the rows.
 *
 * A row's hash is XXH3 (64 bits) over its table's name and every cell, type and bytes. A seal is a row of
 * table `seal`: how many rows an owner has in a table, and the sum of their hashes modulo 2^64. The owner is
 * the row itself (its id), or the run, law, test or point that its first column names; owner 0 has the sum of
 * the whole table. Triggers of the connection keep the seals in the same transaction as the rows, so every
 * statement of this program seals what it writes, and no other program's statement does.
 *
 * The seal finds damage, and edits by other programs. It is no signature: an edit that also changes the seals
 * is not found. */
#ifndef CB_SEAL_H
#define CB_SEAL_H

#include "cb_column.h"
#include "cb_store_impl.h"

#define CBS_MAX_COLUMNS 48
#define CBS_SEALED_SINCE 13 /* the schema's version */

struct cbs_table {
  char name[40];
  char owner[32];      /* an expression: a column, or 1 */
  bool changes, loses; /* rows may be updated, deleted */
  int n;
  struct {
    char name[48];
    bool real; /* a whole number stands for a real one */
    const cb_column *rule;
  } column[CBS_MAX_COLUMNS];
};

/* Reads the list of tables, and registers the SQL functions of the seals. The schema has been compared
 * before. */
CB_CHECKED cb_status cbs_seal_open(cb_store *s, cb_err *err);
void cbs_seal_close(cb_store *s);
/* From now on what this connection writes is checked (cb_column.h) and sealed. */
CB_CHECKED cb_status cbs_seal_watch(cb_store *s, cb_err *err);
/* Seals all rows as they are, unchecked: for a file that had no seals. In the caller's transaction. */
CB_CHECKED cb_status cbs_seal_all(cb_store *s, cb_err *err);
/* CB_E_DB names the first row that was changed, added or removed since it was sealed. */
CB_CHECKED cb_status cbs_seal_check(cb_store *s, cb_err *err);
/* Every number and text of every row against cb_column.h; every JSON text is JSON. */
CB_CHECKED cb_status cbs_columns_check(cb_store *s, cb_err *err);

#endif
