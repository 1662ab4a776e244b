/* Writing frames.show. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "cb_bytes.h"
#include "cb_plural.h"
#include "show_frames_impl.h"

#define ZSTD_LEVEL 3

cb_status show_frames_new(const char *path, const char *about_json, cb_err *err) {
  const size_t n = strlen(about_json);
  cb_bytes b = {0};
  cb_bytes_put(&b, show_magic, sizeof show_magic);
  cb_bytes_u32(&b, SHOW_VERSION);
  cb_bytes_u32(&b, (uint32_t)n);
  cb_bytes_u32(&b, (uint32_t)crc32_z(0, (const unsigned char *)about_json, n));
  cb_bytes_put(&b, about_json, n);
  return cb_bytes_write(&b, path, err);
}

static void put_f32(cb_bytes *b, const float *v, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &v[i], sizeof bits);
    cb_bytes_u32(b, bits);
  }
}

/* In which frame the triangles of a surface are; `frame` if the last frame has others. */
static uint32_t find_triangles(const unsigned char *last, size_t n_last, int frame, const show_surface *s,
                               uint64_t hash) {
  const unsigned char *body;
  show_head h;
  if (frame == 0 || n_last < 12) return (uint32_t)frame;
  size_t at = 12;
  for (uint32_t k = show_get_u32(last + 8); k > 0; k--) {
    if (show_get_head(last, n_last, &at, frame - 1, &h, &body)) break;
    if (strcmp(h.name, s->name) == 0 && h.hash == hash && h.n_vertices == (uint32_t)s->n_vertices &&
        h.n_triangles == (uint32_t)s->n_triangles)
      return h.triangles_in;
  }
  return (uint32_t)frame;
}

static void put_surface(cb_bytes *b, const show_surface *s, const unsigned char *last, size_t n_last,
                        int frame) {
  char name[SHOW_NAME_BYTES] = "";
  const size_t nv = (size_t)s->n_vertices, nt = (size_t)s->n_triangles;
  const uint64_t hash = XXH64(nt > 0 ? (const void *)s->triangle : "", nt * sizeof *s->triangle, 0);
  const uint32_t in = find_triangles(last, n_last, frame, s, hash);
  memcpy(name, s->name, strlen(s->name));
  cb_bytes_put(b, name, sizeof name);
  cb_bytes_u32(b, (s->cloth ? SHOW_CLOTH : 0) | (s->ground ? SHOW_GROUND : 0));
  put_f32(b, s->colour, 3);
  cb_bytes_u32(b, (uint32_t)nv);
  cb_bytes_u32(b, (uint32_t)nt);
  cb_bytes_u32(b, (uint32_t)s->n_channels);
  cb_bytes_u32(b, in);
  cb_bytes_u64(b, hash);
  if (in == (uint32_t)frame) cb_bytes_i32(b, (const int *)s->triangle, 3 * nt);
  put_f32(b, (const float *)s->position_m, 3 * nv);
  for (int c = 0; c < s->n_channels; c++) {
    char words[2 * SHOW_NAME_BYTES] = "";
    memcpy(words, s->channel[c].name, strlen(s->channel[c].name));
    memcpy(words + SHOW_NAME_BYTES, s->channel[c].unit, strlen(s->channel[c].unit));
    cb_bytes_put(b, words, sizeof words);
    put_f32(b, s->channel[c].value, nv);
  }
}

static cb_status pack(const cb_bytes *plain, cb_bytes *out, const char *path, cb_err *err) {
  const size_t most = ZSTD_compressBound(plain->n);
  unsigned char *packed = plain->failed ? NULL : malloc(most);
  if (!packed) return cb_no_memory(err, "%s", path);
  const size_t n = ZSTD_compress(packed, most, plain->data, plain->n, ZSTD_LEVEL);
  cb_status st = ZSTD_isError(n) ? cb_no_memory(err, "%s", path) : CB_OK;
  if (st == CB_OK && plain->n > SHOW_MOST_BYTES)
    st = cb_fail(err, CB_E_RANGE, "%s: a frame of %zu bytes: at most %zu were wanted", path, plain->n,
                 SHOW_MOST_BYTES);
  if (st == CB_OK) {
    cb_bytes_put(out, show_frame_magic, sizeof show_frame_magic);
    cb_bytes_u32(out, (uint32_t)n);
    cb_bytes_u32(out, (uint32_t)plain->n);
    cb_bytes_u32(out, (uint32_t)crc32_z(0, packed, n));
    cb_bytes_put(out, packed, n);
    if (out->failed) st = cb_no_memory(err, "%s", path);
  }
  free(packed);
  return st;
}

static cb_status write_at_end(const show_index *x, const cb_bytes *b, const char *path, cb_err *err) {
  int64_t at = x->end;
  if (ftruncate(x->fd, at) != 0) return cb_fail(err, CB_E_IO, "%s: cannot be cut", path);
  for (size_t done = 0; done < b->n;) {
    const ssize_t n = pwrite(x->fd, b->data + done, b->n - done, at);
    if (n <= 0) return cb_fail(err, CB_E_IO, "%s: a frame cannot be written", path);
    done += (size_t)n, at += n;
  }
  return CB_OK;
}

static cb_status add(const show_index *x, const char *path, const show_frame *frame, cb_err *err) {
  unsigned char *last = NULL;
  size_t n_last = 0;
  cb_bytes plain = {0}, packed = {0};
  if (x->n > 0) CB_TRY(show_index_unpack(x, x->n - 1, path, &last, &n_last, err));
  cb_bytes_f64(&plain, &frame->time_s, 1);
  cb_bytes_u32(&plain, (uint32_t)frame->n_surfaces);
  for (int k = 0; k < frame->n_surfaces; k++) put_surface(&plain, &frame->surface[k], last, n_last, x->n);
  cb_status st = pack(&plain, &packed, path, err);
  if (st == CB_OK) st = write_at_end(x, &packed, path, err);
  cb_bytes_clear(&plain);
  cb_bytes_clear(&packed);
  free(last);
  return st;
}

cb_status show_frames_add(const char *path, const show_frame *frame, cb_err *err) {
  show_index x;
  cb_status st = show_index_open(path, O_RDWR, &x, err);
  if (st == CB_OK) st = add(&x, path, frame, err);
  show_index_clear(&x);
  return st;
}

cb_status show_frames_cut(const char *path, int n, cb_err *err) {
  show_index x;
  cb_status st = show_index_open(path, O_RDWR, &x, err);
  if (st == CB_OK && n > x.n)
    st = cb_fail(err, CB_E_RANGE, "%s: has %d frame%s: %d or more were wanted", path, x.n, CB_S(x.n), n);
  if (st == CB_OK && n < x.n && ftruncate(x.fd, x.at[n]) != 0)
    st = cb_fail(err, CB_E_IO, "%s: cannot be cut", path);
  show_index_clear(&x);
  return st;
}
