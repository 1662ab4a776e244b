/* Friction of cloth on cloth, between store, fit and screen: what `fit self-friction`, `predict self-friction` and the card share. */
#ifndef CLI_SELF_FRICTION_H
#define CLI_SELF_FRICTION_H

#include <jansson.h>

#include "cb_self_friction_law.h"
#include "cb_store_self_friction.h"

/* Every number of the law, bit for bit; NULL: no memory. */
json_t *cli_self_friction_law_json(const cb_self_friction_law *law);
/* The law of a row, out of the document that `fit self-friction` stored. */
CB_CHECKED cb_status cli_self_friction_parse(const cb_self_friction_row *row, cb_self_friction_law *law, cb_err *err);
/* The newest row of the pair; CB_E_NOTFOUND says which command makes one. Caller: free(row->result_json). */
CB_CHECKED cb_status cli_self_friction_row(cb_store *s, const char *cloth, const char *body, cb_self_friction_row *row, cb_err *err);

#endif
