/* For tests: a database that somebody edits by other means than this program, and one that is as if this
 * program had written the edit. */
#ifndef STOREEDIT_H
#define STOREEDIT_H

#include <sqlite3.h>

#include "cb_seal.h"
#include "cbtest.h"

/* As somebody does who knows SQLite: no trigger and no CHECK stands in the way. */
static inline void store_exec_without_triggers(const char *db, const char *sql) {
  sqlite3 *h;
  char *msg = NULL;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  sqlite3_busy_timeout(h, 5000);
  assert_int_equal(sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL), SQLITE_OK);
  assert_int_equal(sqlite3_exec(h, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_exec(h, sql, NULL, NULL, &msg);
  if (msg) fail_msg("%s: %s", sql, msg);
  sqlite3_close(h);
}

/* The text that a query finds first. The caller frees it. */
static inline char *store_text(const char *db, const char *sql) {
  sqlite3 *h;
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(h, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  char *text = strdup((const char *)sqlite3_column_text(q, 0));
  sqlite3_finalize(q);
  sqlite3_close(h);
  return text;
}

/* From now on the file's seals say that all is as it was written. */
static inline void store_reseal(const char *db) {
  cb_store *s;
  assert_ok(cb_store_open(db, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_begin(s, err));
  assert_ok(cbs_seal_all(s, err));
  assert_ok(cb_store_commit(s, err));
  assert_ok(cb_store_close(s, err));
}

static inline void store_edit_and_reseal(const char *db, const char *sql) {
  store_exec_without_triggers(db, sql);
  store_reseal(db);
}

#endif
