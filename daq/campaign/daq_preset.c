#include "cb_text.h"
#include "daq_campaign_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_store.h"

/* Lengths beyond the standard's window that the file need not spell out: acceleration and the end of the
 * pull. */
#define TRAVEL_MARGIN_M 0.010

static bool said(cb_ynode root, const char *key) { return cb_yaml_get(root, key).doc != NULL; }

/* Where the key stands, or the line of the preset that wants it. */
static cb_ynode at(cb_ynode root, const char *key) {
  return cb_yaml_get(root, said(root, key) ? key : "preset");
}

/* "2.5 (2 to 3)" or "10", in the key's unit. */
static void allowed_text(const cb_allowed *a, double per_unit, char out[64]) {
  if (a->min == a->max)
    (void)snprintf(out, 64, "%.4g", a->value * per_unit);
  else if (a->max >= 1000)
    (void)snprintf(out, 64, "at least %.4g", a->min * per_unit);
  else
    (void)snprintf(out, 64, "%.4g (%.4g to %.4g)", a->value * per_unit, a->min * per_unit, a->max * per_unit);
}

static cb_status check_condition(const cb_standard *s, cb_ynode where, const char *key, const cb_allowed *a,
                                 double value, double per_unit, cb_err *err) {
  char wanted[64];
  if (cb_allowed_has(a, value)) return CB_OK;
  allowed_text(a, per_unit, wanted);
  return cb_yaml_fail(where, err, CB_E_RANGE, "%s = %g: %s says %s ('preset: custom' would say nothing)", key,
                      value * per_unit, s->title, wanted);
}

static cb_status apply_list(const cb_standard *s, cb_ynode root, const char *key, const double *list,
                            size_t n, cb_numlist *out, double per_unit, cb_err *err) {
  bool same = out->n == n;
  if (n == 0) return CB_OK;
  if (!said(root, key)) {
    out->n = n;
    memcpy(out->v, list, n * sizeof *list);
    return CB_OK;
  }
  for (size_t i = 0; i < n && same; i++) same = fabs(out->v[i] - list[i]) <= 1e-9;
  if (same) return CB_OK;
  char text[160] = "";
  for (size_t i = 0; i < n; i++) cb_text_add(text, sizeof text, ", ", "%g", list[i] * per_unit);
  return cb_yaml_fail(at(root, key), err, CB_E_RANGE, "%s: %s says [%s] ('preset: custom' would say nothing)",
                      key, s->title, text);
}

/* One sled: cart and weight together. */
static cb_status apply_sled(const cb_standard *s, daq_campaign *c, const cb_rig *rig, cb_ynode root,
                            cb_err *err) {
  const cb_rig_bench *b = &rig->bench;
  CB_TRY(check_condition(s, at(root, "preset"), "contact_area_cm2 of the rig", &s->contact_area_m2,
                         b->contact_area_m2, 1e4, err));
  if (s->sled_kg.max == 0) return CB_OK;
  if (!said(root, "added_masses_g"))
    c->added_masses_kg = (cb_numlist){.n = 1, .v = {fmax(0, s->sled_kg.value - b->cart_mass_kg)}};
  for (size_t i = 0; i < c->added_masses_kg.n; i++)
    CB_TRY(check_condition(s, at(root, "added_masses_g"), "the sled, cart_mass_g of the rig and added mass,",
                           &s->sled_kg, b->cart_mass_kg + c->added_masses_kg.v[i], 1e3, err));
  return CB_OK;
}

static cb_status apply_zero(const cb_standard *s, daq_campaign *c, cb_ynode root, cb_err *err) {
  if (s->zero_min_s > 0 && !said(root, "zero_s")) c->zero_s = s->zero_min_s;
  if (c->zero_s < s->zero_min_s && said(root, "zero_s"))
    return cb_yaml_fail(at(root, "zero_s"), err, CB_E_RANGE,
                        "zero_s = %g: %s says that the surfaces touch for %g s before the pull", c->zero_s,
                        s->title, s->zero_min_s);
  return CB_OK;
}

static cb_status apply_pull(const cb_standard *s, daq_campaign *c, const cb_rig *rig, cb_ynode root,
                            cb_err *err) {
  double play_m = 2 * rig->bench.link_slack_m, least_m = s->window_m + play_m;
  if (!said(root, "speed_mm_per_s")) c->speed_m_per_s = s->speed_m_per_s.value;
  CB_TRY(check_condition(s, at(root, "speed_mm_per_s"), "speed_mm_per_s", &s->speed_m_per_s, c->speed_m_per_s,
                         1e3, err));
  CB_TRY(apply_zero(s, c, root, err));
  if (s->window_m == 0) return CB_OK;
  if (!said(root, "travel_mm")) c->travel_m = least_m + TRAVEL_MARGIN_M;
  if (c->travel_m < least_m)
    return cb_yaml_fail(at(root, "travel_mm"), err, CB_E_RANGE,
                        "travel_mm = %g: %s averages over %g mm of sliding, with the play of the link at "
                        "least %g mm are needed",
                        c->travel_m * 1e3, s->title, s->window_m * 1e3, least_m * 1e3);
  return CB_OK;
}

static cb_status apply_repeats(const cb_standard *s, daq_campaign *c, cb_ynode root, cb_err *err) {
  c->fresh_specimens = s->fresh;
  if (s->fresh && !said(root, "order")) c->order = DAQ_CELLS;
  if (!said(root, "repeats")) c->repeats = (int)s->specimens.value;
  CB_TRY(check_condition(s, at(root, "repeats"), s->fresh ? "repeats (specimens)" : "repeats", &s->specimens,
                         c->repeats, 1, err));
  if (!said(root, "directions")) c->directions = s->surface ? DAQ_BOTH : DAQ_FORWARD;
  if (s->fresh && c->directions == DAQ_BOTH)
    return cb_yaml_fail(at(root, "directions"), err, CB_E_RANGE,
                        "directions = both: %s pulls every specimen once, in one direction", s->title);
  return CB_OK;
}

static cb_status apply_standard(const cb_standard *s, daq_campaign *c, const cb_rig *rig, cb_ynode root,
                                cb_err *err) {
  if (c->kind != CB_CAMPAIGN_FRICTION)
    return cb_yaml_fail(at(root, "kind"), err, CB_E_RANGE, "kind: the preset %s measures friction", s->name);
  CB_TRY(apply_list(s, root, "angles_deg", s->angles_deg, s->n_angles, &c->angles_deg, 1, err));
  CB_TRY(
      apply_list(s, root, "added_masses_g", s->added_masses_kg, s->n_masses, &c->added_masses_kg, 1e3, err));
  CB_TRY(apply_sled(s, c, rig, root, err));
  CB_TRY(apply_pull(s, c, rig, root, err));
  return apply_repeats(s, c, root, err);
}

static cb_status check_complete(const daq_campaign *c, const cb_standard *s, cb_ynode root, cb_err *err) {
  const struct {
    const char *key;
    bool set;
  } needed[] = {
      {"angles_deg", c->angles_deg.n > 0},
      {"added_masses_g", c->added_masses_kg.n > 0},
      {"repeats", c->repeats > 0},
      {"directions", s || said(root, "directions")},
      {"speed_mm_per_s", c->speed_m_per_s > 0},
      {"travel_mm", c->travel_m > 0},
      {"zero_s", c->zero_s > 0},
  };
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (!needed[i].set) return cb_yaml_fail(root, err, CB_E_PARSE, "the key '%s' is missing", needed[i].key);
  return CB_OK;
}

cb_status daq_preset_apply(daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err) {
  const cb_standard *s = cb_standard_at(c->preset);
  if (s) CB_TRY(apply_standard(s, c, rig, root, err));
  return check_complete(c, s, root, err);
}
