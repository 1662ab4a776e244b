/* Private to daq: what the board of a virtual rig says on its pseudo-terminal, as pure functions on bytes.
 * virtual/rig/vrig_board.h is the other end.
 *
 * The host orders a scan list, "scan PERIOD_ns CHANNEL:RANGE ..." LF. The board answers one line: "scans
 * PERIOD_ns MAXDATA MIN:MAX ..." LF with the period that it grants, its largest raw value and the range of
 * each channel in volts, or "refused SENTENCE" LF. Scans follow without an end. A scan is its number (16
 * bits, from 0) and one sample of 16 bits per channel, low byte first. All channels of a scan are converted
 * at once. */
#ifndef DAQ_BOARD_WIRE_H
#define DAQ_BOARD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"
#include "daq_line.h"

#define DAQ_BOARD_LINE_MAX 256
#define DAQ_BOARD_SCAN_MAX (2 + 2 * CB_COMEDI_CHANNELS_MAX)

typedef struct daq_board_grant {
  double period_s, maxdata;
  double min_V[CB_COMEDI_CHANNELS_MAX], max_V[CB_COMEDI_CHANNELS_MAX];
} daq_board_grant;

/* Writes the order of the rig's channels. */
void daq_board_order(const cb_rig *rig, char out[DAQ_BOARD_LINE_MAX]);

/* Reads the board's answer for `channels` channels from the beginning of n bytes. *used receives the length
 * of the answer, 0 for DAQ_PARSE_MORE. VALID: grant is filled, with ranges that are finite and not empty.
 * INVALID: the line is a refusal or no answer; refusal receives its text. */
daq_parse daq_board_answer(const char *bytes, size_t n, size_t channels, daq_board_grant *grant,
                           char refusal[DAQ_BOARD_LINE_MAX], size_t *used);

/* Takes one scan from the beginning of n bytes. VALID: its samples are in `out`. INVALID: it is not the scan
 * number *next, so others are lost. *next then is the number after it. *used as above. */
daq_parse daq_board_scan(const char *bytes, size_t n, size_t channels, uint16_t *next,
                         uint16_t out[CB_COMEDI_CHANNELS_MAX], size_t *used);

#endif
