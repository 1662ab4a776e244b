/* The frames of a file: where they are, and their bytes. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "cb_file.h"
#include "show_frames_impl.h"

const unsigned char show_magic[8] = "CBSHOW";
const unsigned char show_frame_magic[4] = {'F', 'R', 'A', 'M'};

#define MOST_ABOUT ((uint32_t)1 << 24)

uint32_t show_get_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t show_get_u64(const unsigned char *at) {
  return show_get_u32(at) | (uint64_t)show_get_u32(at + 4) << 32;
}

/* False if the file ends before. */
static bool read_at(int fd, void *to, size_t n, int64_t at) {
  for (unsigned char *p = to; n > 0;) {
    const ssize_t got = pread(fd, p, n, at);
    if (got <= 0) return false;
    p += got, at += got, n -= (size_t)got;
  }
  return true;
}

static uint32_t sum_of(const unsigned char *data, size_t n) { return (uint32_t)crc32_z(0, data, n); }

static cb_status read_about(show_index *x, const char *path, cb_err *err) {
  unsigned char head[SHOW_HEAD];
  if (!read_at(x->fd, head, sizeof head, 0) || memcmp(head, show_magic, sizeof show_magic) != 0)
    return cb_fail(err, CB_E_PARSE, "%s: is no file of frames", path);
  const uint32_t version = show_get_u32(head + 8), n = show_get_u32(head + 12);
  if (version != SHOW_VERSION)
    return cb_fail(err, CB_E_PARSE, "%s: version %u: %d was wanted", path, version, SHOW_VERSION);
  if (n > MOST_ABOUT) return cb_fail(err, CB_E_PARSE, "%s: its description is too long", path);
  x->about = calloc(n + 1, 1);
  if (!x->about) return cb_no_memory(err, "%s", path);
  if (!read_at(x->fd, x->about, n, SHOW_HEAD) ||
      sum_of((unsigned char *)x->about, n) != show_get_u32(head + 16) || strlen(x->about) != n)
    return cb_fail(err, CB_E_PARSE, "%s: its description is damaged", path);
  x->end = SHOW_HEAD + (int64_t)n;
  return CB_OK;
}

static cb_status note_frame(show_index *x, const char *path, cb_err *err) {
  if ((x->n & (x->n - 1)) == 0) {
    int64_t *more = realloc(x->at, (size_t)(x->n > 0 ? 2 * x->n : 1) * sizeof *more);
    if (!more) return cb_no_memory(err, "%s", path);
    x->at = more;
  }
  x->at[x->n++] = x->end;
  return CB_OK;
}

static cb_status find_frames(show_index *x, int64_t size, const char *path, cb_err *err) {
  unsigned char head[SHOW_FRAME_HEAD];
  while (size - x->end >= SHOW_FRAME_HEAD && read_at(x->fd, head, sizeof head, x->end)) {
    const int64_t packed = show_get_u32(head + 4);
    if (memcmp(head, show_frame_magic, 4) != 0 || x->n >= SHOW_MOST_FRAMES)
      return cb_fail(err, CB_E_PARSE, "%s: something else stands where frame %d was wanted", path, x->n);
    if (packed > size - x->end - SHOW_FRAME_HEAD) break;
    CB_TRY(note_frame(x, path, err));
    x->end += SHOW_FRAME_HEAD + packed;
  }
  return CB_OK;
}

cb_status show_index_open(const char *path, int flags, show_index *out, cb_err *err) {
  struct stat info;
  *out = (show_index){.fd = open(path, flags | O_CLOEXEC | O_NONBLOCK)};
  if (out->fd < 0 || fstat(out->fd, &info) != 0)
    return cb_fail(err, CB_E_IO, "%s: cannot be opened: a file of frames was wanted", path);
  CB_TRY(cb_file_check_regular(&info, path, "", err));
  CB_TRY(read_about(out, path, err));
  return find_frames(out, info.st_size, path, err);
}

void show_index_clear(show_index *x) {
  if (x->fd >= 0) (void)close(x->fd);
  free(x->at);
  free(x->about);
  *x = (show_index){.fd = -1};
}

static cb_status unpack(const unsigned char *packed, size_t n_packed, unsigned char *plain, size_t n,
                        uint32_t sum, const char *path, int k, cb_err *err) {
  if (sum_of(packed, n_packed) != sum)
    return cb_fail(err, CB_E_PARSE, "%s: frame %d is damaged: its check sum does not agree", path, k);
  const size_t got = ZSTD_decompress(plain, n, packed, n_packed);
  if (ZSTD_isError(got) || got != n)
    return cb_fail(err, CB_E_PARSE, "%s: frame %d does not unpack to %zu bytes", path, k, n);
  return CB_OK;
}

cb_status show_index_unpack(const show_index *x, int k, const char *path, unsigned char **plain, size_t *n,
                            cb_err *err) {
  unsigned char head[SHOW_FRAME_HEAD] = {0};
  *plain = NULL;
  if (!read_at(x->fd, head, sizeof head, x->at[k]))
    return cb_fail(err, CB_E_IO, "%s: frame %d cannot be read", path, k);
  const size_t n_packed = show_get_u32(head + 4);
  *n = show_get_u32(head + 8);
  if (*n > SHOW_MOST_BYTES || n_packed > SHOW_MOST_BYTES)
    return cb_fail(err, CB_E_PARSE, "%s: frame %d: %zu bytes are too many", path, k, *n);
  unsigned char *packed = malloc(n_packed + 1);
  *plain = malloc(*n + 1);
  cb_status st = packed && *plain ? CB_OK : cb_no_memory(err, "%s, frame %d", path, k);
  if (st == CB_OK && !read_at(x->fd, packed, n_packed, x->at[k] + SHOW_FRAME_HEAD))
    st = cb_fail(err, CB_E_IO, "%s: frame %d cannot be read", path, k);
  if (st == CB_OK) st = unpack(packed, n_packed, *plain, *n, show_get_u32(head + 12), path, k, err);
  free(packed);
  if (st != CB_OK) {
    free(*plain);
    *plain = NULL;
  }
  return st;
}

static bool is_name(const unsigned char *at) {
  if (at[0] == 0 || !memchr(at, 0, SHOW_NAME_BYTES)) return false;
  for (; *at; at++)
    if (*at < ' ' || *at > '~') return false;
  return true;
}

const char *show_get_head(const unsigned char *plain, size_t n, size_t *at, int frame, show_head *out,
                          const unsigned char **body) {
  const unsigned char *p = plain + *at;
  if (n - *at < SHOW_SURFACE_HEAD) return "ends within a surface";
  if (!is_name(p)) return "has a surface without a name";
  memcpy(out->name, p, SHOW_NAME_BYTES);
  p += SHOW_NAME_BYTES;
  out->flags = show_get_u32(p);
  memcpy(out->colour, p + 4, sizeof out->colour);
  out->n_vertices = show_get_u32(p + 16);
  out->n_triangles = show_get_u32(p + 20);
  out->n_channels = show_get_u32(p + 24);
  out->triangles_in = show_get_u32(p + 28);
  out->hash = show_get_u64(p + 32);
  *body = p + 40;
  if (out->n_channels > SHOW_CHANNELS_MAX) return "has too many channels";
  if (out->triangles_in > (uint32_t)frame) return "has its triangles in a later frame";
  const uint64_t own = out->triangles_in == (uint32_t)frame ? 12 * (uint64_t)out->n_triangles : 0,
                 all = own + 12 * (uint64_t)out->n_vertices +
                       out->n_channels * ((uint64_t)2 * SHOW_NAME_BYTES + 4 * (uint64_t)out->n_vertices);
  if (all > n - *at - SHOW_SURFACE_HEAD) return "ends within a surface";
  for (uint32_t c = 0; c < out->n_channels; c++) {
    const unsigned char *channel = *body + own + 12 * (size_t)out->n_vertices +
                                   c * ((size_t)2 * SHOW_NAME_BYTES + 4 * (size_t)out->n_vertices);
    if (!is_name(channel) || !is_name(channel + SHOW_NAME_BYTES)) return "has a channel without name or unit";
  }
  *at += SHOW_SURFACE_HEAD + (size_t)all;
  return NULL;
}
