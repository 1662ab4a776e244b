/* Any text as a scene of one of the other models: made and freed, or one sentence. */
#include <stdint.h>

#include "sim_system.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sim_system *s;
  cb_err err = {""};
  if (sim_system_parse((const char *)data, size, "fuzz", &s, &err) != CB_OK) {
    if (!err.msg[0] || s) __builtin_trap();
    return 0;
  }
  if (s && (sim_system_steps(s) < 1 || sim_system_done(s) != 0)) __builtin_trap();
  sim_system_free(s);
  return 0;
}
