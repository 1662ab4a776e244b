/* Private to daq: what a standard fixes in a campaign. */
#ifndef DAQ_PRESET_H
#define DAQ_PRESET_H

#include "daq_campaign.h"

/* Fills what the file leaves out and the preset knows; refuses what contradicts it, in the file or on the rig (its cart's mass, its
 * contact area), saying what the standard says; then refuses what is still missing. Without a preset only the last. */
CB_CHECKED cb_status daq_preset_apply(daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err);

#endif
