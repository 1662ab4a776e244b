/* Name and identity of imported files, private to lab/. */
#ifndef LAB_IMPORT_PARTS_H
#define LAB_IMPORT_PARTS_H

#include "cb_store.h"
#include "lab_typed.h"

/* Returns the name of the campaign that a file becomes: "FILE#FINGERPRINT". */
void lab_import_name(const char *file, const char *fingerprint, char out[64]);
/* Error: CB_E_RANGE if a campaign of that fingerprint, the same file, is in the store. */
CB_CHECKED cb_status lab_import_refuse_again(cb_store *s, const char *file, const char *fingerprint,
                                             cb_err *err);

/* Makes a run with one point out of the coefficient on t->body and its conditions, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_put_pull(cb_store *s, const lab_typed *t, int64_t campaign_id,
                                        int64_t cloth_id, cb_err *err);

/* Checks and stores a bending length or a flexural rigidity, if one is typed, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_check_bending(const lab_typed *t, cb_err *err);
CB_CHECKED cb_status lab_typed_put_bending(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err);

#endif
