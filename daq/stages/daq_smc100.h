/* Lines of the Newport SMC100 controller: "1TP12.345<CR><LF>" is address, command, value. Pure functions on
 * bytes. States, error letters and error bits are those of Newport's SMC100CC/PP manual under TS and TE, as
 * quoted in freespace/pySMC100, lantz motionsmc100.py and others. */
#ifndef DAQ_SMC100_H
#define DAQ_SMC100_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_line.h"

typedef struct daq_smc100_message {
  int address;
  char command[3];
  char text[64]; /* what follows, trimmed */
} daq_smc100_message;

/* Parses the first message of n bytes (daq_line.h). A line that is no message is invalid up to its end. */
daq_parse daq_smc100_parse(const char *bytes, size_t n, daq_smc100_message *m, size_t *used);

typedef enum daq_smc100_phase {
  DAQ_SMC100_UNREFERENCED,
  DAQ_SMC100_CONFIGURATION,
  DAQ_SMC100_HOMING,
  DAQ_SMC100_MOVING,
  DAQ_SMC100_READY,
  DAQ_SMC100_DISABLED,
  DAQ_SMC100_JOGGING
} daq_smc100_phase;

typedef struct daq_smc100_state {
  unsigned errors; /* bits, daq_smc100_error_text */
  daq_smc100_phase phase;
  const char *name; /* of the state and its cause; static */
} daq_smc100_state;

/* Reads the text of a TS answer, "000033". Returns false if it is malformed or the state is unknown. */
bool daq_smc100_state_of(const char *text, daq_smc100_state *state);

/* Returns the most serious of the error bits; "" without any. END_OF_RUN is normal during homing only. */
#define DAQ_SMC100_END_OF_RUN 0x0003u
const char *daq_smc100_error_text(unsigned errors);
/* Returns the meaning of the letter of a TE answer; '@' is no error. */
const char *daq_smc100_letter_text(char letter);

#endif
