/* The weights file: checked loads or one sentence, never a crash. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daq_weights_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  daq_weights w;
  cb_err err = {""};
  if (daq_weights_parse(text, "fuzz", &w, &err) == CB_OK) {
    for (size_t i = 0; i < w.n_loads; i++)
      if (!isfinite(w.load[i].force_N) || w.load[i].force_N <= 0 || !isfinite(w.load[i].u_force_N))
        __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  daq_weights_clear(&w);
  free(text);
  return 0;
}
