/* What the experiments with a reference in closed form share: comparisons as rows, a figure of two curves. */
#ifndef CLI_CHECKS_H
#define CLI_CHECKS_H

#include "cli.h"

typedef struct cli_check {
  const char *experiment;
  char what[80];
  double predicted, reference;
  double error, allowed; /* relative */
  bool pass;
  double seconds;
} cli_check;

#define CLI_CHECKS_MAX 192

typedef struct cli_checks {
  int n;
  cli_check row[CLI_CHECKS_MAX];
} cli_checks;

/* More than CLI_CHECKS_MAX are a bug. */
cli_check *cli_checks_add(cli_checks *c, const char *experiment, const char *fmt, ...) CB_PRINTF(3, 4);

/* What `validate all` runs: each adds its rows. */
cb_status cli_check_cantilever(cli_checks *c, cb_err *err);
cb_status cli_check_buckling(cli_checks *c, cb_err *err);
cb_status cli_check_stick_slip(cli_checks *c, cb_err *err);
cb_status cli_check_tension(cli_checks *c, cb_err *err);
cb_status cli_check_frame(cli_checks *c, cb_err *err);
cb_status cli_check_hardships(cli_checks *c, cb_err *err);
cb_status cli_check_incline(cli_checks *c, cb_err *err);
cb_status cli_check_sled(cli_checks *c, cb_err *err);
cb_status cli_check_capstan(cli_checks *c, cb_err *err);
cb_status cli_check_balloon(cli_checks *c, cb_err *err);
cb_status cli_check_bounce(cli_checks *c, cb_err *err);
cb_status cli_check_leak(cli_checks *c, cb_err *err);
cb_status cli_check_chambers(cli_checks *c, cb_err *err);
cb_status cli_check_wind(cli_checks *c, cb_err *err);
cb_status cli_check_sheet_slide(cli_checks *c, cb_err *err);
cb_status cli_check_sag_particles(cli_checks *c, cb_err *err);

/* Every row passes. */
bool cli_checks_pass(const cli_checks *c);
/* As a table, in Markdown or not; as one document. finished: of `asked` experiments so many came to their end; fewer than all: the verdict
 * is null. */
void cli_checks_print(const cli_checks *c, bool markdown);
json_t *cli_checks_json(const cli_checks *c, const char *experiment, int finished, int asked);

/* `validate NAME` of an experiment that has nothing to tell but its rows. */
int cli_checks_run(const char *name, cb_status (*add)(cli_checks *, cb_err *), int argc, char **argv);

/* Ends `validate NAME`: with json prints the document, which it takes (NULL: there was no memory for it). Returns the exit code. */
int cli_verdict(bool json, json_t *document, bool agrees);

/* A curve of predictions (points) over its reference (line), into a .png or .svg file. */
typedef struct cli_curve {
  const char *title, *x_label, *y_label;
  int n;
  const double *x, *predicted, *reference;
} cli_curve;
CB_CHECKED cb_status cli_curve_draw(const cli_curve *c, const char *path, cb_err *err);

#endif
