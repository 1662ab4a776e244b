#include "daq_smc100.h"

#include <stdlib.h>
#include <string.h>

#include "daq_line.h"

#define MAX_LINE 96 /* longer than any answer */

/* ---- parser ---- */

static bool is_letter(char c) { return c >= 'A' && c <= 'Z'; }

static bool parse_line(const char *line, daq_smc100_message *m) {
  size_t digits = strspn(line, "0123456789");
  if (strchr(line, '\t') || digits < 1 || digits > 2 || !is_letter(line[digits]) ||
      !is_letter(line[digits + 1]))
    return false;
  *m = (daq_smc100_message){.address = atoi(line), .command = {line[digits], line[digits + 1], '\0'}};
  const char *text = line + digits + 2;
  text += strspn(text, " ");
  size_t n = strlen(text);
  while (n > 0 && text[n - 1] == ' ') n--;
  if (n >= sizeof m->text) return false;
  memcpy(m->text, text, n);
  return true;
}

daq_parse daq_smc100_parse(const char *bytes, size_t n, daq_smc100_message *m, size_t *used) {
  char line[MAX_LINE];
  daq_parse p = daq_line_cut(bytes, n, "", line, sizeof line, used);
  if (p != DAQ_PARSE_VALID) return p;
  return parse_line(line, m) ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

/* ---- states ---- */

typedef struct state_row {
  char code[3];
  daq_smc100_phase phase;
  const char *name;
} state_row;

static const state_row states[] = {
    {"0A", DAQ_SMC100_UNREFERENCED, "not referenced, from reset"},
    {"0B", DAQ_SMC100_UNREFERENCED, "not referenced, from homing"},
    {"0C", DAQ_SMC100_UNREFERENCED, "not referenced, from configuration"},
    {"0D", DAQ_SMC100_UNREFERENCED, "not referenced, from disable"},
    {"0E", DAQ_SMC100_UNREFERENCED, "not referenced, from ready"},
    {"0F", DAQ_SMC100_UNREFERENCED, "not referenced, from moving"},
    {"10", DAQ_SMC100_UNREFERENCED, "not referenced, ESP stage error"},
    {"11", DAQ_SMC100_UNREFERENCED, "not referenced, from jogging"},
    {"14", DAQ_SMC100_CONFIGURATION, "configuration"},
    {"1E", DAQ_SMC100_HOMING, "homing"},
    {"1F", DAQ_SMC100_HOMING, "homing, by its keypad"},
    {"28", DAQ_SMC100_MOVING, "moving"},
    {"32", DAQ_SMC100_READY, "ready, from homing"},
    {"33", DAQ_SMC100_READY, "ready, from moving"},
    {"34", DAQ_SMC100_READY, "ready, from disable"},
    {"35", DAQ_SMC100_READY, "ready, from jogging"},
    {"3C", DAQ_SMC100_DISABLED, "disabled, from ready"},
    {"3D", DAQ_SMC100_DISABLED, "disabled, from moving"},
    {"3E", DAQ_SMC100_DISABLED, "disabled, from jogging"},
    {"46", DAQ_SMC100_JOGGING, "jogging, from ready"},
    {"47", DAQ_SMC100_JOGGING, "jogging, from disable"},
};

bool daq_smc100_state_of(const char *text, daq_smc100_state *state) {
  char bits[5] = "";
  if (strlen(text) != 6 || strspn(text, "0123456789ABCDEFabcdef") != 6) return false;
  memcpy(bits, text, 4);
  state->errors = (unsigned)strtoul(bits, NULL, 16);
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
    if (strcmp(states[i].code, text + 4) != 0) continue;
    state->phase = states[i].phase;
    state->name = states[i].name;
    return true;
  }
  return false;
}

const char *daq_smc100_error_text(unsigned errors) {
  static const char *const texts[] = {
      "negative end of run",    "positive end of run",     "peak current limit", "RMS current limit",
      "short circuit",          "following error",         "homing time-out",    "wrong ESP stage",
      "supply voltage too low", "output power above 80 W",
  };
  const int n = (int)(sizeof texts / sizeof texts[0]);
  for (int bit = 15; bit >= 0; bit--)
    if (errors >> bit & 1) return bit < n ? texts[bit] : "an error bit that is not in Newport's list";
  return "";
}

const char *daq_smc100_letter_text(char letter) {
  static const struct {
    char letter;
    const char *text;
  } texts[] = {
      {'@', "no error"},
      {'A', "unknown command"},
      {'B', "wrong address"},
      {'C', "parameter missing or out of range"},
      {'D', "not allowed"},
      {'E', "homing has begun already"},
      {'F', "ESP stage name unknown"},
      {'G', "displacement out of limits"},
      {'H', "not allowed before it is homed"},
      {'I', "not allowed in configuration state"},
      {'J', "not allowed while disabled"},
      {'K', "not allowed in ready state"},
      {'L', "not allowed while homing"},
      {'M', "not allowed while moving"},
      {'N', "position out of the software limits"},
      {'S', "communication time-out"},
      {'U', "error in its memory"},
      {'V', "error during execution"},
      {'W', "not for the PP version"},
      {'X', "not for the CC version"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (texts[i].letter == letter) return texts[i].text;
  return "a letter that is not in Newport's list";
}
