#include "daq_campaign_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_store.h"
#include "daq_conditions.h"

static const char *const kind_names[] = {"friction", "slide", NULL};
static const char *const direction_names[] = {"forward", "backward", "both", NULL};
static const char *const order_names[] = {"return", "passes", "cells", NULL};
static const char *const grid_names[] = {"full", "pairs", NULL};
_Static_assert(CB_CAMPAIGN_FRICTION == 0 && CB_CAMPAIGN_SLIDE == 1,
               "kind_names is in the order of cb_campaign_kind");

#define MASS_MOST_g 5e4 /* no bench carries more */

#define MEMBER(m) .offset = offsetof(daq_campaign, m), .size = sizeof(((daq_campaign *)0)->m)

static const cb_yfield fields[] = {
    {"name", CB_Y_STR, MEMBER(name), .required = true},
    {"kind", CB_Y_ENUM, MEMBER(kind), .required = true, .choices = kind_names},
    {"cloth", CB_Y_STR, MEMBER(cloth), .required = true},
    {"body", CB_Y_STR, MEMBER(body), .required = true},
    {"specimen", CB_Y_STR, MEMBER(specimen)},
    /* What a preset may set is missed only after it had its say. */
    {"angles_deg", CB_Y_NUMLIST, MEMBER(angles_deg), .min = -180, .max = 180},
    {"body_angles_deg", CB_Y_NUMLIST, MEMBER(body_angles_deg), .min = -180, .max = 180},
    {"added_masses_g", CB_Y_NUMLIST, MEMBER(added_masses_kg), .min = 0, .max = MASS_MOST_g, .scale = 1e-3},
    {"grid", CB_Y_ENUM, MEMBER(grid), .choices = grid_names},
    {"repeats", CB_Y_INT, MEMBER(repeats), .min = 1, .max = 1000},
    {"order", CB_Y_ENUM, MEMBER(order), .choices = order_names},
    {"directions", CB_Y_ENUM, MEMBER(directions), .choices = direction_names},
    {"speed_mm_per_s", CB_Y_NUM, MEMBER(speed_m_per_s), .min = 1e-3, .max = 1e4, .scale = 1e-3},
    {"travel_mm", CB_Y_NUM, MEMBER(travel_m), .min = 1e-2, .max = 1e4, .scale = 1e-3},
    {"zero_s", CB_Y_NUM, MEMBER(zero_s), .min = 0.1, .max = 600},
    {"preset", CB_Y_ENUM, MEMBER(preset), .choices = cb_standard_names},
    {"operator", CB_Y_STR, MEMBER(operator_name)},
};
#define N_FIELDS (sizeof fields / sizeof fields[0])

/* ---- rules that no single key can say ---- */

static cb_status check_texts(const daq_campaign *c, cb_ynode root, cb_err *err) {
  const char *const keys[] = {"name", "cloth", "body"};
  const char *const texts[] = {c->name, c->cloth, c->body};
  for (int i = 0; i < 3; i++)
    if (!texts[i][0])
      return cb_yaml_fail(cb_yaml_get(root, keys[i]), err, CB_E_PARSE, "%s = '': must not be empty", keys[i]);
  if (!c->specimen[0] || !c->fresh_specimens) return CB_OK;
  return cb_yaml_fail(cb_yaml_get(root, "specimen"), err, CB_E_RANGE,
                      "specimen: %s wants another specimen for every repeat", cb_standard_names[c->preset]);
}

/* Equal cells could not be told apart when a campaign is resumed. */
static cb_status check_distinct(const cb_numlist *l, cb_ynode root, const char *key, cb_err *err) {
  cb_ynode at = cb_yaml_get(root, key);
  for (size_t i = 1; i < l->n; i++)
    for (size_t k = 0; k < i; k++)
      if (l->v[i] == l->v[k])
        return cb_yaml_fail(cb_yaml_item(at, i), err, CB_E_RANGE, "%s: %s stands twice", key,
                            cb_yaml_scalar(cb_yaml_item(at, i)));
  return CB_OK;
}

/* The body's angle in the i-th of the places that differ in it. */
static double body_angle(const daq_campaign *c, size_t i) {
  const cb_numlist *l = &c->body_angles_deg;
  return l->n == 0 ? NAN : l->v[l->n == 1 ? 0 : i];
}

static bool same_pair(const daq_campaign *c, size_t i, size_t k) {
  return c->angles_deg.v[i] == c->angles_deg.v[k] && c->added_masses_kg.v[i] == c->added_masses_kg.v[k] &&
         cb_run_same_body_angle(body_angle(c, i), body_angle(c, k));
}

static cb_status check_pairs(const daq_campaign *c, cb_ynode root, cb_err *err) {
  const cb_numlist *a = &c->angles_deg, *m = &c->added_masses_kg, *b = &c->body_angles_deg;
  cb_ynode at = cb_yaml_get(root, "grid");
  if (a->n != m->n)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "grid = pairs: %zu angle%s and %zu %s: as many of one as of the other were wanted",
                        a->n, CB_S(a->n), m->n, CB_PLURAL(m->n, "mass", "masses"));
  if (b->n > 1 && b->n != a->n)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "grid = pairs: %zu angle%s and %zu of the body: none, one or as many were wanted",
                        a->n, CB_S(a->n), b->n);
  for (size_t i = 1; i < a->n; i++)
    for (size_t k = 0; k < i; k++)
      if (same_pair(c, i, k))
        return cb_yaml_fail(at, err, CB_E_RANGE, "grid = pairs: %g deg with %g g stands twice", a->v[i],
                            m->v[i] * 1e3);
  return CB_OK;
}

static cb_status check_grid(const daq_campaign *c, cb_ynode root, cb_err *err) {
  if (c->grid == DAQ_GRID_PAIRS) return check_pairs(c, root, err);
  CB_TRY(check_distinct(&c->angles_deg, root, "angles_deg", err));
  CB_TRY(check_distinct(&c->body_angles_deg, root, "body_angles_deg", err));
  return check_distinct(&c->added_masses_kg, root, "added_masses_g", err);
}

double daq_campaign_back_off_max(const cb_rig *rig) {
  return rig->bench.link_slack_m + rig->force.overload_N / rig->bench.link_stiffness_N_per_m;
}

static cb_status check_room(const daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err) {
  cb_ynode at = cb_yaml_get(root, "travel_mm");
  const cb_rig_stage *s = &rig->stage;
  double back_off = daq_campaign_back_off_max(rig),
         end = s->start_m + c->travel_m + (c->directions == DAQ_FORWARD ? 0 : back_off);
  if (c->travel_m <= 2 * rig->bench.link_slack_m)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "travel_mm = %g: must be more than twice the link's play of %g mm", c->travel_m * 1e3,
                        rig->bench.link_slack_m * 1e3);
  if (end > s->limit_max_m)
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "travel_mm = %g: from start_mm = %g of the rig it leads to %g mm%s, but limit_max_mm = %g",
        c->travel_m * 1e3, s->start_m * 1e3, end * 1e3,
        c->directions == DAQ_FORWARD ? "" : " with room to back off", s->limit_max_m * 1e3);
  if (s->start_m - back_off < s->limit_min_m)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "travel_mm: the rig's start_mm = %g must be at least %g mm (room to back off until "
                        "the link is slack) above limit_min_mm = %g",
                        s->start_m * 1e3, back_off * 1e3, s->limit_min_m * 1e3);
  return CB_OK;
}

#define ZERO_MIN_SAMPLES 10 /* fewer give no standard deviation worth the name */

static cb_status check_rig(const daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err) {
  if (c->speed_m_per_s > rig->stage.max_speed_m_per_s)
    return cb_yaml_fail(cb_yaml_get(root, "speed_mm_per_s"), err, CB_E_RANGE,
                        "speed_mm_per_s = %g: the rig allows at most %g", c->speed_m_per_s * 1e3,
                        rig->stage.max_speed_m_per_s * 1e3);
  if (c->zero_s * rig->force.rate_Hz < ZERO_MIN_SAMPLES)
    return cb_yaml_fail(cb_yaml_get(root, "zero_s"), err, CB_E_RANGE,
                        "zero_s = %g: gives %g readings at %g Hz, at least %d are needed", c->zero_s,
                        c->zero_s * rig->force.rate_Hz, rig->force.rate_Hz, ZERO_MIN_SAMPLES);
  return check_room(c, rig, root, err);
}

/* ---- loading ---- */

typedef struct listed {
  daq_campaign campaign; /* first: the tables' offsets are its */
  cb_ynode cloths, bodies;
} listed;

/* The campaign's own keys and those of its conditions make one map. Where there are lists, the pair has the
 * names. */
static cb_status bind_keys(cb_ynode root, bool lists, listed *out, cb_err *err) {
  cb_yfield all[N_FIELDS + DAQ_N_CONDITIONS + 2];
  const cb_yfield more[] = {{"cloths", CB_Y_NODE, .offset = offsetof(listed, cloths)},
                            {"bodies", CB_Y_NODE, .offset = offsetof(listed, bodies)}};
  const size_t n = N_FIELDS + DAQ_N_CONDITIONS;
  memcpy(all, fields, sizeof fields);
  memcpy(all + n, more, sizeof more);
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    all[N_FIELDS + i] = daq_conditions_questions[i].field;
    all[N_FIELDS + i].offset += offsetof(daq_campaign, conditions);
  }
  for (size_t i = 0; i < n && lists; i++)
    if (strcmp(all[i].key, "cloth") == 0 || strcmp(all[i].key, "body") == 0) all[i].required = false;
  return cb_yaml_bind(root, all, lists ? n + 2 : n, out, err);
}

static cb_status copy_side(cb_ynode root, const char *key, const char *name, char out[64], cb_err *err) {
  if (name[0]) (void)snprintf(out, 64, "%s", name);
  return out[0] ? CB_OK : cb_yaml_fail(root, err, CB_E_PARSE, "%s is missing", key);
}

static cb_status bind_campaign(cb_ynode root, const daq_pair *pair, daq_campaign *c, cb_err *err) {
  listed l = {.campaign = *c};
  cb_status st = bind_keys(root, pair != NULL, &l, err);
  *c = l.campaign;
  if (st != CB_OK || !pair) return st;
  CB_TRY(copy_side(root, "cloth", pair->cloth.name, c->cloth, err));
  CB_TRY(copy_side(root, "body", pair->body.name, c->body, err));
  if (pair->cloth.lot[0])
    (void)snprintf(c->conditions.cloth_lot, sizeof c->conditions.cloth_lot, "%s", pair->cloth.lot);
  if (pair->cloth.specimen[0]) (void)snprintf(c->specimen, sizeof c->specimen, "%s", pair->cloth.specimen);
  return CB_OK;
}

/* One pair's text differs from another's: an unfinished campaign is found by it. */
static char *text_of(const cb_yaml *doc, const daq_pair *pair, const daq_campaign *c) {
  if (!pair) return strdup(cb_yaml_text(doc));
  const daq_pair_side *cloth = &pair->cloth;
  const size_t bytes = strlen(cb_yaml_text(doc)) + sizeof c->cloth + sizeof c->body + sizeof *cloth + 48;
  char *out = malloc(bytes);
  if (out)
    (void)snprintf(out, bytes, "# %s%s%s%s%s on %s\n%s", c->cloth, cloth->lot[0] ? ", lot " : "", cloth->lot,
                   cloth->specimen[0] ? ", specimen " : "", cloth->specimen, c->body, cb_yaml_text(doc));
  return out;
}

cb_status daq_campaign_read(const cb_yaml *doc, const char *name, const cb_rig *rig, const daq_pair *pair,
                            daq_campaign *c, cb_err *err) {
  cb_ynode root = cb_yaml_root(doc);
  *c = (daq_campaign){.conditions = cb_conditions_unknown()};
  CB_TRY(bind_campaign(root, pair, c, err));
  CB_TRY(daq_preset_apply(c, rig, root, err));
  CB_TRY(check_texts(c, root, err));
  CB_TRY(check_grid(c, root, err));
  CB_TRY(check_rig(c, rig, root, err));
  c->text = text_of(doc, pair, c);
  return c->text ? CB_OK : cb_no_memory(err, "%s", name);
}

static cb_status read_once(cb_yaml *doc, const char *name, const cb_rig *rig, daq_campaign *c, cb_err *err) {
  cb_status st = daq_campaign_read(doc, name, rig, NULL, c, err);
  cb_yaml_free(doc);
  return st;
}

cb_status daq_campaign_load(const char *path, const cb_rig *rig, daq_campaign *c, cb_err *err) {
  cb_yaml *doc;
  *c = (daq_campaign){0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_once(doc, path, rig, c, err);
}

cb_status daq_campaign_parse(const char *text, const char *name, const cb_rig *rig, daq_campaign *c,
                             cb_err *err) {
  cb_yaml *doc;
  *c = (daq_campaign){0};
  CB_TRY(cb_yaml_parse(text, strlen(text), name, &doc, err));
  return read_once(doc, name, rig, c, err);
}

void daq_campaign_clear(daq_campaign *c) {
  free(c->text);
  c->text = NULL;
}

/* ---- cells ---- */

static size_t n_directions(const daq_campaign *c) { return c->directions == DAQ_BOTH ? 2 : 1; }

static size_t n_bodies(const daq_campaign *c) { return c->body_angles_deg.n ? c->body_angles_deg.n : 1; }

static size_t n_places(const daq_campaign *c) {
  return c->grid == DAQ_GRID_PAIRS ? c->angles_deg.n : c->angles_deg.n * n_bodies(c) * c->added_masses_kg.n;
}

size_t daq_campaign_cells(const daq_campaign *c) {
  return n_places(c) * (size_t)c->repeats * n_directions(c);
}

/* A visit: the place, and the how-manieth of that place it is, from 0. */
typedef struct visit {
  size_t place, repeat;
} visit;

/* A pass goes back as the one before came: what changes evenly falls on all places alike. */
static visit visit_in_passes(size_t i, size_t places) {
  const size_t pass = i / places, at = i % places;
  return (visit){pass % 2 == 0 ? at : places - 1 - at, pass};
}

/* Of every sample one repeat of the first place is kept for the end. Pairs are taken as three samples. */
static visit visit_and_return(const daq_campaign *c, size_t i, size_t places, size_t repeats) {
  const size_t sample = c->grid == DAQ_GRID_PAIRS ? (places + 2) / 3 : c->added_masses_kg.n,
               kept = (places + sample - 1) / sample, at_once = places * repeats - kept,
               of_sample = sample * repeats - 1, k = i % of_sample, first = i / of_sample * sample;
  if (i >= at_once) return (visit){(kept - 1 - (i - at_once)) * sample, repeats - 1};
  if (k < repeats - 1) return (visit){first, k};
  return (visit){first + 1 + (k - (repeats - 1)) / repeats, (k - (repeats - 1)) % repeats};
}

static visit visit_of(const daq_campaign *c, size_t i) {
  const size_t places = n_places(c), repeats = (size_t)c->repeats;
  if (c->order == DAQ_PASSES) return visit_in_passes(i, places);
  if (c->order == DAQ_RETURN && repeats > 1) return visit_and_return(c, i, places, repeats);
  return (visit){i / repeats, i % repeats};
}

daq_cell daq_campaign_cell(const daq_campaign *c, size_t i) {
  const visit v = visit_of(c, i / n_directions(c));
  const size_t masses = c->added_masses_kg.n, bodies = n_bodies(c), place = v.place;
  bool backward = c->directions == DAQ_BACKWARD || (c->directions == DAQ_BOTH && i % 2 == 1),
       pairs = c->grid == DAQ_GRID_PAIRS,
       falls = c->to_and_fro && !pairs && (place / masses + c->falls_first) % 2 == 1;
  return (daq_cell){
      .direction = backward ? -1 : 1,
      .repeat = (int)v.repeat + 1,
      .added_mass_kg = c->added_masses_kg.v[falls ? masses - 1 - place % masses : place % masses],
      .body_angle_deg = body_angle(c, pairs ? place : place / masses % bodies),
      .angle_deg = c->angles_deg.v[pairs ? place : place / masses / bodies],
  };
}
