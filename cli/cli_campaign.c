#include "cli_campaign.h"

#include <math.h>
#include <stdio.h>

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

static void print_run(const lab_campaign_run *reduced) {
  const cb_run *r = &reduced->run;
  const cb_friction_point *p = reduced->has_point ? &reduced->point : NULL;
  printf("  run %-6lld %-5s %g deg", (long long)r->id, cb_run_kind_names[r->kind], r->angle_deg);
  if (isfinite(r->body_angle_deg)) printf(" on %g deg", r->body_angle_deg);
  if (r->normal_force_N > 0) printf(", load %.4g N", r->normal_force_N);
  if (p && isfinite(p->static_N)) printf(", static %.4g +- %.2g N", p->static_N, p->u_static_N);
  if (p && isfinite(p->kinetic_N)) printf(", kinetic %.4g +- %.2g N", p->kinetic_N, p->u_kinetic_N);
  if (p && isfinite(p->kinetic_N) && r->normal_force_N > 0)
    printf(", mu %.3f", p->kinetic_N / r->normal_force_N);
  printf(", %s%s%s", cb_run_status_names[r->status], r->flags[0] ? ", flagged " : "", r->flags);
  printf(r->reason[0] ? " (%s)\n" : "\n", r->reason);
}

void cli_campaign_print(const lab_campaign *c) {
  const cb_campaign *f = &c->facts;
  printf("campaign %lld %s\n", (long long)f->id, f->name);
  print_text("kind", cb_campaign_kind_names[f->kind]);
  print_text("origin", cb_origin_names[f->origin]);
  print_text("preset", c->preset);
  print_text("operator", f->operator_name);
  print_text("begun", f->created_at);
  print_text("finished", f->finished_at);
  print_conditions(&c->conditions);
  for (size_t i = 0; i < c->n_runs; i++) print_run(&c->runs[i]);
}
