/* The packed columns: whatever bytes come in, unpacking answers with n values or with one sentence; and
 * packing any n doubles gives back every bit of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void unpack_bytes(const uint8_t *data, size_t size, size_t n) {
  cb_err err = {""};
  size_t used = 0;
  double *v = malloc(n * sizeof *v);
  if (!v) return;
  cb_status st = cb_unpack(data, size, n, v, &used, &err);
  if (st == CB_OK && used > size) __builtin_trap();
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  free(v);
}

static void there_and_back(const uint8_t *data, size_t n) {
  double *v = malloc(2 * n * sizeof *v);
  unsigned char *packed = malloc(cb_pack_bound(n));
  size_t size = 0, used = 0;
  if (!v || !packed) __builtin_trap();
  memcpy(v, data, n * sizeof *v);
  if (cb_pack(v, n, packed, &size, NULL) != CB_OK || size > cb_pack_bound(n)) __builtin_trap();
  if (cb_unpack(packed, size, n, v + n, &used, NULL) != CB_OK || used != size) __builtin_trap();
  if (memcmp(v, v + n, n * sizeof *v) != 0) __builtin_trap();
  free(packed);
  free(v);
}

/* Short numbers, as instruments send them: two bytes and a power of ten each. */
static void decimals(const uint8_t *data, size_t size) {
  static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
  double v[64];
  size_t n = 0;
  for (; n < 64 && 3 * n + 2 < size; n++)
    v[n] = (double)(int16_t)(data[3 * n] | data[3 * n + 1] << 8) / power[data[3 * n + 2] % 10];
  if (n) there_and_back((const uint8_t *)v, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) return 0;
  size_t n = (size_t)(data[0] | data[1] << 8) % 4096 + 1;
  unpack_bytes(data + 2, size - 2, n);
  if (size - 2 >= sizeof(double)) there_and_back(data + 2, (size - 2) / sizeof(double));
  decimals(data + 2, size - 2);
  return 0;
}
