/* Laws of every kind as the store keeps them: are they laws? */
#ifndef CLI_LAWS_H
#define CLI_LAWS_H

#include "cb_store_test.h"
#include "cli.h"

/* Reads the text of a law and checks it as the kind's own law check does. */
CB_CHECKED cb_status cli_law_check(cb_material_law_kind kind, const char *result_json, cb_err *err);
/* All laws of a file that are kept as texts: of single materials, and of cloth on cloth. The first that is none is CB_E_DB. */
CB_CHECKED cb_status cli_laws_check(cb_store *s, cb_err *err);

#endif
