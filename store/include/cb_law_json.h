/* Laws as the store keeps them: the JSON text of every kind, there and back bit for bit, and the newest law of a material by its name.
 *
 * A text is a document {"law": {...}, ...}, of stretch the law's own keys; docs/json.md lists them. What a fit said beside the law stands in
 * the same document and is not looked at here. Numbers have 17 digits; what is not known is null. Every law that is read has passed its
 * own check (cb_*_law_check), so whoever holds one may compute with it. json_t: NULL where there is no memory, else the caller's. */
#ifndef CB_LAW_JSON_H
#define CB_LAW_JSON_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store_self_friction.h"
#include "cb_store_test.h"
#include "cb_stretch_law.h"

/* ---- law <-> text ---- */

json_t *cb_bending_json(const cb_bending_law *law);
json_t *cb_stretch_json(const cb_stretch_law *law);
/* imported: it is the law itself; beyond: it reaches further than what was measured. */
json_t *cb_stretch_wang_json(const cb_stretch_wang *wang, bool imported, bool beyond);
json_t *cb_permeability_json(const cb_permeability_law *law);
json_t *cb_elasticity_json(const cb_elasticity_law *law);
json_t *cb_self_friction_json(const cb_self_friction_law *law);

CB_CHECKED cb_status cb_bending_parse(const char *text, cb_bending_law *law, cb_err *err);
CB_CHECKED cb_status cb_stretch_parse(const char *text, cb_stretch_law *law, cb_err *err);
/* id and material are the caller's. */
CB_CHECKED cb_status cb_permeability_parse(const char *text, cb_permeability_law *law, cb_err *err);
CB_CHECKED cb_status cb_elasticity_parse(const char *text, cb_elasticity_law *law, cb_err *err);
/* With the row's id, origin and names. */
CB_CHECKED cb_status cb_self_friction_parse(const cb_self_friction_row *row, cb_self_friction_law *law, cb_err *err);

/* ---- the newest law of a material ----
 * CB_E_NOTFOUND: no such material, or it has no such law; the sentence says which command makes one. */

/* row may be NULL; its result_json: caller frees. */
CB_CHECKED cb_status cb_store_bending(cb_store *s, const char *cloth, cb_bending_law *law, cb_material_law *row, cb_err *err);
/* text: NULL, or the stored document; caller frees. */
CB_CHECKED cb_status cb_store_stretch(cb_store *s, const char *cloth, cb_stretch_law *law, char **text, cb_err *err);
CB_CHECKED cb_status cb_store_permeability(cb_store *s, const char *cloth, cb_permeability_law *law, cb_err *err);
CB_CHECKED cb_status cb_store_elasticity(cb_store *s, const char *body, cb_elasticity_law *law, cb_origin *origin, cb_err *err);
/* The row of the pair; caller: free(row->result_json). */
CB_CHECKED cb_status cb_store_self_friction_newest(cb_store *s, const char *cloth, const char *body, cb_self_friction_row *row, cb_err *err);

/* ---- are they laws? ---- */

/* Reads the text of a law and checks it as the kind's own law check does. */
CB_CHECKED cb_status cb_law_text_check(cb_material_law_kind kind, const char *text, cb_err *err);
/* All laws of a file that are kept as texts, old ones as well: of single materials, and of cloth on cloth. The first that is none is CB_E_DB. */
CB_CHECKED cb_status cb_store_laws_check(cb_store *s, cb_err *err);

#endif
