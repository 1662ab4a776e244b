/* The SMC100's answers; every status among them has a text for its errors. */
#include "daq_smc100.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  daq_smc100_message m;
  daq_smc100_state state;
  daq_parse p = daq_smc100_parse(bytes, n, &m, used);
  (void)form;
  if (p == DAQ_PARSE_VALID && daq_smc100_state_of(m.text, &state)) (void)daq_smc100_error_text(state.errors);
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 1, data, size); }
