/* Any bytes as frames.show, and any bytes as the plain content of one frame: frames whose numbers are finite
 * and whose triangles have their corners, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "cb_file.h"
#include "show_frames_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_surface(const show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      if (s->triangle[t][k] < 0 || s->triangle[t][k] >= s->n_vertices) __builtin_trap();
  for (int v = 0; v < s->n_vertices; v++) {
    for (int k = 0; k < 3; k++)
      if (!isfinite(s->position_m[v][k])) __builtin_trap();
    for (int c = 0; c < s->n_channels; c++)
      if (!isfinite(s->channel[c].value[v])) __builtin_trap();
  }
}

static void read_all(const char *path) {
  static show_frame f;
  show_frames *file;
  cb_err err = {""};
  if (show_frames_open(path, &file, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
    return;
  }
  for (int k = 0; k < show_frames_count(file); k++) {
    if (show_frames_read(file, k, &f, &err) == CB_OK)
      for (int s = 0; s < f.n_surfaces; s++) check_surface(&f.surface[s]);
    else if (!err.msg[0])
      __builtin_trap();
    show_frame_clear(&f);
  }
  show_frames_close(file);
}

static void put_frame(cb_bytes *b, const uint8_t *data, size_t size) {
  const size_t most = ZSTD_compressBound(size);
  unsigned char *packed = malloc(most);
  if (!packed) abort();
  const size_t n = ZSTD_compress(packed, most, data, size, 1);
  cb_bytes_put(b, show_magic, sizeof show_magic);
  cb_bytes_u32(b, SHOW_VERSION);
  cb_bytes_u32(b, 0);
  cb_bytes_u32(b, (uint32_t)crc32_z(0, (const unsigned char *)"", 0));
  cb_bytes_put(b, show_frame_magic, sizeof show_frame_magic);
  cb_bytes_u32(b, (uint32_t)n);
  cb_bytes_u32(b, (uint32_t)size);
  cb_bytes_u32(b, (uint32_t)crc32_z(0, packed, n));
  cb_bytes_put(b, packed, n);
  free(packed);
}

static void try_bytes(const char *path, const void *data, size_t n) {
  if (cb_file_write(path, data, n, NULL) != CB_OK) abort();
  read_all(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[] = "/tmp/clothbench-fuzz-frames-XXXXXX";
  cb_bytes b = {0};
  const int fd = mkstemp(path);
  if (fd < 0) abort();
  (void)close(fd);
  try_bytes(path, data, size);
  put_frame(&b, data, size);
  try_bytes(path, b.data, b.n);
  cb_bytes_clear(&b);
  (void)unlink(path);
  return 0;
}
