#include "daq_scpi.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVERLOAD_LEAST 9.9e37

/* "E-0" and "E" end exponents that lost their digits. */
static bool is_torn(const char *line, size_t n) {
  while (n > 0 && isspace((unsigned char)line[n - 1])) n--;
  size_t digits = 0;
  while (n > digits && isdigit((unsigned char)line[n - 1 - digits])) digits++;
  const char *before = digits < n ? line + n - 1 - digits : "";
  if (n > digits + 1 && (*before == '+' || *before == '-') && tolower((unsigned char)before[-1]) == 'e')
    return digits < 2;
  return tolower((unsigned char)*before) == 'e' && digits < 2;
}

daq_parse daq_scpi_parse(const char *bytes, size_t n, int field, daq_scpi_reading *r, size_t *used) {
  *r = (daq_scpi_reading){0};
  daq_parse p = daq_line_parse(bytes, n, "", field, ",", &r->number, used);
  if (p != DAQ_PARSE_VALID) return p;
  if (!isfinite(r->number) || is_torn(bytes, *used)) return DAQ_PARSE_INVALID;
  r->overload = fabs(r->number) >= OVERLOAD_LEAST;
  return DAQ_PARSE_VALID;
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
