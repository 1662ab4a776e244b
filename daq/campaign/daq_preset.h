/* Private to daq: the values that a standard fixes in a campaign. */
#ifndef DAQ_PRESET_H
#define DAQ_PRESET_H

#include "daq_campaign.h"

/* Completes a campaign by its preset. Refuses values that contradict the standard, in the file or on the rig
 * (cart mass, contact area), naming the standard's value. Then refuses missing keys. Without a preset only
 * the last. */
CB_CHECKED cb_status daq_preset_apply(daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err);

#endif
