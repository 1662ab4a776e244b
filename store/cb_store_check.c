/* Is the whole file as it should be? */
#include <math.h>
#include <string.h>

#include "cb_store_rows_impl.h"
#include "cb_num.h"
#include "cb_sample_row.h"
#include "cb_seal.h"
#include "cb_store_impl.h"

static cb_status look_for_damage(cb_store *s, cb_err *err) {
  return cbs_expect_none(
      s, "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'", "damaged", err);
}

/* A page that it could not read for lack of memory SQLite calls damaged as well: damage is what a second look
 * finds, too. */
static cb_status check_whole(cb_store *s, cb_err *err) {
  cb_status st = look_for_damage(s, err);
  return st == CB_E_DB ? look_for_damage(s, err) : st;
}

/* ---- samples ---- */

typedef struct channel_end { /* how far the channel has been read that the last row belonged to */
  int64_t run_id, next;
  char channel[16];
  double t_s;
} channel_end;

static cb_status check_stamps(cb_store *s, const cb_sample_row *row, const cb_series *x, double after_s,
                              cb_err *err) {
  for (size_t i = 0; i < x->n; after_s = x->t_s[i++])
    if (!isfinite(x->t_s[i]) || x->t_s[i] < after_s)
      return cb_fail(err, CB_E_DB,
                     "%s: run %lld, channel %s: sample %lld at %.9g s follows one at %.9g s: time goes back",
                     s->path, (long long)row->run_id, row->channel,
                     (long long)row->first_index + (long long)i, x->t_s[i], after_s);
  return CB_OK;
}

/* x: scratch. */
static cb_status check_row(cb_store *s, sqlite3_stmt *q, channel_end *end, cb_series *x,
                           cb_store_tally *tally, cb_err *err) {
  char channel[16];
  cb_sample_row row;
  cbs_text(q, 1, channel, sizeof channel);
  if (sqlite3_column_int64(q, 0) != end->run_id || strcmp(channel, end->channel) != 0) {
    *end = (channel_end){.run_id = sqlite3_column_int64(q, 0), .t_s = -INFINITY};
    memcpy(end->channel, channel, sizeof channel);
    tally->n_channels++;
  }
  x->n = 0;
  CB_TRY(cbs_sample_row(s, q, end->next, &row, x, err));
  CB_TRY(check_stamps(s, &row, x, end->t_s, err));
  end->next += row.n;
  end->t_s = x->t_s[x->n - 1];
  tally->n_samples += (uint64_t)row.n;
  *(row.tail ? &tally->n_tails : &tally->n_chunks) += 1;
  return CB_OK;
}

static cb_status check_samples(cb_store *s, cb_store_tally *tally, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  channel_end end = {.run_id = 0};
  cb_series x = {0};
  CB_TRY(cbs_prepare(s, &q, err, CB_SAMPLE_ROWS(""), ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    st = check_row(s, q, &end, &x, tally, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  cb_series_clear(&x);
  return st;
}

/* ---- units ---- */

static cb_status check_units(cb_store *s, cb_store_tally *tally, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  CB_TRY(cbs_prepare(s, &q, err, "SELECT id, unit FROM calibration ORDER BY id", ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    char unit[32];
    cbs_text(q, 1, unit, sizeof unit);
    tally->n_calibrations++;
    if (cb_unit_find(unit)) continue;
    st = cb_fail(err, CB_E_DB, "%s: calibration %lld: '%s' is no unit that this program knows", s->path,
                 (long long)sqlite3_column_int64(q, 0), unit);
    sqlite3_finalize(q);
    break;
  }
  return st;
}

/* The readings from which a calibration was made. */
static cb_status check_calibration_readings(cb_store *s, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT calibration_id, step FROM calibration_point ORDER BY calibration_id, step", ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    cb_series x;
    st = cb_store_calibration_raw(s, sqlite3_column_int64(q, 0), sqlite3_column_int(q, 1), &x, err);
    if (st == CB_OK) {
      cb_series_clear(&x);
      continue;
    }
    sqlite3_finalize(q);
    break;
  }
  return st;
}

/* A converter must belong to a channel there is, and be able to convert; cb_column.h has the ranges of its
 * numbers. */
static cb_status check_converters(cb_store *s, cb_err *err) {
  return cbs_expect_none(
      s,
      "SELECT 'run ' || run_id || ', channel ' || channel FROM run_channel WHERE channel NOT IN"
      " ('force', 'position', 'excitation', 'temperature', 'displacement', 'speed') OR scale = 0"
      " OR NOT EXISTS(SELECT 1 FROM run WHERE id = run_id)",
      "a converter that cannot be", err);
}

/* ---- origins ---- */

static cb_status check_origins(cb_store *s, cb_err *err) {
  CB_TRY(cbs_expect_none(s,
                         "SELECT 'law F' || l.id FROM friction_law l JOIN friction_law_input i ON i.law_id = "
                         "l.id JOIN friction_point p ON p.id = i.point_id"
                         " JOIN run r ON r.id = p.run_id WHERE l.origin IN ('measured', 'imported') AND "
                         "r.origin IN ('virtual', 'simulated')",
                         "a law that passes as measured rests on virtual runs", err));
  CB_TRY(cbs_expect_none(s,
                         "SELECT 'law T' || l.id FROM self_friction_law l JOIN "
                         "self_friction_law_input i ON i.law_id = l.id"
                         " JOIN friction_point p ON p.id = i.point_id JOIN run r ON r.id = p.run_id WHERE "
                         "l.origin IN ('measured', 'imported')"
                         " AND r.origin IN ('virtual', 'simulated')",
                         "a law that passes as measured rests on virtual runs", err));
  CB_TRY(cbs_expect_none(s,
                         "SELECT 'run ' || r.id FROM run r JOIN campaign c ON c.id = r.campaign_id WHERE "
                         "r.origin IN ('measured', 'imported')"
                         " AND c.origin IN ('virtual', 'simulated')",
                         "a run that passes as measured belongs to a virtual campaign", err));
  CB_TRY(
      cbs_expect_none(s,
                      "SELECT 'law ' || upper(substr(l.kind, 1, 1)) || l.id FROM material_law l JOIN "
                      "material_law_input i ON i.law_id = l.id"
                      " JOIN material_test t ON t.id = i.test_id WHERE l.origin IN ('measured', 'imported')"
                      " AND t.origin IN ('virtual', 'simulated')",
                      "a law that passes as measured rests on virtual tests", err));
  CB_TRY(cbs_expect_none(s,
                         "SELECT 'run ' || r.id FROM run r JOIN calibration c ON c.id = r.calibration_id "
                         "WHERE r.origin IN ('measured', 'imported')"
                         " AND c.kind = 'measured' AND c.origin IN ('virtual', 'simulated')",
                         "a run that passes as measured rests on the calibration of a virtual cell", err));
  return cbs_expect_none(s,
                         "SELECT 'run ' || id FROM run WHERE (SELECT value FROM meta WHERE key = 'role') = "
                         "'reference' AND origin IN ('virtual', 'simulated')",
                         "a reference database holds virtual data", err);
}

static cb_status count_rows(cb_store *s, const char *sql, size_t *n, cb_err *err) {
  bool found;
  return cbs_one(s, cbs_read_count, n, &found, err, sql, "");
}

cb_status cb_store_check(cb_store *s, cb_store_tally *tally, cb_err *err) {
  cb_store_tally own;
  if (!tally) tally = &own;
  *tally = (cb_store_tally){0};
  CB_TRY(check_whole(s, err));
  CB_TRY(cbs_expect_none(s, "SELECT \"table\" || ' row ' || rowid FROM pragma_foreign_key_check",
                         "refers to nothing", err));
  CB_TRY(check_units(s, tally, err));
  CB_TRY(check_calibration_readings(s, err));
  CB_TRY(check_converters(s, err));
  CB_TRY(check_origins(s, err));
  CB_TRY(count_rows(s, "SELECT count(*) FROM run", &tally->n_runs, err));
  CB_TRY(count_rows(s, "SELECT count(*) FROM friction_law", &tally->n_laws, err));
  CB_TRY(check_samples(s, tally, err));
  CB_TRY(cbs_shapes_check(s, err));
  CB_TRY(cbs_columns_check(s, err));
  CB_TRY(cbs_laws_check(s, err));
  CB_TRY(cbs_seal_check(s, err)); /* those before say better what is wrong */
  CB_TRY(cb_store_laws_check(s, err));
  return cbs_law_numbers(s, 0, false, err);
}
