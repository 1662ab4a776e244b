/* Eight doubles at once, a column of the curtain in each; and three of them, a vector in each lane. All inline, so that they become what
 * the function around them is compiled for (CB_WIDE). */
#ifndef SIM_OCTET_H
#define SIM_OCTET_H

#include <math.h>

#include "cb_threads.h"
#include "sim_curtain_impl.h"

#define SIM_OCTET_FN static inline __attribute__((always_inline))

SIM_OCTET_FN sim_octet sim_octet_all(double v) { return (sim_octet){v, v, v, v, v, v, v, v}; }

SIM_OCTET_FN sim_octet sim_octet_root(sim_octet v) {
  sim_octet out;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) out[i] = sqrt(v[i]);
  return out;
}

/* yes where a > b, else no, by the sign of the difference: of comparisons of such vectors gcc 12 makes eight. */
SIM_OCTET_FN sim_octet sim_octet_where(sim_octet a, sim_octet b, sim_octet yes, sim_octet no) {
  const sim_octet_bits more = (sim_octet_bits)(b - a) >> 63; /* all ones, or none */
  return (sim_octet)(((sim_octet_bits)yes & more) | ((sim_octet_bits)no & ~more));
}

SIM_OCTET_FN sim_octet sim_octet_larger(sim_octet a, sim_octet b) { return sim_octet_where(a, b, a, b); }
SIM_OCTET_FN sim_octet sim_octet_smaller(sim_octet a, sim_octet b) { return -sim_octet_larger(-a, -b); }
SIM_OCTET_FN sim_octet sim_octet_size(sim_octet a) { return sim_octet_larger(a, -a); }

SIM_OCTET_FN sim_octet sim_octet_dot(const sim_octet a[3], const sim_octet b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

SIM_OCTET_FN void sim_octet_cross(const sim_octet a[3], const sim_octet b[3], sim_octet out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A symmetric matrix (xx xy xz yy yz zz) times a vector. */
SIM_OCTET_FN void sim_octet_multiply(const sim_octet m[6], const sim_octet v[3], sim_octet out[3]) {
  out[0] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  out[1] = m[1] * v[0] + m[3] * v[1] + m[4] * v[2];
  out[2] = m[2] * v[0] + m[4] * v[1] + m[5] * v[2];
}

/* Of a symmetric matrix that is positive definite: its adjugate over its determinant. */
SIM_OCTET_FN void sim_octet_invert(const sim_octet m[6], sim_octet out[6]) {
  out[0] = m[3] * m[5] - m[4] * m[4];
  out[1] = m[2] * m[4] - m[1] * m[5];
  out[2] = m[1] * m[4] - m[2] * m[3];
  out[3] = m[0] * m[5] - m[2] * m[2];
  out[4] = m[1] * m[2] - m[0] * m[4];
  out[5] = m[0] * m[3] - m[1] * m[1];
  const sim_octet one = 1 / (m[0] * out[0] + m[1] * out[1] + m[2] * out[2]);
  for (int k = 0; k < 6; k++) out[k] *= one;
}

/* Every lane has its neighbour to the right's, the last one that of the block beyond; likewise to the left. */
SIM_OCTET_FN sim_octet sim_octet_from_right(sim_octet v, sim_octet beyond) {
  return __builtin_shufflevector(v, beyond, 1, 2, 3, 4, 5, 6, 7, 8);
}
SIM_OCTET_FN sim_octet sim_octet_from_left(sim_octet v, sim_octet beyond) {
  return __builtin_shufflevector(beyond, v, 7, 8, 9, 10, 11, 12, 13, 14);
}

#endif
