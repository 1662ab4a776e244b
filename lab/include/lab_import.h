/* What was measured elsewhere -> the database, one transaction for each file. fit_import_read, fit_trace_read
 * and fit_drape_read read the files; lab_material_tests.h has tables of tests, lab_material.h whole
 * materials.
 *
 * file: the name of what was read, for messages and for the campaign that it becomes. The same bytes are
 * known again under whatever name: CB_E_RANGE, because they would count twice. */
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

/* Runs and points of a table, as one campaign; sets their ids. */
CB_CHECKED cb_status lab_import_friction(cb_store *s, const char *file, fit_import *im,
                                         lab_friction_import *out, cb_err *err);

/* One run with its raw samples, as a campaign of its own; sets the ids of t->run. */
CB_CHECKED cb_status lab_import_trace(cb_store *s, const char *file, fit_trace *t, cb_err *err);

/* n drapes of one cloth, in the order of their files. source: who measured them; NULL: each is its own
 * file's. */
CB_CHECKED cb_status lab_import_drapes(cb_store *s, const char *cloth, const char *source,
                                       const fit_drape_setup *setup, const char *const files[],
                                       const fit_drape_file *f, size_t n, cb_err *err);
/* The outline as it is stored: a list of FIT_DRAPE_ANGLES radii [m]. NULL: no memory. Caller: json_decref. */
json_t *lab_drape_profile(const fit_drape *d);
/* "mesh" or "silhouette". */
const char *lab_drape_method(const fit_drape *d);
/* Over n >= 1 drapes. sd NAN: of one. */
typedef struct lab_drape_mean {
  double coefficient, sd, nodes;
} lab_drape_mean;
lab_drape_mean lab_drape_mean_of(const fit_drape_file *f, size_t n);

/* What a body is made of, as somebody measured or published it. source, method: at most as many bytes as
 * cb_material_law holds, else CB_E_ARG. *law_id: of the new row. */
CB_CHECKED cb_status lab_import_elasticity(cb_store *s, const char *body, const cb_elasticity_law *law,
                                           const char *source, const char *method, int64_t *law_id,
                                           cb_err *err);

#endif
