/* clothbench validate stress-tests: what cloth simulators choke on, and what becomes of it here. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "val_stress_tests.h"

static json_t *result_json(const val_stress_tests *r) {
  json_t *rows = json_array();
  for (int k = 0; k < r->n; k++) {
    const val_stress_test *h = &r->row[k];
    (void)json_array_append_new(
        rows,
        json_pack("{s:s, s:s, s:b, s:i, s:i, s:f, s:o, s:i, s:i, s:f}", "case", h->name, "outcome",
                  h->outcome, "pass", h->pass, "vertices", h->vertices, "steps", h->steps, "penetration_m",
                  h->penetration_m, "nearest", isfinite(h->nearest) ? json_real(h->nearest) : json_null(),
                  "crossings", h->crossings, "not_finite", h->not_finite, "seconds", h->seconds));
  }
  return json_pack("{s:s, s:s, s:o, s:f}", "experiment", "stress-tests", "verdict", r->pass ? "pass" : "fail",
                   "cases", rows, "seconds", r->seconds);
}

static void print_text(const val_stress_tests *r) {
  printf("%-32s %6s %9s %8s %9s %7s %s\n", "case", "steps", "inside mm", "nearest", "crossings", "seconds",
         "verdict; outcome");
  for (int k = 0; k < r->n; k++) {
    const val_stress_test *h = &r->row[k];
    printf("%-32s %6d %9.3g %8.3f %9d %7.2f %s; %s\n", h->name, h->steps, 1e3 * h->penetration_m,
           isfinite(h->nearest) ? h->nearest : 0, h->crossings, h->seconds, h->pass ? "pass" : "FAIL",
           h->outcome);
  }
  printf("\nverdict: %s (%.1f s)\n", r->pass ? "pass" : "fail", r->seconds);
}

int cli_validate_stress_tests(int argc, char **argv) {
  double vertices = 600;
  const char *only = NULL;
  bool json = false;
  const cli_opt opts[] = {
      {"vertices", CLI_NUMBER, &vertices, "of the cloths, about; else 600", .min = 50, .max = 1e5},
      {"case", CLI_TEXT, &only, "one alone, by its name; 'meshes', 'materials' and 'watched' are several"},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "validate stress-tests [--vertices N] [--case NAME] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  val_stress_tests r;
  cb_status st = val_stress_tests_run((int)vertices, only, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&r);
  return cli_verdict(json, json ? result_json(&r) : NULL, r.pass);
}
