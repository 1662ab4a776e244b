#include "vrig_modbus.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* CRC-16/MODBUS by the nibble: a table of its own, not the host's loop. */
static uint16_t crc(const unsigned char *b, size_t n) {
  static const uint16_t nibble[] = {0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
                                    0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400};
  uint16_t c = 0xFFFF;
  for (size_t i = 0; i < n; i++) {
    c = (uint16_t)(nibble[(c ^ b[i]) & 0xF] ^ c >> 4);
    c = (uint16_t)(nibble[(c ^ b[i] >> 4) & 0xF] ^ c >> 4);
  }
  return c;
}

static int16_t word_at(const unsigned char *b) { return (int16_t)(b[0] << 8 | b[1]); }

static size_t put_word(unsigned char *to, unsigned word) {
  to[0] = (unsigned char)(word >> 8 & 0xFF);
  to[1] = (unsigned char)(word & 0xFF);
  return 2;
}

static double limited(double number, double most) { return fmin(fmax(nearbyint(number), -most), most); }

/* The reading as its registers have it. */
static size_t put_number(const vrig_modbus *m, double reading, unsigned char *to) {
  const cb_rig_modbus *r = &m->rig->modbus;
  const int places = r->decimals_register >= 0 ? VRIG_MODBUS_DECIMALS : r->decimals;
  const double number = reading / m->rig->scale * pow(10, places);
  uint32_t both;
  float f = (float)number;
  if (r->type == CB_MODBUS_INT16) return put_word(to, (unsigned)(int)limited(number, INT16_MAX));
  memcpy(&both, &f, sizeof both);
  if (r->type == CB_MODBUS_INT32 || r->type == CB_MODBUS_INT32_SWAPPED)
    both = (uint32_t)(int32_t)limited(number, INT32_MAX);
  const bool swapped = r->type == CB_MODBUS_FLOAT_SWAPPED || r->type == CB_MODBUS_INT32_SWAPPED;
  return put_word(to, swapped ? both & 0xFFFF : both >> 16) + put_word(to + 2, swapped ? both >> 16 : both);
}

static size_t finish(unsigned char *b, size_t n, char *answer) {
  const uint16_t c = crc(b, n);
  b[n] = (unsigned char)(c & 0xFF);
  b[n + 1] = (unsigned char)(c >> 8);
  memcpy(answer, b, n + 2);
  return n + 2;
}

static size_t refuse(const vrig_modbus *m, unsigned char code, char *answer) {
  unsigned char b[16] = {m->asked[0], m->asked[1] | 0x80, code};
  return finish(b, 3, answer);
}

static size_t obey(const vrig_modbus *m, double reading, char *answer) {
  const cb_rig_modbus *r = &m->rig->modbus;
  unsigned char b[16] = {m->asked[0], m->asked[1]}, value[4];
  const int first = (uint16_t)word_at(m->asked + 2), count = (uint16_t)word_at(m->asked + 4);
  if (m->asked[0] != r->address) return 0;
  if (m->asked[1] != r->function) return refuse(m, 1, answer);
  size_t n = put_number(m, reading, value);
  if (first == r->decimals_register && count == 1)
    n = put_word(value, VRIG_MODBUS_DECIMALS);
  else if (first != r->register_ || 2 * (size_t)count != n)
    return refuse(m, 2, answer);
  b[2] = (unsigned char)n;
  memcpy(b + 3, value, n);
  return finish(b, 3 + n, answer);
}

/* A device knows a question's end by the silence after it; here by its sum, whatever came before. */
size_t vrig_modbus_byte(vrig_modbus *m, double reading, char byte, char *answer) {
  if (m->n == VRIG_MODBUS_QUESTION) memmove(m->asked, m->asked + 1, --m->n);
  m->asked[m->n++] = (unsigned char)byte;
  if (m->n < VRIG_MODBUS_QUESTION) return 0;
  const uint16_t c = crc(m->asked, 6);
  if (m->asked[6] != (c & 0xFF) || m->asked[7] != c >> 8) return 0;
  m->n = 0;
  return obey(m, reading, answer);
}
