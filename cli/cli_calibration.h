/* How a calibration is told: its line in a list, its facts and budget, one JSON document. */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_calibration.h"

/* The budget as it is stored with the calibration: an object with "entries" and "at_full_scale". NULL: no memory. */
json_t *cli_calibration_budget(const fit_calibration *f);
/* Everything: facts, budget, points. NULL: no memory. */
json_t *cli_calibration_document(const cb_calibration *c, const json_t *budget, const cb_calibration_point *points, size_t n);

/* To stdout. */
void cli_calibration_print_line(const cb_calibration *c);
void cli_calibration_print(const cb_calibration *c, const json_t *budget, const cb_calibration_point *points, size_t n);

/* The same from the store, as text or (json) one document; CB_E_NOTFOUND: there is no such calibration. */
CB_CHECKED cb_status cli_calibration_show(cb_store *s, int64_t id, bool json, cb_err *err);

#endif
