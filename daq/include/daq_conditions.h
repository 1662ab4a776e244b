/* Air and specimen of a campaign, as keys of the campaign file and as questions to the person at the bench.
 * One table serves both, so that an answer is checked like a key. */
#ifndef DAQ_CONDITIONS_H
#define DAQ_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"
#include "cb_yaml.h"

#define DAQ_N_CONDITIONS 10
extern const cb_yfield daq_conditions_fields[DAQ_N_CONDITIONS]; /* offsets in cb_conditions */

/* Writes question i < DAQ_N_CONDITIONS, such as "Temperature of the air at the bench [degC]", with its
 * choices if any. */
void daq_conditions_question(size_t i, char out[160]);
/* Writes what question i means and which answers it takes, for somebody who asks. */
void daq_conditions_explain(size_t i, char out[400]);
/* Writes condition i as it would be typed; "": not known. */
void daq_conditions_text(const cb_conditions *c, size_t i, char out[256]);
/* Returns true if condition i was given by the file or an answer. */
bool daq_conditions_known(const cb_conditions *c, size_t i);
/* Stores an answer to question i. "" is no answer and changes nothing.
 * CB_E_PARSE, CB_E_RANGE: the answer is malformed or out of range; *c is unchanged. */
CB_CHECKED cb_status daq_conditions_answer(cb_conditions *c, size_t i, const char *text, cb_err *err);

#endif
