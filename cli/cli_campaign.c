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
  return CB_OK;
}
