#include "daq_grbl.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cb_num.h"

#define MAX_LINE 160 /* longer than any line of Grbl's */

const char *const daq_grbl_state_names[] = {"Idle", "Run",   "Hold", "Jog",   "Alarm",
                                            "Door", "Check", "Home", "Sleep", NULL};

const char *const daq_grbl_firmware_names[] = {"Grbl", "grblHAL", "Grbl_ESP32", "FluidNC"};

/* ---- one line ---- */

/* "NAME:12", "12": digits to the end. */
static bool take_code(const char *text, int *code) {
  long long value;
  size_t n = strlen(text);
  if (n < 1 || n > 3 || strspn(text, "0123456789") != n || cb_parse_int(text, "code", &value, NULL) != CB_OK)
    return false;
  *code = (int)value;
  return true;
}

/* "MPos:1.000,2.000,3.000[,...]" into three numbers. */
static bool take_axes(char *list, double axis_mm[3]) {
  char *rest = NULL;
  int n = 0;
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    double value;
    if (cb_parse_double(word, "position", &value, NULL) != CB_OK) return false;
    if (n < 3) axis_mm[n++] = value;
  }
  return n == 3;
}

/* "Hold:1": what follows the colon does not matter here. */
static bool take_state(char *word, daq_grbl_state *state) {
  word[strcspn(word, ":")] = '\0';
  for (int i = 0; daq_grbl_state_names[i]; i++) {
    *state = (daq_grbl_state)i;
    if (strcmp(word, daq_grbl_state_names[i]) == 0) return true;
  }
  return false;
}

/* What stands between < and >: state first, then fields in any order. */
static bool take_status(char *text, daq_grbl_message *m) {
  char *rest = NULL, *word = strtok_r(text, "|", &rest);
  if (!word || !take_state(word, &m->state)) return false;
  while ((word = strtok_r(NULL, "|", &rest))) {
    if (strncmp(word, "MPos:", 5) != 0) continue;
    if (m->has_position || !take_axes(word + 5, m->axis_mm)) return false;
    m->has_position = true;
  }
  return true;
}

static bool take_text(const char *from, size_t n, daq_grbl_message *m) {
  if (n >= sizeof m->text) return false;
  memcpy(m->text, from, n);
  m->text[n] = '\0';
  return true;
}

static bool of_kind(daq_grbl_message *m, daq_grbl_kind kind) {
  m->kind = kind;
  return true;
}

/* Settings beyond Grbl's own are grblHAL's, and some of them are names. */
static bool is_extra(int code) { return (code > 32 && code < 100) || code > 132; }

static bool take_setting(char *text, daq_grbl_message *m) {
  char *equals = strchr(text, '='), *note = strstr(text, " (");
  if (!equals) return false;
  *equals = '\0';
  if (note && note > equals) *note = '\0';
  if (!take_code(text, &m->code)) return false;
  if (cb_parse_double(equals + 1, "setting", &m->value, NULL) == CB_OK) return true;
  return is_extra(m->code) && of_kind(m, DAQ_GRBL_INFO) && take_text(text, strlen(text), m);
}

/* What stands behind "Grbl " or "GrblHAL ". */
static bool take_welcome(const char *text, daq_grbl_firmware firmware, daq_grbl_message *m) {
  const char *fluid = strstr(text, "[FluidNC ");
  m->firmware = fluid ? DAQ_GRBL_FLUIDNC : strncmp(text, "1.3", 3) == 0 ? DAQ_GRBL_ESP32 : firmware;
  if (fluid) text = fluid + strlen("[FluidNC ");
  return take_text(text, strcspn(text, " "), m);
}

static bool parse_line(char *line, size_t n, daq_grbl_message *m) {
  *m = (daq_grbl_message){.kind = DAQ_GRBL_OK};
  if (strcmp(line, "ok") == 0) return true;
  if (strncmp(line, "error:", 6) == 0) return of_kind(m, DAQ_GRBL_ERROR) && take_code(line + 6, &m->code);
  if (strncmp(line, "ALARM:", 6) == 0) return of_kind(m, DAQ_GRBL_ALARM) && take_code(line + 6, &m->code);
  if (strncmp(line, "Grbl ", 5) == 0)
    return of_kind(m, DAQ_GRBL_WELCOME) && take_welcome(line + 5, DAQ_GRBL_ORIGINAL, m);
  if (strncasecmp(line, "GrblHAL ", 8) == 0)
    return of_kind(m, DAQ_GRBL_WELCOME) && take_welcome(line + 8, DAQ_GRBL_HAL, m);
  if (line[0] == '>' && strchr(line, ':')) return of_kind(m, DAQ_GRBL_INFO) && take_text(line, n, m);
  if (line[0] == '$') return of_kind(m, DAQ_GRBL_SETTING) && take_setting(line + 1, m);
  if (n < 2) return false;
  char last = line[n - 1];
  line[n - 1] = '\0';
  if (line[0] == '<' && last == '>') return of_kind(m, DAQ_GRBL_STATUS) && take_status(line + 1, m);
  return line[0] == '[' && last == ']' && of_kind(m, DAQ_GRBL_INFO) && take_text(line + 1, n - 2, m);
}

/* Not daq_line_cut(): a status report is asked for by a byte that is no part of any line, and its '<' begins
 * anew even where the end of the line before it was lost. */
daq_parse daq_grbl_parse(const char *bytes, size_t n, daq_grbl_message *m, size_t *used) {
  char line[MAX_LINE];
  size_t start = 0, length = 0;
  bool printable = true;
  *used = 0;
  while (start < n && (bytes[start] == '\r' || bytes[start] == '\n')) start++;
  const char *at = bytes + start;
  for (; start + length < n && at[length] != '\r' && at[length] != '\n'; length++) {
    if (at[length] < ' ' || at[length] > '~') printable = false;
    if ((length > 0 && at[length] == '<') || length == MAX_LINE - 1) {
      *used = start + length;
      return DAQ_PARSE_INVALID;
    }
  }
  if (start + length == n) {
    if (length > 0 || n < MAX_LINE) return DAQ_PARSE_MORE;
    *used = n; /* endless line ends */
    return DAQ_PARSE_INVALID;
  }
  *used = start + length + 1;
  memcpy(line, at, length);
  line[length] = '\0';
  return printable && parse_line(line, length, m) ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

/* ---- what the numbers mean: gnea/grbl bfb67f0, doc/csv/error_codes_en_US.csv and alarm_codes_en_US.csv
 * ---- */

typedef struct code_text {
  int code;
  const char *text;
} code_text;

static const code_text error_texts[] = {
    {1, "a letter was expected"},
    {2, "a number is missing or malformed"},
    {3, "a '$' command that it does not know"},
    {5, "homing is switched off ($22)"},
    {7, "its settings could not be read"},
    {8, "not possible while it is busy"},
    {9, "locked by an alarm, or jogging"},
    {11, "the line is too long"},
    {13, "the safety door is open"},
    {14, "the line is too long"},
    {15, "the target lies outside the machine's travel ($130 to $132)"},
    {16, "the jog command is malformed"},
    {20, "a command that it does not know"},
    {22, "the feed rate is missing"},
};

static const code_text alarm_texts[] = {
    {1, "a limit switch was hit; the position is lost"},
    {2, "the target lay outside the machine's travel"},
    {3, "it was reset in motion; the position is lost"},
    {4, "the probe was not ready"},
    {5, "the probe met nothing"},
    {6, "it was reset while homing"},
    {7, "the safety door was opened while homing"},
    {8, "homing: the limit switch stayed pressed after the pull-off"},
    {9, "homing: no limit switch was found"},
};

static const char *find_text(const code_text *list, size_t n, int code) {
  for (size_t i = 0; i < n; i++)
    if (list[i].code == code) return list[i].text;
  return "see Grbl's list";
}

const char *daq_grbl_error_text(int code) {
  return find_text(error_texts, sizeof error_texts / sizeof error_texts[0], code);
}
const char *daq_grbl_alarm_text(int code) {
  return find_text(alarm_texts, sizeof alarm_texts / sizeof alarm_texts[0], code);
}
