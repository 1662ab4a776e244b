/* The rig file's on_failure: a command that tells somebody that a campaign broke off. */
#ifndef DAQ_FAILURE_H
#define DAQ_FAILURE_H

#include "daq_engine.h"

/* Starts the command, unless the operator stopped the campaign. It is called when the stage is stopped, the
 * ports are closed and all is stored, and goes on without the command after a second at most. The facts are
 * variables of its environment (docs/reference/campaign-run.md). What went wrong with the command itself
 * stands in result->untold. */
void daq_failure_tell(const daq_engine_job *job, daq_engine_result *result, cb_status st, const cb_err *err);

#endif
