#include "daq_d500.h"

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"
#include "daq_line.h"

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
  *letter = 0;
  daq_parse p = daq_line_cut(bytes, n, "", line, sizeof line, used);
  if (p != DAQ_PARSE_VALID) return p;
  char *last = line + strlen(line) - 1;
  if (last > line && *last >= 'A' && *last <= 'H') {
    *letter = *last;
    *last = '\0';
  }
  if (!is_reading(line)) return DAQ_PARSE_INVALID;
  return cb_parse_double(line, "reading", number, NULL) == CB_OK ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}
