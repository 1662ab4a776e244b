/* Tests of one material and its laws, in the store.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_MATERIAL_TEST_H
#define CB_STORE_MATERIAL_TEST_H

#include "cb_material_law.h"
#include "cb_material_test.h"
#include "cb_store.h"

/* Inserts a test with its n points, in a transaction of its own or the caller's. Sets t->id, uuid and
 * created_at. mapping_text says how the file was read, fingerprint is that of its bytes; both are "" without
 * a file.
 * Errors: also CB_E_NUM if a point is not finite. */
CB_CHECKED cb_status cb_store_test_put(cb_store *s, cb_material_test *t, const cb_test_point *points,
                                       size_t n, const char *mapping_text, const char *fingerprint,
                                       cb_err *err);
/* Lists tests by id. material_id 0 selects all materials, kind < 0 all kinds (cb_test_kind). */
CB_CHECKED cb_status cb_store_tests(cb_store *s, int64_t material_id, int kind, cb_material_test **list,
                                    size_t *n, cb_err *err);
CB_CHECKED cb_status cb_store_test_points(cb_store *s, const cb_material_test *t, cb_test_point **list,
                                          size_t *n, cb_err *err);
/* Writes the time at which a file of this fingerprint was imported as tests of this kind; "" if it was
 * not. */
CB_CHECKED cb_status cb_store_test_fingerprint(cb_store *s, cb_test_kind kind, const char *fingerprint,
                                               char created_at[32], cb_err *err);

/* Inserts a law with the tests behind it and sets law->id. n_tests is 0 for a law that was imported whole. */
CB_CHECKED cb_status cb_store_material_law_put(cb_store *s, cb_material_law *law, const int64_t *test_ids,
                                               size_t n_tests, cb_err *err);
/* Finds the newest law of a material and kind. On success the caller frees law->result_json.
 * Errors: CB_E_NOTFOUND names both, and the command that makes one. */
CB_CHECKED cb_status cb_store_material_law_find(cb_store *s, const cb_material *m, cb_material_law_kind kind,
                                                cb_material_law *law, cb_err *err);
/* The same, of a material by its name, read and checked. out: the struct of the kind (law.h). row may be
 * NULL; on success the caller frees row->result_json. Errors: also those of reading the text. */
CB_CHECKED cb_status cb_store_law_of(cb_store *s, cb_material_law_kind kind, const char *material, void *out,
                                     cb_material_law *row, cb_err *err);
/* Lists all laws by id, old ones included; or the newest of every material and kind, with "" for their texts.
 * The caller frees the list with cb_material_laws_free. */
CB_CHECKED cb_status cb_store_material_laws(cb_store *s, bool newest, cb_material_law **list, size_t *n,
                                            cb_err *err);
void cb_material_laws_free(cb_material_law *list, size_t n);
/* Lists the tests behind a law by id; none for a law that was imported whole. */
CB_CHECKED cb_status cb_store_material_law_tests(cb_store *s, int64_t law_id, cb_material_test **list,
                                                 size_t *n, cb_err *err);

#endif
