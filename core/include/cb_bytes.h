/* A file composed in memory: little-endian numbers and text. A failed allocation is remembered, and reported
 * when the file is written. A zeroed cb_bytes is empty and valid. */
#ifndef CB_BYTES_H
#define CB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

typedef struct cb_bytes {
  unsigned char *data; /* owned */
  size_t n, size;      /* bytes used, allocated */
  bool failed;         /* nothing more is appended */
} cb_bytes;

/* Append bytes, text of less than 512 bytes, one number, or n numbers. cb_bytes_f32 rounds to single
 * precision. */
void cb_bytes_put(cb_bytes *b, const void *data, size_t n);
void cb_bytes_text(cb_bytes *b, const char *format, ...) CB_PRINTF(2, 3);
void cb_bytes_u32(cb_bytes *b, uint32_t value);
void cb_bytes_u64(cb_bytes *b, uint64_t value);
void cb_bytes_f32(cb_bytes *b, const double *value, size_t n);
void cb_bytes_f64(cb_bytes *b, const double *value, size_t n);
void cb_bytes_i32(cb_bytes *b, const int *value, size_t n);

/* Writes the file, whole or not at all (cb_file_write), and clears b, even after an error.
 * Errors: CB_E_NOMEM if anything could not be appended; CB_E_IO. */
CB_CHECKED cb_status cb_bytes_write(cb_bytes *b, const char *path, cb_err *err);
void cb_bytes_clear(cb_bytes *b);

#endif
