/* Commands that come in kinds: `fit friction`, `predict friction`. Each kind is a command of its own, with
 * its own options. */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include "cli.h"

typedef struct cli_kind {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0]: the command, argv[1]: its first option or argument after the
                                        kind; returns a cli_exit */
  const char *summary;               /* one line */
} cli_kind;

/* Finds argv[1] among the kinds and runs it; --help lists them with their options, anything else is wrong
 * usage. */
int cli_kind_run(int argc, char **argv, const cli_kind *kinds, size_t n);
/* What each kind's own --help says, after an empty line; returns a cli_exit. */
int cli_kind_help(const char *command, const cli_kind *kinds, size_t n);

int cli_fit_bending(int argc, char **argv);
/* A reference database holds laws only, which are shown; a laboratory's is opened for writing, and fitted.
 * Both return a cli_exit. */
int cli_fit_run(const char *db, int (*show_stored)(const void *request, cb_store *s),
                int (*fit)(const void *request, cb_store *s), const void *request);

/* *origin: a cb_origin, or -1 where name is NULL: not asked for. False, and says what was wanted, where it is
 * no origin. */
bool cli_fit_origin(const char *name, int *origin);
/* The same for who only wants the name. */

int cli_fit_drape(int argc, char **argv);
int cli_fit_friction(int argc, char **argv);
int cli_fit_permeability(int argc, char **argv);
int cli_fit_self_friction(int argc, char **argv);
int cli_fit_standard(int argc, char **argv);
int cli_fit_stretch(int argc, char **argv);
int cli_predict_bending(int argc, char **argv);
int cli_fit_trace(int argc, char **argv);
int cli_predict_friction(int argc, char **argv);
int cli_predict_stretch(int argc, char **argv);
int cli_predict_permeability(int argc, char **argv);
int cli_predict_self_friction(int argc, char **argv);
int cli_validate_all(int argc, char **argv);
int cli_validate_balloon(int argc, char **argv);
int cli_validate_bounce(int argc, char **argv);
int cli_validate_buckling(int argc, char **argv);
int cli_validate_cantilever(int argc, char **argv);
int cli_validate_capstan(int argc, char **argv);
int cli_validate_chambers(int argc, char **argv);
int cli_validate_drape(int argc, char **argv);
int cli_validate_frame(int argc, char **argv);
int cli_validate_stress_tests(int argc, char **argv);
int cli_validate_incline(int argc, char **argv);
int cli_validate_leak(int argc, char **argv);
int cli_validate_limit_swap(int argc, char **argv);
int cli_validate_sag_particles(int argc, char **argv);
int cli_validate_sheet_slide(int argc, char **argv);
int cli_validate_sled(int argc, char **argv);
int cli_validate_slide(int argc, char **argv);
int cli_validate_stack(int argc, char **argv);
int cli_validate_stretch(int argc, char **argv);
int cli_validate_stick_slip(int argc, char **argv);
int cli_validate_tension(int argc, char **argv);
int cli_validate_wind(int argc, char **argv);

#endif
