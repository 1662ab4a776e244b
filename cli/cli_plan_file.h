/* The next campaign file that `plan` writes. */
#ifndef CLI_PLAN_FILE_H
#define CLI_PLAN_FILE_H

#include "daq_campaign.h"
#include "fit_plan.h"

/* frame with the plan's cells in the order in which a person would go: by angle, then load. Whole or not at all. */
CB_CHECKED cb_status cli_plan_write(const char *path, const daq_campaign *frame, const cb_rig *rig, const fit_plan *plan, cb_err *err);

#endif
