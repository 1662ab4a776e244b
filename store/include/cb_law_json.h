/* Laws as JSON texts in the store, and the newest law of a material by its name. Writing and reading gives
 * the same bits.
 *
 * A text is a document {"law": {...}, ...}; of stretch the law's keys are the document's own.
 * docs/reference/json lists them. The document also holds what the fit found beside the law, which is
 * ignored here. Numbers have 17 digits; an unknown number is null. */
#ifndef CB_LAW_JSON_H
#define CB_LAW_JSON_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store_self_friction.h"
#include "cb_store_material_test.h"
#include "cb_stretch_law.h"

/* ---- law <-> text ---- */

/* Return a new document, which the caller frees with json_decref; NULL: no memory. */

json_t *cb_bending_json(const cb_bending_law *law);
json_t *cb_stretch_json(const cb_stretch_law *law);
/* imported: the table itself is the law. beyond: the table reaches beyond the measured strains
 * (cb_stretch_wang_of). */
json_t *cb_stretch_wang_json(const cb_stretch_wang *wang, bool imported, bool beyond);
json_t *cb_permeability_json(const cb_permeability_law *law);
json_t *cb_elasticity_json(const cb_elasticity_law *law);
json_t *cb_self_friction_json(const cb_self_friction_law *law);

/* Read a law from its text, and check it with the law's own check (cb_*_law_check).
 * Errors: CB_E_PARSE for text that is not such a document; those of the check, mostly CB_E_RANGE. */
CB_CHECKED cb_status cb_bending_parse(const char *text, cb_bending_law *law, cb_err *err);
CB_CHECKED cb_status cb_stretch_parse(const char *text, cb_stretch_law *law, cb_err *err);
/* Leaves law->id 0 and law->material empty for the caller to set. */
CB_CHECKED cb_status cb_permeability_parse(const char *text, cb_permeability_law *law, cb_err *err);
CB_CHECKED cb_status cb_elasticity_parse(const char *text, cb_elasticity_law *law, cb_err *err);
/* Sets the law's id, origin and names from the row. */
CB_CHECKED cb_status cb_self_friction_parse(const cb_self_friction_row *row, cb_self_friction_law *law,
                                            cb_err *err);

/* ---- the newest law of a material ----
 * Errors: CB_E_NOTFOUND if there is no such material, or it has no such law; the sentence says which command
 * makes one. Also those of reading the text. */

/* row receives the law's row and may be NULL. On success the caller frees row->result_json. */
CB_CHECKED cb_status cb_store_bending(cb_store *s, const char *cloth, cb_bending_law *law,
                                      cb_material_law *row, cb_err *err);
/* *text receives the stored document, which the caller frees; text may be NULL. On failure *text is NULL. */
CB_CHECKED cb_status cb_store_stretch(cb_store *s, const char *cloth, cb_stretch_law *law, char **text,
                                      cb_err *err);
CB_CHECKED cb_status cb_store_permeability(cb_store *s, const char *cloth, cb_permeability_law *law,
                                           cb_err *err);
CB_CHECKED cb_status cb_store_elasticity(cb_store *s, const char *body, cb_elasticity_law *law,
                                         cb_origin *origin, cb_err *err);
/* Finds the newest row of a pair. On success the caller frees row->result_json. */
CB_CHECKED cb_status cb_store_self_friction_newest(cb_store *s, const char *cloth, const char *body,
                                                   cb_self_friction_row *row, cb_err *err);

/* ---- checks ---- */

/* Reads the text of a law of a kind and checks it.
 * Errors: as for reading it. */
CB_CHECKED cb_status cb_law_text_check(cb_material_law_kind kind, const char *text, cb_err *err);

#endif
