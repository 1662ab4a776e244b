/* Air and specimen of a campaign, as keys of the campaign file and as questions to the person at the bench.
 * One table serves both, so that an answer is checked like a key. */
#ifndef DAQ_CONDITIONS_H
#define DAQ_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"
#include "daq_questions.h"

#define DAQ_N_CONDITIONS 10
extern const daq_ask daq_conditions_questions[DAQ_N_CONDITIONS]; /* offsets in cb_conditions */

/* Returns true if condition i was given by the file or an answer. */
bool daq_conditions_known(const cb_conditions *c, size_t i);
/* Stores an answer to question i. "" is no answer and changes nothing.
 * CB_E_PARSE, CB_E_RANGE: the answer is malformed or out of range; *c is unchanged. */
CB_CHECKED cb_status daq_conditions_answer(cb_conditions *c, size_t i, const char *text, cb_err *err);

#endif
