/* What a database holds, as SQLite itself tells: for tests that change a file and ask whether anything in it
 * became another. */
#ifndef STORECONTENT_H
#define STORECONTENT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <xxhash.h>

static inline bool store_content_rows(sqlite3 *db, const char *table, uint64_t *hash) {
  char sql[200];
  sqlite3_stmt *q;
  int rc;
  (void)snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", table);
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) return false;
  while ((rc = sqlite3_step(q)) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(q); i++) {
      int type = sqlite3_column_type(q, i);
      double d = sqlite3_column_double(q, i);
      int64_t n = sqlite3_column_int64(q, i);
      *hash = XXH3_64bits_withSeed(&type, sizeof type, *hash);
      if (type == SQLITE_FLOAT) *hash = XXH3_64bits_withSeed(&d, sizeof d, *hash);
      if (type == SQLITE_INTEGER) *hash = XXH3_64bits_withSeed(&n, sizeof n, *hash);
      if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
        const void *bytes = sqlite3_column_blob(q, i);
        *hash = XXH3_64bits_withSeed(bytes, (size_t)sqlite3_column_bytes(q, i), *hash + 1);
      }
    }
  return sqlite3_finalize(q) == SQLITE_OK && rc == SQLITE_DONE;
}

/* Of all tables but the seals, with their names. False: it cannot all be read. Triggers, indexes and views
 * are not looked at. */
static inline bool store_content(const char *path, uint64_t *hash) {
  sqlite3 *db;
  sqlite3_stmt *q = NULL;
  bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(
                db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'seal' ORDER BY name",
                -1, &q, NULL) == SQLITE_OK;
  int rc = SQLITE_DONE;
  *hash = 0;
  while (ok && (rc = sqlite3_step(q)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(q, 0);
    *hash = XXH3_64bits_withSeed(name, (size_t)sqlite3_column_bytes(q, 0), *hash);
    ok = store_content_rows(db, name, hash);
  }
  ok = ok && rc == SQLITE_DONE;
  sqlite3_finalize(q);
  sqlite3_close(db);
  return ok;
}

#endif
