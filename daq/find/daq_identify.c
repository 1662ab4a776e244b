#include "daq_devices_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "cb_num.h"
#include "daq_apt.h"
#include "daq_grbl.h"
#include "daq_modbus.h"
#include "daq_scpi.h"
#include "daq_zaber.h"

#define TEXT(text) text, sizeof(text) - 1
/* Of the sum of a question for register 9 no byte is one that others obey. */
#define REGISTER_9 TEXT("\x01\x03\x00\x09\x00\x01\x54\x08")
const daq_question_text daq_question_texts[DAQ_N_QUESTIONS] = {
    [DAQ_Q_ESM] = {TEXT("p"), CB_PARITY_NONE},
    [DAQ_Q_APT] = {TEXT("\0\0\0\0\0\x05\0\0\0\x50\x01"), CB_PARITY_NONE},
    [DAQ_Q_ZABER] = {TEXT("\r/\n"), CB_PARITY_NONE},
    [DAQ_Q_GRBL_GCL] = {TEXT("?\r"), CB_PARITY_NONE},
    [DAQ_Q_SMC100] = {TEXT("\r\n1TS\r\n"), CB_PARITY_NONE},
    [DAQ_Q_SICS] = {TEXT("I4\r\n"), CB_PARITY_NONE},
    [DAQ_Q_IDN] = {TEXT("*IDN?\n"), CB_PARITY_NONE},
    [DAQ_Q_MODBUS] = {REGISTER_9, CB_PARITY_NONE},
    [DAQ_Q_MODBUS_EVEN] = {REGISTER_9, CB_PARITY_EVEN}};
const int daq_question_bauds[] = {9600, 19200, 38400, 57600, 115200, 0};

#define LINE_MAX_BYTES 128
#define STREAM_LINES 3 /* so many numbers in a row are no accident of a wrong speed */

/* ---- lines ---- */

/* The next line that ended, without its end; empty ones are skipped. false: none. */
static bool next_line(const char **at, const char *end, char line[LINE_MAX_BYTES]) {
  while (*at < end && (**at == '\r' || **at == '\n')) (*at)++;
  const char *from = *at;
  while (*at < end && **at != '\r' && **at != '\n') (*at)++;
  size_t n = (size_t)(*at - from);
  if (*at == end) return false;
  if (n >= LINE_MAX_BYTES) n = LINE_MAX_BYTES - 1;
  memcpy(line, from, n);
  line[n] = '\0';
  return true;
}

static bool printable(const char *line) {
  for (const char *p = line; *p; p++)
    if (!isprint((unsigned char)*p) && *p != '\t') return false;
  return true;
}

/* A field that is a number: between blanks, tabs, commas and semicolons. */
static bool has_number(const char *line) {
  char field[32];
  double v;
  for (const char *p = line; *p;) {
    size_t n = strcspn(p, " \t,;");
    (void)snprintf(field, sizeof field, "%.*s", n < sizeof field ? (int)n : 0, p);
    const char *digits = field[0] == '+' ? field + 1 : field;
    if (cb_parse_double(digits, "", &v, NULL) == CB_OK) return true;
    p += n;
    p += strspn(p, " \t,;");
  }
  return false;
}

/* ---- what one line says ---- */

static bool found(daq_identified *out, const char *driver, const char *what) {
  (void)snprintf(out->driver, sizeof out->driver, "%s", driver);
  (void)snprintf(out->what, sizeof out->what, "%s", what);
  return true;
}

static bool is_zaber(const char *line, daq_identified *out) {
  daq_zaber_message m;
  char text[LINE_MAX_BYTES + 1];
  size_t used;
  int n = snprintf(text, sizeof text, "%s\n", line);
  if (daq_zaber_parse(text, (size_t)n, false, &m, &used) != DAQ_PARSE_VALID || m.kind == DAQ_ZABER_INFO)
    return false;
  (void)snprintf(text, sizeof text, "Zaber stage, device %d", m.device);
  return found(out, "zaber-ascii", text);
}

static bool is_grbl(const char *line, daq_identified *out) {
  daq_grbl_message m;
  char text[LINE_MAX_BYTES + 1];
  size_t used, n = (size_t)snprintf(text, sizeof text, "%s\n", line);
  if (daq_grbl_parse(text, n, &m, &used) == DAQ_PARSE_VALID && m.kind == DAQ_GRBL_WELCOME) {
    (void)snprintf(text, sizeof text, "%s %.40s", daq_grbl_firmware_names[m.firmware], m.text);
    return isdigit((unsigned char)m.text[m.text[0] == 'v']) &&
           found(out, m.firmware == DAQ_GRBL_FLUIDNC ? "" : "grbl", text);
  }
  n = strlen(line);
  return line[0] == '<' && isupper((unsigned char)line[1]) && n > 2 && line[n - 1] == '>' &&
         strchr(line, '|') && found(out, "grbl", strstr(line, "|FW:grblHAL") ? "grblHAL" : "Grbl");
}

/* Upper-case return codes: U, D or S for the motion, then mode and limits (ESM303 user's guide, 6.2). */
static bool is_esm(const char *line, daq_identified *out) {
  size_t n = strlen(line);
  return n <= 6 && strchr("UDS", line[0]) && line[strspn(line, "UDSCLM ")] == '\0' &&
         found(out, "mark10-esm", N_("Mark-10 test stand"));
}

/* "-18.78 lbF": a number and a unit. */
static bool is_gcl(const char *line, daq_identified *out) {
  char number[24] = "", unit[8] = "", rest;
  double v;
  if (sscanf(line, "%23s %7s%c", number, unit, &rest) != 2 || cb_parse_double(number, "", &v, NULL) != CB_OK)
    return false;
  return unit[strspn(unit, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0' &&
         found(out, "mark10-gcl", N_("Mark-10 force gauge"));
}

static bool is_smc100(const char *line, daq_identified *out) {
  size_t n = strlen(line);
  return n == 9 && strncmp(line, "1TS", 3) == 0 && strspn(line + 3, "0123456789ABCDEFabcdef") == 6 &&
         found(out, "smc100", N_("Newport SMC100, address 1"));
}

static bool is_sics(const char *line, daq_identified *out) {
  bool refused = strcmp(line, "ES") == 0 || strcmp(line, "ET") == 0 || strcmp(line, "EL") == 0 ||
                 strcmp(line, "I4 I") == 0;
  if (!refused && strncmp(line, "I4 A \"", 6) != 0) return false;
  if (!refused)
    (void)snprintf(out->serial, sizeof out->serial, "%.*s", (int)strcspn(line + 6, "\""), line + 6);
  return found(out, "mt-sics", N_("balance (MT-SICS)"));
}

/* Four fields between commas (IEEE 488.2, 10.14): maker, model, serial number, firmware. */
static bool is_named(const char *line, daq_identified *out) {
  char maker[64], model[64], serial[64], text[LINE_MAX_BYTES], rest;
  if (sscanf(line, "%63[^,], %63[^,],%*[^,],%c", maker, model, &rest) != 3) return false;
  daq_scpi_serial(line, serial);
  (void)snprintf(out->serial, sizeof out->serial, "%.31s", serial);
  if (strstr(maker, "Physik Instrumente")) {
    (void)snprintf(text, sizeof text, "PI controller %.40s (GCS)", model);
    return found(out, "lines", text);
  }
  (void)snprintf(text, sizeof text, "instrument with SCPI: %.40s %.40s", maker, model);
  return found(out, "scpi", text);
}

/* "+999.99" and at most one letter, as the manual of the IPM500 prints it. */
static bool is_d500(const char *line) {
  if (line[0] != '+' && line[0] != '-') return false;
  size_t n = 1 + strspn(line + 1, "0123456789");
  if (line[n] != '.') return false;
  n += 1 + strspn(line + n + 1, "0123456789");
  return line[n] == '\0' || (line[n] >= 'A' && line[n] <= 'H' && line[n + 1] == '\0');
}

static bool line_says(daq_question asked, const char *line, daq_identified *out) {
  if (is_zaber(line, out) || is_grbl(line, out))
    return true; /* they also speak unasked: alerts, the welcome after a reset */
  switch (asked) {
    case DAQ_Q_ESM: return is_esm(line, out);
    case DAQ_Q_GRBL_GCL: return is_gcl(line, out);
    case DAQ_Q_SMC100: return is_smc100(line, out);
    case DAQ_Q_SICS: return is_sics(line, out);
    case DAQ_Q_IDN: return is_named(line, out);
    default: return false;
  }
}

/* ---- what messages without lines say ---- */

static bool is_apt(const daq_apt_message *m, daq_identified *out) {
  char model[DAQ_QUOTE_SIZE], text[LINE_MAX_BYTES];
  if (m->id != DAQ_APT_INFO) return false;
  daq_quote((const char *)m->packet + 4, strnlen((const char *)m->packet + 4, 8), model);
  (void)snprintf(out->serial, sizeof out->serial, "%" PRId32, daq_apt_serial(m));
  (void)snprintf(text, sizeof text, "Thorlabs %s (APT)", model);
  return found(out, "thorlabs-apt", text);
}

/* A message of APT; a reading or a refusal of Modbus, before which a converter may repeat the question. */
static bool bytes_say(daq_question asked, const char *bytes, size_t n, daq_identified *out) {
  static const daq_modbus_question register_9 = {1, 3, 9, 1};
  daq_apt_message m;
  daq_modbus_answer a;
  bool known = false;
  for (size_t at = 0, used; at < n && !known; at++) {
    if (asked == DAQ_Q_APT)
      known = daq_apt_parse(bytes + at, n - at, &m, &used) == DAQ_PARSE_VALID && is_apt(&m, out);
    else if (daq_modbus_parse(bytes + at, n - at, &register_9, &a, &used) == DAQ_PARSE_VALID &&
             a.address == 1)
      known = found(out, "modbus-rtu",
                    asked == DAQ_Q_MODBUS ? N_("Modbus RTU device, address 1")
                                          : N_("Modbus RTU device, address 1, even parity"));
  }
  if (known) daq_quote(bytes, n, out->heard);
  return known;
}

/* ---- what all of them say ---- */

bool daq_identify_bytes(daq_question asked, const char *bytes, size_t n, daq_identified *out) {
  const char *at = bytes;
  char line[LINE_MAX_BYTES];
  int numbers = 0, d500 = 0;
  /* A stream is entered in the middle of a line. */
  bool first = asked == DAQ_Q_NONE;
  if ((asked == DAQ_Q_APT || asked >= DAQ_Q_MODBUS) && bytes_say(asked, bytes, n, out)) return true;
  while (next_line(&at, bytes + n, line)) {
    if (!printable(line)) {
      numbers = d500 = 0;
      continue;
    }
    if (!out->heard[0] && !first) (void)snprintf(out->heard, sizeof out->heard, "%s", line);
    if (line_says(asked, line, out)) return true;
    if (!first) {
      numbers += has_number(line) || is_d500(line);
      d500 += is_d500(line);
    }
    first = false;
  }
  if (asked != DAQ_Q_NONE || numbers < STREAM_LINES) return false;
  return d500 == numbers ? found(out, "futek-d500", N_("stream of readings as of a FUTEK D500"))
                         : found(out, "line", N_("stream of readings"));
}
