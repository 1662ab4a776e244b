/* clothbench compare: measurements of one pair by two sides, or by a round robin, with a verdict. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "report_figures.h"
#include "report_gnuplot.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"

#define MOST LAB_ROUND_ROBIN_MAX

typedef struct request {
  const char *cloth, *body, *kind;
  const char *db[2], *lot[2];
  double campaign[2]; /* 0: any */
  const char *figure; /* NULL: no figure */
  bool json;
  const char *lab[MOST]; /* databases of a round robin */
  size_t n_labs;
} request;

static void print_side(const char *name, const request *q, int k, size_t n_runs) {
  printf("  %s: %zu run%s of %s", name, n_runs, CB_S(n_runs), q->db[k]);
  if (q->campaign[k] > 0) printf(", campaign %.0f", q->campaign[k]);
  if (q->lot[k]) printf(", lot %s", q->lot[k]);
  printf("\n");
}

static void print_comparison(const request *q, const lab_compare *c) {
  char a[CB_PLUS_MINUS], b[CB_PLUS_MINUS];
  printf("%s on %s, %s friction\n", c->cloth, c->body, cb_friction_kind_names[c->kind]);
  print_side("A", q, 0, c->n_runs[0]);
  print_side("B", q, 1, c->n_runs[1]);
  printf("  %8s %8s %20s %20s %7s\n", "angle", "load", "mu of A (95 %)", "mu of B (95 %)", "E_n");
  for (size_t i = 0; i < c->n_cells; i++) {
    const lab_compare_cell *p = &c->cells[i];
    printf("  %4g deg %6.3g N %20s %20s %7.2f\n", p->angle_deg, p->normal_force_N,
           cb_plus_minus(p->mu[0], p->u95[0], " +- ", a), cb_plus_minus(p->mu[1], p->u95[1], " +- ", b),
           p->en);
  }
  printf("  largest |E_n| of %zu cell%s: %.2f; equal laws stay below %.2f in 95 %% of all comparisons\n",
         c->n_cells, CB_S(c->n_cells), c->worst_en, c->worst_limit);
  printf("  laws as a whole: A is %s %% %s B (95 %%), E_n = %.2f%s\n",
         cb_plus_minus(100 * fabs(c->difference_rel), 100 * c->u95_rel, " +- ", a),
         c->difference_rel < 0 ? "below" : "above", c->en,
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

/* ---- three and more ---- */

static void print_round_robin(const lab_round_robin *r) {
  char text[CB_PLUS_MINUS];
  printf("%s on %s, %s friction: %zu %s, %zu cell%s that all of them measured\n", r->cloth, r->body,
         cb_friction_kind_names[r->kind], r->n_labs, CB_PLURAL(r->n_labs, "laboratory", "laboratories"),
         r->n_cells, CB_S(r->n_cells));
  printf("  %-32s %5s %20s %7s\n", "", "runs", "deviation (95 %)", "E_n");
  for (size_t i = 0; i < r->n_labs; i++) {
    const lab_participant *p = &r->lab[i];
    printf("  %-32s %5zu %18s %% %7.2f%s\n", p->name, p->n_runs,
           cb_plus_minus(100 * p->deviation_rel, 100 * p->u95_rel, " +- ", text), p->en,
           p->consistent ? "" : "  off");
  }
  printf("  reference: mu = %s (95 %%), of %zu %s; chi squared of all: %.2f, p = %.2g\n",
         cb_plus_minus(r->mu, r->mu * r->u95_rel, " +- ", text),
         r->n_consistent ? r->n_consistent : r->n_labs,
         CB_PLURAL(r->n_consistent ? r->n_consistent : r->n_labs, "laboratory", "laboratories"),
         r->chi_squared, r->p_value);
  printf("verdict: %s\n", r->n_consistent == r->n_labs ? "they agree"
                          : r->n_consistent == 0       ? "no two of them agree"
                                                       : "some are off");
}

static cb_status draw_youden(const request *q, const lab_round_robin *r, cb_err *err) {
  report_plot p;
  if (!q->figure) return CB_OK;
  report_figure_youden(r, &p);
  const cb_status st = report_gnuplot_draw(&p, q->figure, err);
  report_plot_clear(&p);
  return st;
}

static int run_round_robin(const request *q, cb_friction_kind kind) {
  cb_err err = {""};
  lab_compare_side side[MOST] = {{NULL}};
  lab_round_robin r;
  cb_status st = CB_OK;
  for (size_t i = 0; st == CB_OK && i < q->n_labs; i++)
    st = cb_store_open(q->lab[i], CB_STORE_READ, &side[i].s, &err);
  if (st == CB_OK) st = lab_round_robin_make(side, q->n_labs, q->cloth, q->body, kind, &r, &err);
  for (size_t i = 0; i < q->n_labs; i++) (void)cb_store_close(side[i].s, NULL);
  if (st == CB_OK) st = draw_youden(q, &r, &err);
  if (st != CB_OK) return cli_fail("compare", st, &err);
  int code = CLI_DONE;
  if (q->json)
    code = cli_print_json("compare", lab_round_robin_json(&r));
  else
    print_round_robin(&r);
  return code == CLI_DONE && r.n_consistent < r.n_labs ? CLI_NEGATIVE : code;
}

/* ---- the command ---- */

static int run_kind(const request *q, int (*run)(const request *q, cb_friction_kind kind)) {
  if (strcmp(q->kind, "kinetic") == 0) return run(q, CB_FRICTION_KINETIC);
  if (strcmp(q->kind, "static") == 0) return run(q, CB_FRICTION_STATIC);
  cli_say("compare", "--kind %s: kinetic or static was wanted", q->kind);
  return CLI_USAGE;
}

static int choose(request *q) {
  const bool sides =
      q->lot[0] || q->lot[1] || q->campaign[0] > 0 || q->campaign[1] > 0 || q->db[0] || q->db[1];
  if (q->n_labs > 0 && (q->n_labs < 3 || sides)) {
    cli_say(
        "compare",
        "databases without an option: three or more were wanted, and no lot, campaign, --db or --other-db");
    return CLI_USAGE;
  }
  if (q->n_labs > 0) return run_kind(q, run_round_robin);
  q->db[0] = cli_db_path(q->db[0]);
  const bool lots = q->lot[0] && q->lot[1] && strcmp(q->lot[0], q->lot[1]) != 0;
  const bool campaigns = q->campaign[0] > 0 && q->campaign[1] > 0 && q->campaign[0] != q->campaign[1];
  if (!q->db[1] && !lots && !campaigns) {
    cli_say("compare", "two sides were wanted: two lots, two campaigns, or --other-db");
    return CLI_USAGE;
  }
  if (!q->db[1]) q->db[1] = q->db[0];
  return run_kind(q, run_compare);
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
      {"figure", CLI_OUT_FILE, &q.figure,
       "FILE.svg, FILE.pdf or FILE.png: mu of A over that of B; of three files: Youden's plot"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop =
      cli_parse(argc, argv,
                "compare --cloth NAME --body NAME {--lot A --other-lot B | --campaign A --other-campaign B | "
                "--other-db FILE | FILE FILE FILE ...} [--db FILE] [--figure FILE] [--json]",
                opts, sizeof opts / sizeof opts[0], q.lab, 0, MOST, &q.n_labs);
  return stop >= 0 ? stop : choose(&q);
}
