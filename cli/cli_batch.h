/* A batch of campaigns, as `run` prints it. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "daq_batch.h"

/* Says on stderr which of the batch comes now, or that it is finished already. */
void cli_batch_say(const daq_batch *b, size_t at, bool finished);
/* Prints on stdout which pairs come in which order, and how much handling that is. */
CB_CHECKED cb_status cli_batch_print(const daq_batch *b, bool json, cb_err *err);

#endif
