/* Any text as positions that another program wrote: as many finite places as were wanted, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf_engine_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  double x[4][3];
  cb_err err = {""};
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  if (conf_positions_read(text, "fuzz", 4, x, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else {
    for (int i = 0; i < 12; i++)
      if (!isfinite(x[i / 3][i % 3])) __builtin_trap();
  }
  free(text);
  return 0;
}
