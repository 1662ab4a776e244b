/* Fit and stored document of one cloth's permeability, private to lab/. */
#ifndef LAB_PERMEABILITY_IMPL_H
#define LAB_PERMEABILITY_IMPL_H

#include "lab_permeability.h"

/* Fits the tests of one cloth, and stores the law if out->fit.outcome is FIT_PERMEABILITY_OK. Another
 * outcome is no error and stores nothing. specimen selects the tests of one piece; NULL takes all. *tested
 * says whether there were any; it may be NULL. The caller calls lab_permeability_clear, even after an error.
 * Error: CB_E_RANGE for real and virtual tests together. */
CB_CHECKED cb_status lab_permeability_fit(cb_store *s, const cb_material *cloth, const char *specimen,
                                          lab_permeability *out, bool *tested, cb_err *err);

/* Reads the newest law of the cloth with the results of its fit. The caller calls lab_permeability_clear,
 * even after an error. */
CB_CHECKED cb_status lab_permeability_stored(cb_store *s, const char *cloth, lab_permeability *out,
                                             cb_err *err);

void lab_permeability_clear(lab_permeability *r);

/* Reads the text of a column. The caller calls lab_permeability_clear, even after an error. Errors:
 * CB_E_PARSE, CB_E_RANGE for a wrong law; CB_E_DB for another document. */
CB_CHECKED cb_status lab_permeability_read(const char *text, lab_permeability *out, cb_err *err);

#endif
