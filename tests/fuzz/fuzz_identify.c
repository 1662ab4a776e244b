/* The first byte says after which question the others came. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "daq_devices_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  daq_identified id = {0};
  if (size == 0) return 0;
  bool known =
      daq_identify_bytes((daq_question)(data[0] % DAQ_N_QUESTIONS), (const char *)data + 1, size - 1, &id);
  assert(known == (id.what[0] != '\0'));
  assert(memchr(id.heard, '\0', sizeof id.heard) && memchr(id.serial, '\0', sizeof id.serial));
  return 0;
}
