/* clothbench validate all: every experiment whose reference is a closed form, as the table of docs/validation.md. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli_apart.h"
#include "cli_checks.h"
#include "cli_kind.h"
#include "cli_signals.h"
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

bool cli_checks_pass(const cli_checks *c) {
  for (int k = 0; k < c->n; k++)
    if (!c->row[k].pass) return false;
  return true;
}

json_t *cli_checks_json(const cli_checks *c, const char *experiment, int finished, int asked) {
  double seconds = 0;
  json_t *rows = json_array(), *verdict = finished < asked ? json_null() : json_string(cli_checks_pass(c) ? "pass" : "fail");
  for (int k = 0; k < c->n; k++) {
    const cli_check *r = &c->row[k];
    seconds += r->seconds;
    (void)json_array_append_new(
        rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:b}", "experiment", r->experiment, "what", r->what, "predicted", r->predicted,
                        "reference", r->reference, "error_percent", 100 * r->error, "allowed_percent", 100 * r->allowed, "pass", r->pass));
  }
  return json_pack("{s:s, s:o, s:i, s:i, s:o, s:f}", "experiment", experiment, "verdict", verdict, "experiments", asked, "finished",
                   finished, "rows", rows, "seconds", seconds);
}

int cli_checks_run(const char *name, cb_status (*add)(cli_checks *, cb_err *), int argc, char **argv) {
  static cli_checks checks;
  bool json = false;
  char usage[64];
  const cli_opt opts[] = {{.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"}};
  (void)snprintf(usage, sizeof usage, "validate %s [--json]", name);
  int stop = cli_parse(argc, argv, usage, opts, 1, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  checks.n = 0;
  cb_status st = add(&checks, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) {
    cli_checks_print(&checks, false);
    printf("\nverdict: %s\n", cli_checks_pass(&checks) ? "pass" : "fail");
  }
  return cli_verdict(json, json ? cli_checks_json(&checks, name, 1, 1) : NULL, cli_checks_pass(&checks));
}

/* ---- all ---- */

typedef struct experiment {
  const char *name;
  cb_status (*add)(cli_checks *, cb_err *);
} experiment;

static const experiment experiments[] = {{"cantilever", cli_check_cantilever},
                                         {"lateral-buckling", cli_check_buckling},
                                         {"stick-slip", cli_check_stick_slip},
                                         {"strip-tension", cli_check_tension},
                                         {"picture-frame", cli_check_frame},
                                         {"incline", cli_check_incline},
                                         {"sled", cli_check_sled},
                                         {"capstan", cli_check_capstan},
                                         {"hardships", cli_check_hardships},
                                         {"balloon", cli_check_balloon},
                                         {"leak", cli_check_leak},
                                         {"chambers", cli_check_chambers},
                                         {"wind", cli_check_wind},
                                         {"bounce", cli_check_bounce},
                                         {"sheet-slide", cli_check_sheet_slide},
                                         {"sag-particles", cli_check_sag_particles}};
#define N_EXPERIMENTS ((int)(sizeof experiments / sizeof experiments[0]))

static cb_status add_rows(const void *context, void *result, cb_err *err) { return ((const experiment *)context)->add(result, err); }

/* Adds the rows of as many experiments as come to their end. */
static cb_status run_all(cli_checks *c, int *finished, cb_err *err) {
  const cb_stop *stop = cli_signals_listen_once(NULL);
  for (*finished = 0; *finished < N_EXPERIMENTS; (*finished)++) {
    const experiment *e = &experiments[*finished];
    cli_checks own = {0};
    cli_progress("validate", *finished, N_EXPERIMENTS, "experiments");
    cb_status st = cli_apart(add_rows, e, &own, sizeof own, stop, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s", e->name);
    for (int k = 0; k < own.n; k++) {
      assert(c->n < CLI_CHECKS_MAX);
      c->row[c->n++] = own.row[k];
    }
  }
  cli_progress("validate", N_EXPERIMENTS, N_EXPERIMENTS, "experiments");
  return CB_OK;
}

static void print_verdict(const cli_checks *c, int finished) {
  double seconds = 0;
  for (int k = 0; k < c->n; k++) seconds += c->row[k].seconds;
  if (finished < N_EXPERIMENTS)
    printf("\nverdict: none (%d of %d experiments, %.1f s)\n", finished, N_EXPERIMENTS, seconds);
  else
    printf("\nverdict: %s (%.1f s)\n", cli_checks_pass(c) ? "pass" : "fail", seconds);
}

int cli_validate_all(int argc, char **argv) {
  static cli_checks checks;
  bool json = false, markdown = false;
  int finished;
  const cli_opt opts[] = {
      {.name = "markdown", .kind = CLI_SWITCH, .value = &markdown, .help = "the table as it stands in docs/validation.md"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate all [--markdown] [--json]", opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  checks.n = 0;
  cb_status st = run_all(&checks, &finished, &err);
  if (!json) cli_checks_print(&checks, markdown);
  if (!json && !markdown) print_verdict(&checks, finished);
  int code = cli_verdict(json, json ? cli_checks_json(&checks, "all", finished, N_EXPERIMENTS) : NULL, cli_checks_pass(&checks));
  if (st == CB_OK) return code;
  (void)fflush(stdout);
  code = cli_fail("validate", st, &err);
  cli_say("validate", "the table has the %d of %d experiments that came to their end", finished, N_EXPERIMENTS);
  return code;
}
