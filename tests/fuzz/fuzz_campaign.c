/* The campaign file, of one pair or many: checked campaigns or one sentence, never a crash. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daq_campaign_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const cb_rig rig = {.stage = {.limit_max_m = 0.1, .start_m = 0.02, .max_speed_m_per_s = 0.05},
                      .force = {.rate_Hz = 200, .overload_N = 8},
                      .bench = {.link_slack_m = 0.002, .link_stiffness_N_per_m = 500}};
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  daq_campaign c;
  cb_err err = {""};
  if (daq_campaign_parse(text, "fuzz", &rig, &c, &err) == CB_OK) {
    size_t n = daq_campaign_cells(&c);
    if (n == 0 || daq_campaign_cell(&c, n - 1).repeat != c.repeats) __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  daq_campaign_clear(&c);
  daq_batch b;
  daq_handling ordered, plain;
  err = (cb_err){""};
  if (daq_batch_parse(text, "fuzz", &rig, &b, &err) == CB_OK) {
    if (b.n < 20) daq_batch_handling(&b, &ordered, &plain);
    if (b.n < 20 && (ordered.runs != plain.runs || ordered.cloths > plain.cloths)) __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  daq_batch_clear(&b);
  free(text);
  return 0;
}
