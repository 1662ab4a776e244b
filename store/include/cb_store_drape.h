/* Drape tests in the store.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_DRAPE_H
#define CB_STORE_DRAPE_H

#include "cb_drape_test.h"
#include "cb_store.h"

/* Inserts a test and sets t->id, uuid and created_at. profile_m_json is the outline, a JSON array of radii
 * [m]; "" of a typed coefficient. fingerprint is that of the file's bytes.
 * Errors: also CB_E_NUM if the coefficient is not finite; CB_E_DB if a drape that was seen lacks a number. */
CB_CHECKED cb_status cb_store_drape_put(cb_store *s, cb_drape_test *t, const char *profile_m_json,
                                        const char *fingerprint, cb_err *err);
/* Lists the tests of a material by id; of all materials if material_id is 0. */
CB_CHECKED cb_status cb_store_drapes(cb_store *s, int64_t material_id, cb_drape_test **list, size_t *n,
                                     cb_err *err);
/* Returns the outline as it was stored; "" of a typed coefficient. The caller frees it.
 * CB_E_NOTFOUND: there is no such test. */
CB_CHECKED cb_status cb_store_drape_profile(cb_store *s, const cb_drape_test *t, char **profile_m_json,
                                            cb_err *err);
/* Writes the time at which a file of this fingerprint was imported; "" if it was not. */
CB_CHECKED cb_status cb_store_drape_fingerprint(cb_store *s, const char *fingerprint, char created_at[32],
                                                cb_err *err);

#endif
