/* A file as it is put together in memory: little-endian numbers and text. An allocation that fails is remembered, and said once, when the
 * file is to be written. */
#ifndef CB_BYTES_H
#define CB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

typedef struct cb_bytes {
  unsigned char *data;
  size_t n, size;
  bool failed;
} cb_bytes;

void cb_bytes_put(cb_bytes *b, const void *data, size_t n);
void cb_bytes_text(cb_bytes *b, const char *format, ...) CB_PRINTF(2, 3);
void cb_bytes_u32(cb_bytes *b, uint32_t value);
void cb_bytes_u64(cb_bytes *b, uint64_t value);
void cb_bytes_f32(cb_bytes *b, const double *value, size_t n);
void cb_bytes_f64(cb_bytes *b, const double *value, size_t n);
void cb_bytes_i32(cb_bytes *b, const int *value, size_t n);

/* The file appears whole or not at all. */
CB_CHECKED cb_status cb_bytes_write(const cb_bytes *b, const char *path, cb_err *err);
void cb_bytes_clear(cb_bytes *b);

#endif
