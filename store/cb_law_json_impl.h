/* Private: what the texts of all laws share. */
#ifndef CB_LAW_JSON_IMPL_H
#define CB_LAW_JSON_IMPL_H

#include "cb_law_json.h"

/* null where v is not finite: not known, or without limit. */
json_t *cbs_json_real(double v);

#endif
