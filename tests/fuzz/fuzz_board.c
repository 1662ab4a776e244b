/* The board of a virtual rig: its answer has ranges that are ranges, and its scans are whole. */
#include <math.h>
#include <string.h>

#include "daq_board_wire.h"
#include "messages.h"

static daq_parse answer(size_t channels, const char *bytes, size_t n, size_t *used) {
  daq_board_grant g;
  char refusal[DAQ_BOARD_LINE_MAX];
  daq_parse p = daq_board_answer(bytes, n, channels, &g, refusal, used);
  if (p != DAQ_PARSE_MORE && !memchr(refusal, 0, sizeof refusal)) __builtin_trap();
  if (p != DAQ_PARSE_VALID) return p;
  if (!(g.period_s > 0) || !(g.maxdata >= 1 && g.maxdata <= 65535)) __builtin_trap();
  for (size_t i = 0; i < channels; i++)
    if (!isfinite(g.max_V[i] - g.min_V[i]) || !(g.min_V[i] < g.max_V[i])) __builtin_trap();
  return p;
}

static daq_parse scan(size_t channels, const char *bytes, size_t n, size_t *used) {
  uint16_t next = 0, samples[CB_COMEDI_CHANNELS_MAX];
  daq_parse p = daq_board_scan(bytes, n, channels, &next, samples, used);
  if ((p == DAQ_PARSE_VALID) != (next == 1)) __builtin_trap();
  return p;
}

/* Answers for 1 and 8 channels, scans of 1, 2 and 8. */
static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  static const size_t channels[] = {1, 8, 1, 2, 8};
  return form < 2 ? answer(channels[form], bytes, n, used) : scan(channels[form], bytes, n, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_messages(parse, 5, data, size); }
