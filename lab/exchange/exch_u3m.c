#include "exch_u3m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_column.h"
#include "exch_fab.h"
#include "exch_json.h"

#define SCHEMA "1.1"

cb_status exch_u3m_write(const exch_material *m, char **text, cb_err *err) {
  char *own;
  CB_TRY(exch_material_write(m, &own, err));
  json_t *doc = json_pack("{s:s, s:n, s:{s:o}}", "schema", SCHEMA, "raw_data", "custom", "clothbench",
                          json_loads(own, 0, NULL));
  free(own);
  return exch_json_dump(doc, text, err);
}

/* ---- files of others ---- */

static bool has(const exch_at *at, const char *key) {
  const json_t *v = json_object_get(at->value, key);
  return v && !json_is_null(v) && strcmp(json_string_value(v) ? json_string_value(v) : "?", "") != 0;
}

/* A number of the file's unit, as SI; it stays as it is where the key is not there. */
static cb_status read_fact(const exch_at *at, const char *key, double unit, const char *column, double *out,
                           cb_err *err) {
  exch_at value;
  double v;
  if (!has(at, key)) return CB_OK;
  CB_TRY(exch_json_member(at, key, &value, err));
  CB_TRY(exch_json_quoted(&value, 0, 1e6, &v, err));
  if (v == 0) return CB_OK; /* not measured */
  *out = v * unit;
  return cb_column_check(cb_column_find("material", column), *out, value.where, err);
}

static cb_status read_browzwear(const exch_at *custom, cb_material *facts, cb_err *err) {
  exch_at b, name;
  if (!has(custom, "browzwear")) return CB_OK;
  CB_TRY(exch_json_member(custom, "browzwear", &b, err));
  if (has(&b, "name")) {
    CB_TRY(exch_json_member(&b, "name", &name, err));
    CB_TRY(exch_json_text(&name, facts->name, sizeof facts->name, err));
  }
  CB_TRY(read_fact(&b, "mass", 1e-3, "areal_density_kg_per_m2", &facts->areal_density_kg_per_m2, err));
  return read_fact(&b, "thickness", 1e-3, "thickness_m", &facts->thickness_m, err);
}

static cb_status read_facts(const exch_at *root, cb_material *facts, cb_err *err) {
  exch_at raw, custom;
  *facts = (cb_material){.kind = CB_CLOTH, .origin = CB_IMPORTED};
  if (has(root, "custom")) {
    CB_TRY(exch_json_member(root, "custom", &custom, err));
    CB_TRY(read_browzwear(&custom, facts, err));
  }
  if (has(root, "raw_data")) {
    CB_TRY(exch_json_member(root, "raw_data", &raw, err));
    CB_TRY(read_fact(&raw, "M", 1e-3, "areal_density_kg_per_m2", &facts->areal_density_kg_per_m2, err));
  }
  if (facts->areal_density_kg_per_m2 > 0 || facts->thickness_m > 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: neither laws of clothbench, nor a mass or a thickness", root->where);
}

/* ---- the file ---- */

static bool has_strips(const exch_at *root) {
  exch_at raw = {.value = json_object_get(root->value, "raw_data")};
  return has(&raw, exch_fab_direction_names[EXCH_FAB_LENGTH]);
}

static cb_status read_root(const exch_at *root, const char *file, exch_material *m, cb_err *err) {
  static const char *const keys[] = {"schema", "raw_data", "custom", NULL};
  exch_at schema, custom, own;
  const char *version;
  CB_TRY(exch_json_object(root, keys, err));
  CB_TRY(exch_json_member(root, "schema", &schema, err));
  CB_TRY(exch_json_string(&schema, &version, err));
  if (strcmp(version, SCHEMA) != 0)
    return cb_fail(err, CB_E_RANGE, "%s: '%s': " SCHEMA " was wanted", schema.where, version);
  m->strips = has_strips(root);
  if (!has(root, "custom")) return read_facts(root, &m->facts, err);
  CB_TRY(exch_json_member(root, "custom", &custom, err));
  if (!has(&custom, "clothbench")) return read_facts(root, &m->facts, err);
  CB_TRY(exch_json_member(&custom, "clothbench", &own, err));
  char *text = json_dumps(own.value, JSON_REAL_PRECISION(17));
  if (!text) return cb_no_memory(err, "%s", file);
  const cb_status st = exch_material_read(text, strlen(text), own.where, m, err);
  free(text);
  return st;
}

cb_status exch_u3m_read(const char *text, size_t n, const char *name, exch_material *m, cb_err *err) {
  json_t *doc;
  exch_at root;
  *m = (exch_material){.n_friction = 0};
  cb_status st = exch_json_parse(text, n, name, &doc, &root, err);
  if (st == CB_OK) st = read_root(&root, name, m, err);
  json_decref(doc);
  if (st != CB_OK) exch_material_clear(m);
  return st;
}
