/* A material with all its laws, between the store and files (docs/reference/interchange.md). Nothing here
 * prints. */
#ifndef LAB_MATERIAL_H
#define LAB_MATERIAL_H

#include "cb_store_material_test.h"
#include "exch_material.h"

/* Loads a cloth or body with the newest law of each kind, and of each pair and kind of friction. An areal
 * density that was not typed is the mean of the tests. The caller calls exch_material_clear; after an error
 * *m is empty. Error: CB_E_NOTFOUND, whose message lists the cloths. */
CB_CHECKED cb_status lab_material_load(cb_store *s, const char *name, exch_material *m, cb_err *err);

/* Reads a material and its laws from the n bytes of a file. file is its name, for messages. Every law has
 * passed its own check. The caller calls exch_material_clear; after an error *m is empty. */
CB_CHECKED cb_status lab_material_read(const char *text, size_t n, const char *file, exch_material *m,
                                       cb_err *err);
/* Does the same for a file of ARCSim, which has no name for the cloth. name must be shorter than that of
 * cb_material. source: who measured it; NULL: the file. */
CB_CHECKED cb_status lab_material_read_arcsim(const char *text, size_t n, const char *file, const char *name,
                                              const char *source, exch_material *m, cb_err *err);

/* Does the same for physics.json of U3M. name: of the cloth, for a file of other programs; NULL: as the file
 * says. */
CB_CHECKED cb_status lab_material_read_u3m(const char *text, size_t n, const char *file, const char *name,
                                           exch_material *m, cb_err *err);

/* Stores a material from a file with its laws, in one transaction. The origin `measured` becomes `imported`.
 * file is the source of laws that name none. */
CB_CHECKED cb_status lab_material_store(cb_store *s, const char *file, exch_material *m, cb_err *err);

#endif
