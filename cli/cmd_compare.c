/* clothbench compare: two measurements of one pair against each other, with a verdict. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "report_figures.h"
#include "report_gnuplot.h"

typedef struct request {
  const char *cloth, *body, *kind;
  const char *db[2], *lot[2];
  double campaign[2]; /* 0: any */
  const char *figure; /* NULL: no figure */
  bool json;
} request;

static void print_side(const char *name, const request *q, int k, size_t n_runs) {
  printf("  %s: %zu runs of %s", name, n_runs, q->db[k]);
  if (q->campaign[k] > 0) printf(", campaign %.0f", q->campaign[k]);
  if (q->lot[k]) printf(", lot %s", q->lot[k]);
  printf("\n");
}

static void print_comparison(const request *q, const lab_compare *c) {
  printf("%s on %s, %s friction\n", c->cloth, c->body, cb_friction_kind_names[c->kind]);
  print_side("A", q, 0, c->n_runs[0]);
  print_side("B", q, 1, c->n_runs[1]);
  printf("  %8s %8s %20s %20s %7s\n", "angle", "load", "mu of A (95 %)", "mu of B (95 %)", "E_n");
  for (size_t i = 0; i < c->n_cells; i++) {
    const lab_compare_cell *p = &c->cells[i];
    printf("  %4g deg %6.3g N   %8.4f +- %6.4f   %8.4f +- %6.4f %7.2f\n", p->angle_deg, p->normal_force_N,
           p->mu[0], p->u95[0], p->mu[1], p->u95[1], p->en);
  }
  printf("  largest |E_n| of %zu cells: %.2f; equal laws stay below %.2f in 95 %% of all comparisons\n",
         c->n_cells, c->worst_en, c->worst_limit);
  printf("  laws as a whole: A is %.2f %% %s B, +- %.2f %% (95 %%), E_n = %.2f%s\n",
         100 * fabs(c->difference_rel), c->difference_rel < 0 ? "below" : "above", 100 * c->u95_rel, c->en,
         c->one_calibration ? "; one calibration, left out" : "");
  printf("verdict: they %s\n", c->agree ? "agree" : "differ");
}

static cb_status open_sides(const request *q, cb_store *s[2], cb_err *err) {
  CB_TRY(cb_store_open(q->db[0], CB_STORE_READ, &s[0], err));
  s[1] = s[0];
  if (strcmp(q->db[0], q->db[1]) != 0) return cb_store_open(q->db[1], CB_STORE_READ, &s[1], err);
  return CB_OK;
}

static cb_status draw(const request *q, const lab_compare *c, cb_err *err) {
  report_plot p;
  if (!q->figure) return CB_OK;
  report_figure_compare(c, &p);
  cb_status st = report_gnuplot_draw(&p, q->figure, err);
  report_plot_clear(&p);
  return st;
}

static int run_compare(const request *q, cb_friction_kind kind) {
  cb_err err = {""};
  cb_store *s[2] = {NULL, NULL};
  lab_compare c = {.n_cells = 0};
  cb_status st = open_sides(q, s, &err);
  const lab_compare_side side[2] = {{s[0], q->lot[0], (int64_t)q->campaign[0]},
                                    {s[1], q->lot[1], (int64_t)q->campaign[1]}};
  if (st == CB_OK) st = lab_compare_pair(side, q->cloth, q->body, kind, &c, &err);
  if (st == CB_OK) st = draw(q, &c, &err);
  if (s[1] != s[0]) (void)cb_store_close(s[1], NULL);
  (void)cb_store_close(s[0], NULL);
  int code = st == CB_OK ? CLI_DONE : cli_fail("compare", st, &err);
  if (st == CB_OK && q->json) code = cli_print_json("compare", lab_compare_json(&c));
  if (st == CB_OK && !q->json) print_comparison(q, &c);
  if (code == CLI_DONE && !c.agree) code = CLI_NEGATIVE;
  lab_compare_clear(&c);
  return code;
}

int cmd_compare(int argc, char **argv) {
  request q = {.kind = "kinetic"};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name", .required = true},
      {"body", CLI_TEXT, &q.body, "the body's name", .required = true},
      {"kind", CLI_TEXT, &q.kind, "kinetic or static; else kinetic"},
      {"lot", CLI_TEXT, &q.lot[0], "A: runs of this lot of the cloth"},
      {"other-lot", CLI_TEXT, &q.lot[1], "B"},
      {"campaign", CLI_NUMBER, &q.campaign[0], "A: runs of this campaign", .min = 1, .max = 1e15},
      {"other-campaign", CLI_NUMBER, &q.campaign[1], "B", .min = 1, .max = 1e15},
      {"db", CLI_TEXT, &q.db[0], "the database of A"},
      {"other-db", CLI_TEXT, &q.db[1], "that of B; else the same"},
      {"figure", CLI_OUT_FILE, &q.figure, "FILE.svg, FILE.pdf or FILE.png: mu of A over that of B"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop =
      cli_parse(argc, argv,
                "compare --cloth NAME --body NAME {--lot A --other-lot B | --campaign A --other-campaign B | "
                "--other-db FILE} [--db FILE] [--figure FILE] [--json]",
                opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db[0] = cli_db_path(q.db[0]);
  const bool lots = q.lot[0] && q.lot[1] && strcmp(q.lot[0], q.lot[1]) != 0;
  const bool campaigns = q.campaign[0] > 0 && q.campaign[1] > 0 && q.campaign[0] != q.campaign[1];
  if (!q.db[1] && !lots && !campaigns) {
    cli_say("compare", "two sides were wanted: two lots, two campaigns, or --other-db");
    return CLI_USAGE;
  }
  if (!q.db[1]) q.db[1] = q.db[0];
  if (strcmp(q.kind, "kinetic") == 0) return run_compare(&q, CB_FRICTION_KINETIC);
  if (strcmp(q.kind, "static") == 0) return run_compare(&q, CB_FRICTION_STATIC);
  cli_say("compare", "--kind %s: kinetic or static was wanted", q.kind);
  return CLI_USAGE;
}
