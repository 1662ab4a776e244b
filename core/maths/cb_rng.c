#include "cb_rng.h"

#include <math.h>

#include "cb_rng_parts.h"

static uint64_t splitmix64(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void cb_rng_init(cb_rng *rng, uint64_t seed, uint64_t stream) {
  uint64_t state = seed;
  /* The stream is hashed before it is mixed in, or streams 0, 1, 2 ... of seeds 0, 1, 2 ... would overlap. */
  state ^= splitmix64(&(uint64_t){stream});
  for (int i = 0; i < 4; i++) rng->s[i] = splitmix64(&state);
  rng->has_spare = 0;
  rng->spare = 0;
}

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t cb_rng_u64(cb_rng *rng) {
  uint64_t *s = rng->s;
  uint64_t result = rotl(s[0] + s[3], 23) + s[0];
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

double cb_rng_uniform(cb_rng *rng) { return (double)(cb_rng_u64(rng) >> 11) * 0x1.0p-53; }

double cb_rng_normal(cb_rng *rng) {
  if (rng->has_spare) {
    rng->has_spare = 0;
    return rng->spare;
  }
  double u, v, r;
  do {
    u = 2 * cb_rng_uniform(rng) - 1;
    v = 2 * cb_rng_uniform(rng) - 1;
    r = u * u + v * v;
  } while (r >= 1 || r == 0);
  double k = sqrt(-2 * log(r) / r);
  rng->spare = v * k;
  rng->has_spare = 1;
  return u * k;
}

/* Twice a gamma variate of shape dof / 2; below shape 1 by that of shape + 1 and a power of a uniform. */
double cb_rng_chi2(cb_rng *rng, double dof) {
  double shape = dof / 2, boost = 1;
  if (shape < 1) {
    boost = pow(1 - cb_rng_uniform(rng), 1 / shape);
    shape += 1;
  }
  double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    double x = cb_rng_normal(rng), v = 1 + c * x;
    v = v * v * v;
    if (v > 0 && log(1 - cb_rng_uniform(rng)) < 0.5 * x * x + d * (1 - v + log(v))) return 2 * d * v * boost;
  }
}
