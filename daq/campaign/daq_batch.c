#include "daq_batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_run.h"
#include "daq_campaign_impl.h"

/* ---- the lists ---- */

static cb_status read_text(cb_ynode at, const char *key, char out[64], cb_err *err) {
  const char *text = cb_yaml_scalar(at);
  if (text && text[0] && strlen(text) < 64) {
    (void)snprintf(out, 64, "%s", text);
    return CB_OK;
  }
  return cb_yaml_fail(at, err, CB_E_PARSE, "%s: a text of 1 to 63 bytes was wanted", key);
}

static cb_status read_entry(cb_ynode item, const char *key, daq_pair_side *out, cb_err *err) {
  *out = (daq_pair_side){.name = ""};
  if (cb_yaml_scalar(item)) return read_text(item, key, out->name, err);
  const cb_ynode lot = cb_yaml_get(item, "lot"), specimen = cb_yaml_get(item, "specimen");
  const size_t wanted = 1 + (size_t)(lot.doc ? 1 : 0) + (size_t)(specimen.doc ? 1 : 0);
  if (strcmp(key, "cloths") != 0 || !cb_yaml_get(item, "name").doc || cb_yaml_count(item) != wanted)
    return cb_yaml_fail(item, err, CB_E_PARSE,
                        strcmp(key, "cloths") == 0
                            ? "cloths: a name or {name: NAME, lot: LOT, specimen: SPECIMEN} was wanted"
                            : "bodies: a name was wanted");
  CB_TRY(read_text(cb_yaml_get(item, "name"), "name", out->name, err));
  if (lot.doc) CB_TRY(read_text(lot, "lot", out->lot, err));
  return specimen.doc ? read_text(specimen, "specimen", out->specimen, err) : CB_OK;
}

static bool same_side(const daq_pair_side *a, const daq_pair_side *b) {
  return strcmp(a->name, b->name) == 0 && strcmp(a->lot, b->lot) == 0 &&
         strcmp(a->specimen, b->specimen) == 0;
}

static cb_status refuse_twice(cb_ynode list, const daq_pair_side *v, size_t i, cb_err *err) {
  for (size_t k = 0; k < i; k++)
    if (same_side(&v[i], &v[k]))
      return cb_yaml_fail(cb_yaml_item(list, i), err, CB_E_RANGE, "'%s' stands twice", v[i].name);
  return CB_OK;
}

typedef struct sides {
  daq_pair_side *v; /* owned */
  size_t n;         /* 1 entry with an empty name: the file has the single name */
} sides;

static cb_status read_sides(cb_ynode root, const char *key, const char *single, sides *out, cb_err *err) {
  const cb_ynode list = cb_yaml_get(root, key);
  out->n = list.doc ? cb_yaml_count(list) : 1;
  if (list.doc && cb_yaml_get(root, single).doc)
    return cb_yaml_fail(list, err, CB_E_PARSE, "%s: '%s' stands in the file as well: one of both was wanted",
                        key, single);
  if (list.doc && (!cb_yaml_is_list(list) || out->n == 0 || out->n > DAQ_BATCH_MOST))
    return cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list of 1 to %d names was wanted", key, DAQ_BATCH_MOST);
  out->v = calloc(out->n, sizeof *out->v);
  if (!out->v) return cb_no_memory(err, "%s", key);
  for (size_t i = 0; list.doc && i < out->n; i++) {
    CB_TRY(read_entry(cb_yaml_item(list, i), key, &out->v[i], err));
    CB_TRY(refuse_twice(list, out->v, i, err));
  }
  return CB_OK;
}

/* ---- campaigns ---- */

/* Samples with all loads, one after another, from the first place of a campaign to where it ends: at the
 * first one again, if it goes there and back. */
static size_t samples_of(const daq_campaign *c) {
  const size_t bodies = c->body_angles_deg.n ? c->body_angles_deg.n : 1;
  const bool comes_back =
      c->order == DAQ_PASSES ? c->repeats % 2 == 0 : c->order == DAQ_RETURN && c->repeats > 1;
  return c->grid == DAQ_GRID_FULL && !comes_back ? c->angles_deg.n * bodies : 0;
}

static cb_status make_campaigns(const cb_yaml *doc, const char *path, const cb_rig *rig, const sides *cloths,
                                const sides *bodies, daq_batch *b, cb_err *err) {
  const size_t n = cloths->n * bodies->n;
  size_t samples = 0;
  if (n == 0 || n > DAQ_BATCH_MOST || !cloths->v || !bodies->v)
    return cb_yaml_fail(cb_yaml_root(doc), err, CB_E_RANGE,
                        "%zu cloth%s on %zu %s: at most %d pairs were wanted", cloths->n, CB_S(cloths->n),
                        bodies->n, CB_PLURAL(bodies->n, "body", "bodies"), DAQ_BATCH_MOST);
  b->campaigns = calloc(n, sizeof *b->campaigns);
  if (!b->campaigns) return cb_no_memory(err, "%s, %zu campaigns", path, n);
  for (b->n = 0; b->n < n; b->n++) {
    const size_t body = b->n / cloths->n, i = b->n % cloths->n;
    const daq_pair pair = {.cloth = cloths->v[body % 2 == 0 ? i : cloths->n - 1 - i],
                           .body = bodies->v[body]};
    daq_campaign *c = &b->campaigns[b->n];
    cb_status st = daq_campaign_read(doc, path, rig, &pair, c, err);
    c->to_and_fro = true;
    c->falls_first = samples % 2 == 1;
    samples += samples_of(c);
    if (st == CB_OK) continue;
    b->n++;
    return st;
  }
  return CB_OK;
}

static cb_status read_batch(const cb_yaml *doc, const char *path, const cb_rig *rig, daq_batch *b,
                            cb_err *err) {
  const cb_ynode root = cb_yaml_root(doc);
  sides cloths = {NULL, 0}, bodies = {NULL, 0};
  cb_status st = read_sides(root, "cloths", "cloth", &cloths, err);
  if (st == CB_OK) st = read_sides(root, "bodies", "body", &bodies, err);
  if (st == CB_OK) st = make_campaigns(doc, path, rig, &cloths, &bodies, b, err);
  free(cloths.v);
  free(bodies.v);
  return st;
}

/* One pair: the file is a campaign's. */
static cb_status read_single(const cb_yaml *doc, const char *path, const cb_rig *rig, daq_batch *b,
                             cb_err *err) {
  b->campaigns = calloc(1, sizeof *b->campaigns);
  if (!b->campaigns) return cb_no_memory(err, "%s", path);
  b->n = 1;
  return daq_campaign_read(doc, path, rig, NULL, b->campaigns, err);
}

static cb_status read_once(cb_yaml *doc, const char *path, const cb_rig *rig, daq_batch *b, cb_err *err) {
  const cb_ynode root = cb_yaml_root(doc);
  const bool many = cb_yaml_get(root, "cloths").doc || cb_yaml_get(root, "bodies").doc;
  cb_status st = many ? read_batch(doc, path, rig, b, err) : read_single(doc, path, rig, b, err);
  cb_yaml_free(doc);
  return st;
}

cb_status daq_batch_load(const char *path, const cb_rig *rig, daq_batch *b, cb_err *err) {
  cb_yaml *doc;
  *b = (daq_batch){.n = 0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_once(doc, path, rig, b, err);
}

cb_status daq_batch_parse(const char *text, const char *name, const cb_rig *rig, daq_batch *b, cb_err *err) {
  cb_yaml *doc;
  *b = (daq_batch){.n = 0};
  CB_TRY(cb_yaml_parse(text, strlen(text), name, &doc, err));
  return read_once(doc, name, rig, b, err);
}

void daq_batch_clear(daq_batch *b) {
  for (size_t i = 0; i < b->n; i++) daq_campaign_clear(&b->campaigns[i]);
  free(b->campaigns);
  *b = (daq_batch){.n = 0};
}

void daq_batch_keep_air(daq_batch *b, size_t at) {
  if (at == 0) return;
  const cb_conditions *before = &b->campaigns[at - 1].conditions;
  cb_conditions *c = &b->campaigns[at].conditions;
  if (isnan(c->temperature_degC)) c->temperature_degC = before->temperature_degC;
  if (isnan(c->humidity_percent)) c->humidity_percent = before->humidity_percent;
  if (c->atmosphere < 0) c->atmosphere = before->atmosphere;
}

/* ---- handling ---- */

typedef struct bench {
  const daq_campaign *campaign; /* NULL: nothing lies there yet */
  daq_cell cell;
} bench;

static bool same_cloth(const daq_campaign *a, const daq_campaign *b) {
  return strcmp(a->cloth, b->cloth) == 0 && strcmp(a->specimen, b->specimen) == 0 &&
         strcmp(a->conditions.cloth_lot, b->conditions.cloth_lot) == 0;
}

static void count_cell(bench *now, const daq_campaign *c, const daq_cell *cell, daq_handling *h) {
  const daq_campaign *was = now->campaign;
  const bool cloth = !was || !same_cloth(was, c), body = !was || strcmp(was->body, c->body) != 0;
  h->runs++;
  h->cloths += cloth;
  h->bodies += body;
  h->turns += !cloth && now->cell.angle_deg != cell->angle_deg;
  h->turns += !body && !cb_run_same_body_angle(now->cell.body_angle_deg, cell->body_angle_deg);
  h->weights += was ? now->cell.added_mass_kg != cell->added_mass_kg : cell->added_mass_kg > 0;
  *now = (bench){c, *cell};
}

static void count_campaign(bench *now, const daq_campaign *c, daq_handling *h) {
  for (size_t i = 0; i < daq_campaign_cells(c); i++) {
    const daq_cell cell = daq_campaign_cell(c, i);
    count_cell(now, c, &cell, h);
  }
}

/* Cloths of the first body: the batch's first row is in the file's order. */
static size_t count_row(const daq_batch *b) {
  size_t n = 1;
  while (n < b->n && strcmp(b->campaigns[n].body, b->campaigns[0].body) == 0) n++;
  return n;
}

void daq_batch_handling(const daq_batch *b, daq_handling *ordered, daq_handling *as_written) {
  bench now = {NULL, {0}}, plain = {NULL, {0}};
  const size_t row = count_row(b);
  daq_campaign kept[2]; /* `plain` refers to the one before */
  *ordered = *as_written = (daq_handling){0};
  for (size_t i = 0; i < b->n; i++) count_campaign(&now, &b->campaigns[i], ordered);
  for (size_t i = 0; i < b->n; i++) {
    const size_t body = i / row, k = i % row;
    daq_campaign c = b->campaigns[body * row + (body % 2 == 0 ? k : row - 1 - k)];
    c.to_and_fro = false;
    kept[i % 2] = c;
    count_campaign(&plain, &kept[i % 2], as_written);
  }
}
