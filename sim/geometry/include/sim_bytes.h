/* A file as it is put together in memory: little-endian numbers and text. An allocation that fails is remembered, and said once, when the
 * file is to be written. */
#ifndef SIM_BYTES_H
#define SIM_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

typedef struct sim_bytes {
  unsigned char *data;
  size_t n, size;
  bool failed;
} sim_bytes;

/* Where n more bytes go; NULL: no memory. */
unsigned char *sim_bytes_room(sim_bytes *b, size_t n);
void sim_bytes_put(sim_bytes *b, const void *data, size_t n);
void sim_bytes_text(sim_bytes *b, const char *format, ...) CB_PRINTF(2, 3);
void sim_bytes_u32(sim_bytes *b, uint32_t value);
void sim_bytes_u64(sim_bytes *b, uint64_t value);
void sim_bytes_f32(sim_bytes *b, const double *value, size_t n);
void sim_bytes_f64(sim_bytes *b, const double *value, size_t n);
void sim_bytes_i32(sim_bytes *b, const int *value, size_t n);

/* The file appears whole or not at all. */
CB_CHECKED cb_status sim_bytes_write(const sim_bytes *b, const char *path, cb_err *err);
void sim_bytes_clear(sim_bytes *b);

#endif
