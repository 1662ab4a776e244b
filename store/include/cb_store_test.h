/* Tests of one material by itself and its laws, in the store. */
#ifndef CB_STORE_TEST_H
#define CB_STORE_TEST_H

#include "cb_material_test.h"
#include "cb_store.h"

/* Sets t->id, uuid, created_at. mapping_text: how the file was read; fingerprint: of its bytes; both "" where there was none. In one
 * transaction or within the caller's. */
CB_CHECKED cb_status cb_store_test_put(cb_store *s, cb_material_test *t, const cb_test_point *points, size_t n, const char *mapping_text,
                                       const char *fingerprint, cb_err *err);
/* By id; material_id 0: of all; kind < 0: all. */
CB_CHECKED cb_status cb_store_tests(cb_store *s, int64_t material_id, int kind, cb_material_test **list, size_t *n, cb_err *err);
CB_CHECKED cb_status cb_store_test_points(cb_store *s, const cb_material_test *t, cb_test_point **list, size_t *n, cb_err *err);
/* When this very file was imported, as a test of this kind: its first test's created_at; "" if it was not. */
CB_CHECKED cb_status cb_store_test_fingerprint(cb_store *s, cb_test_kind kind, const char *fingerprint, char created_at[32], cb_err *err);

/* Sets law->id. No tests: a law that was imported whole. */
CB_CHECKED cb_status cb_store_material_law_put(cb_store *s, cb_material_law *law, const int64_t *test_ids, size_t n_tests, cb_err *err);
/* Newest of a material and kind; CB_E_NOTFOUND names both. law->result_json: caller frees. */
CB_CHECKED cb_status cb_store_material_law_find(cb_store *s, const cb_material *m, cb_material_law_kind kind, cb_material_law *law,
                                                cb_err *err);
/* All of them, old ones as well, by id. Caller: cb_material_laws_free. */
CB_CHECKED cb_status cb_store_material_laws(cb_store *s, cb_material_law **list, size_t *n, cb_err *err);
void cb_material_laws_free(cb_material_law *list, size_t n);
/* The tests that went into a law, by id; none: it was imported whole. */
CB_CHECKED cb_status cb_store_material_law_tests(cb_store *s, int64_t law_id, cb_material_test **list, size_t *n, cb_err *err);

#endif
