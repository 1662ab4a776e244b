#include "fit_text.h"

#include <stdint.h>
#include <stdio.h>

void fit_fingerprint(const char *text, size_t n, char out[17]) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  (void)snprintf(out, 17, "%016llx", (unsigned long long)h);
}
