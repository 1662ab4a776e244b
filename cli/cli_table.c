#include "cli_table.h"

#include <stdio.h>

#include "cli_kind.h"

void cli_table_print(const val_table *t, bool markdown) {
  if (markdown)
    printf(
        "| experiment | of what | predicted | reference | error | allowed | verdict "
        "|\n|---|---|---|---|---|---|---|\n");
  else
    printf("%-16s %-46s %11s %11s %11s %8s %s\n", "experiment", "of what", "predicted", "reference", "error",
           "allowed", "verdict");
  for (int k = 0; k < t->n; k++) {
    const val_row *r = &t->row[k];
    printf(markdown ? "| %s | %s | %.6g | %.6g | %+.3f %% | %.2g %% | %s |\n"
                    : "%-16s %-46s %11.6g %11.6g %+9.3f %% %6.2g %% %s\n",
           r->experiment, r->what, r->predicted, r->reference, 100 * r->error, 100 * r->allowed,
           r->pass ? "pass" : "FAIL");
  }
}

json_t *cli_table_json(const val_table *t, const char *experiment, int finished, int asked) {
  json_t *rows = json_array(),
         *verdict = finished < asked ? json_null() : json_string(val_table_passes(t) ? "pass" : "fail");
  for (int k = 0; k < t->n; k++) {
    const val_row *r = &t->row[k];
    (void)json_array_append_new(
        rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:b}", "experiment", r->experiment, "what", r->what,
                        "predicted", r->predicted, "reference", r->reference, "error_percent", 100 * r->error,
                        "allowed_percent", 100 * r->allowed, "pass", r->pass));
  }
  return json_pack("{s:s, s:o, s:i, s:i, s:o, s:f}", "experiment", experiment, "verdict", verdict,
                   "experiments", asked, "finished", finished, "rows", rows, "seconds", val_table_seconds(t));
}

int cli_table_show(const val_table *t, const char *experiment, bool json) {
  bool pass = val_table_passes(t);
  if (json) return cli_verdict(true, cli_table_json(t, experiment, 1, 1), pass);
  cli_table_print(t, false);
  printf("\nverdict: %s\n", pass ? "pass" : "fail");
  return cli_verdict(false, NULL, pass);
}

int cli_verdict(bool json, json_t *document, bool agrees) {
  if (json && cli_print_json("validate", document) != CLI_DONE) return CLI_FAILED;
  return agrees ? CLI_DONE : CLI_NEGATIVE;
}

/* ---- experiments that print their table and nothing else ---- */

static int run_table(const char *name, cb_status (*add)(val_table *, cb_err *), int argc, char **argv) {
  static val_table table;
  bool json = false;
  char usage[64];
  const cli_opt opts[] = {{"json", CLI_SWITCH, &json, "one JSON document on standard output"}};
  (void)snprintf(usage, sizeof usage, "validate %s [--json]", name);
  int stop = cli_parse(argc, argv, usage, opts, 1, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  table.n = 0;
  cb_status st = add(&table, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  return cli_table_show(&table, name, json);
}

int cli_validate_balloon(int argc, char **argv) {
  return run_table("balloon", val_table_balloon, argc, argv);
}
int cli_validate_bounce(int argc, char **argv) { return run_table("bounce", val_table_bounce, argc, argv); }
int cli_validate_leak(int argc, char **argv) { return run_table("leak", val_table_leak, argc, argv); }
int cli_validate_chambers(int argc, char **argv) {
  return run_table("chambers", val_table_chambers, argc, argv);
}
int cli_validate_wind(int argc, char **argv) { return run_table("wind", val_table_wind, argc, argv); }
int cli_validate_limit_swap(int argc, char **argv) {
  return run_table("limit-swap", val_table_limit_swap, argc, argv);
}
int cli_validate_sag_particles(int argc, char **argv) {
  return run_table("sag-particles", val_table_sag_particles, argc, argv);
}
