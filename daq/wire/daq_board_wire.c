#include "daq_board_wire.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "daq_line.h"

void daq_board_order(const cb_rig *rig, char out[DAQ_BOARD_LINE_MAX]) {
  int n = snprintf(out, DAQ_BOARD_LINE_MAX, "scan %.0f", 1e9 / rig->force.rate_Hz);
  for (size_t i = 0; i < rig->comedi.n; i++)
    n += snprintf(out + n, DAQ_BOARD_LINE_MAX - (size_t)n, " %d:%d", rig->comedi.channel[i].channel,
                  rig->comedi.channel[i].range);
  (void)snprintf(out + n, DAQ_BOARD_LINE_MAX - (size_t)n, "\n");
}

/* ---- the answer ---- */

static bool read_number(const char *word, double *out) {
  return cb_parse_double(word, "a number of the board", out, NULL) == CB_OK;
}

/* "-10:10" */
static bool read_range(char *word, double *min_V, double *max_V) {
  char *colon = strchr(word, ':');
  if (!colon) return false;
  *colon = '\0';
  return read_number(word, min_V) && read_number(colon + 1, max_V) && *min_V < *max_V;
}

static bool read_grant(char *line, size_t channels, daq_board_grant *g) {
  char *rest = NULL, *word = strtok_r(line, " ", &rest);
  double period_ns;
  if (!word || strcmp(word, "scans") != 0) return false;
  if (!(word = strtok_r(NULL, " ", &rest)) || !read_number(word, &period_ns) || period_ns < 1) return false;
  if (!(word = strtok_r(NULL, " ", &rest)) || !read_number(word, &g->maxdata)) return false;
  if (g->maxdata < 1 || g->maxdata > UINT16_MAX) return false;
  g->period_s = 1e-9 * period_ns;
  for (size_t i = 0; i < channels; i++)
    if (!(word = strtok_r(NULL, " ", &rest)) || !read_range(word, &g->min_V[i], &g->max_V[i])) return false;
  return !strtok_r(NULL, " ", &rest);
}

daq_parse daq_board_answer(const char *bytes, size_t n, size_t channels, daq_board_grant *grant,
                           char refusal[DAQ_BOARD_LINE_MAX], size_t *used) {
  char line[DAQ_BOARD_LINE_MAX];
  *grant = (daq_board_grant){0};
  daq_parse p = daq_line_cut(bytes, n, "lf", refusal, DAQ_BOARD_LINE_MAX, used);
  if (p != DAQ_PARSE_VALID) return p;
  (void)snprintf(line, sizeof line, "%s", refusal);
  if (read_grant(line, channels, grant)) return DAQ_PARSE_VALID;
  const char *why = strncmp(refusal, "refused ", 8) == 0 ? refusal + 8 : refusal;
  memmove(refusal, why, strlen(why) + 1);
  return DAQ_PARSE_INVALID;
}

/* ---- scans ---- */

static uint16_t low_first(const char *bytes) {
  return (uint16_t)((unsigned char)bytes[0] | (unsigned)(unsigned char)bytes[1] << 8);
}

daq_parse daq_board_scan(const char *bytes, size_t n, size_t channels, uint16_t *next,
                         uint16_t out[CB_COMEDI_CHANNELS_MAX], size_t *used) {
  const size_t size = 2 + 2 * channels;
  *used = 0;
  if (n < size) return DAQ_PARSE_MORE;
  *used = size;
  if (low_first(bytes) != *next) return DAQ_PARSE_INVALID;
  (*next)++;
  for (size_t i = 0; i < channels; i++) out[i] = low_first(bytes + 2 + 2 * i);
  return DAQ_PARSE_VALID;
}
