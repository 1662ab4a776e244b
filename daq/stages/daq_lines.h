/* Texts of the section `lines` of a rig file, filled and matched (cb_rig_lines.h). Pure functions. */
#ifndef DAQ_LINES_H
#define DAQ_LINES_H

#include "cb_rig.h"

#define DAQ_LINES_MESSAGE 256

/* Values in SI, and in the units of the device where a text has them. */
typedef struct daq_lines_values {
  double position_m, speed_m_per_s;
} daq_lines_values;

/* Writes a message with its line end. It always fits. Returns its length. *last is the last number in it, as
 * the device reads it, *digit what its last digit is worth; both may be NULL. */
size_t daq_lines_fill(const cb_lines_text *t, const cb_rig_stage *rig, const daq_lines_values *v,
                      char out[DAQ_LINES_MESSAGE], double *last, double *digit);

typedef struct daq_lines_found {
  double number; /* of {position} or {value}, in the unit of the device */
  char code[64], serial[32];
} daq_lines_found;

/* Whether a line has the form of a reply; blanks at its end do not count. */
bool daq_lines_match(const cb_lines_text *t, const char *line, int address, daq_lines_found *found);

/* The first rule that fits the code; NULL: none does. */
const cb_lines_rule *daq_lines_rule_of(const cb_lines_question *q, const char *code);

#endif
