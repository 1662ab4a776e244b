/* clothbench validate all: every experiment whose reference is a closed form, as the table of docs/validation.md. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli_checks.h"
#include "cli_kind.h"
#include "report_gnuplot.h"

cli_check *cli_checks_add(cli_checks *c, const char *experiment, const char *fmt, ...) {
  assert(c->n < CLI_CHECKS_MAX);
  cli_check *row = &c->row[c->n++];
  *row = (cli_check){.experiment = experiment};
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(row->what, sizeof row->what, fmt, args);
  va_end(args);
  return row;
}

int cli_verdict(bool json, json_t *document, bool agrees) {
  if (json && cli_print_json("validate", document) != CLI_DONE) return CLI_FAILED;
  return agrees ? CLI_DONE : CLI_NEGATIVE;
}

cb_status cli_curve_draw(const cli_curve *c, const char *path, cb_err *err) {
  report_plot p = {.origin = CB_SIMULATED};
  (void)snprintf(p.title, sizeof p.title, "%s", c->title);
  (void)snprintf(p.x_label, sizeof p.x_label, "%s", c->x_label);
  (void)snprintf(p.y_label, sizeof p.y_label, "%s", c->y_label);
  report_series *line = report_plot_add(&p, REPORT_LINE, 0, "reference"), *points = report_plot_add(&p, REPORT_POINTS, 1, "predicted");
  for (int k = 0; k < c->n; k++) {
    report_plot_push(&p, line, c->x[k], c->reference[k], 0);
    report_plot_push(&p, points, c->x[k], c->predicted[k], 0);
  }
  cb_status st = report_gnuplot_draw(&p, path, err);
  report_plot_clear(&p);
  return st;
}

void cli_checks_print(const cli_checks *c, bool markdown) {
  if (markdown)
    printf("| experiment | of what | predicted | reference | error | allowed | verdict |\n|---|---|---|---|---|---|---|\n");
  else
    printf("%-16s %-46s %11s %11s %11s %8s %s\n", "experiment", "of what", "predicted", "reference", "error", "allowed", "verdict");
  for (int k = 0; k < c->n; k++) {
    const cli_check *r = &c->row[k];
    printf(markdown ? "| %s | %s | %.6g | %.6g | %+.3f %% | %.2g %% | %s |\n" : "%-16s %-46s %11.6g %11.6g %+9.3f %% %6.2g %% %s\n",
           r->experiment, r->what, r->predicted, r->reference, 100 * r->error, 100 * r->allowed, r->pass ? "pass" : "FAIL");
  }
}

json_t *cli_checks_json(const cli_checks *c, const char *experiment, bool pass) {
  double seconds = 0;
  json_t *rows = json_array();
  for (int k = 0; k < c->n; k++) {
    const cli_check *r = &c->row[k];
    seconds += r->seconds;
    (void)json_array_append_new(
        rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:b}", "experiment", r->experiment, "what", r->what, "predicted", r->predicted,
                        "reference", r->reference, "error_percent", 100 * r->error, "allowed_percent", 100 * r->allowed, "pass", r->pass));
  }
  return json_pack("{s:s, s:s, s:o, s:f}", "experiment", experiment, "verdict", pass ? "pass" : "fail", "rows", rows, "seconds", seconds);
}

int cli_checks_run(const char *name, cb_status (*add)(cli_checks *, cb_err *), int argc, char **argv) {
  static cli_checks checks;
  bool json = false, pass = true;
  char usage[64];
  const cli_opt opts[] = {{.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"}};
  (void)snprintf(usage, sizeof usage, "validate %s [--json]", name);
  int stop = cli_parse(argc, argv, usage, opts, 1, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  checks.n = 0;
  cb_status st = add(&checks, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  for (int k = 0; k < checks.n; k++) pass = pass && checks.row[k].pass;
  if (!json) {
    cli_checks_print(&checks, false);
    printf("\nverdict: %s\n", pass ? "pass" : "fail");
  }
  return cli_verdict(json, json ? cli_checks_json(&checks, name, pass) : NULL, pass);
}

int cli_validate_all(int argc, char **argv) {
  static cb_status (*const experiments[])(cli_checks *, cb_err *) = {
      cli_check_cantilever, cli_check_buckling, cli_check_stick_slip,  cli_check_tension,      cli_check_frame, cli_check_incline,
      cli_check_sled,       cli_check_capstan,  cli_check_hardships,   cli_check_balloon,      cli_check_leak,  cli_check_chambers,
      cli_check_wind,       cli_check_bounce,   cli_check_sheet_slide, cli_check_sag_particles};
  bool json = false, markdown = false, pass = true;
  const cli_opt opts[] = {
      {.name = "markdown", .kind = CLI_SWITCH, .value = &markdown, .help = "the table as it stands in docs/validation.md"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate all [--markdown] [--json]", opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  cli_checks checks = {0};
  double seconds = 0;
  const size_t n = sizeof experiments / sizeof experiments[0];
  for (size_t k = 0; k < n; k++) {
    cli_progress("validate", (double)k, (double)n, "experiments");
    cb_status st = experiments[k](&checks, &err);
    if (st != CB_OK) return cli_fail("validate", st, &err);
  }
  cli_progress("validate", (double)n, (double)n, "experiments");
  for (int k = 0; k < checks.n; k++) {
    pass = pass && checks.row[k].pass;
    seconds += checks.row[k].seconds;
  }
  if (!json) {
    cli_checks_print(&checks, markdown);
    if (!markdown) printf("\nverdict: %s (%.1f s)\n", pass ? "pass" : "fail", seconds);
  }
  return cli_verdict(json, json ? cli_checks_json(&checks, "all", pass) : NULL, pass);
}
