/* Derived values and stored document of lab_stretch.h, private to lab/. */
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

/* Reads the tests; start from *g = {0}. CB_E_NOTFOUND: there are none. The caller calls
 * lab_stretch_tests_clear, even after an error. */
CB_CHECKED cb_status lab_stretch_gather(const lab_stretch_request *q, cb_store *s, int64_t material_id,
                                        lab_stretch_tests *g, cb_err *err);
void lab_stretch_tests_clear(lab_stretch_tests *g);

/* Computes the moduli of tensor and strip at moduli_strain from the law. */
void lab_stretch_derive(lab_stretch *r);

double lab_stretch_pretension(const char *method);

/* Reads the text of a column; values that follow from the law are computed anew. The caller calls
 * lab_stretch_clear, even after an error. Errors: CB_E_PARSE, CB_E_RANGE for a wrong law; CB_E_DB for
 * another document. */
CB_CHECKED cb_status lab_stretch_read(const char *text, lab_stretch *out, cb_err *err);

#endif
