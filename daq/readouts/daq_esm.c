#include "daq_esm.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "daq_line.h"

#define MAX_LINE 64 /* longer than any answer */

/* "SLUL", "S L", "D": letters by their place, because U and L mean different things in different places. */
static bool take_status(const char *line, daq_esm_message *m) {
  char letters[8];
  size_t n = 0;
  for (const char *c = line; *c; c++) {
    if (*c == ' ') continue;
    if (n == sizeof letters - 1) return false;
    letters[n++] = *c;
  }
  letters[n] = '\0';
  const char *at = letters;
  if (n == 0 || !strchr("UDS", at[0])) return false;
  m->kind = DAQ_ESM_STATUS;
  m->moving = at[0] == 'U' ? 1 : at[0] == 'D' ? -1 : 0;
  at++;
  if (*at && strchr("CLM", *at)) m->mode = *at++;
  m->at_end = strcmp(at, "UL") == 0 ? 1 : strcmp(at, "DL") == 0 ? -1 : 0;
  return *at == '\0' || m->at_end != 0;
}

static bool take_number(const char *line, daq_esm_message *m) {
  char number[MAX_LINE];
  size_t n = strspn(line, "+-.0123456789");
  const char *unit = line + n + strspn(line + n, " ");
  memcpy(number, line, n);
  number[n] = '\0';
  if (strlen(unit) >= sizeof m->unit || cb_parse_double(number, "reading", &m->value, NULL) != CB_OK)
    return false;
  strcpy(m->unit, unit);
  const cb_unit *u = cb_unit_find(unit);
  m->kind = DAQ_ESM_FORCE;
  if (strcmp(unit, "in") == 0) {
    m->kind = DAQ_ESM_TRAVEL;
    m->value *= 25.4e-3;
  } else if (u && u->dim == CB_DIM_LENGTH) {
    m->kind = DAQ_ESM_TRAVEL;
    m->value *= u->to_si;
  } else if (strcmp(unit, "mm/min") == 0) {
    m->kind = DAQ_ESM_SPEED;
    m->value *= 1e-3 / 60;
  }
  return true;
}

static bool parse_line(char *line, daq_esm_message *m) {
  size_t n = strlen(line);
  while (n > 0 && line[n - 1] == ' ') line[--n] = '\0';
  line += strspn(line, " ");
  *m = (daq_esm_message){.kind = DAQ_ESM_FORCE};
  /* the stand sends blanks, never a tab */
  return !strchr(line, '\t') && (take_status(line, m) || take_number(line, m));
}

daq_parse daq_esm_parse(const char *bytes, size_t n, daq_esm_message *m, size_t *used) {
  char line[MAX_LINE];
  daq_parse p = daq_line_cut(bytes, n, "", line, sizeof line, used);
  if (p != DAQ_PARSE_VALID) return p;
  return parse_line(line, m) ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

void daq_esm_format_limit(char out[DAQ_ESM_COMMAND_MAX], char name, double travel_m) {
  double mm = fmin(fmax(travel_m * 1e3, -999.99), 999.99);
  long hundredths = lround(fabs(mm) * 100);
  (void)snprintf(out, DAQ_ESM_COMMAND_MAX, "%c%s%03ld.%02ld", name, mm < 0 && hundredths > 0 ? "-" : "",
                 hundredths / 100, hundredths % 100);
}

void daq_esm_format_speed(char out[DAQ_ESM_COMMAND_MAX], double speed_m_per_s) {
  (void)snprintf(out, DAQ_ESM_COMMAND_MAX, "e%06.1f", fmin(fmax(speed_m_per_s * 60e3, 0), 9999.9));
}
