/* Air and specimen of a campaign, as keys of the campaign file and as questions to the person at the bench: one table for both, so
 * that an answer is judged like a key. */
#ifndef DAQ_CONDITIONS_H
#define DAQ_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"
#include "cb_yaml.h"

#define DAQ_N_CONDITIONS 10
extern const cb_yfield daq_conditions_fields[DAQ_N_CONDITIONS]; /* offsets in cb_conditions */

/* "Temperature of the air at the bench [degC]", with the choices where there are some. */
void daq_conditions_question(size_t i, char out[160]);
/* The file, or an answer, has said it. */
bool daq_conditions_known(const cb_conditions *c, size_t i);
/* Takes an answer. CB_E_PARSE or CB_E_RANGE say what was wanted; *c is then as before. "" is no answer and changes nothing. */
CB_CHECKED cb_status daq_conditions_answer(cb_conditions *c, size_t i, const char *text, cb_err *err);

#endif
