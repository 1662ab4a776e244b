/* A material with all its laws, between store, files and screen: what `db show`, `export material` and `import material` share. */
#ifndef CLI_MATERIAL_H
#define CLI_MATERIAL_H

#include "cli.h"
#include "cb_store_test.h"
#include "exch_material.h"

/* A cloth or body by its name, with the newest law of each kind, and of each pair and kind of friction; an areal density that
 * nobody typed is the mean of the tests'. CB_E_NOTFOUND lists the cloths
 * there are. On failure *m is cleared. Caller: exch_material_clear. */
CB_CHECKED cb_status cli_material_load(cb_store *s, const char *name, exch_material *m, cb_err *err);

/* Where nobody typed the areal density, but it was weighed with the tests: their mean, into *m. */
CB_CHECKED cb_status cli_material_weigh(cb_store *s, cb_material *m, cb_err *err);

/* Stores a material that came in a file, with its laws, in one transaction. What was measured elsewhere is `imported` here. file: their
 * source, where they name none. */
CB_CHECKED cb_status cli_material_store(cb_store *s, const char *file, exch_material *m, cb_err *err);

#endif
