/* One material with its laws as clothbench's own JSON, from one laboratory to another: every parameter, covariance and verdict with all
 * its bits, units in the names of the keys. docs/interchange.md has the layout. Raw data stay behind: they travel by `db merge`. */
#ifndef EXCH_MATERIAL_H
#define EXCH_MATERIAL_H

#include <stddef.h>

#include "cb_friction_law.h"
#include "cb_material.h"
#include "cb_material_test.h"

#define EXCH_N_LAWS 4 /* cb_material_law_kind */

typedef struct exch_friction {
  cb_friction_law law;
  char *method, *verdicts_json; /* owned */
  char created_at[32];
} exch_friction;

typedef struct exch_material {
  cb_material facts;
  cb_material_law laws[EXCH_N_LAWS]; /* result_json owned; NULL: there is none */
  exch_friction *friction;           /* owned; laws of all pairs that the material is part of */
  size_t n_friction;
} exch_material;

void exch_material_clear(exch_material *m);

/* Unknown keys are errors: a wrong unit is one. What the laws say beyond their frame ("result", "verdicts") is kept as it is: the caller
 * reads it. On failure *m is cleared. */
CB_CHECKED cb_status exch_material_read(const char *text, size_t n, const char *name, exch_material *m, cb_err *err);
/* Caller frees *text. */
CB_CHECKED cb_status exch_material_write(const exch_material *m, char **text, cb_err *err);

#endif
