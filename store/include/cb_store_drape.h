/* Drapes in the store. */
#ifndef CB_STORE_DRAPE_H
#define CB_STORE_DRAPE_H

#include "cb_drape_test.h"
#include "cb_store.h"

/* Sets t->id, uuid, created_at. profile_m_json: the outline, an array of radii; fingerprint: of the file's bytes. */
CB_CHECKED cb_status cb_store_drape_put(cb_store *s, cb_drape_test *t, const char *profile_m_json, const char *fingerprint, cb_err *err);
/* By id; material_id 0: of all. */
CB_CHECKED cb_status cb_store_drapes(cb_store *s, int64_t material_id, cb_drape_test **list, size_t *n, cb_err *err);
/* Its outline, the JSON text as it was put; caller frees. */
CB_CHECKED cb_status cb_store_drape_profile(cb_store *s, const cb_drape_test *t, char **profile_m_json, cb_err *err);
/* When this very file was imported; "" if it was not. */
CB_CHECKED cb_status cb_store_drape_fingerprint(cb_store *s, const char *fingerprint, char created_at[32], cb_err *err);

#endif
