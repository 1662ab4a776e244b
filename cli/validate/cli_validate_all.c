/* clothbench validate all [NAME]: experiments with a known answer, as the table of
 * docs/method/validation.md. */
#include <stdio.h>
#include <string.h>

#include "cb_apart.h"
#include "cb_plural.h"
#include "cli_kind.h"
#include "cb_signals.h"
#include "cli_table.h"

static cb_status add_rows(const void *context, void *result, cb_err *err) {
  return ((const val_experiment *)context)->add(result, err);
}

/* Adds the rows of as many of n experiments as come to their end. */
static cb_status run_all(const val_experiment *e, int n, val_table *t, int *finished, cb_err *err) {
  static val_table own;
  const cb_stop *stop = cb_signals_listen_once(NULL);
  for (*finished = 0; *finished < n; (*finished)++, e++) {
    own.n = 0;
    cli_progress("validate", *finished, n, "experiments");
    cb_status st = cb_apart(add_rows, e, &own, sizeof own, stop, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s", e->name);
    val_table_append(t, &own);
  }
  cli_progress("validate", n, n, "experiments");
  return CB_OK;
}

static void print_verdict(const val_table *t, int finished, int asked) {
  double seconds = val_table_seconds(t);
  if (finished < asked)
    printf("\nverdict: none (%d of %d experiment%s, %.1f s)\n", finished, asked, CB_S(asked), seconds);
  else
    printf("\nverdict: %s (%.1f s)\n", val_table_passes(t) ? "pass" : "fail", seconds);
}

/* Returns the experiment of a name, or VAL_EXPERIMENTS, after a message. */
static int find_experiment(const char *name) {
  const char *names[VAL_EXPERIMENTS];
  for (int k = 0; k < VAL_EXPERIMENTS; k++) {
    if (strcmp(val_experiments[k].name, name) == 0) return k;
    names[k] = val_experiments[k].name;
  }
  (void)cli_kind_refuse("validate", name, names, VAL_EXPERIMENTS);
  return VAL_EXPERIMENTS;
}

int cli_validate_all(int argc, char **argv) {
  static val_table table;
  const char *name = NULL;
  bool json = false, markdown = false;
  int finished, first = 0;
  const cli_opt opts[] = {
      {"markdown", CLI_SWITCH, &markdown, "the table as it stands in docs/method/validation.md"},
      {"json", CLI_SWITCH, &json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate all [NAME] [--markdown] [--json]", opts,
                       sizeof opts / sizeof opts[0], &name, 0, 1, NULL);
  if (stop >= 0) return stop;
  if (name && (first = find_experiment(name)) == VAL_EXPERIMENTS) return CLI_USAGE;
  const int asked = name ? 1 : VAL_OF_ALL;
  cb_err err = {""};
  table.n = 0;
  cb_status st = run_all(&val_experiments[first], asked, &table, &finished, &err);
  if (!json) cli_table_print(&table, markdown);
  if (!json && !markdown) print_verdict(&table, finished, asked);
  int code = cli_verdict(json, json ? cli_table_json(&table, name ? name : "all", finished, asked) : NULL,
                         val_table_passes(&table));
  if (st == CB_OK) return code;
  (void)fflush(stdout);
  code = cli_fail("validate", st, &err);
  cli_say("validate", "the table has the %d of %d experiment%s that came to their end", finished, asked,
          CB_S(asked));
  return code;
}
