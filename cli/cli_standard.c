#include "cli_standard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fit_standard.h"

typedef struct evaluation {
  cb_store *store;
  const cb_standard *standard;
  cb_run *runs;
  fit_standard *pulls;
  double *statics, *kinetics; /* of one group */
  size_t n;
  json_t *groups, *deviations;
} evaluation;

/* ---- pulls ---- */

static cb_status evaluate_pulls(evaluation *e, cb_err *err) {
  for (size_t i = 0; i < e->n; i++) {
    const cb_run *r = &e->runs[i];
    cb_trace trace;
    CB_TRY(cb_store_trace(e->store, r, &trace, err));
    cb_status st = fit_standard_pull(&trace, r->direction, r->travel_m, r->normal_force_N, e->standard, &e->pulls[i], err);
    cb_trace_clear(&trace);
    if (st != CB_OK) return cb_fail_in(err, st, "run %lld", (long long)r->id);
  }
  return CB_OK;
}

/* ---- groups: what may be averaged ---- */

static bool same_group(const cb_run *a, const cb_run *b) {
  return a->angle_deg == b->angle_deg && a->direction == b->direction && a->normal_force_N == b->normal_force_N;
}

static bool first_of_group(const evaluation *e, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (same_group(&e->runs[k], &e->runs[i])) return false;
  return true;
}

static json_t *summary_json(const double *mu, size_t n, int decimals, fit_standard_summary *s) {
  *s = fit_standard_summarise(mu, n, decimals);
  return json_pack("{s:I, s:o, s:o}", "n", (json_int_t)s->n, "mean", cb_json_real(s->mean), "sd", cb_json_real(s->sd));
}

static json_t *specimen_json(const cb_run *r, const fit_standard *p) {
  return json_pack("{s:I, s:i, s:o, s:o, s:s}", "run_id", (json_int_t)r->id, "specimen", r->repeat, "static_mu", cb_json_real(p->static_mu),
                   "kinetic_mu", cb_json_real(p->kinetic_mu), "outcome", fit_standard_outcome_text[p->outcome]);
}

static void deviate(evaluation *e, const cb_run *r, const fit_standard_summary *kinetic) {
  char text[160];
  if ((double)kinetic->n >= e->standard->specimens.min) return;
  (void)snprintf(text, sizeof text, "%zu specimens at %g deg, %s says at least %g", kinetic->n, r->angle_deg, e->standard->title,
                 e->standard->specimens.min);
  json_array_append_new(e->deviations, json_string(text));
}

static void add_group(evaluation *e, size_t first) {
  const cb_run *r = &e->runs[first];
  json_t *specimens = json_array();
  fit_standard_summary s, k;
  size_t n = 0;
  for (size_t i = first; i < e->n; i++) {
    if (!same_group(r, &e->runs[i])) continue;
    e->statics[n] = e->pulls[i].static_mu;
    e->kinetics[n++] = e->pulls[i].kinetic_mu;
    json_array_append_new(specimens, specimen_json(&e->runs[i], &e->pulls[i]));
  }
  json_t *stat = summary_json(e->statics, n, e->standard->decimals, &s), *kinetic = summary_json(e->kinetics, n, e->standard->decimals, &k);
  json_array_append_new(e->groups,
                        json_pack("{s:f, s:i, s:f, s:o, s:o, s:o}", "angle_deg", r->angle_deg, "direction", r->direction, "normal_force_N",
                                  r->normal_force_N, "static", stat, "kinetic", kinetic, "specimens", specimens));
  deviate(e, r, &k);
}

static json_t *document(evaluation *e, int64_t campaign_id) {
  for (size_t i = 0; i < e->n; i++)
    if (first_of_group(e, i)) add_group(e, i);
  return json_pack("{s:I, s:s, s:s, s:i, s:f, s:f, s:O, s:O}", "campaign_id", (json_int_t)campaign_id, "standard", e->standard->name,
                   "title", e->standard->title, "decimals", e->standard->decimals, "window_mm", 1e3 * e->standard->window_m,
                   "without_peak_mm", 1e3 * e->standard->peak_m, "groups", e->groups, "deviations", e->deviations);
}

/* ---- the campaign ---- */

static cb_status find_standard(cb_store *s, int64_t id, const cb_standard **standard, cb_err *err) {
  char preset[32];
  cb_conditions c;
  CB_TRY(cb_store_conditions_get(s, id, preset, &c, err));
  *standard = cb_standard_find(preset);
  if (*standard && (*standard)->window_m > 0) return CB_OK;
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: campaign %lld was measured with 'preset: %s', which has no evaluation of its own: 'clothbench fit friction' reads it",
                 cb_store_path(s), (long long)id, preset);
}

static cb_status load(evaluation *e, int64_t id, cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = id;
  f.kind = CB_RUN_PULL;
  f.status = CB_RUN_DONE;
  CB_TRY(find_standard(e->store, id, &e->standard, err));
  CB_TRY(cb_store_runs(e->store, &f, &e->runs, &e->n, err));
  if (e->n == 0) return cb_fail(err, CB_E_NOTFOUND, "%s: campaign %lld has no finished pull", cb_store_path(e->store), (long long)id);
  e->pulls = calloc(e->n, sizeof *e->pulls);
  e->statics = calloc(2 * e->n, sizeof *e->statics);
  e->groups = json_array();
  e->deviations = json_array();
  if (!e->pulls || !e->statics || !e->groups || !e->deviations) return cb_fail(err, CB_E_NOMEM, "no memory for %zu pulls", e->n);
  e->kinetics = e->statics + e->n;
  return CB_OK;
}

cb_status cli_standard_evaluate(cb_store *s, int64_t campaign_id, json_t **doc, cb_err *err) {
  evaluation e = {.store = s};
  cb_status st = CB_OK;
  *doc = NULL;
  CB_GOTO(load(&e, campaign_id, err));
  CB_GOTO(evaluate_pulls(&e, err));
  *doc = document(&e, campaign_id);
  if (!*doc) st = cb_fail(err, CB_E_NOMEM, "no memory for the evaluation");
done:
  json_decref(e.groups);
  json_decref(e.deviations);
  free(e.statics);
  free(e.pulls);
  free(e.runs);
  return st;
}

/* ---- the readable table ---- */

static void print_value(double v, int decimals, int width) {
  if (isfinite(v))
    printf("  %*.*f", width, decimals, v);
  else
    printf("  %*s", width, "-");
}

static void print_summary(const json_t *group, const char *key, const char *name, int decimals) {
  const json_t *s = json_object_get(group, key);
  printf("  %-8s", name);
  print_value(cb_json_number(s, "mean"), decimals, 7);
  printf("  sd");
  print_value(cb_json_number(s, "sd"), decimals, 7);
  printf("  n %d\n", (int)json_integer_value(json_object_get(s, "n")));
}

static void print_group(const json_t *group, int decimals) {
  const json_t *one;
  size_t i;
  printf("%g deg, pulled %s, normal force %.4g N\n", cb_json_number(group, "angle_deg"),
         cb_json_number(group, "direction") > 0 ? "forward" : "backward", cb_json_number(group, "normal_force_N"));
  printf("  specimen      mu_s     mu_k\n");
  json_array_foreach(json_object_get(group, "specimens"), i, one) {
    const char *outcome = json_string_value(json_object_get(one, "outcome"));
    printf("  %8d", (int)json_integer_value(json_object_get(one, "specimen")));
    print_value(cb_json_number(one, "static_mu"), decimals, 8);
    print_value(cb_json_number(one, "kinetic_mu"), decimals, 7);
    printf("%s%s\n", isnan(cb_json_number(one, "kinetic_mu")) ? "   " : "", isnan(cb_json_number(one, "kinetic_mu")) ? outcome : "");
  }
  print_summary(group, "static", "static", decimals);
  print_summary(group, "kinetic", "kinetic", decimals);
}

void cli_standard_print(const json_t *doc) {
  const json_t *one;
  size_t i;
  int decimals = (int)json_integer_value(json_object_get(doc, "decimals"));
  printf("campaign %lld by %s: static = initial peak, kinetic = mean over %g mm of sliding without the first %g mm\n",
         (long long)json_integer_value(json_object_get(doc, "campaign_id")), json_string_value(json_object_get(doc, "title")),
         cb_json_number(doc, "window_mm"), cb_json_number(doc, "without_peak_mm"));
  json_array_foreach(json_object_get(doc, "groups"), i, one) print_group(one, decimals);
  json_array_foreach(json_object_get(doc, "deviations"), i, one) printf("deviation: %s\n", json_string_value(one));
  printf("ASTM D1894 and ISO 8295 are not equivalent: values by one are not values by the other\n");
}
