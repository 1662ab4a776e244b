/* The fault script: a checked script or one sentence, never a crash. */
#include <stdint.h>

#include "vrig_fault_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vrig_fault_script s;
  cb_err err = {""};
  if (vrig_fault_script_parse((const char *)data, size, "fuzz", &s, &err) == CB_OK) {
    if (s.n == 0 && !s.mix.present && s.mishaps.n == 0) __builtin_trap();
    for (size_t i = 0; i < s.mishaps.n; i++)
      if (s.mishaps.rule[i].mishap.kind <= VRIG_MISHAP_NONE) __builtin_trap();
    for (size_t i = 0; i < s.n; i++)
      if (!vrig_fault_fits((vrig_fault_kind)s.rule[i].kind, (vrig_wire)s.rule[i].wire)) __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  return 0;
}
