/* Private to daq/. */
#ifndef DAQ_CAMPAIGN_IMPL_H
#define DAQ_CAMPAIGN_IMPL_H

#include "daq_campaign.h"

/* daq_campaign_load of a text, which is copied. `name` stands for the path in errors. */
CB_CHECKED cb_status daq_campaign_parse(const char *text, const char *name, const cb_rig *rig,
                                        daq_campaign *c, cb_err *err);

/* Returns the longest way that the stage may back off until the link is slack [m]: play + stretch at the
 * overload limit. */
double daq_campaign_back_off_max(const cb_rig *rig);

#endif
