/* Laws of one material, on their way into the store: what the fits share. Private to lab. */
#ifndef LAB_LAW_H
#define LAB_LAW_H

#include "cb_json_fields.h"
#include "cb_law_json.h"
#include "lab_fields.h"

/* Stores row with the text of doc, which it takes (NULL: there was no memory for it), and sets row->id;
 * row->result_json stays NULL. name: of the material, for sentences. */
CB_CHECKED cb_status lab_law_put(cb_store *s, cb_material_law *row, const char *name, json_t *doc,
                                 const int64_t *test_ids, size_t n_tests, cb_err *err);

/* Fails with CB_E_NOTFOUND: the store has no such tests of the cloth. origin: a cb_origin, or -1 for any;
 * tests: "stretch tests"; imports: what adds some, in quotes. */
CB_CHECKED cb_status lab_law_no_tests(const cb_store *s, int origin, const char *tests, const char *cloth,
                                      const char *imports, cb_err *err);

/* An object of several parts: sets key, takes value. Nonzero: there is no memory, or value is NULL. */
#define LAB_SET(o, key, value) (json_object_set_new((o), (key), (value)) != 0)

/* doc, or NULL where something failed. */
json_t *lab_whole(json_t *doc, int failed);

#endif
