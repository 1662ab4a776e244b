/* Import of measurements from elsewhere, one transaction per file. fit_import_read, fit_trace_read and
 * fit_drape_read read the files. For tables of tests see lab_material_tests.h, for whole materials
 * lab_material.h. docs/guide/import.md has the formats.
 *
 * `file` is the name of the file, for messages and for the campaign that it becomes. A file with the same
 * bytes is refused under any name (CB_E_RANGE), because it would count twice. */
#ifndef LAB_IMPORT_H
#define LAB_IMPORT_H

#include <jansson.h>

#include "cb_elasticity_law.h"
#include "cb_store.h"
#include "fit_drape.h"
#include "fit_import.h"
#include "fit_trace.h"

typedef struct lab_friction_import {
  int64_t campaign_id;
  size_t pairs; /* of cloth and body */
} lab_friction_import;

/* Stores the runs and points of a table as one campaign; sets their ids. */
CB_CHECKED cb_status lab_import_friction(cb_store *s, const char *file, fit_import *im,
                                         lab_friction_import *out, cb_err *err);

/* Stores one run with its raw samples as a campaign of its own; sets the ids of t->run. */
CB_CHECKED cb_status lab_import_trace(cb_store *s, const char *file, fit_trace *t, cb_err *err);

/* Stores n drapes of one cloth, in the order of their files. source: who measured them; NULL: each drape has
 * its file as source. origin: CB_IMPORTED, or CB_VIRTUAL of pictures that no camera took. */
CB_CHECKED cb_status lab_import_drapes(cb_store *s, const char *cloth, const char *source, cb_origin origin,
                                       const fit_drape_setup *setup, const char *const files[],
                                       const fit_drape_file *f, size_t n, cb_err *err);
/* Makes the outline as stored: a list of FIT_DRAPE_ANGLES radii [m]. Returns NULL without memory. The caller
 * calls json_decref. */
json_t *lab_drape_profile(const fit_drape *d);
/* Returns "mesh" or "silhouette". */
const char *lab_drape_method(const fit_drape *d);
/* Means over n >= 1 drapes; sd is that of the coefficient, NAN for one drape. */
typedef struct lab_drape_mean {
  double coefficient, sd, nodes;
} lab_drape_mean;
lab_drape_mean lab_drape_mean_of(const fit_drape_file *f, size_t n);

/* Stores the elasticity of a body, as measured or published. source and method must fit into cb_material_law
 * (else CB_E_ARG). *law_id is the new row. */
CB_CHECKED cb_status lab_import_elasticity(cb_store *s, const char *body, const cb_elasticity_law *law,
                                           const char *source, const char *method, int64_t *law_id,
                                           cb_err *err);

#endif
