/* A balance's lines: every answer of the parser makes progress, and a reading is a finite number with a unit that ends. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "daq_sics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t at = 0, used = 0;
  daq_sics_message m;
  daq_parse p;
  while ((p = daq_sics_parse((const char *)data + at, size - at, &m, &used)) != DAQ_PARSE_MORE) {
    if (used == 0 || used > size - at) __builtin_trap();
    if (p == DAQ_PARSE_VALID && (!isfinite(m.number) || !memchr(m.unit, 0, sizeof m.unit) || !memchr(m.text, 0, sizeof m.text)))
      __builtin_trap();
    at += used;
  }
  if (used != 0) __builtin_trap();
  return 0;
}
