#include "daq_d500.h"

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"

#define MAX_LINE 16 /* sign, six places, point, letter */

/* "+999.99": nothing but what the manual shows. */
static bool is_reading(const char *text) {
  size_t whole = strspn(text + 1, "0123456789");
  if ((text[0] != '+' && text[0] != '-') || text[1 + whole] != '.') return false;
  size_t fraction = strspn(text + 2 + whole, "0123456789");
  return whole + fraction > 0 && text[2 + whole + fraction] == '\0';
}

daq_parse daq_d500_parse(const char *bytes, size_t n, double *number, char *letter, size_t *used) {
  char line[MAX_LINE];
  size_t start = 0, length = 0;
  *used = 0;
  *letter = 0;
  while (start < n && (bytes[start] == '\r' || bytes[start] == '\n')) start++;
  while (start + length < n && bytes[start + length] != '\r' && bytes[start + length] != '\n') {
    if (++length < MAX_LINE) continue;
    *used = start + length;
    return DAQ_PARSE_INVALID;
  }
  if (start + length == n) return DAQ_PARSE_MORE;
  *used = start + length + 1;
  memcpy(line, bytes + start, length);
  line[length] = '\0';
  if (length > 1 && line[length - 1] >= 'A' && line[length - 1] <= 'H') {
    *letter = line[length - 1];
    line[length - 1] = '\0';
  }
  if (!is_reading(line) || strlen(line) + (*letter != 0) != length) return DAQ_PARSE_INVALID;
  return cb_parse_double(line, "reading", number, NULL) == CB_OK ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}
