/* Permeability, between store, fit and screen: what `fit permeability` and `predict permeability` share. */
#ifndef CLI_PERMEABILITY_H
#define CLI_PERMEABILITY_H

#include <jansson.h>

#include "cb_permeability_law.h"
#include "cb_store.h"

/* Every number of the law, bit for bit; NULL: no memory. */
json_t *cli_permeability_law_json(const cb_permeability_law *law);
/* The same back, out of the document that `fit permeability` stored; id and material are the caller's. */
CB_CHECKED cb_status cli_permeability_parse(const char *text, cb_permeability_law *law, cb_err *err);
/* The newest law of the cloth. CB_E_NOTFOUND says which command makes one. */
CB_CHECKED cb_status cli_permeability_law_find(cb_store *s, const char *material, cb_permeability_law *law, cb_err *err);

/* 95 %: factor by which a number with this uncertainty of its logarithm may be off either way. */
double cli_permeability_factor(double u_ln, double dof);

#endif
