/* A batch of campaigns, as `run` prints it. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli_forecast.h"
#include "daq_batch.h"

/* Says on stderr which of the batch comes now, or that it is finished already. */
void cli_batch_say(const daq_batch *b, size_t at, bool finished);
/* Prints on stdout which pairs come in which order, what is expected of each (one forecast per pair), how
 * much handling that is, and how long it takes. */
CB_CHECKED cb_status cli_batch_print(const daq_batch *b, const cb_rig *rig, const cli_forecast *forecasts,
                                     bool json, cb_err *err);

#endif
