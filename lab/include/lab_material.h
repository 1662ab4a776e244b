/* A material with all its laws, between store and files. */
#ifndef LAB_MATERIAL_H
#define LAB_MATERIAL_H

#include "cb_store_material_test.h"
#include "exch_material.h"

/* A cloth or body by its name, with the newest law of each kind, and of each pair and kind of friction. An
 * areal density that nobody typed is the mean of the tests'. CB_E_NOTFOUND lists the cloths there are. On
 * failure *m is cleared. Caller: exch_material_clear. */
CB_CHECKED cb_status lab_material_load(cb_store *s, const char *name, exch_material *m, cb_err *err);

/* A material and its laws out of the n bytes of a file. file: its name, for messages. Every law has passed
 * its own check. On failure *m is cleared. Caller: exch_material_clear. */
CB_CHECKED cb_status lab_material_read(const char *text, size_t n, const char *file, exch_material *m,
                                       cb_err *err);
/* The same of ARCSim's file, which names no cloth. name: fewer bytes than cb_material holds. source: who
 * measured it; NULL: the file. */
CB_CHECKED cb_status lab_material_read_arcsim(const char *text, size_t n, const char *file, const char *name,
                                              const char *source, exch_material *m, cb_err *err);

/* Stores a material that came in a file, with its laws, in one transaction. What was measured elsewhere is
 * `imported` here. file: their source, where they name none. */
CB_CHECKED cb_status lab_material_store(cb_store *s, const char *file, exch_material *m, cb_err *err);

#endif
