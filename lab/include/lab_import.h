/* Import of measurements from elsewhere: a request in, a report out. A file is read before the database is
 * opened, so that one that is refused makes no database; it is stored in one transaction. A file with the
 * same bytes is refused under any name (CB_E_RANGE), because it would count twice. docs/guide/import.md has
 * the formats. See also lab_material_tests.h, lab_kes.h, lab_fab.h and lab_material.h. Nothing here prints.
 */
#ifndef LAB_IMPORT_H
#define LAB_IMPORT_H

#include <jansson.h>

#include "cb_elasticity_law.h"
#include "cb_store.h"
#include "fit_drape.h"
#include "fit_import.h"
#include "fit_incline.h"
#include "fit_trace.h"

typedef struct lab_import {
  const char *db;                      /* made if it does not exist */
  bool new_names;                      /* new names are meant, however near they are to known ones */
  cb_name_question *ask;               /* about such names; NULL: nobody */
  const char *mapping, *file;          /* mapping: of a table or a log */
  const char *motion_mapping, *motion; /* of a trace: a second file; NULL: one has all */
} lab_import;

typedef struct lab_friction_import {
  int64_t campaign_id;
  size_t pairs; /* of cloth and body */
} lab_friction_import;

typedef struct lab_friction_report {
  fit_import table; /* its runs have their ids */
  lab_friction_import stored;
} lab_friction_report;

/* Each makes a campaign of a table: pulls of a cloth on a body; angles of release, or slides down a slope.
 * The caller calls fit_import_clear for the table, also after a failure. */
CB_CHECKED cb_status lab_import_friction(const lab_import *q, lab_friction_report *out, cb_err *err);
CB_CHECKED cb_status lab_import_incline(const lab_import *q, fit_incline_kind kind, lab_friction_report *out,
                                        cb_err *err);

/* Makes a campaign of one run with its raw samples; sets the ids of out->run. The caller calls
 * fit_trace_clear, also after a failure. */
CB_CHECKED cb_status lab_import_trace(const lab_import *q, fit_trace *out, cb_err *err);

/* Drapes of one cloth, from pictures and meshes. */
typedef struct lab_drape_import {
  const char *cloth;  /* NULL: they are only read */
  const char *source; /* who measured them; NULL: each drape has its file as source */
  cb_origin origin;   /* CB_IMPORTED, or CB_VIRTUAL of pictures that no camera took */
  fit_drape_setup setup;
  const char *const *files;
  size_t n;
} lab_drape_import;
/* Reads the files into out[0..n-1], and stores their drapes in this order. The request's file is not used. */
CB_CHECKED cb_status lab_import_drapes(const lab_import *q, const lab_drape_import *drapes,
                                       fit_drape_file *out, cb_err *err);
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

/* Stores the elasticity of a body, as measured or published; no file is read. source and method must fit into
 * cb_material_law (else CB_E_ARG). *law_id is the new row. */
CB_CHECKED cb_status lab_import_elasticity(const lab_import *q, const char *body,
                                           const cb_elasticity_law *law, const char *source,
                                           const char *method, int64_t *law_id, cb_err *err);

#endif
