/* The reader of stored laws of bending, private to lab/. */
#ifndef LAB_BENDING_IMPL_H
#define LAB_BENDING_IMPL_H

#include "lab_bending.h"

/* Reads the text of a column; law_id is 0. A law without results of a fit becomes LAB_BENDING_IMPORTED.
 * Errors: CB_E_PARSE, CB_E_RANGE for a wrong law; CB_E_DB for another document. */
CB_CHECKED cb_status lab_bending_read(const char *text, lab_bending *out, cb_err *err);

#endif
