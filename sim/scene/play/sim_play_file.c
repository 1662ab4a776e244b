/* The state of a scene as a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cb_bytes.h"
#include "cb_file.h"
#include "sim_play_impl.h"
#include "sim_play_parts.h"

#define VERSION 1
#define HEAD 24 /* bytes before the model's name */
#define MAX_BYTES ((size_t)1 << 34)

static const unsigned char magic[8] = "CBSCENE";

/* ---- what the player itself carries on ---- */

static void archive_bodies(sim_play *p, cb_archive *a) {
  for (int b = 0; b < p->scene->n_bodies; b++) {
    sim_body *body = &p->body[b];
    double *const triple[] = {body->origin_m, body->axis, body->turned_rad, body->velocity_m_per_s,
                              body->spin_rad_per_s};
    for (size_t k = 0; k < sizeof triple / sizeof *triple; k++)
      cb_archive_f64(a, triple[k], 3, CB_ARCHIVE_FAR);
    if (cb_archive_good(a) && sim_body_check(body, NULL) != CB_OK)
      cb_archive_fail(a, "has a body that there cannot be");
  }
}

cb_status sim_play_archive(sim_play *p, cb_archive *a, cb_err *err) {
  double time_s = sim_play_time(p);
  cb_archive_f64(a, &time_s, 1, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &p->last_dt_s, 1, CB_ARCHIVE_FAR);
  archive_bodies(p, a);
  if (a->wrong == NULL) CB_TRY(p->model->archive(p->state, a, err));
  if (!cb_archive_good(a)) return CB_OK;
  if (p->model->time_s != NULL) time_s = p->model->time_s(p->state);
  if (!(time_s >= 0 && time_s / p->told.dt_s < 1e9)) cb_archive_fail(a, "has a time that there cannot be");
  if (a->left > 0) cb_archive_fail(a, "goes on behind its end");
  if (cb_archive_good(a)) p->done = (int)lround(time_s / p->told.dt_s);
  return CB_OK;
}

/* ---- writing ---- */

static void put_head(const sim_play *p, cb_bytes *b) {
  const size_t n = strlen(p->model->takes.name);
  cb_bytes_put(b, magic, sizeof magic);
  cb_bytes_u32(b, VERSION);
  cb_bytes_u64(b, p->hash);
  cb_bytes_u32(b, (uint32_t)n);
  cb_bytes_put(b, p->model->takes.name, n);
}

cb_status sim_play_save(sim_play *p, const char *path, cb_err *err) {
  cb_bytes b = {0};
  cb_archive a = cb_archive_writer(&b);
  put_head(p, &b);
  cb_status st = sim_play_archive(p, &a, err);
  if (st == CB_OK && !b.failed) cb_bytes_u32(&b, (uint32_t)crc32_z(crc32_z(0, NULL, 0), b.data, b.n));
  if (st == CB_OK) st = cb_bytes_write(&b, path, err);
  cb_bytes_clear(&b);
  return st;
}

/* ---- reading ---- */

static uint64_t take(const unsigned char *at, int bytes) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v |= (uint64_t)at[k] << 8 * k;
  return v;
}

static cb_status check_head(const sim_play *p, const unsigned char *data, size_t n, const char *name,
                            cb_err *err) {
  const size_t own = strlen(p->model->takes.name);
  if (n < HEAD + 4 || memcmp(data, magic, sizeof magic) != 0)
    return cb_fail(err, CB_E_PARSE, "%s: is no checkpoint of a scene", name);
  const uint64_t version = take(data + 8, 4), of = take(data + 12, 8), length = take(data + 20, 4);
  if (version != VERSION)
    return cb_fail(err, CB_E_PARSE, "%s: version %llu: %d was wanted", name, (unsigned long long)version,
                   VERSION);
  if (take(data + n - 4, 4) != crc32_z(crc32_z(0, NULL, 0), data, n - 4))
    return cb_fail(err, CB_E_PARSE, "%s: is damaged or cut short: its check sum does not agree", name);
  if (length != own || n < HEAD + own + 4 || memcmp(data + HEAD, p->model->takes.name, own) != 0)
    return cb_fail(err, CB_E_RANGE, "%s: belongs to a scene of another model: one of '%s' was wanted", name,
                   p->model->takes.name);
  if (of != p->hash)
    return cb_fail(err, CB_E_RANGE,
                   "%s: belongs to another scene: the same bodies, gravity and '%s' were wanted", name,
                   p->model->takes.name);
  return CB_OK;
}

static cb_status read_state(sim_play *p, const unsigned char *data, size_t n, const char *name, cb_err *err) {
  cb_archive a = cb_archive_reader(data, n);
  const cb_status st = sim_play_archive(p, &a, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", name);
  return a.wrong == NULL ? CB_OK : cb_fail(err, CB_E_PARSE, "%s: %s", name, a.wrong);
}

cb_status sim_play_restore(sim_play *p, const unsigned char *data, size_t n, const char *name, cb_err *err) {
  cb_bytes before = {0};
  cb_archive a = cb_archive_writer(&before);
  CB_TRY(check_head(p, data, n, name, err));
  cb_status st = sim_play_archive(p, &a, err);
  if (st == CB_OK && before.failed) st = cb_no_memory(err, "%s", name);
  const size_t head = HEAD + strlen(p->model->takes.name);
  if (st == CB_OK) {
    st = read_state(p, data + head, n - head - 4, name, err);
    if (st != CB_OK) (void)read_state(p, before.data, before.n, name, NULL);
    p->told.within_s = 0;
  }
  cb_bytes_clear(&before);
  return st;
}

cb_status sim_play_load(sim_play *p, const char *path, cb_err *err) {
  char *data;
  size_t n;
  CB_TRY(cb_file_read(path, MAX_BYTES, &data, &n, err));
  cb_status st = sim_play_restore(p, (const unsigned char *)data, n, path, err);
  free(data);
  return st;
}
