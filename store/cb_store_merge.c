/* Two files made one. Rows are the same by a key (uuid, name, text) or by everything they say; whatever
 * refers to another row follows it to its id here. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cb_merge_row.h"
#include "cb_store_file.h"
#include "cb_store_rows_impl.h"

/* ---- the tables, each after what it refers to ---- */

typedef struct rule {
  const char *table;
  const char *key[3];     /* columns that make it the same thing; none: all of them */
  const char *ignored[3]; /* may differ */
  const char *only;       /* of the other file */
  const char *owner;      /* the row comes with the row that this column names, or not at all */
  const char *inputs;     /* ids that must all have come over: SELECT ... WHERE law_id = ? */
  const char *input_of;   /* the table of those ids */
  bool fill;              /* what is unknown here is taken over, and unknown contradicts nothing */
  bool samples;
  size_t counts; /* offset in cb_merge_result; of `all` for rows that only belong to another */
} rule;

#define COUNTS(member) .counts = offsetof(cb_merge_result, member)
static const rule rules[] = {
    {.table = "material", .key = {"kind", "name"}, .fill = true, COUNTS(materials)},
    {.table = "material_name", .key = {"uuid"}, COUNTS(events)},
    {.table = "rig", .key = {"text"}, .ignored = {"name", "created_at"}, COUNTS(rigs)},
    {.table = "calibration", COUNTS(calibrations)},
    {.table = "calibration_point", .owner = "calibration_id", COUNTS(all)},
    {.table = "campaign", .key = {"uuid"}, .fill = true, COUNTS(campaigns)},
    {.table = "conditioning", .owner = "campaign_id", COUNTS(all)},
    {.table = "standard_result", COUNTS(all)},
    {.table = "specimen", .key = {"uuid"}, COUNTS(specimens)},
    {.table = "specimen_log", .key = {"uuid"}, COUNTS(events)},
    {.table = "run", .key = {"uuid"}, .only = "status <> 'running'", COUNTS(runs)},
    {.table = "run_zero", .owner = "run_id", COUNTS(all)},
    {.table = "run_channel", .owner = "run_id", COUNTS(all)},
    {.table = "run_stroke", .owner = "run_id", COUNTS(all)},
    {.table = "sample_chunk", .owner = "run_id", .samples = true, COUNTS(all)},
    {.table = "sample_tail", .owner = "run_id", .samples = true, COUNTS(all)},
    {.table = "correction", .key = {"uuid"}, COUNTS(events)},
    {.table = "event", COUNTS(events)},
    {.table = "friction_point", COUNTS(points)},
    {.table = "point_detail", .owner = "point_id", COUNTS(all)},
    {.table = "friction_law",
     .inputs = "SELECT point_id FROM friction_law_input WHERE law_id = ?",
     .input_of = "friction_point",
     COUNTS(laws)},
    {.table = "friction_knot", .owner = "law_id", COUNTS(all)},
    {.table = "friction_shared", .owner = "law_id", COUNTS(all)},
    {.table = "friction_shared_knot", .owner = "law_id", COUNTS(all)},
    {.table = "friction_law_input", .owner = "law_id", COUNTS(all)},
    {.table = "self_friction_law",
     .inputs = "SELECT point_id FROM self_friction_law_input WHERE law_id = ?",
     .input_of = "friction_point",
     COUNTS(laws)},
    {.table = "self_friction_law_input", .owner = "law_id", COUNTS(all)},
    {.table = "material_test", .key = {"uuid"}, COUNTS(tests)},
    {.table = "permeability_point", .owner = "test_id", COUNTS(all)},
    {.table = "stretch_point", .owner = "test_id", COUNTS(all)},
    {.table = "cantilever_point", .owner = "test_id", COUNTS(all)},
    {.table = "bending_moment_point", .owner = "test_id", COUNTS(all)},
    {.table = "shear_point", .owner = "test_id", COUNTS(all)},
    {.table = "compression_point", .owner = "test_id", COUNTS(all)},
    {.table = "buckling_point", .owner = "test_id", COUNTS(all)},
    {.table = "material_figure", .key = {"uuid"}, COUNTS(tests)},
    {.table = "drape_measurement", .key = {"uuid"}, COUNTS(tests)},
    {.table = "material_law",
     .inputs = "SELECT test_id FROM material_law_input WHERE law_id = ?",
     .input_of = "material_test",
     COUNTS(laws)},
    {.table = "material_law_input", .owner = "law_id", COUNTS(all)},
    {.table = "drape_shape", .key = {"uuid"}, COUNTS(validations)},
    {.table = "validation", COUNTS(validations)},
    {.table = "validation_law", .owner = "validation_id", COUNTS(all)},
    {.table = "validation_test", .owner = "validation_id", COUNTS(all)},
    {.table = "validation_drape", .owner = "validation_id", COUNTS(all)},
};

typedef struct merge {
  cb_store *here, *there;
  void (*conflict)(void *context, const char *sentence);
  void *context;
  cb_merge_result *result;
  /* Of the present table: */
  const rule *rule;
  cb_merge_table t;
  cb_merge_counts *counts;
  uint64_t key; /* mask of columns */
  sqlite3_stmt *find, *insert, *map_get, *map_put;
} merge;

typedef struct row {
  int64_t id; /* there */
  cb_merge_cell cell[CB_MERGE_COLUMNS];
  bool fresh_owner, fresh_parent; /* what it belongs to, or something it refers to, was taken over just now */
} row;

static bool listed(const char *const names[3], const char *name) {
  for (int i = 0; i < 3 && names[i]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* ---- ids there -> ids here ---- */

static cb_status reset_statement(cb_store *s, sqlite3_stmt *q, int code, cb_err *err) {
  cb_status st = code == SQLITE_DONE || code == SQLITE_ROW ? CB_OK : cbs_fail(s, sqlite3_sql(q), err);
  sqlite3_reset(q);
  return st;
}

static cb_status put_map(merge *m, int64_t there, int64_t here, bool fresh, cb_err *err) {
  if (!m->t.has_id || m->rule->samples) return CB_OK; /* nothing refers to them */
  sqlite3_bind_text(m->map_put, 1, m->t.name, -1, SQLITE_STATIC);
  sqlite3_bind_int64(m->map_put, 2, there);
  sqlite3_bind_int64(m->map_put, 3, here);
  sqlite3_bind_int(m->map_put, 4, fresh);
  return reset_statement(m->here, m->map_put, sqlite3_step(m->map_put), err);
}

/* *here is 0 for a row that was not taken over. */
static cb_status get_map(merge *m, const char *table, int64_t there, int64_t *here, bool *fresh,
                         cb_err *err) {
  sqlite3_bind_text(m->map_get, 1, table, -1, SQLITE_STATIC);
  sqlite3_bind_int64(m->map_get, 2, there);
  int code = sqlite3_step(m->map_get);
  *here = code == SQLITE_ROW ? sqlite3_column_int64(m->map_get, 0) : 0;
  *fresh = code == SQLITE_ROW && sqlite3_column_int(m->map_get, 1) != 0;
  return reset_statement(m->here, m->map_get, code, err);
}

/* Puts ids of this file into the row; *whole is false where it refers to something that was not taken
 * over. */
static cb_status map_row(merge *m, row *r, bool *whole, cb_err *err) {
  *whole = true;
  for (int i = 0; i < m->t.n && *whole; i++) {
    const cb_merge_column *c = &m->t.column[i];
    bool fresh, owner = m->rule->owner && strcmp(m->rule->owner, c->name) == 0;
    if (!c->refers_to[0] || r->cell[i].type == SQLITE_NULL) continue;
    CB_TRY(get_map(m, c->refers_to, r->cell[i].i, &r->cell[i].i, &fresh, err));
    *whole = r->cell[i].i != 0;
    r->fresh_parent |= fresh;
    if (owner) r->fresh_owner = fresh;
  }
  return CB_OK;
}

/* A law follows all that it was made from. */
static cb_status has_inputs(merge *m, int64_t law_id, bool *whole, cb_err *err) {
  sqlite3_stmt *q;
  bool more, fresh;
  int64_t here = 1;
  cb_status st;
  CB_TRY(cbs_prepare(m->there, &q, err, m->rule->inputs, "i", law_id));
  while ((st = cbs_step(m->there, &q, &more, err)) == CB_OK && more) {
    st = get_map(m, m->rule->input_of, sqlite3_column_int64(q, 0), &here, &fresh, err);
    if (st == CB_OK && here) continue;
    sqlite3_finalize(q);
    break;
  }
  *whole = here != 0;
  return st;
}

/* ---- conflicts ---- */

static void describe_row(const merge *m, const row *r, char out[160]) {
  size_t n = (size_t)snprintf(out, 160, "%s", m->t.name);
  for (int i = 0; i < m->t.n; i++) {
    char cell[64];
    if (!m->rule->key[0] || !listed(m->rule->key, m->t.column[i].name) || n >= 160) continue;
    cbm_text(&r->cell[i], cell);
    n += (size_t)snprintf(out + n, 160 - n, " %s", cell);
  }
  if (!m->rule->key[0]) (void)snprintf(out + n, 160 - n, " %lld there", (long long)r->id);
}

static void tell_conflict(merge *m, const row *r, const char *what) {
  char sentence[512], name[160];
  m->counts->conflicts++;
  if (!m->conflict) return;
  describe_row(m, r, name);
  (void)snprintf(sentence, sizeof sentence, "%s: %s", name, what);
  m->conflict(m->context, sentence);
}

/* ---- a row that this file has ---- */

static cb_status fill_cell(merge *m, int64_t id, int column, const cb_merge_cell *value, cb_err *err) {
  char sql[200];
  sqlite3_stmt *q;
  bool more;
  (void)snprintf(sql, sizeof sql, "UPDATE %s SET \"%s\" = ? WHERE id = ?", m->t.name,
                 m->t.column[column].name);
  CB_TRY(cbs_prepare(m->here, &q, err, sql, ""));
  cb_status st = cbm_bind(m->here, q, 1, value, err);
  sqlite3_bind_int64(q, 2, id);
  if (st == CB_OK) return cbs_step(m->here, &q, &more, err);
  sqlite3_finalize(q);
  return st;
}

/* The first column that says something else, or -1. find stands on the row. */
static int contradiction(const merge *m, const row *r, uint64_t *to_fill) {
  *to_fill = 0;
  for (int i = 0; i < m->t.n; i++) {
    cb_merge_cell mine = cbm_cell(m->find, 1 + i);
    if (cbm_same(&mine, &r->cell[i]) || listed(m->rule->ignored, m->t.column[i].name)) continue;
    bool fills = m->rule->fill && cbm_unknown(&mine);
    if (fills) *to_fill |= (uint64_t)1 << i;
    if (!fills && !(m->rule->fill && cbm_unknown(&r->cell[i]))) return i;
  }
  return -1;
}

static void tell_contradiction(merge *m, const row *r, int column) {
  char what[300], mine[64], other[64];
  cb_merge_cell cell = cbm_cell(m->find, 1 + column);
  cbm_text(&cell, mine);
  cbm_text(&r->cell[column], other);
  (void)snprintf(what, sizeof what, "%s is %s here, %s there", m->t.column[column].name, mine, other);
  tell_conflict(m, r, what);
}

static cb_status meet(merge *m, const row *r, int64_t id, cb_err *err) {
  uint64_t to_fill;
  int column = contradiction(m, r, &to_fill);
  if (column >= 0) {
    tell_contradiction(m, r, column);
    return CB_OK;
  }
  bool same = true;
  if (strcmp(m->t.name, "run") == 0) CB_TRY(cbm_same_samples(m->here, id, m->there, r->id, &same, err));
  if (!same) {
    tell_conflict(m, r, "its samples here are others than there");
    return CB_OK;
  }
  for (int i = 0; i < m->t.n; i++)
    if (to_fill >> i & 1) CB_TRY(fill_cell(m, id, i, &r->cell[i], err));
  m->counts->known++;
  return put_map(m, r->id, id, false, err);
}

/* ---- a row that this file has not ---- */

static cb_status take_row(merge *m, const row *r, cb_err *err) {
  for (int i = 0; i < m->t.n; i++) CB_TRY(cbm_bind(m->here, m->insert, 1 + i, &r->cell[i], err));
  CB_TRY(reset_statement(m->here, m->insert, sqlite3_step(m->insert), err));
  if (m->rule->samples) m->result->samples_taken += (uint64_t)r->cell[cbm_column(&m->t, "n")].i;
  if (!m->rule->owner) m->counts->taken++;
  return put_map(m, r->id, sqlite3_last_insert_rowid(m->here->db), true, err);
}

static cb_status look_up(merge *m, const row *r, bool *found, int64_t *id, cb_err *err) {
  int at = 1;
  for (int i = 0; i < m->t.n; i++)
    if (m->key >> i & 1) CB_TRY(cbm_bind(m->here, m->find, at++, &r->cell[i], err));
  int code = sqlite3_step(m->find);
  *found = code == SQLITE_ROW;
  *id = *found ? sqlite3_column_int64(m->find, 0) : 0;
  return code == SQLITE_ROW || code == SQLITE_DONE ? CB_OK : cbs_fail(m->here, sqlite3_sql(m->find), err);
}

/* Belongs to a row that both have: it must be here, too. Samples were compared with their run. */
static cb_status expect_known(merge *m, const row *r, cb_err *err) {
  bool found;
  int64_t id;
  if (m->rule->samples) return CB_OK;
  CB_TRY(look_up(m, r, &found, &id, err));
  sqlite3_reset(m->find);
  if (!found) tell_conflict(m, r, "what both files have says something else here");
  return CB_OK;
}

static cb_status merge_row(merge *m, row *r, cb_err *err) {
  bool whole, found;
  int64_t id;
  CB_TRY(map_row(m, r, &whole, err));
  if (whole && m->rule->inputs) CB_TRY(has_inputs(m, r->id, &whole, err));
  if (!whole) {
    if (!m->rule->owner) m->counts->left_out++;
    return CB_OK;
  }
  if (m->rule->owner) return r->fresh_owner ? take_row(m, r, err) : expect_known(m, r, err);
  /* What refers to a row that was not here cannot have been here; two events that say the same stay two. */
  if (r->fresh_parent && !m->rule->key[0]) return take_row(m, r, err);
  CB_TRY(look_up(m, r, &found, &id, err));
  cb_status st = found ? meet(m, r, id, err) : take_row(m, r, err);
  sqlite3_reset(m->find);
  return st;
}

/* ---- a table ---- */

static cb_status merge_rows(merge *m, const char *where, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  CB_TRY(cbm_select(m->there, &m->t, where, &q, err));
  while ((st = cbs_step(m->there, &q, &more, err)) == CB_OK && more) {
    row r = {.id = sqlite3_column_int64(q, 0)};
    for (int i = 0; i < m->t.n; i++) r.cell[i] = cbm_cell(q, 1 + i);
    st = merge_row(m, &r, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  return st;
}

static void read_count(sqlite3_stmt *q, void *item) { *(size_t *)item += (size_t)sqlite3_column_int64(q, 0); }

static cb_status count_excluded(merge *m, cb_err *err) {
  char sql[200];
  bool found;
  (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE NOT (%s)", m->t.name, m->rule->only);
  return cbs_one(m->there, read_count, &m->counts->left_out, &found, err, sql, "");
}

/* A bit for each column by which rows of the table are found again. */
static uint64_t key_columns(const merge *m) {
  uint64_t key = 0;
  for (int i = 0; i < m->t.n; i++)
    if (!m->rule->key[0] || listed(m->rule->key, m->t.column[i].name)) key |= (uint64_t)1 << i;
  return key;
}

static cb_status merge_table(merge *m, const rule *the_rule, cb_err *err) {
  char where[120] = "";
  cb_status st;
  m->rule = the_rule;
  m->counts = (cb_merge_counts *)(void *)((char *)m->result + the_rule->counts);
  CB_TRY(cbm_describe(m->here, the_rule->table, &m->t, err));
  m->key = key_columns(m);
  if (the_rule->only) CB_TRY(count_excluded(m, err));
  if (the_rule->only) (void)snprintf(where, sizeof where, "WHERE %s", the_rule->only);
  CB_GOTO(cbm_select_by(m->here, &m->t, m->key, &m->find, err));
  CB_GOTO(cbm_insert(m->here, &m->t, &m->insert, err));
  st = merge_rows(m, where, err);
done:
  sqlite3_finalize(m->find);
  sqlite3_finalize(m->insert);
  m->find = m->insert = NULL;
  return st;
}

static cb_status merge_tables(merge *m, cb_err *err) {
  cb_status st;
  CB_TRY(cbs_exec(m->here,
                  "CREATE TEMP TABLE merge_map(tab TEXT, there INTEGER, here INTEGER, fresh INTEGER, PRIMARY "
                  "KEY(tab, there))"
                  " WITHOUT ROWID",
                  err));
  CB_GOTO(cbs_prepare(m->here, &m->map_put, err, "INSERT INTO temp.merge_map VALUES(?, ?, ?, ?)", ""));
  CB_GOTO(cbs_prepare(m->here, &m->map_get, err,
                      "SELECT here, fresh FROM temp.merge_map WHERE tab = ? AND there = ?", ""));
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) CB_GOTO(merge_table(m, &rules[i], err));
done:
  sqlite3_finalize(m->map_put);
  sqlite3_finalize(m->map_get);
  return st == CB_OK ? cbs_exec(m->here, "DROP TABLE temp.merge_map", err) : st;
}

/* ---- the whole ---- */

static void sum_up(cb_merge_result *r) {
  const cb_merge_counts *list[] = {&r->materials,   &r->rigs,   &r->calibrations, &r->campaigns,
                                   &r->runs,        &r->events, &r->points,       &r->laws,
                                   &r->validations, &r->tests,  &r->specimens};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    r->all.taken += list[i]->taken;
    r->all.known += list[i]->known;
    r->all.left_out += list[i]->left_out;
    r->all.conflicts += list[i]->conflicts;
  }
}

static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static cb_status merge_snapshot(merge *m, cb_err *err) {
  CB_TRY(cb_store_begin(m->there, err)); /* one moment of the other file, whoever writes to it */
  CB_TRY(cb_store_check(m->there, NULL, err));
  CB_TRY(cb_store_begin(m->here, err));
  cb_status st = merge_tables(m, err);
  if (st == CB_OK) st = cbs_law_numbers(m->here, 0, true, err);
  if (st == CB_OK) st = cb_store_commit(m->here, err);
  if (st != CB_OK) cb_store_rollback(m->here);
  return st;
}

cb_status cb_store_merge(cb_store *s, const char *other,
                         void (*conflict)(void *context, const char *sentence), void *context,
                         cb_merge_result *result, cb_err *err) {
  merge m = {.here = s, .conflict = conflict, .context = context, .result = result};
  *result = (cb_merge_result){.samples_taken = 0};
  if (same_file(cb_store_path(s), other))
    return cb_fail(err, CB_E_ARG, "%s: is the file itself, another one was wanted", other);
  CB_TRY(cb_store_open(other, CB_STORE_READ, &m.there, err));
  cb_status st = merge_snapshot(&m, err);
  cb_store_rollback(m.there);
  (void)cb_store_close(m.there, NULL);
  sum_up(result);
  return st;
}
