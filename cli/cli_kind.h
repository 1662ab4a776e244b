/* Commands with kinds, as `fit friction` and `predict friction`. Each kind is a command of its own with its
 * own options. */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include "cli.h"

typedef struct cli_kind {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0] is the command, argv[1] the first argument after the kind;
                                        returns a cli_exit */
  const char *summary;               /* one line */
} cli_kind;

/* Runs the kind argv[1]. --help lists the kinds with their options; another word is wrong usage. Returns a
 * cli_exit. */
int cli_kind_run(int argc, char **argv, const cli_kind *kinds, size_t n);
/* Prints an empty line and the --help of each kind. Returns a cli_exit. */
int cli_kind_help(const char *command, const cli_kind *kinds, size_t n);
/* Says that a word is none of n names, and which was meant. Returns CLI_USAGE. */
int cli_kind_refuse(const char *command, const char *word, const char *const *names, size_t n);

int cli_fit_bending(int argc, char **argv);
/* Opens a database and calls one of two functions, which return a cli_exit: show_stored for a reference
 * database, which holds laws only; fit for a laboratory's database, which is opened for writing. Returns a
 * cli_exit. */
int cli_fit_run(const char *db, int (*show_stored)(const void *request, cb_store *s),
                int (*fit)(const void *request, cb_store *s), const void *request);

/* Reads the name of an origin: *origin is a cb_origin, or -1 if name is NULL. Returns false for an unknown
 * name, after a message. */
bool cli_fit_origin(const char *name, int *origin);
int cli_fit_drape(int argc, char **argv);
int cli_fit_friction(int argc, char **argv);
int cli_fit_permeability(int argc, char **argv);
int cli_fit_self_friction(int argc, char **argv);
int cli_fit_standard(int argc, char **argv);
int cli_fit_stretch(int argc, char **argv);
int cli_predict_bending(int argc, char **argv);
int cli_fit_trace(int argc, char **argv);
int cli_predict_drape(int argc, char **argv);
int cli_predict_friction(int argc, char **argv);
int cli_predict_slide(int argc, char **argv);
int cli_predict_stretch(int argc, char **argv);
int cli_predict_particles(int argc, char **argv);
int cli_predict_permeability(int argc, char **argv);
int cli_predict_self_friction(int argc, char **argv);
int cli_validate_all(int argc, char **argv);
int cli_validate_cantilever(int argc, char **argv);
int cli_validate_capstan(int argc, char **argv);
int cli_validate_drape(int argc, char **argv);
int cli_validate_export(int argc, char **argv);
int cli_validate_laying(int argc, char **argv);
int cli_validate_incline(int argc, char **argv);
int cli_validate_sheet_slide(int argc, char **argv);
int cli_validate_sled(int argc, char **argv);
int cli_validate_slide(int argc, char **argv);
int cli_validate_stack(int argc, char **argv);
int cli_validate_stretch(int argc, char **argv);
int cli_validate_tension(int argc, char **argv);

#endif
