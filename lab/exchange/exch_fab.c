#include "exch_fab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "exch_json.h"

const char *const exch_fab_direction_names[] = {"L", "W", "B", NULL};
const char *const exch_fab_kind_names[] = {"U1", "D1", "D2", "S1", "S2", NULL};

#define GRAM_FORCE_N (CB_STANDARD_GRAVITY_M_PER_S2 * 1e-3)
#define MAX_READINGS 20000 /* of a branch; the machine's longest have a few hundred */
#define MAX_DISTANCE_CM 100.0
#define MAX_FORCE_GF 1e5

/* Names of the vendor's figures; the first two are those that warnings may name for bending. */
static const char *const figure_names[EXCH_FAB_FIGURES] = {
    "BendRigidityWarp",     "BendRigidityWeft",     "StretchRigidityWarp",  "StretchRigidityWeft",
    "StretchRigidityShear", "StretchLinearityWarp", "StretchLinearityWeft", "StretchLinearityShear"};

static bool has(const exch_at *at, const char *key) {
  const json_t *v = json_object_get(at->value, key);
  return v && !json_is_null(v);
}

static cb_status read_scaled(const exch_at *at, const char *key, double min, double max, double unit,
                             double *out, cb_err *err) {
  exch_at value;
  CB_TRY(exch_json_member(at, key, &value, err));
  CB_TRY(exch_json_quoted(&value, min, max, out, err));
  *out *= unit;
  return CB_OK;
}

/* ---- a test ---- */

/* distance, force, distance, force ... */
static cb_status read_branch(const exch_at *at, int cycle, exch_fab_test *t, cb_err *err) {
  CB_TRY(exch_json_list(at, 2, (size_t)2 * MAX_READINGS, err));
  const size_t numbers = json_array_size(at->value), n = numbers / 2;
  if (numbers % 2)
    return cb_fail(err, CB_E_PARSE, "%s: %zu number%s: pairs of distance and force were wanted", at->where,
                   numbers, CB_S(numbers));
  exch_fab_reading *grown = realloc(t->readings, (t->n + n) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu readings", t->n + n);
  t->readings = grown;
  for (size_t i = 0; i < n; i++) {
    const exch_at distance = exch_json_item(at, 2 * i), force = exch_json_item(at, 2 * i + 1);
    exch_fab_reading *r = &t->readings[t->n + i];
    CB_TRY(exch_json_quoted(&distance, 1e-3, MAX_DISTANCE_CM, &r->distance_m, err));
    CB_TRY(exch_json_quoted(&force, -MAX_FORCE_GF, MAX_FORCE_GF, &r->force_N, err));
    r->distance_m *= 1e-2, r->force_N *= GRAM_FORCE_N, r->cycle = cycle;
  }
  t->n += n;
  return CB_OK;
}

/* A strip bulges only while its clamps are nearer than it is long. */
static cb_status check_buckled(const exch_at *at, const exch_fab_test *t, cb_err *err) {
  for (size_t i = 0; i < t->n; i++)
    if (!(t->readings[i].distance_m < t->length_m))
      return cb_fail(err, CB_E_RANGE,
                     "%s: reading %zu: clamps %g cm apart: a buckled strip of %g cm needs less", at->where,
                     i + 1, 100 * t->readings[i].distance_m, 100 * t->length_m);
  return CB_OK;
}

static cb_status read_test(const exch_at *direction, exch_fab_kind kind, exch_fab_test *t, cb_err *err) {
  exch_at at, tree;
  CB_TRY(exch_json_member(direction, exch_fab_kind_names[kind], &at, err));
  CB_TRY(read_scaled(&at, "length", 0.1, MAX_DISTANCE_CM, 1e-2, &t->length_m, err));
  CB_TRY(read_scaled(&at, "width", 0.1, MAX_DISTANCE_CM, 1e-2, &t->width_m, err));
  CB_TRY(exch_json_member(&at, "samplesTree", &tree, err));
  CB_TRY(exch_json_list(&tree, 2, (size_t)2 * EXCH_FAB_MAX_CYCLES, err));
  const size_t branches = json_array_size(tree.value);
  if (branches % 2)
    return cb_fail(err, CB_E_PARSE, "%s: %zu %s: two for every cycle were wanted", tree.where, branches,
                   CB_PLURAL(branches, "branch", "branches"));
  t->cycles = branches / 2;
  for (size_t i = 0; i < branches; i++) {
    const exch_at branch = exch_json_item(&tree, i);
    CB_TRY(read_branch(&branch, (int)i / 2, t, err));
  }
  return kind < EXCH_FAB_STRETCH ? check_buckled(&tree, t, err) : CB_OK;
}

/* ---- the vendor's figures ---- */

static cb_status read_figures(const exch_at *raw, exch_fab *f, cb_err *err) {
  exch_at physics = {0}, warnings = {0}, text;
  for (size_t i = 0; i < EXCH_FAB_FIGURES; i++)
    f->figures[i] = (exch_fab_figure){.name = figure_names[i], .value = NAN};
  if (has(raw, "legacyPhysics")) CB_TRY(exch_json_member(raw, "legacyPhysics", &physics, err));
  if (has(raw, "warnings")) CB_TRY(exch_json_member(raw, "warnings", &warnings, err));
  for (size_t i = 0; i < EXCH_FAB_FIGURES; i++) {
    exch_fab_figure *g = &f->figures[i];
    if (has(&physics, g->name)) CB_TRY(read_scaled(&physics, g->name, -1e9, 1e9, 1, &g->value, err));
    if (!has(&warnings, g->name)) continue;
    CB_TRY(exch_json_member(&warnings, g->name, &text, err));
    CB_TRY(exch_json_text(&text, g->warning, sizeof g->warning, err));
  }
  if (!has(&physics, "Thickness")) return CB_OK;
  return read_scaled(&physics, "Thickness", 1e-3, 100, 1e-3, &f->thickness_m, err);
}

bool exch_fab_low_force(const exch_fab *f, exch_fab_direction d) {
  const bool warp = strcmp(f->figures[0].warning, "low-force") == 0,
             weft = strcmp(f->figures[1].warning, "low-force") == 0;
  return d == EXCH_FAB_LENGTH ? warp : d == EXCH_FAB_WIDTH ? weft : warp || weft;
}

/* ---- the file ---- */

static cb_status read_raw(const exch_at *raw, exch_fab *f, cb_err *err) {
  CB_TRY(read_scaled(raw, "M", 1, 1e4, 1e-3, &f->areal_density_kg_per_m2, err));
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++) {
    exch_at direction;
    CB_TRY(exch_json_member(raw, exch_fab_direction_names[d], &direction, err));
    for (int k = 0; k < EXCH_FAB_KINDS; k++)
      CB_TRY(read_test(&direction, (exch_fab_kind)k, &f->tests[d][k], err));
  }
  return read_figures(raw, f, err);
}

static cb_status read_root(const exch_at *root, exch_fab *f, cb_err *err) {
  exch_at raw;
  if (!json_is_object(root->value) || !has(root, "raw_data"))
    return cb_fail(err, CB_E_PARSE, "%s: no raw_data: physics.json of U3M with readings of a FAB was wanted",
                   root->where);
  CB_TRY(exch_json_member(root, "raw_data", &raw, err));
  return read_raw(&raw, f, err);
}

cb_status exch_fab_read(const char *text, size_t n, const char *name, exch_fab *f, cb_err *err) {
  json_t *doc;
  exch_at root;
  *f = (exch_fab){.thickness_m = 0};
  cb_status st = exch_json_parse(text, n, name, &doc, &root, err);
  if (st == CB_OK) st = read_root(&root, f, err);
  json_decref(doc);
  if (st != CB_OK) exch_fab_clear(f);
  return st;
}

void exch_fab_clear(exch_fab *f) {
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++)
    for (int k = 0; k < EXCH_FAB_KINDS; k++) free(f->tests[d][k].readings);
  *f = (exch_fab){.thickness_m = 0};
}
