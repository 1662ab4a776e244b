/* Bytes as the points of a curve. */
#ifndef FUZZ_POINTS_H
#define FUZZ_POINTS_H

#include <stdint.h>
#include <string.h>

#include "cb_store_material_test.h"

/* Pairs of floats, at most so many; returns how many. */
static inline size_t fuzz_points(const uint8_t *data, size_t size, cb_test_point *p, size_t most) {
  size_t n = 0;
  for (float xy[2]; n < most && size >= sizeof xy; n++, data += sizeof xy, size -= sizeof xy) {
    memcpy(xy, data, sizeof xy);
    p[n] = (cb_test_point){(double)xy[0], (double)xy[1]};
  }
  return n;
}

#endif
