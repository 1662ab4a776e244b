#include "daq_line.h"

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"

#define MAX_LINE 256 /* with the terminator */

/* The field as a range of the line; false if the line has fewer. */
static bool find_field(const char *line, int field, const char *separator, const char **from, size_t *length) {
  const char *blanks = " \t", *at = line;
  for (int i = 0;; i++) {
    at += strspn(at, blanks);
    size_t n = strcspn(at, separator[0] ? separator : blanks);
    if (i == field) {
      while (n > 0 && strchr(blanks, at[n - 1])) n--;
      *from = at;
      *length = n;
      return n > 0;
    }
    at += n;
    if (!*at) return false;
    at++;
  }
}

static daq_parse parse_text(const char *line, int field, const char *separator, double *number) {
  char token[64];
  const char *from;
  size_t n;
  if (!find_field(line, field, separator, &from, &n) || n >= sizeof token) return DAQ_PARSE_INVALID;
  memcpy(token, from, n);
  token[n] = '\0';
  return cb_parse_double(token, "reading", number, NULL) == CB_OK ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

daq_parse daq_line_parse(const char *bytes, size_t n, int field, const char *separator, double *number, size_t *used) {
  char line[MAX_LINE];
  size_t start = 0, length = 0;
  bool printable = true;
  *used = 0;
  while (start < n && (bytes[start] == '\r' || bytes[start] == '\n')) start++;
  while (start + length < n && bytes[start + length] != '\r' && bytes[start + length] != '\n') {
    unsigned char c = (unsigned char)bytes[start + length];
    if (c != '\t' && (c < ' ' || c > '~')) printable = false;
    if (++length < MAX_LINE) continue;
    *used = start + length;
    return DAQ_PARSE_INVALID;
  }
  if (start + length == n) return DAQ_PARSE_MORE;
  *used = start + length + 1;
  if (!printable) return DAQ_PARSE_INVALID;
  memcpy(line, bytes + start, length);
  line[length] = '\0';
  return parse_text(line, field, separator, number);
}
