/* One law, or one campaign with its runs, as the documents of docs/reference/json. */
#ifndef LAB_SHOW_H
#define LAB_SHOW_H

#include <jansson.h>

#include "cb_store.h"

/* "db show LAW": where a law comes from, and its numbers. ref: F12. The caller releases *out. Errors:
 * CB_E_NOTFOUND if there is none; those of cb_store_query. */
CB_CHECKED cb_status lab_show_law(cb_store *s, const char *ref, json_t **out, cb_err *err);

/* "db show CAMPAIGN": the same of a campaign with its conditions, and its runs as they are now. */
CB_CHECKED cb_status lab_show_campaign(cb_store *s, int64_t id, json_t **out, cb_err *err);

#endif
