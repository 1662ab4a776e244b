/* Private to lab/. */
#ifndef LAB_STRETCH_IMPL_H
#define LAB_STRETCH_IMPL_H

#include "lab_stretch.h"

/* Tensor and strip of the law at moduli_strain. */
void lab_stretch_derive(lab_stretch *r);

/* From the text of a column. What follows from the law is computed from it. CB_E_PARSE, CB_E_RANGE: its law
 * is none. CB_E_DB: the rest is no such document. Caller: lab_stretch_clear, also after a failure. */
CB_CHECKED cb_status lab_stretch_read(const char *text, lab_stretch *out, cb_err *err);

#endif
