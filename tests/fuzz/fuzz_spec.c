/* The specification file: lines with limits in order, or one sentence, never a crash. */
#include <math.h>
#include <stdint.h>

#include "lab_spec_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lab_spec list[LAB_SPEC_MAX];
  size_t n = 0;
  cb_err err = {""};
  cb_yaml *doc;
  if (cb_yaml_parse((const char *)data, size, "fuzz", &doc, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
    return 0;
  }
  if (lab_spec_read(doc, list, &n, NULL, &err) == CB_OK) {
    if (n == 0 || n > LAB_SPEC_MAX) __builtin_trap();
    for (size_t i = 0; i < n; i++)
      if (!(list[i].lower < list[i].upper) || !(list[i].normal_force_N > 0) || !isfinite(list[i].angle_deg))
        __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  cb_yaml_free(doc);
  return 0;
}
