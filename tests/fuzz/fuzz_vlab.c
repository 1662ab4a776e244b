/* The file of a virtual laboratory: one that can measure a strip, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "vlab_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vlab lab;
  cb_err err = {""};
  if (vlab_parse((const char *)data, size, "fuzz", &lab, &err) != CB_OK) {
    if (!err.msg[0]) abort();
    return 0;
  }
  const double P = vlab_strip_N_per_m(&lab.truth.membrane, 0.4, 0.01), v = vlab_air_m_per_s(&lab.truth, 100);
  if (!(isfinite(P) && v > 0)) abort();
  return 0;
}
