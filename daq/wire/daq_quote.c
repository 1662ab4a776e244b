#include "daq_line.h"

#include <stdbool.h>
#include <stdio.h>

/* One byte as text; returns its length, at most 4. */
static size_t quote_byte(unsigned char c, char out[5]) {
  if (c == '\r' || c == '\n') return (size_t)snprintf(out, 5, "%s", c == '\r' ? "\\r" : "\\n");
  return (size_t)snprintf(out, 5, c >= ' ' && c <= '~' ? "%c" : "\\x%02X", c);
}

void daq_quote(const char *bytes, size_t n, char out[DAQ_QUOTE_SIZE]) {
  static const char more[] = "...";
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    bool full = used + 4 + sizeof more > DAQ_QUOTE_SIZE;
    if (full) (void)snprintf(out + used, DAQ_QUOTE_SIZE - used, "%s", more);
    if (full) return;
    used += quote_byte((unsigned char)bytes[i], out + used);
  }
}
