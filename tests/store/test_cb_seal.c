/* Seals: what somebody else did to a file is found; the schema of a foreign file is compared before anything
 * of it can run. */
#include "cb_store_impl.h"
#include "cb_seal.h"
#include "cb_store_file.h"
#include "storetest.h"
#include "cb_store_rows_impl.h"

/* ---- the schema ---- */

static void the_hash_is_that_of_a_fresh_file(void **state) {
  store_fixture *f = *state;
  uint64_t hash;
  assert_ok(cbs_schema_hash(f->s, &hash, err));
  if (hash != cb_schema_hash)
    print_error("cb_schema_hash must be UINT64_C(0x%016llx)\n", (unsigned long long)hash);
  assert_true(hash == cb_schema_hash);
}

/* One table for every column there is: a column that is not in it is refused at opening, so this is what a
 * new column runs into. */
static void every_column_has_its_range(void **state) {
  store_fixture *f = *state;
  int columns = 0;
  for (int i = 0; i < f->s->n_tables; i++)
    for (int k = 0; k < f->s->tables[i].n; k++, columns++) {
      const cb_column *rule = f->s->tables[i].column[k].rule;
      assert_non_null(rule);
      assert_true(rule->kind != CB_COLUMN_NUMBER || rule->min < rule->max);
      assert_true(!f->s->tables[i].column[k].real || rule->kind == CB_COLUMN_NUMBER);
    }
  assert_true(f->s->n_tables > 30 && columns > 300);
}

/* A file whose owner made a program of it. */
static void a_schema_of_others_is_refused(void **state) {
  store_fixture *f = *state;
  static const struct {
    const char *sql, *sentence;
  } cases[] = {
      {"CREATE TRIGGER evil AFTER INSERT ON friction_law BEGIN UPDATE material SET name = 'x'; END",
       "trigger 'evil' does not belong to schema"},
      {"CREATE VIEW v AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r",
       "view 'v' does not belong to"},
      {"CREATE TABLE pragma_foreign_key_check(\"table\", rowid)",
       "table 'pragma_foreign_key_check' does not belong to"},
      {"DROP TRIGGER run_ends_once", "trigger 'run_ends_once' is missing from"},
      {"DROP INDEX run_by_pair", "index 'run_by_pair' is missing from"},
      {"ALTER TABLE material ADD COLUMN extra TEXT", "table 'material' is defined otherwise than in"},
      {"ALTER TABLE point_detail RENAME TO p2; CREATE VIEW point_detail AS SELECT * FROM p2",
       "does not belong to"},
      {"CREATE TABLE extra(x)", "table 'extra' does not belong to"},
  };
  char copy[400];
  assert_ok(cb_store_close(f->s, err));
  f->s = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cb_store *s;
    store_copy(f->db, cbt_path("evil.db", copy));
    store_exec(copy, cases[i].sql, NULL);
    assert_fails(CB_E_DB, cases[i].sentence, cb_store_open(copy, CB_STORE_READ, &s, err));
    assert_fails(CB_E_DB, cases[i].sentence, cb_store_open(copy, CB_STORE_WRITE, &s, err));
    unlink(copy);
  }
}

/* A planner's notes are no harm. */
static void an_analysed_file_opens(void **state) {
  store_fixture *f = *state;
  cb_store *s;
  store_exec(f->db, "ANALYZE", NULL);
  assert_ok(cb_store_open(f->db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* ---- seals ---- */

static void a_lab(store_fixture *f) {
  cb_run run = store_make_run(f->s, CB_MEASURED);
  const double t[] = {0, 0.001, 0.002}, v[] = {1, 2, 3};
  assert_ok(cb_store_samples_append(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, v, err));
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  cb_friction_point p = {.run_id = run.id,
                         .kinetic_N = 0.5,
                         .u_kinetic_N = 0.01,
                         .static_N = 0.6,
                         .u_static_N = 0.02,
                         .n_eff = 7,
                         .method = "m"};
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_ok(cb_store_check(f->s, NULL, err));
}

/* Everything this program writes fits its seals: also what is updated and deleted on its way. */
static void what_is_written_is_sealed(void **state) {
  store_fixture *f = *state;
  a_lab(f);
  a_lab(f);
  assert_ok(cb_store_check(f->s, NULL, err));
}

static void changes_are_found(void **state) {
  store_fixture *f = *state;
  static const struct {
    const char *sql, *sentence;
  } cases[] = {
      {"UPDATE friction_point SET kinetic_N = 0.500001", "friction_point 1: was changed by something else"},
      {"UPDATE friction_point SET u_kinetic_N = NULL", "friction_point 1: was changed by something else"},
      {"UPDATE run SET angle_deg = 46", "run 1: was changed"},
      {"UPDATE run SET reason = 'x'", "run 1: was changed"},
      {"UPDATE calibration SET slope_N_per_unit = 3", "calibration 1: was changed"},
      {"UPDATE material SET name = 'Silk' WHERE kind = 'cloth'", "was changed"},
      {"UPDATE meta SET value = 'reference' WHERE key = 'role'", "meta: was changed"},
      {"UPDATE sample_chunk SET channel = 'speed'", "sample_chunk of run 1: was changed"},
      {"DELETE FROM friction_point", "friction_point 1: is missing"},
      {"INSERT INTO event(campaign_id, t_s, at, kind, text) VALUES(1, 0, '2026-01-01', 'x', 'y')",
       "was added by something else"},
      {"INSERT INTO friction_point SELECT id + 1, run_id, zero_N, u_zero_N, static_N, u_static_N, kinetic_N, "
       "u_kinetic_N, kinetic_sd_N, "
       "n_eff,"
       " window_from_m, window_to_m, mu_reported, mu_reported_decimals, method, program_version, created_at "
       "FROM friction_point",
       "friction_point 2: was added by something else"},
      {"DELETE FROM seal WHERE tab = 'run' AND owner = 1", "run 1: was added by something else"},
      {"DELETE FROM friction_point; DELETE FROM seal WHERE tab = 'friction_point' AND owner = 1",
       "does not fit the seal of the table"},
      {"DELETE FROM seal WHERE tab = 'friction_point'", "friction_point 1: was added"},
      {"DELETE FROM seal WHERE tab = 'run' AND owner = 0", "does not fit the seal of the table"},
      {"UPDATE seal SET hash = hash + 1 WHERE tab = 'run' AND owner = 0",
       "does not fit the seal of the table"},
      {"INSERT INTO seal VALUES('nothing', 1, 1, 1)", "a seal of a table that is not there: nothing"},
  };
  char copy[400];
  a_lab(f);
  assert_ok(cb_store_close(f->s, err));
  f->s = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cb_store *s;
    store_copy(f->db, cbt_path("changed.db", copy));
    store_exec_without_triggers(copy, cases[i].sql);
    assert_ok(cb_store_open(copy, CB_STORE_READ, &s, err));
    assert_fails(CB_E_DB, cases[i].sentence, cb_store_check(s, NULL, err));
    assert_ok(cb_store_close(s, err));
    unlink(copy);
  }
}

/* ---- ranges ---- */

static void what_cannot_be_is_not_written(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_friction_point p = {.run_id = run.id, .kinetic_N = 1e300, .method = "m"};
  assert_fails(CB_E_RANGE, "friction_point 1: kinetic_N = 1e+300: must be -1000000 to 1000000",
               cb_store_point_put(f->s, &p, err));
  p.kinetic_N = 1;
  (void)snprintf(p.method, sizeof p.method, "a\x1b[2Jb");
  assert_fails(CB_E_RANGE, "friction_point 1: method = 'a\\x1b[2Jb': has a control character",
               cb_store_point_put(f->s, &p, err));
  cb_material m = {.kind = CB_CLOTH, .name = "line\nfeed", .origin = CB_MEASURED};
  assert_fails(CB_E_RANGE, "name = 'line\\x0afeed': has a control character",
               cb_store_material_put(f->s, &m, err));
  assert_ok(cb_store_check(f->s, NULL, err));
}

/* Such a row can be in a file from before there were seals. */
static void what_cannot_be_is_not_read(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED), back;
  cb_store *s;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  assert_ok(cb_store_close(f->s, err));
  f->s = NULL;
  store_exec_without_triggers(f->db, "UPDATE run SET rate_Hz = 9e999");
  assert_ok(cb_store_open(f->db, CB_STORE_READ, &s, err));
  assert_fails(CB_E_DB, "run.rate_Hz = inf: must be 0 to 10000000", cb_store_run_get(s, run.id, &back, err));
  assert_ok(cb_store_close(s, err));
}

/* A merge takes no such row over, and leaves this file as it was. */
static void what_cannot_be_is_not_merged(void **state) {
  store_fixture *f = *state;
  static const char *const edits[] = {
      "UPDATE run SET rate_Hz = 9e999", "UPDATE run SET u_normal_force_N = -1",
      "UPDATE material SET name = 'a' || char(10) || 'import os'", "UPDATE friction_point SET n_eff = -5"};
  char other[400];
  cb_merge_result r;
  a_lab(f);
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    store_copy(f->db, cbt_path("other.db", other));
    store_edit_and_reseal(other, edits[i]);
    cb_err e;
    cb_status st = cb_store_merge(f->s, other, NULL, NULL, &r, &e);
    if (st == CB_OK || !strstr(e.msg, "other.db: "))
      fail_msg("%s: %s", edits[i], st == CB_OK ? "merged" : e.msg);
    assert_ok(cb_store_check(f->s, NULL, err));
    unlink(other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(the_hash_is_that_of_a_fresh_file), STORE_TEST(every_column_has_its_range),
      STORE_TEST(a_schema_of_others_is_refused),    STORE_TEST(an_analysed_file_opens),
      STORE_TEST(what_is_written_is_sealed),        STORE_TEST(changes_are_found),
      STORE_TEST(what_cannot_be_is_not_written),    STORE_TEST(what_cannot_be_is_not_read),
      STORE_TEST(what_cannot_be_is_not_merged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
