/* Commands with kinds, as `fit friction` and `predict friction`. Each kind is a command of its own with its
 * own options. */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include "cli.h"

/* Does what was asked. request is the command's own. Returns a cli_exit. */
typedef int cli_kind_obey(const void *request);

/* A row of a command's table: its usage, --help, man page, completion and refusals are made from it. */
typedef struct cli_kind {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0] is the command, argv[1] the first argument after the kind;
                                        returns a cli_exit. NULL: the kind shares the command's options */
  const char *summary;               /* one line */
  const char *takes;                 /* what is typed after the name; NULL: nothing */

  /* Of a kind that shares them. */
  cli_kind_obey *obey;
  size_t least, most; /* arguments */
  unsigned marks;     /* the command's own */
  int which;          /* for functions that obey several */
} cli_kind;

/* Runs the kind argv[1]. --help lists the kinds with their options; another word is wrong usage. Returns a
 * cli_exit. */
int cli_kind_run(int argc, char **argv, const cli_kind *kinds, size_t n);
/* Runs the kind argv[1] if it has options of its own. Returns its cli_exit, or -1. */
int cli_kind_run_own(int argc, char **argv, const cli_kind *kinds, size_t n);
/* Returns the kind of a name, or NULL. */
const cli_kind *cli_kind_find(const cli_kind *kinds, size_t n, const char *name);
/* Prints an empty line and the --help of each kind with options of its own. Returns a cli_exit. */
int cli_kind_help(const char *command, const cli_kind *kinds, size_t n);

/* Adds to a text: every kind as it is typed, with bars between them; a line of --help for each. */
void cli_kind_add_forms(const cli_kind *kinds, size_t n, char *text, size_t size);
void cli_kind_add_lines(const cli_kind *kinds, size_t n, char *text, size_t size);
/* Writes the names of the kinds with one of these marks: "ls, check and show". Returns out. */
const char *cli_kind_marked(const cli_kind *kinds, size_t n, unsigned marks, char *out, size_t size);

/* Says that a word is none of n names, and which was meant. Returns CLI_USAGE. */
int cli_kind_refuse(const char *command, const char *word, const char *const *names, size_t n);
/* The same of the names of kinds. */
int cli_kind_refuse_name(const char *command, const char *word, const cli_kind *kinds, size_t n);
/* Says what may be typed, after a word that is no kind or does not take as many arguments. */
int cli_kind_refuse_form(const char *command, const char *word, size_t n_arguments, const cli_kind *kinds,
                         size_t n);

int cli_fit_bending(int argc, char **argv);
/* Opens a database and calls one of two functions, which return a cli_exit: show_stored for a reference
 * database, which holds laws only; fit for a laboratory's database, which is opened for writing. Returns a
 * cli_exit. */
int cli_fit_run(const char *db, int (*show_stored)(const void *request, cb_store *s),
                int (*fit)(const void *request, cb_store *s), const void *request);

/* Reads the name of an origin: *origin is a cb_origin, or -1 if name is NULL. Returns false for an unknown
 * name, after a message. */
bool cli_fit_origin(const char *name, int *origin);
int cli_fit_compression(int argc, char **argv);
int cli_fit_drape(int argc, char **argv);
int cli_fit_friction(int argc, char **argv);
int cli_fit_permeability(int argc, char **argv);
int cli_fit_self_friction(int argc, char **argv);
int cli_fit_standard(int argc, char **argv);
int cli_fit_stretch(int argc, char **argv);
int cli_predict_bending(int argc, char **argv);
int cli_fit_trace(int argc, char **argv);
int cli_predict_compression(int argc, char **argv);
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
