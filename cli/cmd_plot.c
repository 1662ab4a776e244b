/* clothbench plot: one figure of the friction paper, from the database. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "report_figures.h"
#include "report_gnuplot.h"

static cb_status draw(const char *db, const char *figure, const char *cloth, const char *body, const char *out, cb_err *err) {
  cb_store *s;
  report_plot plot;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  cb_status st = report_figure_build(s, figure, cloth, body, &plot, err);
  if (st == CB_OK) st = report_gnuplot_draw(&plot, out, err);
  report_plot_clear(&plot);
  (void)cb_store_close(s, NULL);
  return st;
}

static int no_figure(const char *figure) {
  cli_say("plot", "no figure '%s'; there are:", figure);
  for (size_t i = 0; report_figures[i].name; i++) fprintf(stderr, "  %s  %s\n", report_figures[i].name, report_figures[i].what);
  return CLI_USAGE;
}

int cmd_plot(int argc, char **argv) {
  const char *db = NULL, *cloth = NULL, *body = NULL, *out = NULL, *figure = NULL;
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &cloth, .help = "only this cloth"},
      {.name = "body", .kind = CLI_TEXT, .value = &body, .help = "only this body"},
      {.name = "out", .kind = CLI_TEXT, .value = &out, .help = "FILE.svg or FILE.png", .required = true},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "database file"},
  };
  int stop = cli_parse(argc, argv, "plot a|b|c|d|e|f [--cloth NAME] [--body NAME] [--db FILE] --out FILE.svg|FILE.png", opts,
                       sizeof opts / sizeof opts[0], &figure, 1, 1, NULL);
  if (stop >= 0) return stop;
  size_t i = 0;
  while (report_figures[i].name && strcmp(report_figures[i].name, figure) != 0) i++;
  if (!report_figures[i].name) return no_figure(figure);
  cb_err err = {""};
  cb_status st = draw(cli_db_path(db), figure, cloth, body, out, &err);
  if (st != CB_OK) return cli_fail("plot", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}
