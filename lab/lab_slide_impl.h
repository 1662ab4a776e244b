/* The two steps of lab_slide_judge, private to lab/. */
#ifndef LAB_SLIDE_IMPL_H
#define LAB_SLIDE_IMPL_H

#include "lab_slide.h"

/* Loads a case, which may be changed before it is compared. The caller calls lab_slide_case_clear, even
 * after an error. */
CB_CHECKED cb_status lab_slide_case_load(cb_store *s, const cb_run *run, lab_slide_model model,
                                         lab_slide_case *c, cb_err *err);

void lab_slide_case_clear(lab_slide_case *c);

/* Compares prediction and measurement of a case. */
CB_CHECKED cb_status lab_slide_compare(const lab_slide_case *c, lab_slide_verdict *out, cb_err *err);

#endif
