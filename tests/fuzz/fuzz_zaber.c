/* A Zaber stage's messages, with and without checksums. */
#include "daq_zaber.h"
#include "messages.h"

static daq_parse parse(int checked, const char *bytes, size_t n, size_t *used) {
  daq_zaber_message m;
  return daq_zaber_parse(bytes, n, checked, &m, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 2, data, size); }
