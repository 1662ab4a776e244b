#include "cb_bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_file.h"

/* Where n more bytes go; NULL: no memory. */
static unsigned char *make_room(cb_bytes *b, size_t n) {
  if (b->failed) return NULL;
  unsigned char *grown = cb_array_grow(b->data, &b->size, b->n + n + 1, 1);
  if (!grown) {
    b->failed = true;
    return NULL;
  }
  b->data = grown;
  unsigned char *at = b->data + b->n;
  b->n += n;
  return at;
}

void cb_bytes_put(cb_bytes *b, const void *data, size_t n) {
  unsigned char *to = make_room(b, n);
  if (to && n > 0) memcpy(to, data, n); /* a list of none has no data */
}

void cb_bytes_text(cb_bytes *b, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof line)
    b->failed = true;
  else
    cb_bytes_put(b, line, (size_t)n);
}

static void store32(unsigned char *to, uint32_t v) {
  for (int k = 0; k < 4; k++) to[k] = (unsigned char)(v >> 8 * k);
}

static void store64(unsigned char *to, uint64_t v) {
  for (int k = 0; k < 8; k++) to[k] = (unsigned char)(v >> 8 * k);
}

void cb_bytes_u32(cb_bytes *b, uint32_t value) {
  unsigned char *to = make_room(b, 4);
  if (to) store32(to, value);
}

void cb_bytes_u64(cb_bytes *b, uint64_t value) {
  unsigned char *to = make_room(b, 8);
  if (to) store64(to, value);
}

void cb_bytes_f32(cb_bytes *b, const double *value, size_t n) {
  unsigned char *to = make_room(b, 4 * n);
  for (size_t i = 0; to && i < n; i++) {
    float f = (float)value[i];
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    store32(to + 4 * i, bits);
  }
}

void cb_bytes_f64(cb_bytes *b, const double *value, size_t n) {
  unsigned char *to = make_room(b, 8 * n);
  for (size_t i = 0; to && i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    store64(to + 8 * i, bits);
  }
}

void cb_bytes_i32(cb_bytes *b, const int *value, size_t n) {
  unsigned char *to = make_room(b, 4 * n);
  for (size_t i = 0; to && i < n; i++) store32(to + 4 * i, (uint32_t)value[i]);
}

cb_status cb_bytes_write(cb_bytes *b, const char *path, cb_err *err) {
  const cb_status st = b->failed ? cb_fail(err, CB_E_NOMEM, "%s: out of memory after %zu bytes", path, b->n)
                                 : cb_file_write(path, b->data, b->n, err);
  cb_bytes_clear(b);
  return st;
}

void cb_bytes_clear(cb_bytes *b) {
  free(b->data);
  *b = (cb_bytes){0};
}
