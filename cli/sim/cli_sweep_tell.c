/* How a sweep stands; its rows as one file; which variable matters. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "cli_sweep.h"
#include "report_gnuplot.h"
#include "report_scatter.h"
#include "cb_plural.h"

#define MOST_FAILURES 10 /* sentences shown */

/* Prints the document or the text, and ends the command. */
static int finish(const cli_sweep *q, swp_home *home, cb_status st, const cb_err *err, json_t *doc) {
  int code = st == CB_OK ? CLI_DONE : cli_fail("sweep", st, err);
  if (st == CB_OK && q->json)
    code = cli_print_json("sweep", doc);
  else
    json_decref(doc);
  swp_home_clear(home);
  return code;
}

static void print_standing(const swp_home *h, const swp_standing *s) {
  char name[300];
  printf("%s: %d of %d case%s done (%.1f %%), %d failed, %d missing\n", h->plan.name, s->done,
         h->plan.n_cases, CB_S(h->plan.n_cases), 100.0 * s->done / h->plan.n_cases, s->failed, s->missing);
  for (size_t i = 0; i < s->n_failures && i < MOST_FAILURES; i++) {
    swp_case_say(&h->plan, s->failure[i].first, name, sizeof name);
    printf("  %d failed: %s\n    first: %s\n", s->failure[i].n, s->failure[i].sentence, name);
  }
  if (s->failed) printf("next: clothbench sweep retry %s forgets the failures\n", h->folder);
}

int cli_sweep_status(const cli_sweep *q) {
  swp_home home;
  swp_standing s = {.done = 0};
  cb_err err = {""};
  cb_status st = swp_home_open(q->folder, &home, &err);
  if (st == CB_OK) st = swp_home_standing(&home, cli_sweep_say_bad, NULL, &s, &err);
  if (st == CB_OK && !q->json) print_standing(&home, &s);
  json_t *doc = st == CB_OK ? swp_standing_json(&home, &s) : NULL;
  free(s.failure);
  return finish(q, &home, st, &err, doc);
}

static void print_gathered(const swp_home *h, const swp_gathered *g) {
  printf("%s/results.db: %d of %d case%s done, %d failed\n", h->folder, g->sums.done, h->plan.n_cases,
         CB_S(h->plan.n_cases), g->sums.failed);
  printf("%d shard%s read, %d left out; %d row%s taken, %d known\n", g->files, CB_S(g->files), g->bad,
         g->rows.taken, CB_S(g->rows.taken), g->rows.known);
  printf("%.4g core-hours; results %s\n", g->sums.seconds / 3600, g->hash);
}

int cli_sweep_gather(const cli_sweep *q) {
  swp_home home;
  swp_gathered g = {.files = 0};
  cb_err err = {""};
  cb_status st = swp_home_open(q->folder, &home, &err);
  if (st == CB_OK) st = swp_home_gather(&home, q->csv, cli_sweep_say_bad, NULL, &g, &err);
  if (st == CB_OK && !q->json) print_gathered(&home, &g);
  if (st == CB_OK && g.rows.differ > 0)
    cli_say("sweep",
            "%d case%s %s another result in a second file, the first is case %d: the first result stays",
            g.rows.differ, CB_S(g.rows.differ), CB_PLURAL(g.rows.differ, "has", "have"), g.rows.first);
  const int code = finish(q, &home, st, &err, st == CB_OK ? swp_gathered_json(&home, &g) : NULL);
  return code == CLI_DONE && (g.bad > 0 || g.rows.differ > 0) ? CLI_NEGATIVE : code;
}

int cli_sweep_retry(const cli_sweep *q) {
  swp_home home;
  cb_err err = {""};
  int n = 0;
  cb_status st = swp_home_open(q->folder, &home, &err);
  if (st == CB_OK) st = swp_home_forget_failed(&home, &n, &err);
  if (st == CB_OK && !q->json)
    printf(
        "%s: %d failure%s forgotten\nnext: clothbench sweep %s/plan.yaml --out %s --local, or --slurm TASKS, "
        "plays these cases again\n",
        home.plan.name, n, CB_S(n), home.folder, home.folder);
  json_t *doc = st == CB_OK ? json_pack("{s:s, s:i}", "name", home.plan.name, "forgotten", n) : NULL;
  return finish(q, &home, st, &err, doc);
}

static void print_indices(const cli_sweep *q, const swp_home *h, const swp_sensitivity *s) {
  printf("%s of %s, %d row%s: share of its variance (95 %% interval)\n", q->of, h->plan.name, s->n_rows,
         CB_S(s->n_rows));
  printf("  %-24s %-24s %s\n", "", "alone (first)", "with others (total)");
  for (size_t i = 0; i < h->plan.n_variables; i++) {
    const swp_index *x = &s->index[i];
    printf("  %-24s %5.3f (%6.3f to %5.3f)   %5.3f (%6.3f to %5.3f)\n", h->plan.variable[i].name, x->first,
           x->first_low, x->first_high, x->total, x->total_low, x->total_high);
  }
}

int cli_sweep_indices(const cli_sweep *q) {
  swp_home home;
  swp_sensitivity s;
  cb_err err = {""};
  if (!q->of) {
    cli_say("sweep", "--of FIGURE was wanted: a column that the plan keeps");
    return CLI_USAGE;
  }
  cb_status st = swp_home_open(q->folder, &home, &err);
  if (st == CB_OK) st = swp_home_indices(&home, q->of, &s, &err);
  if (st == CB_OK && !q->json) print_indices(q, &home, &s);
  return finish(q, &home, st, &err, st == CB_OK ? swp_sensitivity_json(&home, q->of, &s) : NULL);
}

static cb_status draw(const cli_sweep *q, const swp_home *h, double *x, double *y, cb_err *err) {
  report_plot p;
  char title[200];
  CB_TRY(swp_home_column(h, q->over, x, err));
  CB_TRY(swp_home_column(h, q->of, y, err));
  (void)snprintf(title, sizeof title, "%s: %s over %s", h->plan.name, q->of, q->over);
  report_scatter(title, q->over, q->of, x, y, (size_t)h->plan.n_cases, &p);
  const cb_status st = report_gnuplot_draw(&p, q->figure, err);
  report_plot_clear(&p);
  return st;
}

int cli_sweep_plot(const cli_sweep *q) {
  swp_home home;
  cb_err err = {""};
  double *x = NULL, *y = NULL;
  if (!q->of || !q->over || !q->figure) {
    cli_say("sweep", "--of FIGURE, --over VARIABLE and --figure FILE were wanted");
    return CLI_USAGE;
  }
  cb_status st = swp_home_open(q->folder, &home, &err);
  if (st == CB_OK) {
    x = malloc((size_t)home.plan.n_cases * sizeof *x);
    y = malloc((size_t)home.plan.n_cases * sizeof *y);
    st = x && y ? draw(q, &home, x, y, &err) : cb_no_memory(&err, "%d cases", home.plan.n_cases);
  }
  free(x);
  free(y);
  swp_home_clear(&home);
  return st == CB_OK ? CLI_DONE : cli_fail("sweep", st, &err);
}
