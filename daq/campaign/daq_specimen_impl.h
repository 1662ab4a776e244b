/* Private to daq/. */
#ifndef DAQ_SPECIMEN_IMPL_H
#define DAQ_SPECIMEN_IMPL_H

#include "cb_store_specimen.h"
#include "daq_campaign.h"

/* Finds the campaign's specimen; its id is 0 if the campaign names none. Errors: those of daq_specimen_fill.
 */
CB_CHECKED cb_status daq_specimen_find(cb_store *s, const daq_campaign *c, cb_specimen *p, cb_err *err);

#endif
