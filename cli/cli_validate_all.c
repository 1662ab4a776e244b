/* clothbench validate all: every experiment whose reference is a closed form, as the table of
 * docs/method/validation.md. */
#include <stdio.h>

#include "cb_apart.h"
#include "cli_kind.h"
#include "cb_signals.h"
#include "cli_table.h"

static cb_status add_rows(const void *context, void *result, cb_err *err) {
  return ((const val_experiment *)context)->add(result, err);
}

/* Adds the rows of as many experiments as come to their end. */
static cb_status run_all(val_table *t, int *finished, cb_err *err) {
  static val_table own;
  const cb_stop *stop = cb_signals_listen_once(NULL);
  for (*finished = 0; *finished < VAL_EXPERIMENTS; (*finished)++) {
    const val_experiment *e = &val_experiments[*finished];
    own.n = 0;
    cli_progress("validate", *finished, VAL_EXPERIMENTS, "experiments");
    cb_status st = cb_apart(add_rows, e, &own, sizeof own, stop, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s", e->name);
    val_table_append(t, &own);
  }
  cli_progress("validate", VAL_EXPERIMENTS, VAL_EXPERIMENTS, "experiments");
  return CB_OK;
}

static void print_verdict(const val_table *t, int finished) {
  double seconds = val_table_seconds(t);
  if (finished < VAL_EXPERIMENTS)
    printf("\nverdict: none (%d of %d experiments, %.1f s)\n", finished, VAL_EXPERIMENTS, seconds);
  else
    printf("\nverdict: %s (%.1f s)\n", val_table_passes(t) ? "pass" : "fail", seconds);
}

int cli_validate_all(int argc, char **argv) {
  static val_table table;
  bool json = false, markdown = false;
  int finished;
  const cli_opt opts[] = {
      {"markdown", CLI_SWITCH, &markdown, "the table as it stands in docs/method/validation.md"},
      {"json", CLI_SWITCH, &json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate all [--markdown] [--json]", opts, sizeof opts / sizeof opts[0],
                       NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  table.n = 0;
  cb_status st = run_all(&table, &finished, &err);
  if (!json) cli_table_print(&table, markdown);
  if (!json && !markdown) print_verdict(&table, finished);
  int code = cli_verdict(json, json ? cli_table_json(&table, "all", finished, VAL_EXPERIMENTS) : NULL,
                         val_table_passes(&table));
  if (st == CB_OK) return code;
  (void)fflush(stdout);
  code = cli_fail("validate", st, &err);
  cli_say("validate", "the table has the %d of %d experiments that came to their end", finished,
          VAL_EXPERIMENTS);
  return code;
}
