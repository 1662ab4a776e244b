/* Where the cases of a plan lie: points of the unit cube, and from there to values. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_sobol.h"
#include "cb_stats.h"
#include "swp_home_impl.h"
#include "swp_plan_impl.h"

#define SEED_STREAM 0x73656564u /* apart from the streams of the variables */

int swp_case_seed(const swp_plan *p, int index) {
  cb_rng rng;
  cb_rng_init(&rng, (uint64_t)p->seed, ((uint64_t)SEED_STREAM << 32) + (uint64_t)index);
  const int seed = (int)(1e9 * cb_rng_uniform(&rng));
  return seed > 0 ? seed : 1;
}

/* ---- a Latin hypercube ---- */

/* A permutation of 0 .. n - 1 that needs no table: four rounds of a Feistel network over the least even
 * number of bits that holds n, walked until it is back below n (Black, Rogaway, CT-RSA 2002). */
static uint32_t permuted(uint32_t x, uint32_t n, uint64_t seed, uint64_t stream) {
  int half = 1;
  while (half < 16 && (1u << (2 * half)) < n) half++;
  const uint32_t mask = (1u << half) - 1;
  do {
    uint32_t left = x >> half, right = x & mask;
    for (uint32_t round = 0; round < 4; round++) {
      cb_rng rng;
      cb_rng_init(&rng, seed + ((uint64_t)round << 32), (stream << 32) + right);
      const uint32_t mixed = left ^ ((uint32_t)(cb_rng_uniform(&rng) * 4294967296.0) & mask);
      left = right;
      right = mixed;
    }
    x = left << half | right;
  } while (x >= n);
  return x;
}

static double latin(const swp_plan *p, int index, int variable) {
  const uint32_t n = (uint32_t)p->n_cases;
  cb_rng rng;
  cb_rng_init(&rng, (uint64_t)p->seed, ((uint64_t)(variable + 1) << 32) + (uint64_t)index);
  return (permuted((uint32_t)index, n, (uint64_t)p->seed, (uint64_t)variable) + cb_rng_uniform(&rng)) / n;
}

/* ---- a variable of a case ---- */

/* 0 < u < 1, but for the Latin hypercube, where u may be 0. */
static double unit(const swp_plan *p, int index, int variable) {
  if (p->design == SWP_LHS) return fmax(latin(p, index, variable), 1e-12);
  if (p->design == SWP_SOBOL) return cb_sobol((uint32_t)index, variable, (uint32_t)p->seed);
  return swp_index_unit(p, index, variable);
}

static int grid_at(const swp_plan *p, int index, int variable) {
  int rest = index;
  for (int i = (int)p->n_variables - 1; i > variable; i--) rest /= (int)p->variable[i].n_values;
  return rest % (int)p->variable[variable].n_values;
}

static double at_unit(const swp_variable *v, double u) {
  if (v->sd > 0) return v->mean + v->sd * cb_normal_quantile(u);
  if (v->whole) return fmin(v->to, floor(v->from + u * (v->to - v->from + 1)));
  if (v->log) return fmin(v->to, v->from * pow(v->to / v->from, u));
  return fmin(v->to, v->from + u * (v->to - v->from));
}

static void write_value(const swp_plan *p, int index, int i, char out[SWP_VALUE_BYTES]) {
  const swp_variable *v = &p->variable[i];
  char number[32];
  size_t k = 0;
  if (p->design == SWP_LIST)
    k = (size_t)index;
  else if (p->design == SWP_GRID)
    k = (size_t)grid_at(p, index, i);
  else if (v->value)
    k = (size_t)(unit(p, index, i) * (double)v->n_values);
  else
    (void)snprintf(out, SWP_VALUE_BYTES, "%s", cb_shortest(at_unit(v, unit(p, index, i)), number));
  if (v->value) (void)snprintf(out, SWP_VALUE_BYTES, "%s", v->value[k]);
}

void swp_case_values(const swp_plan *p, int index, char (*out)[SWP_VALUE_BYTES]) {
  assert(index >= 0 && index < p->n_cases);
  for (size_t i = 0; i < p->n_variables; i++) write_value(p, index, (int)i, out[i]);
}
