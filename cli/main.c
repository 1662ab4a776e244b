/* clothbench COMMAND ...: the table of commands, and nothing else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "cb_nearest.h"
#include "cb_text.h"
#include "cb_version.h"
#include "cli.h"
#include "cli_person.h"
#include "cli_share.h"
#include "cb_signals.h"
#include "cli_threads.h"

static const cli_command commands[] = {
    {"demo", cmd_demo, "the whole main job on the virtual rig; ends with a report to open"},
    {"devices", cmd_devices, "which serial ports there are, and what is plugged into them"},
    {"rig", cmd_rig,
     "begin a rig file (rig init); test a rig step by step (rig check); see what it says now (rig live); "
     "play a virtual one (rig emulate)"},
    {"calibrate", cmd_calibrate, "the force channel under dead weights: slope, faults, uncertainty budget"},
    {"run", cmd_run, "the measurement: angles x loads x repeats, into the database"},
    {"plan", cmd_plan, "what to measure next of a pair, and whether there is enough"},
    {"import", cmd_import,
     "bring in published or foreign tables, logs and materials (import friction, import trace, import "
     "permeability ...)"},
    {"material", cmd_material, "type properties of a cloth or body, with their source (material set)"},
    {"fit", cmd_fit,
     "laws from measurements, or an evaluation by a test standard (fit friction, fit stretch, fit standard "
     "...)"},
    {"predict", cmd_predict, "what a law says, with uncertainty (predict friction, predict bending ...)"},
    {"compare", cmd_compare,
     "two lots, campaigns or databases of one pair against each other, with a verdict"},
    {"chart", cmd_chart, "a pair over time: control charts, alarms, and when each change began"},
    {"validate", cmd_validate,
     "compare prediction and measurement, with a verdict (validate slide, validate incline ...)"},
    {"sim", cmd_sim, "a cloth among bodies, from a scene file: frames, pictures, probes"},
    {"sweep", cmd_sweep,
     "one command over thousands of cases: on this machine, in shards, by Slurm; gathered into one file"},
    {"plot", cmd_plot, "one figure as SVG or PNG"},
    {"serve", cmd_serve,
     "the database in a browser: search, plots, traces, corrections; and a running campaign, live"},
    {"report", cmd_report, "one self-contained HTML page per campaign"},
    {"export", cmd_export,
     "a material with its laws as a file: JSON, CSV, ARCSim, Blender, CLO (export material)"},
    {"db", cmd_db, "make, check, list and show the database"},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE *to) {
  fprintf(to, "usage: clothbench COMMAND [arguments]\n\n");
  for (size_t i = 0; i < N_COMMANDS; i++) fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fprintf(to,
          "\n'clothbench COMMAND --help' tells a command's options. The database is --db FILE, else "
          "$CLOTHBENCH_DB, else ./materials.db;\n"
          "where there is none, commands that only read use the shipped one.\n"
          "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 ran but the verdict is negative.\n");
}

static int refuse_command(const char *typed) {
  const char *names[N_COMMANDS];
  char shown[80];
  for (size_t i = 0; i < N_COMMANDS; i++) names[i] = commands[i].name;
  const int meant = cb_nearest(typed, names, N_COMMANDS);
  fprintf(stderr, "clothbench: no command '%s'", cb_text_show(typed, shown, sizeof shown));
  if (meant >= 0) fprintf(stderr, ": did you mean '%s'?", names[meant]);
  fprintf(stderr, "%s'clothbench --help' lists them\n", meant >= 0 ? " " : "; ");
  return CLI_USAGE;
}

/* What every command has: -h, and --quiet, which is taken out. */
static void take_common(int *argc, char **argv) {
  static char help[] = "--help";
  bool quiet = false;
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], "--quiet") == 0)
      quiet = true;
    else
      argv[kept++] = strcmp(argv[i], "-h") == 0 ? help : argv[i];
  }
  argv[kept] = NULL;
  *argc = kept;
  if (quiet) cli_keep_quiet();
}

/* $CLOTHBENCH_DB; an empty one counts as unset. */
static cb_status check_database(const char *name, cb_err *err) {
  CB_TRY(cb_check_line(name, "$CLOTHBENCH_DB", err));
  if (!name[0] || cb_store_check_path(name, err) == CB_OK) return CB_OK;
  cb_err_say_in(err, "$CLOTHBENCH_DB");
  return CB_E_ARG;
}

int main(int argc, char **argv) {
  cli_threads_prepare(argv);
  cb_stats_begin();
  cli_share_language();
  cb_signals_begin();
  take_common(&argc, argv);
  if (argc < 2) {
    print_usage(stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
    print_usage(stdout);
    return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("clothbench %s\n", cb_version());
    return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
  }
  cb_err err;
  const char *database = getenv("CLOTHBENCH_DB");
  if (database && check_database(database, &err) != CB_OK) {
    fprintf(stderr, "clothbench: %s\n", err.msg);
    return CLI_USAGE;
  }
  for (size_t i = 0; i < N_COMMANDS; i++) {
    if (strcmp(argv[1], commands[i].name) != 0) continue;
    int code = commands[i].run(argc - 1, argv + 1);
    if (fflush(stdout) != 0 && code == CLI_DONE) {
      /* Who reads the first lines of a list, as head does, misses nothing. */
      if (errno != EPIPE) cli_say(argv[1], "standard output could not be written");
      code = CLI_FAILED;
    }
    cli_person_leave();
    cli_speak(code == CLI_FAILED || code == CLI_USAGE);
    return code;
  }
  return refuse_command(argv[1]);
}
