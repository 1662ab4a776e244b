/* clothbench plot: one figure from the database. */
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cli_selection.h"
#include "report_figures.h"
#include "report_gnuplot.h"

typedef struct request {
  const char *figure; /* NULL: the run */
  int64_t run_id;
  const char *cloth, *body;
  bool column;
  cli_selection which;
} request;

static cb_status draw_figure(const char *db, const request *r, const char *out, cb_err *err) {
  cb_store *s;
  report_plot plot;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  plot = (report_plot){.n = 0};
  cb_status st = cli_selection_say("plot", s, &r->which.sel, r->cloth, r->body, err);
  if (st == CB_OK)
    st = r->figure ? report_figure_build(s, &r->which.sel, r->figure, r->cloth, r->body, &plot, err)
                   : report_figure_run(s, r->run_id, &plot, err);
  plot.column = r->column;
  if (st == CB_OK) st = report_gnuplot_draw(&plot, out, err);
  if (st == CB_OK && plot.note[0]) cli_say("plot", "%s", plot.note);
  report_plot_clear(&plot);
  return cb_store_close_after(s, st, err);
}

static int no_figure(const char *figure) {
  cli_say("plot", "no figure '%s'; there are:", figure);
  for (size_t i = 0; report_figure_at(i).name; i++)
    fprintf(stderr, "  %-14s  %s\n", report_figure_at(i).name, report_figure_at(i).what);
  fprintf(stderr, "  run N           force over displacement of run N\n");
  return CLI_USAGE;
}

/* -1 to go on, or the exit code. */
static int choose_figure(const char *const words[2], size_t n, request *r) {
  long long id = 0;
  cb_err err = {""};
  if (n == 2 && strcmp(words[0], "run") == 0) {
    cb_status st = cb_parse_int(words[1], "run", &id, &err);
    r->run_id = id;
    return st == CB_OK ? -1 : (cli_fail("plot", st, &err), CLI_USAGE);
  }
  size_t i = 0;
  while (report_figure_at(i).name && strcmp(report_figure_at(i).name, words[0]) != 0) i++;
  if (n != 1 || !report_figure_at(i).name) return no_figure(words[0]);
  r->figure = words[0];
  return -1;
}

int cmd_plot(int argc, char **argv) {
  const char *db = NULL, *out = NULL, *words[2];
  request r = {.figure = NULL};
  size_t n;
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &r.cloth, "only this cloth"},
      {"body", CLI_BODY, &r.body, "only this body"},
      CLI_SELECTION_OPTIONS(r.which),
      {"column", CLI_SWITCH, &r.column, "as wide as a column of a paper (84 mm), without a title"},
      {"out", CLI_OUT_FILE, &out, "FILE.svg, FILE.pdf or FILE.png; FILE.csv has the numbers",
       .required = true},
      {"db", CLI_TEXT, &db, "database file"},
  };
  int stop = cli_parse(
      argc, argv,
      "plot FIGURE|run N [--cloth NAME] [--body NAME] [SELECTION] [--column] [--db FILE] --out FILE", opts,
      sizeof opts / sizeof opts[0], words, 1, 2, &n);
  if (stop < 0) stop = choose_figure(words, n, &r);
  if (stop < 0) stop = cli_selection_take("plot", &r.which);
  if (stop >= 0) return stop;
  if (!r.figure && (lab_selection_is_partial(&r.which.sel) || r.which.origin_name)) {
    cli_say("plot", "run %lld is one run: a selection of runs has no meaning", (long long)r.run_id);
    return CLI_USAGE;
  }
  cb_err err = {""};
  cb_status st = draw_figure(cli_db_to_read(db), &r, out, &err);
  if (st != CB_OK) return cli_fail("plot", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}
