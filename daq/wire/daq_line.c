#include "daq_line.h"

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"

size_t daq_line_end(const char *bytes, size_t n, const char *terminator) {
  bool cr = bytes[0] == '\r', lf = bytes[0] == '\n';
  if (!terminator[0]) return cr || lf;
  if (strcmp(terminator, "cr") == 0) return cr;
  if (strcmp(terminator, "lf") == 0) return lf;
  if (strcmp(terminator, "crlf") == 0) return cr && n > 1 && bytes[1] == '\n' ? 2 : 0;
  return bytes[0] == terminator[0];
}

static bool is_printable(char c) { return c == '\t' || (c >= ' ' && c <= '~'); }

daq_parse daq_line_cut(const char *bytes, size_t n, const char *terminator, char *line, size_t cap,
                       size_t *used) {
  bool printable = true, blanks = terminator[0] && !terminator[1];
  size_t length = 0;
  *used = 0;
  for (size_t i = 0, end; i<n; i += end> 0 ? end : 1) {
    end = daq_line_end(bytes + i, n - i, terminator);
    if (end > 0 && length > 0) {
      line[length] = '\0';
      *used = i + end;
      return printable ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
    }
    if (end > 0 || (blanks && (bytes[i] == '\r' || bytes[i] == '\n'))) continue;
    printable = printable && is_printable(bytes[i]);
    if (length + 1 == cap) {
      *used = i + 1;
      return DAQ_PARSE_INVALID;
    }
    line[length++] = bytes[i];
  }
  if (length > 0 || n < cap) return DAQ_PARSE_MORE;
  *used = n;
  return DAQ_PARSE_INVALID;
}

/* The field as a range of the line; false if the line has fewer. */
static bool find_field(const char *line, int field, const char *separator, const char **from,
                       size_t *length) {
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

/* "E02" lost its minus, "E-0" a digit, ".25E-02" the first: whoever prints exponents gives them a sign and
 * two digits, and has a digit before the point. */
static bool is_exponent_torn(const char *number) {
  const char *e = strpbrk(number, "eE");
  return e && (number[strspn(number, "+-")] == '.' || !strchr("+-", e[1]) || strspn(e + 2, "0123456789") < 2);
}

static daq_parse parse_text(const char *line, int field, const char *separator, double *number) {
  char token[64];
  const char *from;
  size_t n;
  if (!find_field(line, field, separator, &from, &n) || n >= sizeof token) return DAQ_PARSE_INVALID;
  memcpy(token, from, n);
  token[n] = '\0';
  if (cb_parse_double(token, "reading", number, NULL) != CB_OK) return DAQ_PARSE_INVALID;
  return is_exponent_torn(token) ? DAQ_PARSE_INVALID : DAQ_PARSE_VALID;
}

daq_parse daq_line_parse(const char *bytes, size_t n, const char *terminator, int field,
                         const char *separator, double *number, size_t *used) {
  char line[DAQ_LINE_MAX];
  daq_parse p = daq_line_cut(bytes, n, terminator, line, sizeof line, used);
  return p == DAQ_PARSE_VALID ? parse_text(line, field, separator, number) : p;
}
