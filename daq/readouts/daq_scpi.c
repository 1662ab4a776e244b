#include "daq_scpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVERLOAD_LEAST 9.9e37

daq_parse daq_scpi_parse(const char *bytes, size_t n, int field, daq_scpi_reading *r, size_t *used) {
  *r = (daq_scpi_reading){0};
  daq_parse p = daq_line_parse(bytes, n, "", field, ",", &r->number, used);
  r->overload = fabs(r->number) >= OVERLOAD_LEAST;
  return r->overload ? DAQ_PARSE_VALID : p; /* SCPI-99 prints 9.9E37 without the sign that a device sends */
}

void daq_scpi_serial(const char *identity, char serial[64]) {
  char text[64] = "";
  serial[0] = '\0';
  if (sscanf(identity, "%*[^,],%*[^,], %63[^,]", text) != 1 || strcmp(text, "0") == 0) return;
  for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';) text[--n] = '\0';
  memcpy(serial, text, sizeof text);
}

bool daq_scpi_error(const char *answer, int *code) {
  char *end;
  *code = (int)strtol(answer, &end, 10);
  return end != answer && (*end == ',' || *end == '\0');
}
