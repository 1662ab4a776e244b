#include "cb_columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The bytes of the first letter, at most n; a byte that begins none counts for itself. */
static size_t letter(const char *text, size_t n, uint32_t *code) {
  const unsigned char *b = (const unsigned char *)text;
  size_t size = b[0] < 0xc0 ? 1 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4, k = 1;
  *code = b[0] < 0xc0 ? b[0] : b[0] & (0xffU >> (size + 1));
  for (; k < size && k < n && (b[k] & 0xc0) == 0x80; k++) *code = *code << 6 | (b[k] & 0x3f);
  return k;
}

static bool is_wide(uint32_t c) {
  static const uint32_t ranges[][2] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
                                       {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
                                       {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x20000, 0x3fffd}};
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
  return false;
}

/* Marks that no line begins with: comma, full stop, closing brackets and so on. */
static bool closes(uint32_t c) {
  static const uint32_t marks[] = {0x3001, 0x3002, 0x300b, 0x300d, 0xff01, 0xff09,
                                   0xff0c, 0xff1a, 0xff1b, 0xff1f, 0x201d};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (c == marks[i]) return true;
  return false;
}

size_t cb_columns(const char *text, size_t n) {
  size_t columns = 0;
  uint32_t code;
  for (size_t at = 0; at < n;) {
    at += letter(text + at, n - at, &code);
    columns += is_wide(code) ? 2 : 1;
  }
  return columns;
}

size_t cb_columns_fit(const char *text, size_t n, size_t columns) {
  size_t at = 0;
  uint32_t code;
  while (at < n) {
    const size_t size = letter(text + at, n - at, &code), w = is_wide(code) ? 2 : 1;
    if (w > columns) break;
    columns -= w;
    at += size;
  }
  return at;
}

size_t cb_columns_word(const char *text) {
  bool after_wide = false;
  size_t n = 0;
  uint32_t code;
  while (text[n] && text[n] != ' ' && text[n] != '\n') {
    const size_t size = letter(text + n, strlen(text + n), &code);
    if (n > 0 && !closes(code) && (after_wide || is_wide(code))) break;
    after_wide = is_wide(code);
    n += size;
  }
  return n;
}
