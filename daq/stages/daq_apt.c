#include "daq_apt.h"

#include <string.h>

enum { HOST = 0x01, CONTROLLER = 0x50, HAS_PACKET = 0x80, HEADER = 6 };

/* What a controller says, and the length of its packet. */
static const struct {
  int id;
  size_t n;
} known[] = {
    {DAQ_APT_INFO, 84},     {DAQ_APT_RESPONSE, 0}, {DAQ_APT_RICH_RESPONSE, 68},
    {DAQ_APT_VELOCITY, 14}, {DAQ_APT_HOMED, 0},    {DAQ_APT_COMPLETED, 14},
    {DAQ_APT_STOPPED, 14},  {DAQ_APT_STATUS, 14},  {DAQ_APT_DC_STATUS, 14},
};

daq_parse daq_apt_parse(const char *bytes, size_t n, daq_apt_message *m, size_t *used) {
  unsigned char b[HEADER] = {0};
  size_t length = 0, i = 0;
  const size_t had = n < HEADER ? n : HEADER;
  memcpy(b, bytes, had);
  *used = 0;
  if (n == 0) return DAQ_PARSE_MORE;
  for (; i < sizeof known / sizeof known[0]; i++) {
    const unsigned char head[HEADER] = {(unsigned char)(known[i].id & 0xFF),
                                        (unsigned char)(known[i].id >> 8),
                                        (unsigned char)known[i].n,
                                        0,
                                        known[i].n > 0 ? HOST | HAS_PACKET : HOST,
                                        CONTROLLER};
    const bool takes_two = known[i].n == 0; /* its third and fourth byte are its own */
    bool fits = true;
    for (size_t k = 0; k < had; k++) fits = fits && (b[k] == head[k] || (takes_two && (k == 2 || k == 3)));
    length = HEADER + known[i].n;
    if (fits) break;
  }
  if (i == sizeof known / sizeof known[0]) {
    *used = 1;
    return DAQ_PARSE_INVALID;
  }
  if (n < length) return DAQ_PARSE_MORE;
  *m = (daq_apt_message){.id = known[i].id, .n = known[i].n};
  memcpy(m->packet, bytes + HEADER, known[i].n);
  *used = length;
  return DAQ_PARSE_VALID;
}

size_t daq_apt_put(int id, int first, int second, char out[DAQ_APT_MESSAGE_MAX]) {
  const char bytes[HEADER] = {(char)(id & 0xFF), (char)(id >> 8), (char)first,
                              (char)second,      CONTROLLER,      HOST};
  memcpy(out, bytes, HEADER);
  return HEADER;
}

size_t daq_apt_put_numbers(int id, const int32_t *numbers, size_t n, char out[DAQ_APT_MESSAGE_MAX]) {
  size_t at = daq_apt_put(id, (int)(2 + 4 * n), 0, out);
  out[4] = (char)(CONTROLLER | HAS_PACKET);
  out[at++] = 1;
  out[at++] = 0;
  for (size_t i = 0; i < n; i++)
    for (int shift = 0; shift < 32; shift += 8) out[at++] = (char)((uint32_t)numbers[i] >> shift & 0xFF);
  return at;
}

static int32_t number_at(const unsigned char *p) {
  return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

int32_t daq_apt_number(const daq_apt_message *m, size_t i) { return number_at(m->packet + 2 + 4 * i); }

int32_t daq_apt_serial(const daq_apt_message *m) { return number_at(m->packet); }
