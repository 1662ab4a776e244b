/* The specimen that a campaign names: a row of the database (cb_store_specimen.h). */
#ifndef DAQ_SPECIMEN_H
#define DAQ_SPECIMEN_H

#include "cb_store.h"
#include "daq_campaign.h"

/* Takes over the lot and side of the specimen that the campaign names, where the campaign says nothing.
 * Errors: CB_E_NOTFOUND without such a specimen. CB_E_RANGE if it is of another cloth, or of another lot or
 * side than the campaign says. */
CB_CHECKED cb_status daq_specimen_fill(cb_store *s, daq_campaign *c, cb_err *err);

#endif
