#include "daq_modbus.h"

#include <string.h>

#define SUM_BYTES 2
#define REFUSAL_BYTES 5
#define REFUSED 0x80

/* The reflected polynomial 0x8005, begun with ones; the low byte is sent first. */
static unsigned sum_of(const unsigned char *b, size_t n) {
  unsigned sum = 0xFFFF;
  for (size_t i = 0; i < n; i++) {
    sum ^= b[i];
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xA001 : sum >> 1;
  }
  return sum;
}

void daq_modbus_ask(const daq_modbus_question *q, char out[DAQ_MODBUS_QUESTION]) {
  unsigned char b[DAQ_MODBUS_QUESTION] = {(unsigned char)q->address,      (unsigned char)q->function,
                                          (unsigned char)(q->first >> 8), (unsigned char)q->first,
                                          (unsigned char)(q->count >> 8), (unsigned char)q->count};
  const unsigned sum = sum_of(b, sizeof b - SUM_BYTES);
  b[6] = (unsigned char)sum;
  b[7] = (unsigned char)(sum >> 8);
  memcpy(out, b, sizeof b);
}

daq_parse daq_modbus_parse(const char *bytes, size_t n, const daq_modbus_question *q, daq_modbus_answer *a,
                           size_t *used) {
  const unsigned char *b = (const unsigned char *)bytes;
  const size_t content = 2 * (size_t)q->count;
  *a = (daq_modbus_answer){0};
  *used = 0;
  if (n < REFUSAL_BYTES) return DAQ_PARSE_MORE;
  *used = n;
  const bool refused = b[1] == (q->function | REFUSED);
  if (!refused && (b[1] != q->function || b[2] != content)) return DAQ_PARSE_INVALID;
  const size_t whole = refused ? REFUSAL_BYTES : 3 + content + SUM_BYTES;
  if (n < whole) {
    *used = 0;
    return DAQ_PARSE_MORE;
  }
  const unsigned sum = sum_of(b, whole - SUM_BYTES);
  if (b[whole - 2] != (sum & 0xFF) || b[whole - 1] != sum >> 8) return DAQ_PARSE_INVALID;
  *used = whole;
  a->address = b[0];
  if (refused) a->exception = b[2];
  for (size_t i = 0; !refused && i < content / 2; i++)
    a->value[i] = (uint16_t)(b[3 + 2 * i] << 8 | b[4 + 2 * i]);
  return refused && a->exception == 0 ? DAQ_PARSE_INVALID : DAQ_PARSE_VALID;
}

int daq_modbus_width(int type) { return type == CB_MODBUS_INT16 ? 1 : 2; }

double daq_modbus_number(int type, const uint16_t value[2]) {
  const bool swapped = type == CB_MODBUS_FLOAT_SWAPPED || type == CB_MODBUS_INT32_SWAPPED;
  const uint32_t both = (uint32_t)value[swapped] << 16 | value[!swapped];
  float number;
  if (type == CB_MODBUS_INT16) return (int16_t)value[0];
  if (type == CB_MODBUS_INT32 || type == CB_MODBUS_INT32_SWAPPED) return (int32_t)both;
  memcpy(&number, &both, sizeof number);
  return (double)number;
}

const char *daq_modbus_exception(int code) {
  static const char *const texts[] = {
      [1] = "illegal function",    [2] = "illegal data address",      [3] = "illegal data value",
      [4] = "device failure",      [5] = "acknowledged, not done",    [6] = "device busy",
      [8] = "memory parity error", [10] = "gateway path unavailable", [11] = "no answer behind the gateway"};
  const size_t n = sizeof texts / sizeof texts[0];
  return code >= 0 && (size_t)code < n && texts[code] ? texts[code] : "unknown code";
}
