/* More repeats, directions and loads for a campaign that is finished. The change is an event of the campaign,
 * "extend", with the whole plan after it and who wanted it; the file and its text stay as they were. */
#ifndef DAQ_EXTEND_H
#define DAQ_EXTEND_H

#include "cb_store.h"
#include "daq_campaign.h"

/* As typed; NULL: stays. Angles and loads are added to those there are. */
typedef struct daq_extension {
  const char *repeats, *angles_deg, *added_masses_g;
} daq_extension;

/* Extends the newest campaign of c's name and text, and c with it. Errors: CB_E_NOTFOUND, there is none;
 * CB_E_RANGE, CB_E_PARSE: it cannot be so extended. */
CB_CHECKED cb_status daq_extend(cb_store *s, daq_campaign *c, const daq_extension *e, const char *person,
                                int64_t *campaign_id, cb_err *err);
/* Extends c as its newest campaign was; *campaign_id is 0, and c stays, where it was not. */
CB_CHECKED cb_status daq_extend_again(cb_store *s, daq_campaign *c, int64_t *campaign_id, cb_err *err);

#endif
