#include "daq_zaber.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_LINE 160 /* longer than any message of the protocol */

/* ---- parser ---- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static unsigned checksum_of(const char *text, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) sum += (unsigned char)text[i];
  return ((sum ^ 0xff) + 1) & 0xff;
}

/* Verifies and cuts off ":CC" at the end of the line. */
static bool strip_checksum(char *line, bool needed) {
  size_t n = strlen(line);
  bool there = n >= 3 && line[n - 3] == ':' && hex_digit(line[n - 2]) >= 0 && hex_digit(line[n - 1]) >= 0;
  if (!there) return !needed;
  unsigned said = (unsigned)(16 * hex_digit(line[n - 2]) + hex_digit(line[n - 1]));
  line[n - 3] = '\0';
  return said == checksum_of(line, n - 3);
}

/* The next blank-separated word; NULL at the end of the line. */
static char *next_word(char **at) {
  char *word = *at + strspn(*at, " ");
  if (!*word) return NULL;
  *at = word + strcspn(word, " ");
  if (**at) *(*at)++ = '\0';
  return word;
}

static bool take_small_int(const char *word, int max, int *out) {
  size_t n = word ? strlen(word) : 0;
  if (n < 1 || n > 3 || strspn(word, "0123456789") != n) return false;
  *out = 0;
  for (size_t i = 0; i < n; i++) *out = 10 * *out + (word[i] - '0');
  return *out <= max;
}

/* "BUSY --": a reply's and an alert's second half. */
static bool take_status(char **at, daq_zaber_message *m) {
  const char *status = next_word(at), *warning = next_word(at);
  if (!status || !warning || strlen(warning) != 2) return false;
  m->busy = strcmp(status, "BUSY") == 0;
  memcpy(m->warning, warning, 3);
  return m->busy || strcmp(status, "IDLE") == 0;
}

static bool take_reply(char *at, char *word, daq_zaber_message *m) {
  if (take_small_int(word, 999, &m->id)) word = next_word(&at);
  if (!word || (strcmp(word, "OK") != 0 && strcmp(word, "RJ") != 0)) return false;
  m->rejected = word[0] == 'R';
  if (!take_status(&at, m)) return false;
  at += strspn(at, " ");
  /* Every reply carries data, "0" at least. */
  if (!*at || strlen(at) >= sizeof m->data) return false;
  strcpy(m->data, at);
  return true;
}

static bool parse_line(char marker, char *line, daq_zaber_message *m) {
  char *at = line;
  *m = (daq_zaber_message){.kind = marker == '@'   ? DAQ_ZABER_REPLY
                                   : marker == '!' ? DAQ_ZABER_ALERT
                                                   : DAQ_ZABER_INFO,
                           .id = -1,
                           .warning = "--"};
  if (!take_small_int(next_word(&at), 99, &m->device) || !take_small_int(next_word(&at), 9, &m->axis))
    return false;
  if (m->kind == DAQ_ZABER_ALERT) return take_status(&at, m);
  if (m->kind == DAQ_ZABER_INFO) {
    (void)snprintf(m->data, sizeof m->data, "%s", at);
    return true;
  }
  return take_reply(at, next_word(&at), m);
}

static bool is_marker(char c) { return c == '@' || c == '!' || c == '#'; }

/* Bytes before the next place where a message may begin. */
static size_t next_start(const char *bytes, size_t from, size_t n) {
  while (from < n && !is_marker(bytes[from])) from++;
  return from;
}

daq_parse daq_zaber_parse(const char *bytes, size_t n, bool need_checksum, daq_zaber_message *m,
                          size_t *used) {
  char line[MAX_LINE];
  *used = 0;
  if (n == 0) return DAQ_PARSE_MORE;
  if (!is_marker(bytes[0])) {
    *used = next_start(bytes, 1, n);
    return DAQ_PARSE_INVALID;
  }
  size_t end = 1;
  /* '@' and '!' never stand inside a message: a second one is the start of the next, after a torn first. */
  while (end < n && end < MAX_LINE && bytes[end] >= ' ' && bytes[end] <= '~' && bytes[end] != '@' &&
         bytes[end] != '!')
    end++;
  if (end == n && end < MAX_LINE) return DAQ_PARSE_MORE;
  bool ended = end < MAX_LINE && (bytes[end] == '\r' || bytes[end] == '\n');
  if (ended) {
    memcpy(line, bytes + 1, end - 1);
    line[end - 1] = '\0';
  }
  if (!ended || !strip_checksum(line, need_checksum) || !parse_line(bytes[0], line, m)) {
    *used = next_start(bytes, ended ? end : 1, n);
    return DAQ_PARSE_INVALID;
  }
  /* The line feed of CR LF, if it is here already; a late one is dropped as an empty line. */
  *used = end + 1 + (end + 1 < n && bytes[end] == '\r' && bytes[end + 1] == '\n');
  return DAQ_PARSE_VALID;
}

/* ---- commands, flags, units ---- */

size_t daq_zaber_format(char *out, size_t size, int device, int id, const char *command, bool checksum) {
  int n = snprintf(out, size, "/%02d 0 %02d %s", device, id, command);
  if (checksum) n += snprintf(out + n, size - (size_t)n, ":%02X", checksum_of(out + 1, (size_t)n - 1));
  n += snprintf(out + n, size - (size_t)n, "\n");
  return (size_t)n;
}

typedef struct flag_row {
  char flag[3];
  daq_zaber_concern concern;
  const char *text;
} flag_row;

/* Zaber ASCII protocol manual, warning flags (as in zaber-motion-lib-swift, WarningFlags.swift). */
static const flag_row flag_rows[] = {
    {"FF", DAQ_ZABER_FAULT, "critical system error"},
    {"FN", DAQ_ZABER_FAULT, "peripheral not supported"},
    {"FZ", DAQ_ZABER_FAULT, "peripheral inactive"},
    {"FH", DAQ_ZABER_FAULT, "hardware emergency stop"},
    {"FV", DAQ_ZABER_FAULT, "supply voltage out of range"},
    {"FO", DAQ_ZABER_FAULT, "driver disabled by the user or after a reset"},
    {"FC", DAQ_ZABER_FAULT, "current inrush"},
    {"FM", DAQ_ZABER_FAULT, "motor too hot"},
    {"FD", DAQ_ZABER_FAULT, "driver disabled"},
    {"FQ", DAQ_ZABER_FAULT, "encoder error"},
    {"FI", DAQ_ZABER_FAULT, "index error"},
    {"FA", DAQ_ZABER_FAULT, "analog encoder synchronisation error"},
    {"FR", DAQ_ZABER_FAULT, "overdrive limit exceeded"},
    {"FS", DAQ_ZABER_FAULT, "stalled and stopped"},
    {"FB", DAQ_ZABER_FAULT, "stream bounds error"},
    {"FP", DAQ_ZABER_FAULT, "path deviation"},
    {"FE", DAQ_ZABER_FAULT, "unexpected limit sensor, stopped"},
    {"FT", DAQ_ZABER_FAULT, "excessive twist"},
    {"WL", DAQ_ZABER_DOUBTFUL, "unexpected limit sensor"},
    {"WV", DAQ_ZABER_FINE, "supply voltage near its limit"},
    {"WT", DAQ_ZABER_FINE, "controller near its highest temperature"},
    {"WS", DAQ_ZABER_DOUBTFUL, "stalled and recovered"},
    {"WM", DAQ_ZABER_DOUBTFUL, "displaced while it stood still"},
    {"WP", DAQ_ZABER_FINE, "calibration of another type"},
    {"WR", DAQ_ZABER_UNHOMED, "no reference position"},
    {"WH", DAQ_ZABER_UNHOMED, "not homed"},
    {"NC", DAQ_ZABER_CUT_SHORT, "moved by hand at its knob"},
    {"NI", DAQ_ZABER_CUT_SHORT, "movement interrupted"},
    {"ND", DAQ_ZABER_DOUBTFUL, "stream discontinuity"},
    {"NR", DAQ_ZABER_FINE, "value rounded"},
    {"NT", DAQ_ZABER_FINE, "value truncated"},
    {"NU", DAQ_ZABER_FINE, "setting update pending"},
    {"NJ", DAQ_ZABER_DOUBTFUL, "joystick calibrating"},
    {"NB", DAQ_ZABER_DOUBTFUL, "firmware update mode"},
    {"--", DAQ_ZABER_FINE, "no warning"},
};

static const flag_row *find_flag(const char *flag) {
  for (size_t i = 0; i < sizeof flag_rows / sizeof flag_rows[0]; i++)
    if (strcmp(flag_rows[i].flag, flag) == 0) return &flag_rows[i];
  return NULL;
}

const char *daq_zaber_flag_text(const char *flag) {
  const flag_row *row = find_flag(flag);
  return row ? row->text : "unknown flag";
}

daq_zaber_concern daq_zaber_flag_concern(const char *flag) {
  const flag_row *row = find_flag(flag);
  if (row) return row->concern;
  return flag[0] == 'F' ? DAQ_ZABER_FAULT : DAQ_ZABER_DOUBTFUL;
}

long long daq_zaber_speed_data(double speed_m_per_s, double microstep_m) {
  return llround(speed_m_per_s / microstep_m * 1.6384);
}

long long daq_zaber_accel_data(double acceleration_m_per_s2, double microstep_m) {
  return llround(acceleration_m_per_s2 / microstep_m * 1.6384 / 10000);
}
