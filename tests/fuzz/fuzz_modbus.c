/* An indicator's answers to four questions. */
#include <math.h>

#include "daq_modbus.h"
#include "messages.h"

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  const daq_modbus_question q = {1, form % 2 ? 4 : 3, 7, 1 + form / 2};
  daq_modbus_answer a;
  daq_parse p = daq_modbus_parse(bytes, n, &q, &a, used);
  if (p == DAQ_PARSE_VALID && (a.address < 0 || a.address > 255 || a.exception < 0 || a.exception > 255))
    __builtin_trap();
  for (int type = CB_MODBUS_INT16; p == DAQ_PARSE_VALID && type <= CB_MODBUS_INT32_SWAPPED; type++)
    if (!isfinite(daq_modbus_number(type, a.value)) || !daq_modbus_exception(a.exception)) __builtin_trap();
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 4, data, size); }
