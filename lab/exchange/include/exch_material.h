/* One material with its laws as clothbench's own JSON, for exchange between laboratories. Every parameter,
 * covariance and verdict keeps all its bits; units are in the names of the keys.
 * docs/reference/interchange.md has the layout. Raw data are not included: they travel by `db merge`. */
#ifndef EXCH_MATERIAL_H
#define EXCH_MATERIAL_H

#include <stddef.h>

#include <jansson.h>

#include "cb_friction_law.h"
#include "cb_material.h"
#include "cb_material_law.h"

typedef struct exch_friction {
  cb_friction_law law;
  char *method, *verdicts_json; /* owned */
  char created_at[32];
} exch_friction;

typedef struct exch_material {
  cb_material facts;
  cb_material_law laws[CB_LAW_KINDS]; /* by kind; result_json: owned; NULL: no such law */
  exch_friction *friction;            /* owned; laws of all pairs with this material */
  size_t n_friction;
  char unread[64]; /* keys of the file that no law has a place for; "": none; not kept */
  bool strips;     /* the file has strips of a FAB, which `import fab` reads; not kept */
} exch_material;

/* Frees all texts and the list, and zeroes *m. */
void exch_material_clear(exch_material *m);

/* Reads n bytes of text. `name` stands for the file in errors. The caller frees *m with exch_material_clear;
 * on failure it is cleared. The content of a law ("result", "verdicts") is kept verbatim and not checked.
 * Errors: CB_E_PARSE for no JSON, an unknown key (a wrong unit is one), a missing key or a wrong kind.
 * CB_E_RANGE for a value out of range, another version, or a law of another material. CB_E_NOMEM; those of
 * cb_friction_law_check. */
CB_CHECKED cb_status exch_material_read(const char *text, size_t n, const char *name, exch_material *m,
                                        cb_err *err);
/* Makes the object of a friction law, without the results of its fit. Returns NULL without memory. The caller
 * calls json_decref. */
json_t *exch_friction_law_json(const cb_friction_law *law);

/* Writes the document. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_material_write(const exch_material *m, char **text, cb_err *err);

#endif
