/* The kinds of `clothbench import KIND`, one function per kind of file. Each prints a summary and returns a
 * cli_exit. */
#ifndef CLI_IMPORT_H
#define CLI_IMPORT_H

#include "cb_store_material_test.h"
#include "cli.h"
#include "fit_incline.h"

typedef struct cli_import {
  const char *mapping, *file, *db;
  const char *motion_mapping, *motion; /* import trace: a second file; NULL: one file has all */
  bool new_names, json;
} cli_import;

int cli_import_friction(const cli_import *q);
/* Imports angles of release, or slides down a slope. */
int cli_import_incline(const cli_import *q, fit_incline_kind kind);
int cli_import_trace(const cli_import *q);
/* Imports tests of permeability, stretch, cantilever or bending moment. Rows of one material, specimen,
 * direction and repeat are one test. */
int cli_import_test(const cli_import *q, cb_test_kind kind);

/* Imports KES summary sheets: one row per cloth. */
int cli_import_kes(const cli_import *q);

/* Guesses the mapping of a table. This and the next four parse their own options; argv[0] is "import". */
int cli_import_guess(int argc, char **argv);

/* Imports a material with its laws. */
int cli_import_material(int argc, char **argv);

/* Imports the elasticity of a body from the command line itself. */
int cli_import_elasticity(int argc, char **argv);

/* Imports drapes from pictures and meshes. */
int cli_import_drape(int argc, char **argv);

/* Imports the raw data of a FAB. */
int cli_import_fab(int argc, char **argv);

#endif
