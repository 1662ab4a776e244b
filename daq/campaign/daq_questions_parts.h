/* Private to daq/. */
#ifndef DAQ_QUESTIONS_IMPL_H
#define DAQ_QUESTIONS_IMPL_H

#include <stdio.h>

#include "daq_questions.h"

/* Writes what was typed as the key would have it. Errors: CB_E_PARSE, CB_E_RANGE. */
CB_CHECKED cb_status daq_ask_read(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err);
/* Prints an answer as a text of YAML, in double quotes. */
void daq_answer_put(FILE *to, const char *answer);
/* Returns a sentence about a file without its place, if it is about this key: "FILE:3: key = 90: ..."; else
 * NULL. */
const char *daq_said_of(const char *msg, const char *file, const char *key);

#endif
