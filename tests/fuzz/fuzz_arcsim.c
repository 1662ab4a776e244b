/* A material file of ARCSim: numbers that can be, which come back the same when written, or one sentence. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exch_arcsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  exch_arcsim m, back;
  cb_err err = {""};
  char *text;
  if (exch_arcsim_read((const char *)data, size, "f", &m, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
    return 0;
  }
  for (int i = 0; i < 24; i++)
    if (!isfinite(m.stretching_N_per_m[i / 4][i % 4])) __builtin_trap();
  if (exch_arcsim_write(&m, &text, &err) != CB_OK ||
      exch_arcsim_read(text, strlen(text), "f", &back, &err) != CB_OK)
    __builtin_trap();
  if (memcmp(&m, &back, offsetof(exch_arcsim, thickness_m)) != 0) __builtin_trap();
  free(text);
  return 0;
}
