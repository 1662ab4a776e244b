/* Laws as JSON texts; law_read of law.h reads them. Writing and reading gives the same bits.
 *
 * A text is a document {"law": {...}, ...}; of stretch the law's keys are the document's own.
 * docs/reference/json lists them. The document also holds what the fit found beside the law, which is
 * ignored here. Numbers have 17 digits; an unknown number is null. */
#ifndef CB_LAW_JSON_H
#define CB_LAW_JSON_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_compression_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_stretch_law.h"

/* Return a new document, which the caller frees with json_decref; NULL: no memory. */

json_t *cb_bending_json(const cb_bending_law *law);
json_t *cb_stretch_json(const cb_stretch_law *law);
/* imported: the table itself is the law. beyond: the table reaches beyond the measured strains
 * (cb_stretch_wang_of). */
json_t *cb_stretch_wang_json(const cb_stretch_wang *wang, bool imported, bool beyond);
json_t *cb_permeability_json(const cb_permeability_law *law);
json_t *cb_elasticity_json(const cb_elasticity_law *law);
json_t *cb_compression_json(const cb_compression_law *law);

#endif
