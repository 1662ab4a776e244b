/* Lines of a Mark-10 ESM301/ESM303 test stand with a Mark-10 gauge. Pure functions on bytes.
 *
 * Every answer is a line. It is a number with its unit ("12.50 mm", "-1.234 N", "150.0 mm/min"), or the
 * stand's status in capital letters. A status begins with U, D or S (moving up, down, stopped). Then follow
 * C, L or M (cycle, limit, manual mode), and UL or DL at an end. Source: ESM303 user's guide, section 6.2. A
 * reading `n` is two lines, force and travel (LabKit's Mark-10 driver, which was written against a stand). */
#ifndef DAQ_ESM_H
#define DAQ_ESM_H

#include <stddef.h>

#include "daq_line.h"

typedef enum daq_esm_kind {
  DAQ_ESM_TRAVEL, /* value in m */
  DAQ_ESM_SPEED,  /* value in m/s */
  DAQ_ESM_FORCE,  /* value in unit; any number with another unit or none */
  DAQ_ESM_STATUS
} daq_esm_kind;

typedef struct daq_esm_message {
  daq_esm_kind kind;
  double value;
  char unit[12];
  int moving; /* status: 1 up, -1 down, 0 stopped */
  char mode;  /* status: 'C', 'L', 'M'; 0: not given */
  int at_end; /* status: 1 upper, -1 lower, 0 none */
} daq_esm_message;

/* Parses the first message of n bytes (daq_line.h). A line that is no message is invalid up to its end. */
daq_parse daq_esm_parse(const char *bytes, size_t n, daq_esm_message *m, size_t *used);

/* Write commands, which have no terminator and numbers of fixed width: "h-007.52" [mm], "e0200.3" [mm/min].
 * name is 'g' (lower limit) or 'h' (upper limit). */
#define DAQ_ESM_COMMAND_MAX 16
void daq_esm_format_limit(char out[DAQ_ESM_COMMAND_MAX], char name, double travel_m);
void daq_esm_format_speed(char out[DAQ_ESM_COMMAND_MAX], double speed_m_per_s);

#endif
