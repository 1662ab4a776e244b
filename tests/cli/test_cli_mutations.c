/* Files that were damaged or edited: `db check` finds every change of what they hold, and no command crashes
 * or prints a number that is none.
 *
 * Bits: one bit of the file, anywhere. SQL: one statement with triggers and CHECKs out of the way. A change
 * of content is a change of any cell of any table as SQLite itself reads it, or that it can no longer be
 * read. Every day has bits and statements of its own, which a failure names. With CB_SLOW the file is that of
 * `demo`: 20 rounds of 200 bits and 200 statements. */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "clitest.h"
#include "storecontent.h"

static char base[300], copy[300];
static bool slow;
static uint32_t seed = 20261123;

static uint32_t next(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)seed * n) >> 32);
}

static const char arcsim[] =
    "{\"density\": 0.25,\n"
    " \"stretching\": [[100, 10, 90, 40], [101, 11, 91, 41], [102, 12, 92, 42.1], [103, 13, 93, 43], [104, "
    "-14, 94, 44], [105, 15, 95, "
    "45]],\n"
    " \"bending\": [[24e-6, 25e-6, 26e-6, 27e-6, 28e-6], [29e-6, 30e-6, 31e-6, 32e-6, 33e-6], [34e-6, 35e-6, "
    "36e-6, 37e-6, 38e-6]]}\n";

/* Twill with every kind of law there is a short way to; from the shipped materials, friction. */
static int set_up(void **state) {
  (void)cbt_folder_set_up(state);
  slow = getenv("CB_SLOW") != NULL;
  if (!slow) seed += (uint32_t)(time(NULL) / 86400);
  (void)snprintf(copy, sizeof copy, "%s/copy.db", cbt_folder);
  if (slow) {
    clit_run("demo", 0);
    (void)snprintf(base, sizeof base, "%s/clothbench-demo/demo.db", cbt_folder);
  } else {
    clit_put("twill.json", arcsim);
    (void)snprintf(base, sizeof base, "%s/lab.db", cbt_folder);
    clit_expect("import material twill.json --format arcsim --name Twill --source \"a book\" --db lab.db", 0,
                "imported into lab.db", "");
    clit_run("db merge " CB_SOURCE_DIR "/materials.db --db lab.db", 0);
  }
  return 0;
}

static void copy_base(void) {
  char command[800];
  (void)snprintf(command, sizeof command, "rm -f '%s'* && cp '%s' '%s'", copy, base, copy);
  assert_int_equal(system(command), 0);
}

/* ---- what a command may say ---- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool says_nan(const char *text) {
  for (const char *at = text; (at = strstr(at, "nan")); at += 3)
    if ((at == text || !is_letter(at[-1])) && !is_letter(at[3])) return true;
  return strstr(text, "+- -") != NULL;
}

static void no_nonsense(const char *arguments, const char *what) {
  static cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code < 0 || r.code > 3 || says_nan(r.out))
    fail_msg("%s: clothbench %s: code %d: %s%s", what, arguments, r.code, r.out, r.err);
  if (r.code == 1 && r.err[0] == '\0') fail_msg("%s: clothbench %s failed without a word", what, arguments);
}

static const char *const commands[] = {
    "db ls --db copy.db",
    "db show Twill --db copy.db",
    "db show \"Demo Twill\" --db copy.db --json",
    "db show \"Royal Target\" --db copy.db",
    "predict friction --cloth \"Demo Twill\" --body \"Demo Foam\" --angle-deg 30 --normal-force-N 1.2 --db "
    "copy.db",
    "predict friction --cloth \"Royal Target\" --body \"Plastic Foam\" --angle-deg 30 --normal-force-N 1.2 "
    "--db copy.db",
    "export material \"Royal Target\" --format json --out out.json --db copy.db",
    "predict stretch --cloth Twill --angle-deg 20 --strain 0.01 --db copy.db",
    "predict bending --cloth Twill --angle-deg 20 --db copy.db",
    "validate slide --db copy.db",
    "report --db copy.db --out pages",
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

/* The check after every change; every command after one change in `every`. */
static void look(const char *what, uint64_t before, unsigned round, unsigned every, unsigned *changed) {
  static cbt_result r;
  uint64_t after;
  bool other = !store_content(copy, &after) || after != before;
  cbt_run(&r, cbt_folder, "db check --db copy.db");
  *changed += other;
  if (r.code != 0 && r.code != 1) fail_msg("%s: db check: code %d: %s%s", what, r.code, r.out, r.err);
  if (other && r.code == 0) fail_msg("%s: the content changed and db check says: %s", what, r.out);
  if (says_nan(r.out)) fail_msg("%s: %s", what, r.out);
  if (round % every != 0) return;
  for (size_t i = 0; i + (round % (40 * every) ? 1 : 0) < N_COMMANDS; i++) no_nonsense(commands[i], what);
}

/* ---- bits ---- */

static void every_flipped_bit_that_matters_is_found(void **state) {
  (void)state;
  const unsigned n = slow ? 20 * 200 : 60;
  unsigned changed = 0;
  uint64_t before;
  assert_true(store_content(base, &before));
  for (unsigned i = 0; i < n; i++) {
    char what[100];
    copy_base();
    int fd = open(copy, O_RDWR);
    assert_true(fd >= 0);
    off_t size = lseek(fd, 0, SEEK_END), at = (off_t)next((uint32_t)size);
    unsigned bit = next(8);
    unsigned char c;
    assert_true(pread(fd, &c, 1, at) == 1);
    c ^= (unsigned char)(1u << bit);
    assert_true(pwrite(fd, &c, 1, at) == 1);
    close(fd);
    (void)snprintf(what, sizeof what, "bit %u of byte %lld", bit, (long long)at);
    look(what, before, i, slow ? 10 : 20, &changed);
  }
  print_message("%u bits flipped, %u changed the content, all of these were found\n", n, changed);
  assert_true(changed > n / 20);
}

/* ---- statements ---- */

static void pick(sqlite3 *db, const char *sql, char out[80]) {
  sqlite3_stmt *q;
  uint32_t n = 0;
  out[0] = '\0';
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
  while (sqlite3_step(q) == SQLITE_ROW) n++;
  sqlite3_reset(q);
  for (uint32_t i = n ? next(n) + 1 : 0; i > 0; i--) (void)sqlite3_step(q);
  if (n) (void)snprintf(out, 80, "%s", (const char *)sqlite3_column_text(q, 0));
  sqlite3_finalize(q);
}

/* A table that has rows, a column of it, and what becomes of a cell or row. */
static void make_statement(sqlite3 *db, char sql[500]) {
  static const char *const values[] = {"%s * 1.001", "%s + 1",
                                       "-%s",        "NULL",
                                       "-1",         "0",
                                       "9e999",      "1e-9",
                                       "%s || 'x'",  "'a' || char(10) || 'b'",
                                       "'{'",        "''",
                                       "'measured'", "char(27) || '[2J'",
                                       "0.005",      "1e300"};
  char table[80], column[80], columns[200], value[200];
  int64_t rows = 0;
  do {
    pick(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'", table);
    (void)snprintf(sql, 500, "SELECT count(*) FROM \"%s\"", table);
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    if (sqlite3_step(q) == SQLITE_ROW) rows = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
  } while (rows == 0);
  (void)snprintf(columns, sizeof columns, "SELECT name FROM pragma_table_info('%s')", table);
  pick(db, columns, column);
  uint32_t row = next((uint32_t)rows), kind = next(20);
  const char *format = values[next(sizeof values / sizeof values[0])];
  (void)snprintf(value, sizeof value, "%s", format);
  if (strncmp(format, "%s", 2) == 0) (void)snprintf(value, sizeof value, "\"%s\"%s", column, format + 2);
  if (strcmp(format, "-%s") == 0) (void)snprintf(value, sizeof value, "-\"%s\"", column);
  if (kind == 0)
    (void)snprintf(sql, 500, "DELETE FROM \"%s\" LIMIT 1 OFFSET %u", table, row);
  else if (kind == 1)
    (void)snprintf(sql, 500, "DELETE FROM \"%s\"", table);
  else if (kind == 2)
    (void)snprintf(sql, 500, "UPDATE \"%s\" SET \"%s\" = %s", table, column, value);
  else
    (void)snprintf(sql, 500, "UPDATE \"%s\" SET \"%s\" = %s LIMIT 1 OFFSET %u", table, column, value, row);
}

static void every_statement_that_matters_is_found(void **state) {
  (void)state;
  const unsigned n = slow ? 200 : 40;
  unsigned changed = 0;
  uint64_t before;
  assert_true(store_content(base, &before));
  for (unsigned i = 0; i < n;) {
    char sql[500];
    sqlite3 *db;
    copy_base();
    assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL), SQLITE_OK);
    make_statement(db, sql);
    bool ran = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
    sqlite3_close(db);
    if (!ran) continue; /* STRICT types, NOT NULL */
    look(sql, before, i++, slow ? 1 : 10, &changed);
  }
  print_message("%u statements, %u changed the content, all of these were found\n", n, changed);
  assert_true(changed > n / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_flipped_bit_that_matters_is_found),
                                     cmocka_unit_test(every_statement_that_matters_is_found)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
