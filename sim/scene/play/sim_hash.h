/* FNV-1a hash, 64 bit (Fowler, Noll, Vo), over numbers in little-endian order: tells whether two scenes are
 * equal. Start with SIM_HASH_BEGIN. */
#ifndef SIM_HASH_H
#define SIM_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SIM_HASH_BEGIN 0xCBF29CE484222325U

static inline void sim_hash_bytes(uint64_t *h, const void *data, size_t n) {
  for (size_t k = 0; k < n; k++) *h = (*h ^ ((const unsigned char *)data)[k]) * 0x100000001B3U;
}

static inline void sim_hash_u64(uint64_t *h, uint64_t bits) {
  for (int k = 0; k < 8; k++) *h = (*h ^ (bits >> 8 * k & 0xFF)) * 0x100000001B3U;
}

static inline void sim_hash_doubles(uint64_t *h, const double *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    sim_hash_u64(h, bits);
  }
}

#endif
