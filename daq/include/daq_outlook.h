/* The outlook of a campaign: whether its forces can be measured at all. It is judged before anything moves,
 * by rig file, campaign and calibration. A pull needs mu N: the friction coefficient times the normal force.
 * Nobody knows mu before. Cloth on anything lies between DAQ_MU_LEAST and DAQ_MU_MOST. */
#ifndef DAQ_OUTLOOK_H
#define DAQ_OUTLOOK_H

#include "daq_calibration.h"
#include "daq_campaign.h"

#define DAQ_MU_LEAST 0.05
#define DAQ_MU_MOST 1.5

/* Judges a campaign. doubt receives a sentence if a pull of DAQ_MU_MOST goes beyond force.overload_N or
 * beyond the calibrated forces; else "". CB_E_RANGE: force.overload_N stops a pull of DAQ_MU_LEAST under the
 * heaviest load. Or it lies below ten digits of the reading. */
#define DAQ_DOUBT_TEXT 400
CB_CHECKED cb_status daq_outlook_judge(const daq_campaign *c, const cb_rig *rig, const cb_calibration *k,
                                       char doubt[DAQ_DOUBT_TEXT], cb_err *err);

/* True: the slope is only declared, and negative: doubt receives a sentence. Pulls of a cell that is wired as
 * usual would read as pushes. */
bool daq_outlook_doubts_sign(const cb_rig *rig, const cb_calibration *k, char doubt[DAQ_DOUBT_TEXT]);

#endif
