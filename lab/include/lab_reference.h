/* The reference database and the text that people review: a folder with
 *
 *     materials.yaml  cloths and bodies: facts with their source
 *     imports.yaml    tables of measurements, with their mappings, in the order in which they go in
 *     friction.yaml   friction laws: knots, covariances, verdicts, and the points behind them
 *     laws.yaml       laws of one material, as JSON, and the tests behind them
 *
 * materials.db is built from that folder and never edited. docs/reference/shipped-database.md has the keys.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include "cb_err.h"
#include "cb_store.h"

/* Builds a new reference database at db_path from the folder. Only materials.yaml has to be there. All rows
 * say the date of materials.yaml for their time: the same folder gives the same bytes. On failure no file is
 * left.
 * Errors, with file:line. CB_E_IO: db_path exists, or a text cannot be read. CB_E_PARSE, CB_E_RANGE,
 * CB_E_NUM: an entry is wrong, or neither measured nor imported. CB_E_NOTFOUND: a law of an unknown material,
 * point or test. CB_E_DB. */
CB_CHECKED cb_status lab_reference_build(const char *dir, const char *db_path, cb_err *err);

/* Writes the newest law of every pair and kind as friction.yaml, and of every material and kind as laws.yaml,
 * with all digits that a double needs. Building from them gives the same rows, except for ids and times.
 * materials.yaml is written only if the folder has none: people type it, with sources.
 * Errors: CB_E_RANGE for a virtual or simulated law, CB_E_IO, CB_E_DB. */
CB_CHECKED cb_status lab_reference_write(cb_store *s, const char *dir, cb_err *err);

#endif
