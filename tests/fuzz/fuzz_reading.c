/* The lines of the force read-outs; a reading is a finite number. */
#include <math.h>

#include "daq_d500.h"
#include "daq_line.h"
#include "messages.h"

static daq_parse read_line(int form, const char *bytes, size_t n, double *v, size_t *used) {
  static const char *const terminators[] = {"", "cr", "lf", "crlf", ";"};
  char letter;
  if (form == 0) return daq_d500_parse(bytes, n, v, &letter, used);
  return form == 1 ? daq_line_parse(bytes, n, "", 1, ",", v, used)
                   : daq_line_parse(bytes, n, terminators[form - 2], 0, "", v, used);
}

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  double v;
  daq_parse p = read_line(form, bytes, n, &v, used);
  if (p == DAQ_PARSE_VALID && !isfinite(v)) __builtin_trap();
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 7, data, size); }
