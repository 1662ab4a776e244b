/* Derived values and stored document of lab_stretch.h, private to lab/. */
#ifndef LAB_STRETCH_IMPL_H
#define LAB_STRETCH_IMPL_H

#include "lab_stretch.h"

/* Computes the moduli of tensor and strip at moduli_strain from the law. */
void lab_stretch_derive(lab_stretch *r);

/* Reads the text of a column; values that follow from the law are computed anew. The caller calls
 * lab_stretch_clear, even after an error. Errors: CB_E_PARSE, CB_E_RANGE for a wrong law; CB_E_DB for
 * another document. */
CB_CHECKED cb_status lab_stretch_read(const char *text, lab_stretch *out, cb_err *err);

#endif
