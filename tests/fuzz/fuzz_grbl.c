/* Grbl's lines. */
#include "daq_grbl.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  daq_grbl_message m;
  (void)form;
  return daq_grbl_parse(bytes, n, &m, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 1, data, size); }
