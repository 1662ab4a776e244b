/* What follows from a law of stretch, for people and other programs. */
#ifndef CLI_STRETCH_H
#define CLI_STRETCH_H

#include "cb_law_json.h"
#include "cli.h"

/* Moduli at the strain, curves for finite elements, the table of Wang: adds keys to doc (docs/json.md). */
CB_CHECKED cb_status cli_stretch_derive(json_t *doc, const cb_stretch_law *law, double strain, cb_err *err);

#endif
