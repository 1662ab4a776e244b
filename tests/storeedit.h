/* For tests: a database that somebody edits by other means than this program, and one that is as if this program had written the edit. */
#ifndef STOREEDIT_H
#define STOREEDIT_H

#include <sqlite3.h>

#include "../core/cb_seal.h"
#include "cbtest.h"

/* As somebody does who knows SQLite: the triggers are taken away and put back. */
static inline void store_exec_without_triggers(const char *db, const char *sql) {
  sqlite3 *h;
  sqlite3_stmt *q;
  char *names[200], *texts[200], drop[200];
  int n = 0;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  sqlite3_busy_timeout(h, 5000);
  assert_int_equal(sqlite3_prepare_v2(h, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid", -1, &q, NULL),
                   SQLITE_OK);
  for (; sqlite3_step(q) == SQLITE_ROW && n < 200; n++) {
    names[n] = strdup((const char *)sqlite3_column_text(q, 0));
    texts[n] = strdup((const char *)sqlite3_column_text(q, 1));
  }
  sqlite3_finalize(q);
  for (int i = 0; i < n; i++) {
    (void)snprintf(drop, sizeof drop, "DROP TRIGGER \"%s\"", names[i]);
    assert_int_equal(sqlite3_exec(h, drop, NULL, NULL, NULL), SQLITE_OK);
  }
  char *msg = NULL;
  sqlite3_exec(h, sql, NULL, NULL, &msg);
  if (msg) fail_msg("%s: %s", sql, msg);
  for (int i = 0; i < n; i++) {
    assert_int_equal(sqlite3_exec(h, texts[i], NULL, NULL, NULL), SQLITE_OK);
    free(names[i]);
    free(texts[i]);
  }
  sqlite3_close(h);
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
