/* Private to lab/. */
#ifndef LAB_SLIDE_IMPL_H
#define LAB_SLIDE_IMPL_H

#include "lab_slide.h"

/* The two steps of lab_slide_judge, for cases that are made or changed by hand. Caller: lab_slide_case_clear,
 * also after a failure. */
CB_CHECKED cb_status lab_slide_case_load(cb_store *s, const cb_run *run, lab_slide_model model,
                                         lab_slide_case *c, cb_err *err);

void lab_slide_case_clear(lab_slide_case *c);

CB_CHECKED cb_status lab_slide_compare(const lab_slide_case *c, lab_slide_verdict *out, cb_err *err);

#endif
