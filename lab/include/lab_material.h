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

/* Files of another laboratory or program. */
typedef struct lab_material_import {
  const char *format; /* "json", "arcsim" or "u3m" */
  const char *name;   /* of the cloth: arcsim, whose file has none; u3m of other programs; else NULL */
  const char *source; /* arcsim: who measured it; NULL: the file */
  const char *names;  /* a table, CSV with the columns `file` and `name`: q->file is a folder, of which it
                         names the files; NULL: q->file is one file */
} lab_material_import;

typedef struct lab_material_file {
  char path[512];
  exch_material material;
} lab_material_file;

typedef struct lab_materials {
  size_t n;
  lab_material_file *at; /* owned */
} lab_materials;

/* Reads materials and their laws, each of which has passed its own check, and stores all of them or none. The
 * origin `measured` becomes `imported`. The caller calls lab_materials_clear, also after a failure. CB_E_ARG:
 * name or source of a format that has its own, or a format that is not read. */
CB_CHECKED cb_status lab_import_material(const lab_import *q, const lab_material_import *how,
                                         lab_materials *out, cb_err *err);
void lab_materials_clear(lab_materials *m);

#endif
