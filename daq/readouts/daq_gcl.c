#include "daq_gcl.h"

#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "daq_line.h"

/* "-18.78 lbF", "4.285": sign, digits with at most one point, and after one blank the unit. */
static int read_reading(daq_gcl_message *m) {
  char number[32];
  size_t n = strspn(m->text, "+-.0123456789"), rest = strlen(m->text + n);
  const char *unit = m->text + n + (rest > 0);
  if (n == 0 || n >= sizeof number || (rest > 0 && m->text[n] != ' ') || strchr(unit, ' ') ||
      strlen(unit) >= sizeof m->unit)
    return 0;
  if (rest == 1) return 0; /* a blank, and no unit */
  memcpy(number, m->text, n);
  number[n] = '\0';
  (void)snprintf(m->unit, sizeof m->unit, "%s", unit);
  return cb_parse_double(number, "reading", &m->number, NULL) == CB_OK;
}

daq_parse daq_gcl_parse(const char *bytes, size_t n, daq_gcl_message *m, size_t *used) {
  long long code;
  *m = (daq_gcl_message){.kind = DAQ_GCL_TEXT};
  daq_parse p = daq_line_cut(bytes, n, "", m->text, sizeof m->text, used);
  if (p != DAQ_PARSE_VALID) return p;
  if (m->text[0] == '*' && strlen(m->text) == 3 && cb_parse_int(m->text + 1, "code", &code, NULL) == CB_OK) {
    m->kind = DAQ_GCL_ERROR;
    m->code = (int)code;
  } else if (read_reading(m)) {
    m->kind = DAQ_GCL_READING;
  }
  return DAQ_PARSE_VALID;
}

const char *daq_gcl_unit(const char *gauge) {
  static const char *const names[][2] = {{"lbF", "lbf"}, {"ozF", "ozf"}, {"kgF", "kgf"}, {"gF", "gf"},
                                         {"N", "N"},     {"mN", "mN"},   {"kN", "kN"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(gauge, names[i][0]) == 0) return names[i][1];
  return NULL;
}

const char *daq_gcl_error(int code) {
  switch (code) {
    case 10: return "illegal command";
    case 11: return "not applicable";
    case 12: return "invalid specifier";
    case 22: return "value too large";
    default: return "unknown error";
  }
}

int daq_gcl_rate(double rate_Hz) {
  /* AOUT1 means 50 per second: it is left out. */
  static const int rates[] = {2, 5, 10, 25, 50, 125, 250};
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
    if (rates[i] >= rate_Hz) return rates[i];
  return 0;
}
