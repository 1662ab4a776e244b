/* What the targets of the instruments' parsers share: every answer of a parser makes progress and stays
 * inside its bytes. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "daq_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parser in one of its forms (0 where it has no others); traps where what it read cannot be. */
typedef daq_parse fuzz_parse(int form, const char *bytes, size_t n, size_t *used);

static inline int fuzz_messages(fuzz_parse *parse, int n_forms, const uint8_t *data, size_t size) {
  const char *bytes = (const char *)data;
  for (int form = 0; form < n_forms; form++) {
    size_t at = 0, used = 0;
    while (parse(form, bytes + at, size - at, &used) != DAQ_PARSE_MORE) {
      if (used == 0 || used > size - at) __builtin_trap();
      at += used;
    }
    if (used != 0) __builtin_trap();
  }
  return 0;
}

#endif
