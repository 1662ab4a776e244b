/* Vectors for the solver's kernels: four floats (three numbers of a vertex and a zero), or four doubles. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

typedef float sim_quad __attribute__((vector_size(16), aligned(4), may_alias)); /* at any address */

/* Four doubles at any address. The fourth is what lies behind three numbers; callers ignore it. */
typedef double sim_four __attribute__((vector_size(32), aligned(8), may_alias));
#define SIM_FOUR_AT(p) (*(const sim_four *)(p))

static inline sim_quad sim_quad_load(const float *p) { return *(const sim_quad *)p; }
static inline void sim_quad_store(sim_quad v, float *p) { *(sim_quad *)p = v; }

/* Product of a symmetric block (xx xy xz yy yz zz) with v; callers ignore the fourth lane. */
static inline sim_quad sim_quad_multiply(const float b[6], sim_quad v) {
  const sim_quad low = sim_quad_load(b), high = sim_quad_load(b + 2);
  const sim_quad y = __builtin_shufflevector(low, high, 1, 3, 6, 7);
  const sim_quad z = __builtin_shufflevector(high, high, 0, 2, 3, 3);
  return low * v[0] + y * v[1] + z * v[2];
}

/* v with a zero in the fourth lane. */
static inline sim_quad sim_quad_three(sim_quad v) {
  return __builtin_shufflevector(v, (const sim_quad){0}, 0, 1, 2, 4);
}

/* Dot product of the first three lanes. */
static inline double sim_quad_dot(sim_quad u, sim_quad v) {
  const sim_quad t = u * v;
  return (double)(t[0] + t[1] + t[2]);
}

/* The sums of the lanes of three rows, whose fourth lanes are zero. */
static inline sim_quad sim_quad_sums(sim_quad x, sim_quad y, sim_quad z) {
  const sim_quad none = {0};
  const sim_quad xz = __builtin_shufflevector(x, z, 0, 4, 1, 5);
  const sim_quad yo = __builtin_shufflevector(y, none, 0, 4, 1, 5);
  const sim_quad xz2 = __builtin_shufflevector(x, z, 2, 6, 3, 7);
  const sim_quad yo2 = __builtin_shufflevector(y, none, 2, 6, 3, 7);
  const sim_quad first = __builtin_shufflevector(xz, yo, 0, 4, 1, 5);
  const sim_quad second = __builtin_shufflevector(xz, yo, 2, 6, 3, 7);
  const sim_quad third = __builtin_shufflevector(xz2, yo2, 0, 4, 1, 5);
  return (first + second) + third;
}

#endif
