/* Runs and their raw samples. */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cb_clock.h"
#include "cb_run_row.h"
#include "cb_time.h"
#include "cb_version.h"

const char *const cb_run_status_names[] = {"running", "done", "failed", "aborted", "interrupted", NULL};
const char *const cb_run_kind_names[] = {"pull", "slide", NULL};
const char *const cb_channel_names[] = {"force", "position", "excitation", "temperature", "displacement", NULL};
_Static_assert(sizeof cb_channel_names / sizeof cb_channel_names[0] == CB_N_CHANNELS + 1, "every channel has a name");

/* ---- runs ---- */

void cbs_read_run(sqlite3_stmt *q, void *item) {
  cb_run *r = item;
  int i = 0;
  *r = (cb_run){.id = sqlite3_column_int64(q, i++)};
  cbs_text(q, i++, r->uuid, sizeof r->uuid);
  r->campaign_id = sqlite3_column_int64(q, i++);
  r->cloth_id = sqlite3_column_int64(q, i++);
  r->body_id = sqlite3_column_int64(q, i++);
  r->rig_id = sqlite3_column_int64(q, i++);
  r->calibration_id = sqlite3_column_int64(q, i++);
  r->kind = (cb_run_kind)cbs_enum(q, i++, cb_run_kind_names);
  r->angle_deg = cbs_real(q, i++);
  r->cart_mass_kg = cbs_real(q, i++);
  r->added_mass_kg = cbs_real(q, i++);
  r->normal_force_N = cbs_real(q, i++);
  r->u_normal_force_N = cbs_real(q, i++);
  r->contact_area_m2 = cbs_real(q, i++);
  r->incline_deg = cbs_real(q, i++);
  r->speed_m_per_s = cbs_real(q, i++);
  r->travel_m = cbs_real(q, i++);
  r->direction = sqlite3_column_int(q, i++);
  r->repeat = sqlite3_column_int(q, i++);
  r->rate_Hz = cbs_real(q, i++);
  r->origin = (cb_origin)cbs_enum(q, i++, cb_origin_names);
  cbs_text(q, i++, r->source, sizeof r->source);
  cbs_text(q, i++, r->started_at, sizeof r->started_at);
  cbs_text(q, i++, r->finished_at, sizeof r->finished_at);
  r->status = (cb_run_status)cbs_enum(q, i++, cb_run_status_names);
  cbs_text(q, i++, r->reason, sizeof r->reason);
  cbs_text(q, i, r->flags, sizeof r->flags);
}

cb_status cb_store_run_put(cb_store *s, cb_run *r, cb_err *err) {
  cbs_uuid(r->uuid);
  cb_now_iso8601(r->started_at);
  return cbs_run(
      s, &r->id, err,
      "INSERT INTO run(uuid, campaign_id, cloth_id, body_id, rig_id, calibration_id, kind, angle_deg, cart_mass_kg, added_mass_kg,"
      " normal_force_N, u_normal_force_N, contact_area_m2, incline_deg, speed_m_per_s, travel_m, direction, repeat, rate_Hz, origin,"
      " source, program_version, started_at, finished_at, status, reason)"
      " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "tiiinntdddddddddiidttttott", r->uuid, r->campaign_id, r->cloth_id, r->body_id, r->rig_id, r->calibration_id,
      cb_run_kind_names[r->kind], r->angle_deg, r->cart_mass_kg, r->added_mass_kg, r->normal_force_N, r->u_normal_force_N,
      r->contact_area_m2, r->incline_deg, r->speed_m_per_s, r->travel_m, (int64_t)r->direction, (int64_t)r->repeat, r->rate_Hz,
      cb_origin_names[r->origin], r->source, cb_version(), r->started_at, r->finished_at, cb_run_status_names[r->status], r->reason);
}

cb_status cb_store_run_finish(cb_store *s, int64_t id, cb_run_status status, const char *reason, cb_err *err) {
  char now[32];
  cb_now_iso8601(now);
  return cbs_run(s, NULL, err, "UPDATE run SET status = ?, reason = ?, finished_at = ? WHERE id = ?", "ttti", cb_run_status_names[status],
                 reason, now, id);
}

cb_status cb_store_runs_interrupt(cb_store *s, int64_t campaign_id, size_t *n, cb_err *err) {
  char now[32];
  cb_now_iso8601(now);
  CB_TRY(cbs_run(s, NULL, err,
                 "UPDATE run SET status = 'interrupted', reason = 'the program ended before the run did', finished_at = ?"
                 " WHERE campaign_id = ? AND status = 'running'",
                 "ti", now, campaign_id));
  if (n) *n = (size_t)sqlite3_changes(s->db);
  return CB_OK;
}

cb_status cb_store_run_get(cb_store *s, int64_t id, cb_run *r, cb_err *err) {
  sqlite3_stmt *q;
  bool found;
  CB_TRY(cbs_prepare(s, &q, err, "SELECT " CB_RUN_COLUMNS " FROM run r WHERE r.id = ?", "i", id));
  CB_TRY(cbs_one(s, q, cbs_read_run, r, &found, err));
  return found ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: no run %lld", s->path, (long long)id);
}

cb_run_filter cb_run_filter_all(void) { return (cb_run_filter){.kind = -1, .status = -1}; }

cb_status cb_store_runs(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n, cb_err *err) {
  sqlite3_stmt *q;
  const char *kind = f->kind < 0 ? "" : cb_run_kind_names[f->kind], *status = f->status < 0 ? "" : cb_run_status_names[f->status];
  CB_TRY(
      cbs_prepare(s, &q, err,
                  "SELECT " CB_RUN_COLUMNS
                  " FROM run r WHERE r.campaign_id = ifnull(?, r.campaign_id) AND r.cloth_id = ifnull(?, r.cloth_id)"
                  " AND r.body_id = ifnull(?, r.body_id) AND r.kind = ifnull(?, r.kind) AND r.status = ifnull(?, r.status) ORDER BY r.id",
                  "nnnoo", f->campaign_id, f->cloth_id, f->body_id, kind, status));
  return cbs_list(s, q, cbs_read_run, sizeof **list, (void **)list, n, err);
}

/* ---- raw samples: pairs (t, value) as little-endian doubles, so that nothing is lost and any program can read them ---- */

static void put_le(unsigned char *at, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits = htole64(bits);
  memcpy(at, &bits, sizeof bits);
}

static double get_le(const unsigned char *at) {
  uint64_t bits;
  double v;
  memcpy(&bits, at, sizeof bits);
  bits = le64toh(bits);
  memcpy(&v, &bits, sizeof v);
  return v;
}

static int64_t crc_of(const unsigned char *data, size_t n) { return (int64_t)crc32_z(crc32_z(0, NULL, 0), data, n); }

cb_status cb_store_chunk_put(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index, size_t n, const double *t_s,
                             const double *v, cb_err *err) {
  unsigned char *payload = malloc(n * 16);
  if (!payload) return cb_fail(err, CB_E_NOMEM, "%s: no memory for %zu samples", s->path, n);
  for (size_t i = 0; i < n; i++) {
    put_le(payload + 16 * i, t_s[i]);
    put_le(payload + 16 * i + 8, v[i]);
  }
  cb_status st =
      cbs_run(s, NULL, err,
              "INSERT INTO sample_chunk(run_id, channel, first_index, n, encoding, crc32, payload) VALUES(?, ?, ?, ?, 'tv-f64le', ?, ?)",
              "itiiib", run_id, cb_channel_names[channel], first_index, (int64_t)n, crc_of(payload, n * 16), payload, n * 16);
  free(payload);
  return st;
}

/* Columns: first_index, n, crc32, payload. */
static cb_status check_chunk(cb_store *s, sqlite3_stmt *q, int64_t run_id, const char *channel, int64_t expected, cb_err *err) {
  int64_t first = sqlite3_column_int64(q, 0), n = sqlite3_column_int64(q, 1);
  const unsigned char *payload = sqlite3_column_blob(q, 3);
  size_t bytes = (size_t)sqlite3_column_bytes(q, 3);
  if (first != expected)
    return cb_fail(err, CB_E_DB, "%s: run %lld, channel %s: sample %lld follows %lld: samples are missing", s->path, (long long)run_id,
                   channel, (long long)first, (long long)expected - 1);
  if (!payload || bytes != (size_t)n * 16 || crc_of(payload, bytes) != sqlite3_column_int64(q, 2))
    return cb_fail(err, CB_E_DB, "%s: run %lld, channel %s: the samples from %lld on are damaged (CRC)", s->path, (long long)run_id,
                   channel, (long long)first);
  return CB_OK;
}

static cb_status append_chunk(sqlite3_stmt *q, cb_series *out, cb_err *err) {
  const unsigned char *payload = sqlite3_column_blob(q, 3);
  int64_t n = sqlite3_column_int64(q, 1);
  for (int64_t i = 0; i < n; i++) CB_TRY(cb_series_push(out, get_le(payload + 16 * i), get_le(payload + 16 * i + 8), err));
  return CB_OK;
}

cb_status cb_store_samples(cb_store *s, int64_t run_id, cb_channel channel, cb_series *out, cb_err *err) {
  sqlite3_stmt *q;
  bool row;
  cb_status st;
  *out = (cb_series){0};
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT first_index, n, crc32, payload FROM sample_chunk WHERE run_id = ? AND channel = ? ORDER BY first_index", "it",
                     run_id, cb_channel_names[channel]));
  while ((st = cbs_step(s, &q, &row, err)) == CB_OK && row) {
    st = check_chunk(s, q, run_id, cb_channel_names[channel], (int64_t)out->n, err);
    if (st == CB_OK) st = append_chunk(q, out, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  if (st != CB_OK) cb_series_clear(out);
  return st;
}

cb_status cb_store_trace(cb_store *s, const cb_run *run, cb_trace *out, cb_err *err) {
  cb_calibration c;
  double rate_Hz = run->rate_Hz;
  *out = (cb_trace){0};
  CB_TRY(cb_store_calibration_get(s, run->calibration_id, &c, err));
  CB_TRY(cb_store_samples(s, run->id, CB_CHANNEL_FORCE, &out->force_N, err));
  cb_status st = cbs_convert_channel(s, run->id, CB_CHANNEL_FORCE, &out->force_N, &rate_Hz, err);
  for (size_t i = 0; i < out->force_N.n; i++) out->force_N.v[i] *= c.slope_N_per_unit;
  (void)cb_clock_even(out->force_N.t_s, out->force_N.n, rate_Hz);
  if (st == CB_OK) st = cb_store_samples(s, run->id, CB_CHANNEL_POSITION, &out->position_m, err);
  if (st != CB_OK) cb_trace_clear(out);
  return st;
}

/* ---- the whole file ---- */

static void read_text_item(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 200); }

/* The first row of sql, if there is one, is a problem. */
static cb_status expect_none(cb_store *s, const char *sql, const char *what, cb_err *err) {
  sqlite3_stmt *q;
  char text[200] = "";
  bool found;
  CB_TRY(cbs_prepare(s, &q, err, sql, ""));
  CB_TRY(cbs_one(s, q, read_text_item, text, &found, err));
  return found ? cb_fail(err, CB_E_DB, "%s: %s: %s", s->path, what, text) : CB_OK;
}

static cb_status check_chunks(cb_store *s, size_t *n_chunks, cb_err *err) {
  sqlite3_stmt *q;
  bool row;
  cb_status st;
  int64_t run = 0, next = 0;
  char channel[16] = "", last[16] = "";
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT first_index, n, crc32, payload, run_id, channel FROM sample_chunk ORDER BY run_id, channel, first_index", ""));
  while ((st = cbs_step(s, &q, &row, err)) == CB_OK && row) {
    cbs_text(q, 5, channel, sizeof channel);
    if (sqlite3_column_int64(q, 4) != run || strcmp(channel, last) != 0) next = 0;
    run = sqlite3_column_int64(q, 4);
    memcpy(last, channel, sizeof last);
    st = check_chunk(s, q, run, channel, next, err);
    if (st != CB_OK) {
      sqlite3_finalize(q);
      break;
    }
    next += sqlite3_column_int64(q, 1);
    if (n_chunks) (*n_chunks)++;
  }
  return st;
}

cb_status cb_store_check(cb_store *s, size_t *n_chunks, cb_err *err) {
  if (n_chunks) *n_chunks = 0;
  CB_TRY(expect_none(s, "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'", "damaged", err));
  CB_TRY(expect_none(s, "SELECT \"table\" || ' row ' || rowid FROM pragma_foreign_key_check", "refers to nothing", err));
  CB_TRY(expect_none(
      s,
      "SELECT 'law ' || l.id FROM friction_law l JOIN friction_law_input i ON i.law_id = l.id JOIN friction_point p ON p.id = i.point_id"
      " JOIN run r ON r.id = p.run_id WHERE l.origin IN ('measured', 'imported') AND r.origin IN ('virtual', 'simulated')",
      "a law that passes as measured rests on virtual runs", err));
  CB_TRY(expect_none(
      s,
      "SELECT 'run ' || id FROM run WHERE (SELECT value FROM meta WHERE key = 'role') = 'reference' AND origin IN ('virtual', 'simulated')",
      "a reference database holds virtual data", err));
  return check_chunks(s, n_chunks, err);
}
