/* Lines of Grbl 1.1 and of its relatives. Pure functions on bytes. Sources: Grbl (gnea/grbl bfb67f0,
 * doc/markdown/interface.md and settings.md); the welcomes of grblHAL (grblHAL/core, report.c), FluidNC and
 * Grbl_ESP32.
 *
 *   ok | error:15                              one of them answers every line that was sent
 *   <Jog|MPos:-1.000,0.000,0.000|FS:600,0>     answers the byte '?'
 *   ALARM:1                                    unasked
 *   Grbl 1.1f ['$' for help]                   unasked, after every reset
 *   GrblHAL 1.1f ['$' or '$HELP' for help]     grblHAL's; it may also say Grbl's
 *   Grbl 3.7 [FluidNC v3.7.13 (wifi) '$' for help]
 *   Grbl 1.3a ['$' for help]                   Grbl_ESP32's
 *   >G54G20:ok                                 after a start: a line that its owner stored
 *   $100=250.000 (X steps/mm)                  `$$`; older builds explain the number
 *   [VER:1.1f.20170801:name] | [MSG:text]      `$I`; unasked */
#ifndef DAQ_GRBL_H
#define DAQ_GRBL_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_line.h"

typedef enum daq_grbl_kind {
  DAQ_GRBL_OK,
  DAQ_GRBL_ERROR,   /* code */
  DAQ_GRBL_ALARM,   /* code */
  DAQ_GRBL_STATUS,  /* state, axis_mm */
  DAQ_GRBL_WELCOME, /* firmware; text: its version, "1.1f" */
  DAQ_GRBL_SETTING, /* code, value */
  DAQ_GRBL_INFO     /* text: between the brackets; or what else needs no answer */
} daq_grbl_kind;

typedef enum daq_grbl_firmware {
  DAQ_GRBL_ORIGINAL,
  DAQ_GRBL_HAL,
  DAQ_GRBL_ESP32,
  DAQ_GRBL_FLUIDNC
} daq_grbl_firmware;
extern const char *const daq_grbl_firmware_names[]; /* by daq_grbl_firmware: "Grbl", "grblHAL" ... */

typedef enum daq_grbl_state {
  DAQ_GRBL_IDLE,
  DAQ_GRBL_RUN,
  DAQ_GRBL_HOLD,
  DAQ_GRBL_JOG,
  DAQ_GRBL_IN_ALARM,
  DAQ_GRBL_DOOR,
  DAQ_GRBL_CHECK,
  DAQ_GRBL_HOME,
  DAQ_GRBL_SLEEP
} daq_grbl_state;
extern const char *const daq_grbl_state_names[]; /* by daq_grbl_state: "Idle" ...; NULL at the end */

typedef struct daq_grbl_message {
  daq_grbl_kind kind;
  int code;
  double value;
  daq_grbl_state state;
  daq_grbl_firmware firmware;
  bool has_position; /* the report has MPos; false: WPos ($10 = 0) */
  double axis_mm[3]; /* MPos of X, Y, Z */
  char text[80];
} daq_grbl_message;

/* Parses the first message of n bytes (daq_line.h). A line that is no message is invalid up to its end, or
 * up to a '<' in its middle, where a status report begins after a torn line. */
daq_parse daq_grbl_parse(const char *bytes, size_t n, daq_grbl_message *m, size_t *used);

/* Return the meaning of error:N and ALARM:N; "see Grbl's list" for numbers that this program's commands
 * cannot cause. */
const char *daq_grbl_error_text(int code);
const char *daq_grbl_alarm_text(int code);

#endif
