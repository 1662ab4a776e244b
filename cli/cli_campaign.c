#include "cli_campaign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_text(const char *name, const char *text) {
  if (text[0]) printf("  %-14s %s\n", name, text);
}

static void print_number(const char *name, double value, const char *unit) {
  if (isfinite(value)) printf("  %-14s %g %s\n", name, value, unit);
}

static void print_conditions(const cb_conditions *c) {
  char outside[200];
  print_text("atmosphere", c->atmosphere >= 0 ? cb_atmosphere_names[c->atmosphere] : "");
  print_number("temperature", c->temperature_degC, "degC");
  print_number("humidity", c->humidity_percent, "%");
  if (cb_conditions_outside(c, outside)) print_text("deviation", outside);
  print_number("conditioned", c->conditioning_h, "h");
  print_text("cloth lot", c->cloth_lot);
  print_text("cloth side", c->cloth_side >= 0 ? cb_side_names[c->cloth_side] : "");
  print_text("body specimen", c->body_specimen);
  print_number("specimen area", 1e4 * c->specimen_area_m2, "cm2");
  print_text("washed", c->wash_state);
  print_text("note", c->note);
}

static void print_run(const cb_run *r, const cb_friction_point *p) {
  printf("  run %-6lld %-5s %g deg", (long long)r->id, cb_run_kind_names[r->kind], r->angle_deg);
  if (isfinite(r->body_angle_deg)) printf(" on %g deg", r->body_angle_deg);
  if (r->normal_force_N > 0) printf(", load %.4g N", r->normal_force_N);
  if (p && isfinite(p->static_N)) printf(", static %.4g +- %.2g N", p->static_N, p->u_static_N);
  if (p && isfinite(p->kinetic_N)) printf(", kinetic %.4g +- %.2g N", p->kinetic_N, p->u_kinetic_N);
  if (p && isfinite(p->kinetic_N) && r->normal_force_N > 0) printf(", mu %.3f", p->kinetic_N / r->normal_force_N);
  printf(", %s%s%s\n", cb_run_status_names[r->status], r->flags[0] ? ", flagged " : "", r->flags);
}

static cb_status print_runs(cb_store *s, int64_t campaign_id, cb_err *err) {
  cb_run *runs;
  size_t n;
  cb_status st = CB_OK;
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = campaign_id;
  CB_TRY(cb_store_runs(s, &f, &runs, &n, err));
  for (size_t i = 0; i < n && (st == CB_OK || st == CB_E_NOTFOUND); i++) {
    cb_friction_point p;
    st = cb_store_point_of_run(s, runs[i].id, &p, err);
    if (st == CB_OK || st == CB_E_NOTFOUND) print_run(&runs[i], st == CB_OK ? &p : NULL);
  }
  free(runs);
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

cb_status cli_campaign_show(cb_store *s, int64_t id, cb_err *err) {
  cb_campaign c;
  cb_conditions conditions;
  char preset[32];
  CB_TRY(cb_store_campaign_get(s, id, &c, err));
  CB_TRY(cb_store_conditions_get(s, id, preset, &conditions, err));
  printf("campaign %lld %s\n", (long long)c.id, c.name);
  print_text("kind", cb_campaign_kind_names[c.kind]);
  print_text("origin", cb_origin_names[c.origin]);
  print_text("preset", preset);
  print_text("operator", c.operator_name);
  print_text("begun", c.created_at);
  print_text("finished", c.finished_at);
  print_conditions(&conditions);
  return print_runs(s, id, err);
}
