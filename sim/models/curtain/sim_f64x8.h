/* Vectors of eight doubles, a column of the curtain in each lane, and arrays of three of them for a 3-vector
 * in each lane. All functions are inline, so that each caller compiles them for its own instruction set
 * (CB_WIDE). */
#ifndef SIM_F64X8_H
#define SIM_F64X8_H

#include <math.h>

#include "cb_threads.h"
#include "sim_curtain_impl.h"

#define SIM_F64X8_FN static inline __attribute__((always_inline))

SIM_F64X8_FN sim_f64x8 sim_f64x8_all(double v) { return (sim_f64x8){v, v, v, v, v, v, v, v}; }

SIM_F64X8_FN sim_f64x8 sim_f64x8_root(sim_f64x8 v) {
  sim_f64x8 out;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) out[i] = sqrt(v[i]);
  return out;
}

/* Returns `yes` in lanes where a > b, else `no`. It uses the sign of b - a, as gcc 12 turns a comparison of
 * vectors into eight scalar ones. AVX2 has no arithmetic shift of 64 bits: the mask is 0 less the sign. */
SIM_F64X8_FN sim_f64x8 sim_f64x8_where(sim_f64x8 a, sim_f64x8 b, sim_f64x8 yes, sim_f64x8 no) {
  const sim_f64x8_bits more = -((sim_f64x8_bits)(b - a) >> 63); /* all ones, or none */
  return (sim_f64x8)(((sim_f64x8_bits)yes & more) | ((sim_f64x8_bits)no & ~more));
}

SIM_F64X8_FN sim_f64x8 sim_f64x8_larger(sim_f64x8 a, sim_f64x8 b) { return sim_f64x8_where(a, b, a, b); }
SIM_F64X8_FN sim_f64x8 sim_f64x8_smaller(sim_f64x8 a, sim_f64x8 b) { return -sim_f64x8_larger(-a, -b); }
SIM_F64X8_FN sim_f64x8 sim_f64x8_size(sim_f64x8 a) { return sim_f64x8_larger(a, -a); }

SIM_F64X8_FN sim_f64x8 sim_f64x8_dot(const sim_f64x8 a[3], const sim_f64x8 b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SIM_F64X8_FN void sim_f64x8_cross(const sim_f64x8 a[3], const sim_f64x8 b[3], sim_f64x8 out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A symmetric matrix (xx xy xz yy yz zz) times a vector. */
SIM_F64X8_FN void sim_f64x8_multiply(const sim_f64x8 m[6], const sim_f64x8 v[3], sim_f64x8 out[3]) {
  out[0] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  out[1] = m[1] * v[0] + m[3] * v[1] + m[4] * v[2];
  out[2] = m[2] * v[0] + m[4] * v[1] + m[5] * v[2];
}

/* Inverts a symmetric positive definite matrix: its adjugate over its determinant. */
SIM_F64X8_FN void sim_f64x8_invert(const sim_f64x8 m[6], sim_f64x8 out[6]) {
  out[0] = m[3] * m[5] - m[4] * m[4];
  out[1] = m[2] * m[4] - m[1] * m[5];
  out[2] = m[1] * m[4] - m[2] * m[3];
  out[3] = m[0] * m[5] - m[2] * m[2];
  out[4] = m[1] * m[2] - m[0] * m[4];
  out[5] = m[0] * m[3] - m[1] * m[1];
  const sim_f64x8 one = 1 / (m[0] * out[0] + m[1] * out[1] + m[2] * out[2]);
  for (int k = 0; k < 6; k++) out[k] *= one;
}

/* Shifts the lanes: each gets the value of its right (left) neighbour. The last (first) one comes from the
 * block beyond. */
SIM_F64X8_FN sim_f64x8 sim_f64x8_from_right(sim_f64x8 v, sim_f64x8 beyond) {
  return __builtin_shufflevector(v, beyond, 1, 2, 3, 4, 5, 6, 7, 8);
}
SIM_F64X8_FN sim_f64x8 sim_f64x8_from_left(sim_f64x8 v, sim_f64x8 beyond) {
  return __builtin_shufflevector(beyond, v, 7, 8, 9, 10, 11, 12, 13, 14);
}

/* sim_f64x8_from_right by halves: the faster with AVX2, where gcc 12 moves eight lanes one by one through
 * memory. */
typedef union sim_f64x8_halves {
  sim_f64x8 whole;
  sim_f64x4 half[2];
} sim_f64x8_halves;
SIM_F64X8_FN sim_f64x8 sim_f64x8_halves_from_right(sim_f64x8 v, sim_f64x8 beyond) {
  const sim_f64x8_halves own = {v}, next = {beyond};
  const sim_f64x4 low = own.half[0], high = own.half[1];
  return (sim_f64x8_halves){.half = {__builtin_shufflevector(low, high, 1, 2, 3, 4),
                                     __builtin_shufflevector(high, next.half[0], 1, 2, 3, 4)}}
      .whole;
}

#endif
