#include "cli_table.h"

#include <stdio.h>

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
