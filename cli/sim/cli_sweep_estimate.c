/* clothbench sweep PLAN.yaml: what the sweep will cost. */
#include "swp_estimate.h"

#include <stdio.h>
#include <unistd.h>

#include "cb_plural.h"
#include "cb_signals.h"
#include "cli.h"
#include "cli_sweep.h"

static void show(void *context, int done, int total) {
  (void)context;
  cli_progress("sweep", done, total, "probes");
}

static void print_probe(const swp_plan *p, const swp_outcome *o) {
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  swp_case_values(p, o->index, value);
  printf("case %d: %.3g s\n", o->index, o->seconds);
  for (size_t i = 0; i < p->n_variables; i++) printf("  %-24s %s\n", p->variable[i].name, value[i]);
  for (size_t i = 0; i < p->n_figures && !o->failed; i++)
    printf("  -> %-21s %.6g\n", p->figure[i].name, o->figure[i]);
  if (o->failed) printf("  failed: %s\n", o->sentence);
}

static void print_estimate(const cli_sweep *q, const swp_plan *p, const swp_estimate *e) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  printf("%s: %d case%s, all of them within the ranges of their command\n\n", p->name, p->n_cases,
         CB_S(p->n_cases));
  for (int i = 0; i < e->n; i++) print_probe(p, &e->probe[i]);
  printf(
      "\n%.3g core-hours at %.3g s per case, %.3g h on this machine (%ld processor%s); about %.3g MB of "
      "rows\n",
      e->core_hours, e->seconds, e->core_hours / (double)processors, processors, CB_S(processors),
      e->bytes / 1e6);
  printf("next: clothbench sweep %s --local, or --slurm TASKS\n", q->plan);
}

int cli_sweep_estimate(const cli_sweep *q) {
  swp_plan plan;
  swp_estimate e = {.n = 0};
  cb_err err = {""};
  cb_status st = swp_plan_load(q->plan, &plan, &err);
  if (st == CB_OK) st = cli_sweep_check(&plan, 1, 1, &err);
  const cb_stop *stop = cb_signals_listen_once("clothbench sweep: stops\n");
  if (st == CB_OK) st = swp_estimate_make(&plan, cli_sweep_play, stop, show, &e, &err);
  int code = st == CB_OK ? CLI_DONE : cli_fail("sweep", st, &err);
  if (st == CB_OK && q->json) code = cli_print_json("sweep", swp_estimate_json(&plan, &e));
  if (st == CB_OK && !q->json) print_estimate(q, &plan, &e);
  swp_plan_clear(&plan);
  return code == CLI_DONE && e.failed ? CLI_NEGATIVE : code;
}
