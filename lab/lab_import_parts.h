/* How an imported file is named and known again. */
#ifndef LAB_IMPORT_PARTS_H
#define LAB_IMPORT_PARTS_H

#include "cb_store.h"

/* The name of the campaign that a file becomes, "FILE#FINGERPRINT". */
void lab_import_name(const char *file, const char *fingerprint, char out[64]);
/* CB_E_RANGE: this very file is in the store, as a campaign of that fingerprint. */
CB_CHECKED cb_status lab_import_refuse_again(cb_store *s, const char *file, const char *fingerprint,
                                             cb_err *err);

#endif
