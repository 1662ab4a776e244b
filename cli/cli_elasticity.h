/* Elasticity of bodies, between store, files and screen. */
#ifndef CLI_ELASTICITY_H
#define CLI_ELASTICITY_H

#include <jansson.h>

#include "cb_elasticity_law.h"
#include "cb_store_test.h"

/* Every number of the law, bit for bit; NULL: no memory. */
json_t *cli_elasticity_json(const cb_elasticity_law *law);
/* The same back, out of the document that is stored, {"law": ...}; id is the caller's. */
CB_CHECKED cb_status cli_elasticity_parse(const char *text, cb_elasticity_law *law, cb_err *err);
/* The newest law of the body. CB_E_NOTFOUND says which command stores one. */
CB_CHECKED cb_status cli_elasticity_find(cb_store *s, const char *body, cb_elasticity_law *law, cb_origin *origin, cb_err *err);

#endif
