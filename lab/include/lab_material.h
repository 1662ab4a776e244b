/* A material with all its laws, between the store and files (docs/reference/interchange.md). Nothing here
 * prints. */
#ifndef LAB_MATERIAL_H
#define LAB_MATERIAL_H

#include "cb_store_material_test.h"
#include "exch_material.h"
#include "lab_import.h"

/* Loads a cloth or body with the newest law of each kind, and of each pair and kind of friction. An areal
 * density that was not typed is the mean of the tests. The caller calls exch_material_clear; after an error
 * *m is empty. Error: CB_E_NOTFOUND, whose message lists the cloths. */
CB_CHECKED cb_status lab_material_load(cb_store *s, const char *name, exch_material *m, cb_err *err);

/* A file of another laboratory or program. */
typedef struct lab_material_import {
  const char *format; /* "json", "arcsim" or "u3m" */
  const char *name;   /* of the cloth: arcsim, whose file has none; u3m of other programs; else NULL */
  const char *source; /* arcsim: who measured it; NULL: the file */
} lab_material_import;

/* Reads a material and its laws, each of which has passed its own check, and stores them. The origin
 * `measured` becomes `imported`. The caller calls exch_material_clear, also after a failure. CB_E_ARG: name
 * or source of a format that has its own, or a format that is not read. */
CB_CHECKED cb_status lab_import_material(const lab_import *q, const lab_material_import *how,
                                         exch_material *out, cb_err *err);

#endif
