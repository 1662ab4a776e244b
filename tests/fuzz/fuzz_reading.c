/* The lines of the force read-outs: every answer of a parser makes progress, and a reading is a finite number. */
#include <math.h>
#include <stdint.h>

#include "daq_d500.h"
#include "daq_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static daq_parse parse(int form, const char *bytes, size_t n, double *v, size_t *used) {
  char letter;
  if (form == 0) return daq_d500_parse(bytes, n, v, &letter, used);
  static const char *const terminators[] = {"", "cr", "lf", "crlf", ";"};
  return form == 1 ? daq_line_parse(bytes, n, "", 1, ",", v, used) : daq_line_parse(bytes, n, terminators[form - 2], 0, "", v, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int form = 0; form < 7; form++) {
    size_t at = 0, used = 0;
    double v;
    daq_parse p;
    while ((p = parse(form, (const char *)data + at, size - at, &v, &used)) != DAQ_PARSE_MORE) {
      if (used == 0 || used > size - at || (p == DAQ_PARSE_VALID && !isfinite(v))) __builtin_trap();
      at += used;
    }
    if (used != 0) __builtin_trap();
  }
  return 0;
}
