/* Private to daq/. */
#ifndef DAQ_QUESTIONS_IMPL_H
#define DAQ_QUESTIONS_IMPL_H

#include "daq_questions.h"

/* Writes what was typed as the key would have it. Errors: CB_E_PARSE, CB_E_RANGE. */
CB_CHECKED cb_status daq_ask_read(const daq_ask *q, const char *typed, char out[DAQ_ANSWER], cb_err *err);

#endif
