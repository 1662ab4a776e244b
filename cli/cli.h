/* What the commands share. cli/ is the only code that prints or chooses exit codes.
 * Data go to stdout, words to stderr as "clothbench COMMAND: sentence". */
#ifndef CLI_H
#define CLI_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_err.h"
#include "cb_json.h"
#include "cb_store.h"

typedef enum cli_exit {
  CLI_DONE = 0,
  CLI_FAILED = 1,
  CLI_USAGE = 2,
  CLI_NEGATIVE = 3 /* ran, but the verdict is negative: not converged, validation failed */
} cli_exit;

typedef struct cli_command {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns a cli_exit */
  const char *summary;               /* one line */
} cli_command;

/* cmd_<name>.c, one each; listed in main.c. */
int cmd_demo(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_rig(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_material(int argc, char **argv);
int cmd_db(int argc, char **argv);

/* Options of one command: long names only, as a table. Every option is "--name VALUE" or "--name=VALUE" or a
 * switch. */
typedef enum cli_opt_kind {
  CLI_SWITCH,    /* bool */
  CLI_TEXT,      /* const char * */
  CLI_NUMBER,    /* double */
  CLI_OUT_FILE,  /* const char *: a file that is written; every option that writes is one of these three */
  CLI_OUT_ANY,   /* the same, or "-": standard output, by cli_write */
  CLI_OUT_FOLDER /* const char *: a folder that is written into */
} cli_opt_kind;
typedef struct cli_opt {
  const char *name; /* without the dashes */
  cli_opt_kind kind;
  void *value;
  const char *help; /* one line */
  bool required;
  double min, max; /* NUMBER: allowed range; min == max == 0: any finite number */
} cli_opt;

/* Parses argv[1..]; positional arguments are moved to the front of positional[] (at most max_positional).
 * Returns -1 to go on; else the exit code to return: CLI_DONE after --help (printed to stdout: usage line,
 * options), CLI_USAGE after a wrong option, value or count (one sentence on stderr). A value or argument with
 * control characters is refused; so is an output that cannot be written to or is one of the other values
 * (cb_out.h), before anything is computed: CLI_FAILED. */
int cli_parse(int argc, char **argv, const char *usage, const cli_opt *opts, size_t n_opts,
              const char **positional, size_t min_positional, size_t max_positional, size_t *n_positional);

/* "-" as an output that cannot be standard output: one sentence and CLI_USAGE. Else -1. For outputs that are
 * arguments. */
int cli_refuse_dash(const char *command, const char *what, const char *path);
/* A CLI_OUT_ANY: the file, or standard output. */
CB_CHECKED cb_status cli_write(const char *path, const char *text, cb_err *err);

/* --db FILE, else $CLOTHBENCH_DB, else ./materials.db. */
const char *cli_db_path(const char *db_option);

/* "clothbench COMMAND: sentence" on stderr; returns CLI_FAILED (CLI_USAGE for CB_E_ARG). */
int cli_fail(const char *command, cb_status st, const cb_err *err);
/* Words for the person on stderr, with the same prefix. */
void cli_say(const char *command, const char *fmt, ...) CB_PRINTF(2, 3);

/* One JSON document, sorted as built, 17 significant digits -> stdout; steals the reference. Returns
 * CLI_DONE, or CLI_FAILED if stdout could not be written. */
int cli_print_json(const char *command, json_t *doc);
/* Progress with remaining time on a terminal, silent in a pipe. total <= 0: no bar. Ends the line when done
 * >= total. */
void cli_progress(const char *command, double done, double total, const char *what);

#endif
