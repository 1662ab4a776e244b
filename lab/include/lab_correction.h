/* What people type of corrections (cb_store_correction.h), and their documents. */
#ifndef LAB_CORRECTION_H
#define LAB_CORRECTION_H

#include <jansson.h>

#include "cb_store_correction.h"

/* What somebody says of a run, as typed. */
typedef struct lab_said {
  const char *kind;   /* one of cb_correction_kind_names */
  const char *run;    /* its number */
  const char *set;    /* amend: FIELD=VALUE; else NULL. FIELD is one of cb_correction_fields, or the same in
                         the unit of campaign and rig files: added_mass_g */
  const char *reason; /* one line */
  const char *person; /* who signs */
} lab_said;

/* Reads it. Errors: CB_E_ARG, with what was wanted, as for an unknown field; CB_E_NOTFOUND for an unknown
 * cloth or body; those of cb_parse_double. */
CB_CHECKED cb_status lab_correction_read(cb_store *s, const lab_said *said, cb_correction *c, cb_err *err);

/* Says whether a name is a cloth's or a body's; kind may say so, NULL: it does not. Errors: CB_E_ARG for
 * another kind, or a name that both have; CB_E_NOTFOUND. */
CB_CHECKED cb_status lab_correction_kind(cb_store *s, const char *kind, const char *name,
                                         cb_material_kind *out, cb_err *err);

/* Makes a row of the document of docs/reference/json, "db corrections". Returns NULL without memory. */
json_t *lab_correction_json(const cb_correction *c);

#endif
