/* Private to lab/. */
#ifndef LAB_DRAPE_IMPL_H
#define LAB_DRAPE_IMPL_H

#include "lab_drape.h"

/* What was found, as a law: Peirce's form. Which direction is the stiffer one drapes do not show: where
 * stiffer is 0, warp and weft have the same B, and the ratio is part of their covariance. group: the first,
 * from which the curvature is taken. */
void lab_drape_law(const val_drape_inverse *v, const val_drape_group *group, int stiffer,
                   cb_bending_law *out);

/* From the text of a column. CB_E_PARSE, CB_E_RANGE: its law is none. CB_E_DB: the rest is no such document.
 * Caller: lab_drape_clear, also after a failure. */
CB_CHECKED cb_status lab_drape_read(const char *text, lab_drape *out, cb_err *err);

#endif
