/* Thorlabs' messages: whatever comes, a message is one of the known, and its numbers lie within it. */
#include "daq_apt.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  daq_apt_message m;
  daq_parse p = daq_apt_parse(bytes, n, &m, used);
  (void)form;
  if (p == DAQ_PARSE_VALID && (*used != 6 + m.n || m.n > DAQ_APT_PACKET)) __builtin_trap();
  if (p == DAQ_PARSE_VALID && m.n == 14 && m.packet[2] == 1 && (daq_apt_number(&m, 0) & 0xFF) != 1)
    __builtin_trap();
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 1, data, size); }
