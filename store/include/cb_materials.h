/* The reference database as text that people can review: a folder with materials.yaml (cloths and bodies) and friction.yaml (laws:
 * knots, covariances, verdicts). materials.db is built from it and never edited. */
#ifndef CB_MATERIALS_H
#define CB_MATERIALS_H

#include "cb_err.h"
#include "cb_store.h"

/* Builds a new reference database from the text. Nothing is left behind on failure. Errors say file:line. */
CB_CHECKED cb_status cb_materials_build(const char *dir, const char *db_path, cb_err *err);

/* Writes the newest law of every pair and kind as friction.yaml, with all digits a double needs, so that building gives the
 * same rows (ids and times apart). materials.yaml is written only where the folder has none: what is known of a material is typed by
 * people, with its source, and never overwritten. Refuses laws that do not come from the real world. */
CB_CHECKED cb_status cb_materials_write(cb_store *s, const char *dir, cb_err *err);

#endif
