/* Private to lab/. */
#ifndef LAB_STRETCH_IMPL_H
#define LAB_STRETCH_IMPL_H

#include "lab_stretch.h"

/* The stretch tests of a cloth, as fit_stretch takes them. */
typedef struct lab_stretch_tests {
  cb_material_test *tests;   /* owned */
  cb_test_point **points;    /* owned; one list per test */
  fit_stretch_input *inputs; /* owned */
  size_t n;
} lab_stretch_tests;

/* g starts as {0}. CB_E_NOTFOUND: there are none. Caller: lab_stretch_tests_clear, also after a failure. */
CB_CHECKED cb_status lab_stretch_gather(const lab_stretch_request *q, cb_store *s, int64_t material_id,
                                        lab_stretch_tests *g, cb_err *err);
void lab_stretch_tests_clear(lab_stretch_tests *g);

/* Tensor and strip of the law at moduli_strain. */
void lab_stretch_derive(lab_stretch *r);

/* From the text of a column. What follows from the law is computed from it. CB_E_PARSE, CB_E_RANGE: its law
 * is none. CB_E_DB: the rest is no such document. Caller: lab_stretch_clear, also after a failure. */
CB_CHECKED cb_status lab_stretch_read(const char *text, lab_stretch *out, cb_err *err);

#endif
