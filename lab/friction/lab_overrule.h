/* What people said of the verdicts on pulls (`db amend --set verdict=...`), private to lab/. */
#ifndef LAB_OVERRULE_H
#define LAB_OVERRULE_H

#include "cb_store_correction.h"
#include "lab_validity.h"

/* Lists the newest word on each run of which somebody said what its verdict is. The caller frees *list. */
CB_CHECKED cb_status lab_overruled_list(cb_store *s, cb_correction **list, size_t *n, cb_err *err);

/* Returns "valid", "doubtful" or "invalid" of a point as it stands, with the codes of its faults in words as
 * lab_point_validity has them; "": it is of no pull that was judged. */
const char *lab_validity_name(const cb_friction_point *p, char words[96]);

/* Returns whether somebody said that the run counts. */
bool lab_overrule_trusts(const cb_friction_point *p);

#endif
