#include "fit_text.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that follow the first one of a character; -1: no first byte. */
static int count_following(unsigned char c) {
  if (c < 0x80) return 0;
  if (c >= 0xc2 && c < 0xe0) return 1;
  if (c >= 0xe0 && c < 0xf0) return 2;
  return c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

bool fit_text_is_utf8(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const int more = count_following((unsigned char)text[i]);
    if (more < 0 || (size_t)more >= n - i) return false;
    for (int k = 0; k < more; k++)
      if (((unsigned char)text[++i] & 0xc0) != 0x80) return false;
  }
  return true;
}

char *fit_text_utf8(const char *text, size_t n, bool latin1, size_t *n_out) {
  size_t m = 0;
  char *out = malloc((latin1 ? 2 * n : n) + 1);
  if (!out) return NULL;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (latin1 && c >= 0x80) {
      out[m++] = (char)(0xc0 | c >> 6);
      out[m++] = (char)(0x80 | (c & 0x3f));
    } else {
      out[m++] = text[i];
    }
  }
  out[m] = '\0';
  if (n_out) *n_out = m;
  return out;
}
