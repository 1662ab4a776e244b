/* The kinds of `clothbench import KIND`, one function per kind of file. Each prints a summary and returns a
 * cli_exit. */
#ifndef CLI_IMPORT_H
#define CLI_IMPORT_H

#include "cli_kind.h"
#include "lab_import.h"

typedef struct cli_import {
  lab_import lab;
  bool json;
  int which; /* of the row of the kind */
} cli_import;

/* Each obeys kinds of the table in cmd_import.c; the request is a cli_import. cli_import_incline: angles of
 * release, or slides down a slope; which is a fit_incline_kind. cli_import_test: which is a cb_test_kind;
 * rows of one material, specimen, direction and repeat are one test. cli_import_kes: one row per cloth. */
cli_kind_obey cli_import_friction, cli_import_incline, cli_import_trace, cli_import_test, cli_import_kes;

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
