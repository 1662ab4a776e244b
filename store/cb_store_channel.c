/* What belongs to a run beside its samples: flags, zeros before and after, converters, strokes. */
#include <stdlib.h>
#include <string.h>

#include "cb_run_row.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"

static const char *const phase_names[] = {"before", "after", NULL};

cb_status cb_store_run_flag(cb_store *s, int64_t id, const char *word, cb_err *err) {
  return cbs_run(s, NULL, err,
                 "UPDATE run SET flags = ltrim(flags || ' ' || ?) WHERE id = ? AND instr(' ' || flags || ' "
                 "', ' ' || ? || ' ') = 0",
                 "tit", word, id, word);
}

/* ---- zeros ---- */

cb_status cb_store_run_zero_put(cb_store *s, const cb_run_zero *z, cb_err *err) {
  return cbs_run(s, NULL, err,
                 "INSERT INTO run_zero(run_id, phase, mean, sd, n, t_s) VALUES(?, ?, ?, ?, ?, ?)", "itddid",
                 z->run_id, phase_names[z->phase], z->mean, z->sd, (int64_t)z->n, z->t_s);
}

static void read_zero(sqlite3_stmt *q, void *item) {
  cb_run_zero *z = item;
  *z = (cb_run_zero){.run_id = sqlite3_column_int64(q, 0),
                     .phase = (cb_zero_phase)cbs_enum(q, 1, phase_names)};
  z->mean = cbs_real(q, 2);
  z->sd = cbs_real(q, 3);
  z->n = (size_t)sqlite3_column_int64(q, 4);
  z->t_s = cbs_real(q, 5);
}

cb_status cb_store_run_zero_get(cb_store *s, int64_t run_id, cb_zero_phase phase, cb_run_zero *z,
                                cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_zero, z, &found, err,
                 "SELECT run_id, phase, mean, sd, n, t_s FROM run_zero WHERE run_id = ? AND phase = ?", "it",
                 run_id, phase_names[phase]));
  return found ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: run %lld: the zero %s the pull was not taken", s->path,
                         (long long)run_id, phase_names[phase]);
}

/* ---- converters ---- */

cb_status cb_store_run_channel_put(cb_store *s, const cb_run_channel *c, cb_err *err) {
  return cbs_run(s, NULL, err,
                 "INSERT INTO run_channel(run_id, channel, device, conversion, origin, c0, c1, c2, c3, "
                 "scale, offset, granted_rate_Hz,"
                 " skew_s, raw_max, clock_offset_s, u_clock_offset_s) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?)",
                 "itttdddddddddddd", c->run_id, cb_channel_names[c->channel], c->device, c->conversion,
                 c->origin, c->c[0], c->c[1], c->c[2], c->c[3], c->scale, c->offset, c->granted_rate_Hz,
                 c->skew_s, c->raw_max, c->clock_offset_s, c->u_clock_offset_s);
}

static void read_channel(sqlite3_stmt *q, void *item) {
  cb_run_channel *c = item;
  int i = 0;
  *c = (cb_run_channel){.run_id = sqlite3_column_int64(q, i++)};
  c->channel = (cb_channel)cbs_enum(q, i++, cb_channel_names);
  cbs_text(q, i++, c->device, sizeof c->device);
  cbs_text(q, i++, c->conversion, sizeof c->conversion);
  c->origin = cbs_real(q, i++);
  for (int k = 0; k < 4; k++) c->c[k] = cbs_real(q, i++);
  c->scale = cbs_real(q, i++);
  c->offset = cbs_real(q, i++);
  c->granted_rate_Hz = cbs_real(q, i++);
  c->skew_s = cbs_real(q, i++);
  c->raw_max = cbs_real(q, i++);
  c->clock_offset_s = cbs_real(q, i++);
  c->u_clock_offset_s = cbs_real(q, i);
}

cb_status cb_store_run_channels(cb_store *s, int64_t run_id, cb_run_channel **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_channel, sizeof **list, (void **)list, n, err,
                  "SELECT run_id, channel, device, conversion, origin, c0, c1, c2, c3, scale, offset, "
                  "granted_rate_Hz, skew_s, raw_max,"
                  " clock_offset_s, u_clock_offset_s"
                  " FROM run_channel WHERE run_id = ? ORDER BY channel",
                  "i", run_id);
}

/* ---- strokes ---- */

cb_status cb_store_run_stroke_put(cb_store *s, const cb_run_stroke *stroke, cb_err *err) {
  return cbs_run(s, NULL, err, "INSERT INTO run_stroke(run_id, first_index, n, direction) VALUES(?, ?, ?, ?)",
                 "iiii", stroke->run_id, stroke->first, stroke->n, (int64_t)stroke->direction);
}

static void read_stroke(sqlite3_stmt *q, void *item) {
  cb_run_stroke *x = item;
  *x = (cb_run_stroke){.run_id = sqlite3_column_int64(q, 0),
                       .first = sqlite3_column_int64(q, 1),
                       .n = sqlite3_column_int64(q, 2),
                       .direction = sqlite3_column_int(q, 3)};
}

cb_status cb_store_run_strokes(cb_store *s, int64_t run_id, cb_run_stroke **list, size_t *n, cb_err *err) {
  return cbs_list(
      s, read_stroke, sizeof **list, (void **)list, n, err,
      "SELECT run_id, first_index, n, direction FROM run_stroke WHERE run_id = ? ORDER BY first_index", "i",
      run_id);
}
