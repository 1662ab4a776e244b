/* Shared by all commands. Only cli/ prints or chooses exit codes. Results go to stdout; messages go to
 * stderr as "clothbench COMMAND: sentence". */
#ifndef CLI_H
#define CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cb_err.h"
#include "cb_json.h"
#include "cb_store.h"

typedef enum cli_exit {
  CLI_DONE = 0,
  CLI_FAILED = 1,
  CLI_USAGE = 2,
  CLI_NEGATIVE = 3 /* the command ran, but the verdict is negative: not converged, validation failed */
} cli_exit;

typedef struct cli_command {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns a cli_exit */
  const char *summary;               /* one line */
} cli_command;

/* The commands: one in each cmd_<name>.c, listed in main.c. */
int cmd_demo(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_rig(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_chart(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_material(int argc, char **argv);
int cmd_db(int argc, char **argv);

/* Kinds of options. An option has a long name only: "--name VALUE", "--name=VALUE", or "--name" for a
 * switch. */
typedef enum cli_opt_kind {
  CLI_SWITCH,    /* bool */
  CLI_TEXT,      /* const char * */
  CLI_CLOTH,     /* const char *: a cloth of the database --db, of a command that asks; see cli_meant.h */
  CLI_BODY,      /* the same, a body */
  CLI_NUMBER,    /* double */
  CLI_OUT_NEW,   /* const char *: a file to be made; one that exists is refused */
  CLI_OUT_FILE,  /* const char *: a file to be written; every option that writes is one of these four */
  CLI_OUT_ANY,   /* the same, or "-" for standard output: see cli_write */
  CLI_OUT_FOLDER /* const char *: a folder to be written into */
} cli_opt_kind;
/* One option. value points to a variable of its kind. */
typedef struct cli_opt {
  const char *name; /* without the dashes */
  cli_opt_kind kind;
  void *value;      /* stays as it is if the option is not given */
  const char *help; /* one line */
  bool required;
  double min, max; /* NUMBER: allowed range; min == max == 0: any finite number */
} cli_opt;

/* Parses argv[1..]. Positional arguments, at most max_positional, go to positional[]. Returns -1 to
 * continue; else the exit code to return: CLI_DONE after --help (printed to stdout: usage line, options),
 * CLI_USAGE after a wrong option, value or number of arguments (one sentence on stderr). A value or argument
 * with control characters is refused. Names of shipped files are found (cli_share.h). An output that cannot
 * be written to, or that is one of the other values (cb_out.h), is refused with CLI_FAILED before anything is
 * computed. */
int cli_parse(int argc, char **argv, const char *usage, const cli_opt *opts, size_t n_opts,
              const char **positional, size_t min_positional, size_t max_positional, size_t *n_positional);

/* From now on a command line is checked and nothing runs: cli_parse returns CLI_DONE where it would let the
 * command go on. Outputs are not looked at. */
void cli_only_check(bool on);

/* For an output given as an argument that cannot be standard output: if path is "-", prints one sentence and
 * returns CLI_USAGE; else returns -1. */
int cli_refuse_dash(const char *command, const char *what, const char *path);
/* Writes text to a CLI_OUT_ANY: a file, or standard output. Error: CB_E_IO. */
CB_CHECKED cb_status cli_write(const char *path, const char *text, cb_err *err);

/* Returns db_option, else $CLOTHBENCH_DB, else "materials.db". */
const char *cli_db_path(const char *db_option);
/* The path; for "materials.db", where there is none, that of the shipped one. */
const char *cli_db_shipped(const char *path);
/* cli_db_path for a command that only reads: where ./materials.db is not, the shipped one. */
const char *cli_db_to_read(const char *db_option);
/* Opens the database for rows of materials. A new name that may be a slip for a known one is refused, unless
 * new_names is set: the option --new. */
CB_CHECKED cb_status cli_open_named(const char *path, bool new_names, cb_store **s, cb_err *err);
/* Asks the person at the terminal about such a name. NULL: there is none. */
cb_name_question *cli_name_question(void);
#define CLI_NEW_HELP "new names are meant, however near they are to known ones"

/* Prints "clothbench COMMAND: sentence" on stderr. Returns CLI_FAILED, or CLI_USAGE for CB_E_ARG. */
int cli_fail(const char *command, cb_status st, const cb_err *err);
/* Prints a message on stderr with the same prefix. */
void cli_say(const char *command, const char *fmt, ...) CB_PRINTF(2, 3);
/* Prints text; on a terminal, lines break between words before its last column. */
void cli_wrap(FILE *to, const char *text);
/* Keeps what cli_say says from now on, and draws no progress. */
void cli_keep_quiet(void);
/* Prints what was kept if the command failed, and forgets it. */
void cli_speak(bool failed);

/* Prints a JSON document on stdout with 17 significant digits and releases it; doc NULL means that memory
 * ran out. Returns CLI_DONE, or CLI_FAILED if it could not be written. */
int cli_print_json(const char *command, json_t *doc);
/* Draws a bar of progress with the remaining time on a terminal; prints nothing in a pipe or for total <= 0.
 * Ends the line when done >= total. */
void cli_progress(const char *command, double done, double total, const char *what);
/* Ends the line of a bar that is not full. cli_say and cli_fail do so. */
void cli_progress_leave(void);

#endif
