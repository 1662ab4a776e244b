#include "daq_sics.h"

#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "daq_line.h"

/* "S D     -0.02 g", the number right-aligned in its field. */
static bool read_reading(daq_sics_message *m) {
  char number[32], unit[16];
  int end = 0;
  if (strncmp(m->text, "S S ", 4) != 0 && strncmp(m->text, "S D ", 4) != 0) return false;
  if (sscanf(m->text + 4, " %31s %15s%n", number, unit, &end) != 2 || m->text[4 + end] != '\0') return false;
  if (cb_parse_double(number, "reading", &m->number, NULL) != CB_OK) return false;
  m->stable = m->text[2] == 'S';
  (void)snprintf(m->unit, sizeof m->unit, "%s", unit);
  return true;
}

/* I4 A "0123456789" */
static bool read_serial(daq_sics_message *m) {
  char serial[sizeof m->text];
  int end = 0;
  if (sscanf(m->text, "I4 A \"%63[^\"]\"%n", serial, &end) != 1 || end == 0 || m->text[end] != '\0')
    return false;
  (void)snprintf(m->text, sizeof m->text, "%s", serial);
  return true;
}

static daq_sics_kind classify(daq_sics_message *m) {
  if (strcmp(m->text, "S I") == 0) return DAQ_SICS_BUSY;
  if (strcmp(m->text, "S +") == 0) return DAQ_SICS_OVERLOAD;
  if (strcmp(m->text, "S -") == 0) return DAQ_SICS_UNDERLOAD;
  if (m->text[0] == 'E' && m->text[1] && strchr("STL", m->text[1]) && !m->text[2]) {
    m->error = m->text[1];
    return DAQ_SICS_ERROR;
  }
  if (read_reading(m)) return DAQ_SICS_READING;
  return read_serial(m) ? DAQ_SICS_SERIAL : DAQ_SICS_TEXT;
}

daq_parse daq_sics_parse(const char *bytes, size_t n, daq_sics_message *m, size_t *used) {
  *m = (daq_sics_message){.kind = DAQ_SICS_TEXT};
  daq_parse p = daq_line_cut(bytes, n, "", m->text, sizeof m->text, used);
  if (p == DAQ_PARSE_VALID) m->kind = classify(m);
  return p;
}

const char *daq_sics_error(char error) {
  if (error == 'S') return "ES, syntax error";
  return error == 'T' ? "ET, transmission error" : "EL, logical error";
}
