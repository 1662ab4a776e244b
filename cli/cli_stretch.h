/* The law of stretch as JSON: what the store keeps and `fit stretch --json` prints. docs/json.md lists the keys. */
#ifndef CLI_STRETCH_H
#define CLI_STRETCH_H

#include <jansson.h>

#include "cb_stretch_law.h"
#include "cli.h"

/* The law's own keys, every number with 17 digits; NULL: no memory. */
json_t *cli_stretch_json(const cb_stretch_law *law);
/* The same back; keys beside the law's are not looked at. */
CB_CHECKED cb_status cli_stretch_parse(const char *text, cb_stretch_law *law, cb_err *err);

/* Newest law of a cloth. text: NULL, or the stored document; caller frees. */
CB_CHECKED cb_status cli_stretch_load(cb_store *s, const char *cloth, cb_stretch_law *law, char **text, cb_err *err);

/* What follows from a law, for people and other programs: moduli, curves for finite elements, the table of Wang. Adds keys to doc. */
CB_CHECKED cb_status cli_stretch_derive(json_t *doc, const cb_stretch_law *law, double strain, cb_err *err);

#endif
