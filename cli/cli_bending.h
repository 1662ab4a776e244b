/* The law of bending as JSON: what the store keeps and `fit bending --json` prints. docs/json.md lists the keys. */
#ifndef CLI_BENDING_H
#define CLI_BENDING_H

#include "cb_bending_law.h"
#include "cb_store_test.h"
#include "cli.h"

/* The law's own keys, every number with 17 digits, null where it is not known; NULL: no memory. */
json_t *cli_bending_json(const cb_bending_law *law);
/* {"law": that, ...} back; keys beside "law" are not looked at. */
CB_CHECKED cb_status cli_bending_parse(const char *text, cb_bending_law *law, cb_err *err);

/* Newest law of a cloth. row may be NULL; its result_json: caller frees. */
CB_CHECKED cb_status cli_bending_load(cb_store *s, const char *cloth, cb_bending_law *law, cb_material_law *row, cb_err *err);

#endif
