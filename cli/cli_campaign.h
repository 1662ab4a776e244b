/* One campaign in words. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "cb_store.h"

/* Its conditions and specimen, on stdout. CB_E_NOTFOUND: there is none with this number. */
CB_CHECKED cb_status cli_campaign_show(cb_store *s, int64_t id, cb_err *err);

#endif
