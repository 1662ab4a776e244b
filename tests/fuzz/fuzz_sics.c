/* A balance's lines; a reading is a finite number with a unit that ends. */
#include <math.h>
#include <string.h>

#include "daq_sics.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  daq_sics_message m;
  daq_parse p = daq_sics_parse(bytes, n, &m, used);
  (void)form;
  if (p == DAQ_PARSE_VALID &&
      (!isfinite(m.number) || !memchr(m.unit, 0, sizeof m.unit) || !memchr(m.text, 0, sizeof m.text)))
    __builtin_trap();
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 1, data, size); }
