#include "cb_sobol.h"

#include <assert.h>

#define BITS 32

/* Primitive polynomials and first direction numbers, new-joe-kuo-6; the first axis is van der Corput's. */
static const struct {
  int degree;
  uint32_t polynomial, m[7];
} axis[CB_SOBOL_DIMENSIONS] = {{0, 0, {0}},
                               {1, 0, {1}},
                               {2, 1, {1, 3}},
                               {3, 1, {1, 3, 1}},
                               {3, 2, {1, 1, 1}},
                               {4, 1, {1, 1, 3, 3}},
                               {4, 4, {1, 3, 5, 13}},
                               {5, 2, {1, 1, 5, 5, 17}},
                               {5, 4, {1, 1, 5, 5, 5}},
                               {5, 7, {1, 1, 7, 11, 19}},
                               {5, 11, {1, 1, 5, 1, 1}},
                               {5, 13, {1, 1, 1, 3, 11}},
                               {5, 14, {1, 3, 5, 5, 31}},
                               {6, 1, {1, 3, 3, 9, 7, 49}},
                               {6, 13, {1, 1, 1, 15, 21, 21}},
                               {6, 16, {1, 3, 1, 13, 27, 49}},
                               {6, 19, {1, 1, 1, 15, 7, 5}},
                               {6, 22, {1, 3, 1, 15, 13, 25}},
                               {6, 25, {1, 1, 5, 5, 19, 61}},
                               {7, 1, {1, 3, 7, 11, 23, 15, 103}}};

static void fill_directions(int dimension, uint32_t v[BITS]) {
  const int s = axis[dimension].degree;
  for (int i = 0; i < BITS; i++) {
    if (s == 0) {
      v[i] = 1u << (BITS - 1 - i);
      continue;
    }
    if (i < s) {
      v[i] = axis[dimension].m[i] << (BITS - 1 - i);
      continue;
    }
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (int k = 1; k < s; k++)
      if (axis[dimension].polynomial >> (s - 1 - k) & 1) v[i] ^= v[i - k];
  }
}

static uint32_t reverse_bits(uint32_t x) {
  uint32_t out = 0;
  for (int i = 0; i < BITS; i++) out |= (x >> i & 1) << (BITS - 1 - i);
  return out;
}

/* Flips every bit as the higher ones and the seed tell. */
static uint32_t scramble_bits(uint32_t x, uint32_t seed) {
  x = reverse_bits(x) + seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return reverse_bits(x);
}

/* Another seed for every axis. */
static uint32_t seed_of(int dimension, uint32_t scramble) {
  uint32_t x = scramble + 0x9e3779b9u * (uint32_t)(dimension + 1);
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

double cb_sobol(uint32_t index, int dimension, uint32_t scramble) {
  assert(dimension >= 0 && dimension < CB_SOBOL_DIMENSIONS);
  uint32_t v[BITS], x = 0;
  fill_directions(dimension, v);
  for (int i = 0; i < BITS; i++)
    if (index >> i & 1) x ^= v[i];
  return (scramble_bits(x, seed_of(dimension, scramble)) + 0.5) / 4294967296.0;
}
