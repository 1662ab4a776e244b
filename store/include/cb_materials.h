/* The reference database as text that people can review: a folder with materials.yaml (cloths and bodies) and
 * friction.yaml (laws: knots, covariances, verdicts). materials.db is built from that folder and never
 * edited. */
#ifndef CB_MATERIALS_H
#define CB_MATERIALS_H

#include "cb_err.h"
#include "cb_store.h"

/* Builds a new reference database at db_path from the folder. On failure no file is left.
 * Errors, with file:line. CB_E_IO: db_path exists, or a text cannot be read. CB_E_PARSE, CB_E_RANGE,
 * CB_E_NUM: an entry is wrong, or neither measured nor imported. CB_E_NOTFOUND: a law of an unknown material.
 * CB_E_DB. */
CB_CHECKED cb_status cb_materials_build(const char *dir, const char *db_path, cb_err *err);

/* Writes the newest law of every pair and kind as friction.yaml, with all digits that a double needs.
 * Building from it gives the same rows, except for ids and times. materials.yaml is written only if the
 * folder has none: people type it, with sources.
 * Errors: CB_E_RANGE for a virtual or simulated law, CB_E_IO, CB_E_DB. */
CB_CHECKED cb_status cb_materials_write(cb_store *s, const char *dir, cb_err *err);

#endif
