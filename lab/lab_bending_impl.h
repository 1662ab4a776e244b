/* Private to lab/. */
#ifndef LAB_BENDING_IMPL_H
#define LAB_BENDING_IMPL_H

#include "lab_bending.h"

/* From the text of a column; law_id 0. Reads a law without a fit's figures as LAB_BENDING_IMPORTED.
 * CB_E_PARSE, CB_E_RANGE: its law is none. CB_E_DB: the rest is no such document. */
CB_CHECKED cb_status lab_bending_read(const char *text, lab_bending *out, cb_err *err);

#endif
