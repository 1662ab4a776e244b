/* Seeded random numbers: xoshiro256++ (Blackman & Vigna 2021), seeded by splitmix64. The same seed and stream
 * give the same numbers on every machine. One stream per purpose keeps results independent of the order in
 * which parts run. */
#ifndef CB_RNG_H
#define CB_RNG_H

#include <stdint.h>

typedef struct cb_rng {
  uint64_t s[4];
  double spare; /* second value of the last pair of normals */
  int has_spare;
} cb_rng;

void cb_rng_init(cb_rng *rng, uint64_t seed, uint64_t stream);
double cb_rng_uniform(cb_rng *rng); /* [0, 1), 53 bits */
double cb_rng_normal(cb_rng *rng);  /* mean 0, variance 1 (polar method, Marsaglia & Bray 1964) */

#endif
