/* What `clothbench import KIND` does, one function per kind of file. Each prints its summary and returns a
 * cli_exit. */
#ifndef CLI_IMPORT_H
#define CLI_IMPORT_H

#include "cb_store_material_test.h"
#include "cli.h"

typedef struct cli_import {
  const char *mapping, *file, *db;
  const char *motion_mapping, *motion; /* trace: NULL where one file has it all */
  bool json;
} cli_import;

/* Closes the store, which may be NULL, after work that ended with st: st, or what went wrong with closing. */
CB_CHECKED cb_status cli_import_close(cb_store *s, cb_status st, cb_err *err);

int cli_import_friction(const cli_import *q);
int cli_import_trace(const cli_import *q);
/* Permeability, stretch, cantilever, bending moment: rows of one material, specimen, direction and repeat are
 * one test. */
int cli_import_test(const cli_import *q, cb_test_kind kind);

/* KES summary sheets: a row for every cloth. */
int cli_import_kes(const cli_import *q);

/* A material with its laws. A command of its own: argv[0] "import". */
int cli_import_material(int argc, char **argv);

/* What a body is made of, from the command line itself. A command of its own, too. */
int cli_import_elasticity(int argc, char **argv);

/* Drapes, from pictures and meshes. A command of its own, too. */
int cli_import_drape(int argc, char **argv);

#endif
