/* Name and identity of imported files, private to lab/. */
#ifndef LAB_IMPORT_PARTS_H
#define LAB_IMPORT_PARTS_H

#include "cb_store.h"

/* Returns the name of the campaign that a file becomes: "FILE#FINGERPRINT". */
void lab_import_name(const char *file, const char *fingerprint, char out[64]);
/* Error: CB_E_RANGE if a campaign of that fingerprint, the same file, is in the store. */
CB_CHECKED cb_status lab_import_refuse_again(cb_store *s, const char *file, const char *fingerprint,
                                             cb_err *err);

#endif
