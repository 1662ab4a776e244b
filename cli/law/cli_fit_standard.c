/* clothbench fit standard: a campaign by the test standard of its preset. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cli_kind.h"
#include "lab_standard.h"

/* ---- the readable table ---- */

static void print_value(double v, int decimals, int width) {
  if (isfinite(v))
    printf("  %*.*f", width, decimals, v);
  else
    printf("  %*s", width, "-");
}

static void print_summary(const fit_standard_summary *s, const char *name, int decimals) {
  printf("  %-8s", name);
  print_value(s->mean, decimals, 7);
  printf("  sd");
  print_value(s->sd, decimals, 7);
  printf("  n %zu\n", s->n);
}

static void print_specimen(const lab_standard_specimen *s, bool surface, int decimals) {
  bool known = isfinite(s->kinetic_mu);
  printf("  %8d", s->specimen);
  print_value(surface ? s->kinetic_mu : s->static_mu, decimals, 8);
  print_value(surface ? s->deviation_mu : s->kinetic_mu, decimals, 7);
  printf("%s%s\n", known ? "" : "   ", known ? "" : fit_standard_outcome_text[s->outcome]);
}

static void print_group(const lab_standard_group *g, bool surface, int decimals) {
  printf("%g deg, pulled %s, normal force %.4g N\n", g->angle_deg, g->direction > 0 ? "forward" : "backward",
         g->normal_force_N);
  printf(surface ? "  specimen       MIU      MMD\n" : "  specimen      mu_s     mu_k\n");
  for (size_t i = 0; i < g->n; i++) print_specimen(&g->specimens[i], surface, decimals);
  print_summary(surface ? &g->kinetic : &g->stat, surface ? "MIU" : "static", decimals);
  print_summary(surface ? &g->deviation : &g->kinetic, surface ? "MMD" : "kinetic", decimals);
}

static void print_evaluation(const lab_standard *e) {
  printf("campaign %lld by %s: %s over %g mm of sliding without the first %g mm\n", (long long)e->campaign_id,
         e->title,
         e->surface ? "MIU = mean of mu, MMD = its mean deviation," : "static = initial peak, kinetic = mean",
         e->window_mm, e->without_peak_mm);
  printf("sled %g g on %.4g cm2, %g mm/min, way %g mm\n", e->sled_g, e->area_cm2, e->speed_mm_per_min,
         e->travel_mm);
  for (size_t i = 0; i < e->n_groups; i++) print_group(&e->groups[i], e->surface, e->decimals);
  for (size_t i = 0; i < e->n_deviations; i++) printf("deviation: %s\n", e->deviations[i]);
  printf(e->surface
             ? "MIU and MMD depend on the contactor: those of a KES-FB4 are by 5 mm x 5 mm of wires\n"
             : "ASTM D1894 and ISO 8295 are not equivalent: values by one are not values by the other\n");
}

/* ---- the command ---- */

static int show_evaluation(const lab_standard *e, bool json) {
  int code = CLI_DONE;
  if (json)
    code = cli_print_json("fit", lab_standard_json(e));
  else
    print_evaluation(e);
  /* A deviation from the standard is a verdict: what was measured is shown all the same. */
  return code == CLI_DONE && e->n_deviations > 0 ? CLI_NEGATIVE : code;
}

static int evaluate_campaign(const char *campaign, const char *db, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  lab_standard e = {.campaign_id = 0};
  long long id;
  cb_status st = cb_parse_int(campaign, "the campaign's number", &id, &err);
  if (st != CB_OK) return cli_fail("fit", CB_E_ARG, &err);
  st = cb_store_open(db, CB_STORE_WRITE, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, lab_standard_fit(s, id, &e, &err), &err);
  int code = st == CB_OK ? show_evaluation(&e, json) : cli_fail("fit", st, &err);
  lab_standard_clear(&e);
  return code;
}

int cli_fit_standard(int argc, char **argv) {
  const char *campaign, *db = NULL;
  bool json = false;
  const cli_opt opts[] = {{"db", CLI_TEXT, &db, "the database file"},
                          {"json", CLI_SWITCH, &json, "one JSON document"}};
  int stop =
      cli_parse(argc, argv, "fit standard CAMPAIGN_ID [--db FILE] [--json]", opts, 2, &campaign, 1, 1, NULL);
  return stop >= 0 ? stop : evaluate_campaign(campaign, cli_db_path(db), json);
}
