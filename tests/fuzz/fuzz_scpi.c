/* A multimeter's answers, taken as a reading of two fields, as an identity and as an error. */
#include <math.h>
#include <string.h>

#include "daq_scpi.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  daq_scpi_reading r;
  daq_parse p = daq_scpi_parse(bytes, n, form, &r, used);
  char line[DAQ_LINE_MAX], serial[64];
  int code;
  if (p == DAQ_PARSE_VALID && !isfinite(r.number)) __builtin_trap();
  if (p != DAQ_PARSE_MORE && *used < sizeof line) {
    memcpy(line, bytes, *used);
    line[*used] = '\0';
    daq_scpi_serial(line, serial);
    if (!memchr(serial, 0, sizeof serial)) __builtin_trap();
    (void)daq_scpi_error(line, &code);
  }
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 2, data, size); }
