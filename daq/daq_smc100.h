/* Lines of the Newport SMC100 controller, pure functions on bytes: "1TP12.345<CR><LF>" is address, command, value. States, error letters
 * and error bits as Newport's SMC100CC/PP manual lists them under TS and TE (read in freespace/pySMC100, lantz motionsmc100.py and others,
 * which quote it). */
#ifndef DAQ_SMC100_H
#define DAQ_SMC100_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_parse.h"

typedef struct daq_smc100_message {
  int address;
  char command[3];
  char text[64]; /* what follows, blanks around it cut off */
} daq_smc100_message;

/* The first message in n bytes; a line that is none is invalid up to its end. */
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
  const char *name; /* of the state, with what it came from; static */
} daq_smc100_state;

/* The text of a TS answer, "000033"; false if it is none or the state is not in the list. */
bool daq_smc100_state_of(const char *text, daq_smc100_state *state);

/* The most serious of the error bits; "" without any. At an end of run only homing may be. */
#define DAQ_SMC100_END_OF_RUN 0x0003u
const char *daq_smc100_error_text(unsigned errors);
/* The letter of a TE answer; '@' is none. */
const char *daq_smc100_letter_text(char letter);

#endif
