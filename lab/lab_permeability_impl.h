/* Private to lab/. */
#ifndef LAB_PERMEABILITY_IMPL_H
#define LAB_PERMEABILITY_IMPL_H

#include "lab_permeability.h"

/* Fits the tests of one cloth, and stores the law where out->fit.outcome is FIT_PERMEABILITY_OK; any other
 * outcome is no error, and stores nothing. specimen: only tests of the piece of that name; NULL: of all.
 * *tested (may be NULL): whether the cloth had any such test. CB_E_RANGE: real and virtual tests do not mix.
 * Caller: lab_permeability_clear, also after a failure. */
CB_CHECKED cb_status lab_permeability_fit(cb_store *s, const cb_material *cloth, const char *specimen,
                                          lab_permeability *out, bool *tested, cb_err *err);

/* The newest law of the cloth with what its fit said. Caller: lab_permeability_clear, also after a
   failure. */
CB_CHECKED cb_status lab_permeability_stored(cb_store *s, const char *cloth, lab_permeability *out,
                                             cb_err *err);

void lab_permeability_clear(lab_permeability *r);

/* From the text of a column. CB_E_PARSE, CB_E_RANGE: its law is none. CB_E_DB: the rest is no such document.
 * Caller: lab_permeability_clear, also after a failure. */
CB_CHECKED cb_status lab_permeability_read(const char *text, lab_permeability *out, cb_err *err);

#endif
