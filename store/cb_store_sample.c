/* Raw samples: how they come to rest in chunks, and back. */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cb_clock.h"
#include "cb_pack.h"
#include "cb_plural.h"
#include "cb_sample_row.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"

#define LARGEST_CHUNK 65536 /* samples: what a reader unpacks at once */
_Static_assert(LARGEST_CHUNK <= CB_PACK_MAX_N, "a chunk is one column");

static int64_t crc_of(const unsigned char *data, size_t n) {
  return (int64_t)crc32_z(crc32_z(0, NULL, 0), data, n);
}

/* ---- writing ---- */

static const char into_chunk[] =
    "INSERT INTO sample_chunk(run_id, channel, first_index, n, encoding, crc32, payload) VALUES(?, ?, ?, ?, "
    "'tv-pack1', ?, ?)";
static const char into_tail[] =
    "INSERT INTO sample_tail(run_id, channel, first_index, n, encoding, crc32, payload) VALUES(?, ?, ?, ?, "
    "'tv-pack1', ?, ?)";

/* One row: the packed stamps, then the packed values. */
static cb_status put_row(cb_store *s, const char *sql, int64_t run_id, cb_channel channel,
                         int64_t first_index, size_t n, const double *t_s, const double *v, cb_err *err) {
  unsigned char *payload = malloc(2 * cb_pack_bound(n));
  size_t t_bytes, v_bytes;
  if (!payload) return cb_no_memory(err, "%s, %zu samples", s->path, n);
  cb_status st = cb_pack(t_s, n, payload, &t_bytes, err);
  if (st == CB_OK) st = cb_pack(v, n, payload + t_bytes, &v_bytes, err);
  if (st == CB_OK)
    st = cbs_run(s, NULL, err, sql, "itiiib", run_id, cb_channel_names[channel], first_index, (int64_t)n,
                 crc_of(payload, t_bytes + v_bytes), payload, t_bytes + v_bytes);
  free(payload);
  return st;
}

cb_status cb_store_chunk_put(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index, size_t n,
                             const double *t_s, const double *v, cb_err *err) {
  for (size_t done = 0; done < n; done += LARGEST_CHUNK) {
    size_t part = n - done < LARGEST_CHUNK ? n - done : LARGEST_CHUNK;
    CB_TRY(put_row(s, into_chunk, run_id, channel, first_index + (int64_t)done, part, t_s + done, v + done,
                   err));
  }
  return CB_OK;
}

/* Where the tail begins; at `next` where there is none. */
static cb_status tail_begin(cb_store *s, int64_t run_id, cb_channel channel, int64_t next, int64_t *begin,
                            cb_err *err) {
  bool found;
  *begin = next;
  return cbs_one(
      s, cbs_read_id, begin, &found, err,
      "SELECT first_index FROM sample_tail WHERE run_id = ? AND channel = ? ORDER BY first_index LIMIT 1",
      "it", run_id, cb_channel_names[channel]);
}

/* The rows of the query, joined; they must begin at sample `begin`. */
static cb_status read_rows(cb_store *s, sqlite3_stmt *q, int64_t begin, cb_series *out, cb_err *err) {
  bool more;
  cb_status st;
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    cb_sample_row row;
    st = cbs_sample_row(s, q, begin + (int64_t)out->n, &row, out, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  if (st != CB_OK) cb_series_clear(out);
  return st;
}

static cb_status read_tail(cb_store *s, int64_t run_id, cb_channel channel, int64_t begin, cb_series *out,
                           cb_err *err) {
  sqlite3_stmt *q;
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT " CB_SAMPLE_COLUMNS
                     ", 1 FROM sample_tail WHERE run_id = ? AND channel = ? ORDER BY first_index",
                     "it", run_id, cb_channel_names[channel]));
  return read_rows(s, q, begin, out, err);
}

/* Puts all of x into chunks, which take the place of the tail. */
static cb_status replace_tail(cb_store *s, int64_t run_id, cb_channel channel, int64_t begin,
                              const cb_series *x, cb_err *err) {
  CB_TRY(cb_store_chunk_put(s, run_id, channel, begin, x->n, x->t_s, x->v, err));
  return cbs_run(s, NULL, err, "DELETE FROM sample_tail WHERE run_id = ? AND channel = ?", "it", run_id,
                 cb_channel_names[channel]);
}

/* The tail from `begin` and n samples that follow it become chunks. The caller holds a transaction. */
static cb_status pack_tail(cb_store *s, int64_t run_id, cb_channel channel, int64_t begin, size_t n,
                           const double *t_s, const double *v, cb_err *err) {
  cb_series x = {0};
  CB_TRY(read_tail(s, run_id, channel, begin, &x, err));
  cb_status st = cb_series_reserve(&x, n, err);
  if (st == CB_OK && n > 0) {
    memcpy(x.t_s + x.n, t_s, n * sizeof *t_s);
    memcpy(x.v + x.n, v, n * sizeof *v);
    x.n += n;
  }
  if (st == CB_OK) st = replace_tail(s, run_id, channel, begin, &x, err);
  cb_series_clear(&x);
  return st;
}

static cb_status append(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index, size_t n,
                        const double *t_s, const double *v, cb_err *err) {
  int64_t begin;
  CB_TRY(tail_begin(s, run_id, channel, first_index, &begin, err));
  if (first_index - begin + (int64_t)n < CB_CHUNK_N)
    return put_row(s, into_tail, run_id, channel, first_index, n, t_s, v, err);
  if (begin == first_index) return cb_store_chunk_put(s, run_id, channel, first_index, n, t_s, v, err);
  return pack_tail(s, run_id, channel, begin, n, t_s, v, err);
}

cb_status cb_store_samples_append(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index,
                                  size_t n, const double *t_s, const double *v, cb_err *err) {
  if (n == 0) return CB_OK;
  CB_TRY(cbs_exec(s, "SAVEPOINT samples", err));
  return cbs_end_savepoint(s, "samples", append(s, run_id, channel, first_index, n, t_s, v, err), err);
}

static cb_status pack_channels(cb_store *s, int64_t run_id) {
  for (int c = 0; c < CB_N_CHANNELS; c++) {
    int64_t begin;
    CB_TRY(tail_begin(s, run_id, (cb_channel)c, -1, &begin, NULL));
    if (begin >= 0) CB_TRY(pack_tail(s, run_id, (cb_channel)c, begin, 0, NULL, NULL, NULL));
  }
  return CB_OK;
}

void cbs_pack_run(cb_store *s, int64_t run_id) {
  if (cbs_exec(s, "SAVEPOINT samples", NULL) != CB_OK) return;
  (void)!cbs_end_savepoint(s, "samples", pack_channels(s, run_id), NULL);
}

/* ---- reading ---- */

static double get_le(const unsigned char *at) {
  uint64_t bits;
  double v;
  memcpy(&bits, at, sizeof bits);
  bits = le64toh(bits);
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* 'tv-f64le', written before schema 4: pairs (t, value) of little-endian doubles. */
static cb_status read_pairs(const unsigned char *payload, size_t bytes, size_t n, double *t_s, double *v,
                            cb_err *err) {
  if (bytes != 16 * n)
    return cb_fail(err, CB_E_PARSE, "%zu bytes for %zu pair%s of doubles", bytes, n, CB_S(n));
  for (size_t i = 0; i < n; i++) {
    t_s[i] = get_le(payload + 16 * i);
    v[i] = get_le(payload + 16 * i + 8);
  }
  return CB_OK;
}

static cb_status read_columns(const unsigned char *payload, size_t bytes, size_t n, double *t_s, double *v,
                              cb_err *err) {
  size_t t_bytes, v_bytes;
  CB_TRY(cb_unpack(payload, bytes, n, t_s, &t_bytes, err));
  CB_TRY(cb_unpack(payload + t_bytes, bytes - t_bytes, n, v, &v_bytes, err));
  return t_bytes + v_bytes == bytes
             ? CB_OK
             : cb_fail(err, CB_E_PARSE, "%zu bytes after the columns", bytes - t_bytes - v_bytes);
}

cb_status cbs_sample_row(cb_store *s, sqlite3_stmt *q, int64_t expected, cb_sample_row *row, cb_series *out,
                         cb_err *err) {
  const unsigned char *payload = sqlite3_column_blob(q, 6);
  size_t bytes = (size_t)sqlite3_column_bytes(q, 6);
  const char *encoding = (const char *)sqlite3_column_text(q, 4);
  *row = (cb_sample_row){.run_id = sqlite3_column_int64(q, 0),
                         .first_index = sqlite3_column_int64(q, 2),
                         .n = sqlite3_column_int64(q, 3),
                         .tail = sqlite3_column_int(q, 7) != 0};
  cbs_text(q, 1, row->channel, sizeof row->channel);
  if (row->first_index != expected)
    return cb_fail(err, CB_E_DB, "%s: run %lld, channel %s: sample %lld follows %lld: samples are missing",
                   s->path, (long long)row->run_id, row->channel, (long long)row->first_index,
                   (long long)expected - 1);
  bool whole = payload && row->n > 0 && row->n <= CB_PACK_MAX_N &&
               crc_of(payload, bytes) == sqlite3_column_int64(q, 5);
  if (!whole)
    return cb_fail(err, CB_E_DB, "%s: run %lld, channel %s: the samples from %lld on are damaged (CRC)",
                   s->path, (long long)row->run_id, row->channel, (long long)row->first_index);
  size_t n = (size_t)row->n;
  CB_TRY(cb_series_reserve(out, n, err));
  bool packed = encoding && strcmp(encoding, "tv-pack1") == 0;
  cb_status st =
      (packed ? read_columns : read_pairs)(payload, bytes, n, out->t_s + out->n, out->v + out->n, err);
  if (st == CB_E_PARSE) {
    cb_err inner = err ? *err : (cb_err){""};
    return cb_fail(err, CB_E_DB, "%s: run %lld, channel %s: the samples from %lld on cannot be read: %.200s",
                   s->path, (long long)row->run_id, row->channel, (long long)row->first_index, inner.msg);
  }
  if (st == CB_OK) out->n += n;
  return st;
}

cb_status cb_store_samples(cb_store *s, int64_t run_id, cb_channel channel, cb_series *out, cb_err *err) {
  sqlite3_stmt *q;
  *out = (cb_series){0};
  CB_TRY(cbs_prepare(s, &q, err, CB_SAMPLE_ROWS("WHERE run_id = ?1 AND channel = ?2"), "it", run_id,
                     cb_channel_names[channel]));
  return read_rows(s, q, 0, out, err);
}

/* ---- the run as analysis wants it ---- */

/* The converter of a channel, where the run has one. */
static const cb_run_channel *converter_of(const cb_run_channel *list, size_t n, cb_channel channel) {
  for (size_t i = 0; i < n; i++)
    if (list[i].channel == channel) return &list[i];
  return NULL;
}

static void convert(cb_series *x, const cb_run_channel *c) {
  for (size_t i = 0; c && i < x->n; i++) x->v[i] = cb_run_channel_value(c, x->v[i]);
}

static void shift(cb_series *x, double by_s) {
  for (size_t i = 0; i < x->n; i++) x->t_s[i] += by_s;
}

/* The rate as granted is nearer to the truth than the one in the rig file. */
static double scan_rate_Hz(const cb_run_channel *c, double nominal_rate_Hz) {
  return c && c->granted_rate_Hz > 0 ? c->granted_rate_Hz : nominal_rate_Hz;
}

/* Readings that were asked for have the time of the asking. */
static void even_clock(cb_trace *t, const cb_run_channel *c, double nominal_rate_Hz) {
  cb_series *x = &t->force_N;
  cb_clock clock = {.n_gaps = 0};
  double rate_Hz = scan_rate_Hz(c, nominal_rate_Hz);
  bool even = rate_Hz == 0 || cb_clock_even(x->t_s, x->n, rate_Hz, &clock);
  t->doubt_s = even ? clock.doubt_s : INFINITY;
  for (size_t g = 0; g < clock.n_gaps; g++) t->n_lost += (size_t)labs(clock.gap[g].missing);
  if (c) shift(x, c->skew_s);
}

/* A sensor that is read with the force has the force's clock. */
static cb_status read_displacement(cb_store *s, const cb_run *run, const cb_run_channel *list, size_t n,
                                   cb_series *out, cb_err *err) {
  const cb_run_channel *c = converter_of(list, n, CB_CHANNEL_DISPLACEMENT);
  cb_clock clock;
  CB_TRY(cb_store_samples(s, run->id, CB_CHANNEL_DISPLACEMENT, out, err));
  convert(out, c);
  if (run->origin == CB_IMPORTED) return CB_OK;
  double rate_Hz = scan_rate_Hz(c, run->rate_Hz);
  if (rate_Hz > 0) (void)cb_clock_even(out->t_s, out->n, rate_Hz, &clock);
  if (c) shift(out, c->skew_s);
  return CB_OK;
}

/* On the clock of the force. */
static cb_status read_motion(cb_store *s, const cb_run *run, const cb_run_channel *list, size_t n,
                             cb_trace *out, cb_err *err) {
  cb_channel channel = CB_CHANNEL_POSITION;
  CB_TRY(cb_store_samples(s, run->id, channel, &out->position_m, err));
  if (out->position_m.n == 0)
    CB_TRY(cb_store_samples(s, run->id, channel = CB_CHANNEL_SPEED, &out->position_m, err));
  const cb_run_channel *c = converter_of(list, n, channel);
  convert(&out->position_m, c);
  if (channel == CB_CHANNEL_SPEED) cb_series_integrate(&out->position_m);
  if (c) {
    shift(&out->position_m, c->clock_offset_s);
    out->doubt_s += 2 * c->u_clock_offset_s;
  }
  return CB_OK;
}

/* The engine took the zero with the first readings of the record; with an imported one it was given. */
static cb_status read_zero(cb_store *s, const cb_run *run, cb_trace *t, cb_err *err) {
  cb_run_zero zero;
  cb_status st = cb_store_run_zero_get(s, run->id, CB_ZERO_BEFORE, &zero, err);
  if (st == CB_OK && run->origin == CB_IMPORTED) {
    t->zero_given = true;
    t->zero_N = zero.mean;
    t->u_zero_N = zero.sd;
  } else if (st == CB_OK && zero.n <= t->force_N.n) {
    t->n_rest = zero.n;
  }
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

static cb_status read_trace(cb_store *s, const cb_run *run, const cb_run_channel *list, size_t n,
                            double slope, cb_trace *out, cb_err *err) {
  const cb_run_channel *force = converter_of(list, n, CB_CHANNEL_FORCE);
  CB_TRY(cb_store_samples(s, run->id, CB_CHANNEL_FORCE, &out->force_N, err));
  convert(&out->force_N, force);
  for (size_t i = 0; i < out->force_N.n; i++) out->force_N.v[i] *= slope;
  if (run->origin == CB_IMPORTED)
    out->doubt_s = run->rate_Hz > 0 ? 0 : INFINITY;
  else
    even_clock(out, force, run->rate_Hz);
  cb_status st = read_motion(s, run, list, n, out, err);
  if (st == CB_OK) st = read_displacement(s, run, list, n, &out->displacement_m, err);
  if (st == CB_OK) st = read_zero(s, run, out, err);
  if (st != CB_OK) cb_trace_clear(out);
  return st;
}

cb_status cb_store_trace(cb_store *s, const cb_run *run, cb_trace *out, cb_err *err) {
  cb_calibration c;
  cb_run_channel *list;
  size_t n;
  *out = (cb_trace){.speed_m_per_s = run->speed_m_per_s};
  CB_TRY(cb_store_calibration_get(s, run->calibration_id, &c, err));
  out->digit_N = c.resolution_N;
  out->u_scale_rel = c.u_rel;
  CB_TRY(cb_store_run_channels(s, run->id, &list, &n, err));
  cb_status st = read_trace(s, run, list, n, c.slope_N_per_unit, out, err);
  free(list);
  return st;
}
