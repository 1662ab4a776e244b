/* Storing laws of one material: what the fits share. Private to lab/. */
#ifndef LAB_LAW_H
#define LAB_LAW_H

#include "cb_store_material_test.h"
#include "cb_json_fields.h"
#include "cb_law_json.h"
#include "lab_fields.h"

/* Stores row with the text of doc and sets row->id; row->result_json stays NULL. It releases doc; doc NULL
 * means that memory ran out. name is that of the material, for messages. */
CB_CHECKED cb_status lab_law_put(cb_store *s, cb_material_law *row, const char *name, json_t *doc,
                                 const int64_t *test_ids, size_t n_tests, cb_err *err);

/* Returns the error CB_E_NOTFOUND: the store has no such tests of the cloth. origin is a cb_origin, or -1
 * for any; tests is for example "stretch tests"; imports names the command that adds some, in quotes. */
CB_CHECKED cb_status lab_law_no_tests(const cb_store *s, int origin, const char *tests, const char *cloth,
                                      const char *imports, cb_err *err);

/* Fits the cloth of that name (NULL: each cloth) in one transaction. fit: of one cloth; it stores what it
 * finds. Errors: CB_E_NOTFOUND without such a cloth; those of fit. */
typedef cb_status lab_fit_cloth(cb_store *s, const cb_material *cloth, void *context, cb_err *err);
CB_CHECKED cb_status lab_law_fit_cloths(cb_store *s, const char *cloth, lab_fit_cloth *fit, void *context,
                                        cb_err *err);

/* Returns the number of the first test of the piece that test i is of: one piece stays one piece, however
 * often it was tested; a test without a specimen's name is a piece. */
size_t lab_law_piece(const cb_material_test *tests, size_t i);

/* Sets a key of an object and takes the value. Nonzero if memory ran out, or value is NULL. */
#define LAB_SET(o, key, value) (json_object_set_new((o), (key), (value)) != 0)

/* Returns doc, or releases it and returns NULL if `failed` is not 0. */
json_t *lab_whole(json_t *doc, int failed);

#endif
