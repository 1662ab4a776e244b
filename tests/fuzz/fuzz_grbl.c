/* Grbl's lines: every answer of the parser makes progress and stays inside its bytes. */
#include <stdint.h>

#include "daq_grbl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *bytes = (const char *)data;
  size_t at = 0, used = 0;
  daq_grbl_message m;
  daq_parse p;
  while ((p = daq_grbl_parse(bytes + at, size - at, &m, &used)) != DAQ_PARSE_MORE) {
    if (used == 0 || used > size - at) __builtin_trap();
    at += used;
  }
  if (used != 0) __builtin_trap();
  return 0;
}
