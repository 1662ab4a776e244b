#include "lab_show.h"

#include "cb_store_query.h"
#include "lab_validity.h"

/* The rows of an answer as objects. An empty text is not known. NULL: no memory. */
static json_t *objects_of(const json_t *answer) {
  json_t *list = json_array(), *columns = json_object_get(answer, "columns"), *row, *v;
  size_t i, k;
  json_array_foreach(json_object_get(answer, "rows"), i, row) {
    json_t *o = json_object();
    json_array_foreach(row, k, v) {
      const char *text = json_string_value(v);
      (void)json_object_set_new(o, json_string_value(json_array_get(columns, k)),
                                text && !text[0] ? json_null() : json_incref(v));
    }
    (void)json_array_append_new(list, o);
  }
  return list;
}

static cb_status list_objects(cb_store *s, const char *sql, cb_query_value value, json_t **out, cb_err *err) {
  json_t *answer;
  CB_TRY(cb_store_query(s, sql, &value, 1, &answer, err));
  *out = objects_of(answer);
  json_decref(answer);
  return *out ? CB_OK : cb_no_memory(err, "%s, a document", cb_store_path(s));
}

/* The one row of a question, with the list of another under a key; NULL: there is no row. */
static cb_status read_document(cb_store *s, const char *sql, const char *key, const char *rows_sql,
                               cb_query_value value, json_t **out, cb_err *err) {
  json_t *heads, *rows;
  *out = NULL;
  CB_TRY(list_objects(s, sql, value, &heads, err));
  json_t *doc = json_incref(json_array_get(heads, 0));
  json_decref(heads);
  if (!doc) return CB_OK;
  const cb_status st = list_objects(s, rows_sql, value, &rows, err);
  if (st == CB_OK && json_object_set_new(doc, key, rows) == 0) *out = doc;
  if (!*out) json_decref(doc);
  return st == CB_OK && !*out ? cb_no_memory(err, "%s, a document", cb_store_path(s)) : st;
}

cb_status lab_show_law(cb_store *s, const char *ref, json_t **out, cb_err *err) {
  CB_TRY(read_document(
      s,
      "SELECT l.ref, l.law, l.kind, l.material, l.body, l.form, l.origin, l.created_at, coalesce(f.method, "
      "t.method, m.method) AS method, m.source FROM v_law l LEFT JOIN friction_law f ON l.law = 'friction' "
      "AND f.id = l.law_id LEFT JOIN self_friction_law t ON l.law = 'self-friction' AND t.id = l.law_id "
      "LEFT JOIN material_law m ON m.kind = l.law AND m.id = l.law_id WHERE l.ref = ?1",
      "numbers",
      "SELECT n.name, n.value, n.u FROM law_number n WHERE 'F' || n.law_id <> ?1 AND 'T' || n.law_id <> ?1 "
      "AND n.law_id = CAST(substr(?1, 2) AS INTEGER)",
      (cb_query_value){ref, 0}, out, err));
  return *out ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "no law %s: 'clothbench db ls laws' lists them", ref);
}

#define NAME(column) \
  "(SELECT name FROM material_now WHERE id = (SELECT is_id FROM material_now WHERE id = " column "))"

/* No force leaves without the verdict on its pull. */
static cb_status add_verdict(cb_store *s, json_t *row, cb_err *err) {
  const int64_t id = json_integer_value(json_object_get(row, "run_id"));
  const char *name = "";
  char words[96] = "";
  cb_friction_point p;
  cb_run run;
  CB_TRY(cb_store_run_get(s, id, &run, err));
  cb_status st = cb_store_point_of_run(s, id, &p, err);
  if (st == CB_OK) st = lab_validity_said(s, &run, &p, &name, words, err);
  if (st != CB_OK && st != CB_E_NOTFOUND) return st;
  const int failed = json_object_set_new(row, "validity", name[0] ? json_string(name) : json_null()) |
                     json_object_set_new(row, "faults", words[0] ? json_string(words) : json_null());
  return failed ? cb_no_memory(err, "%s, a document", cb_store_path(s)) : CB_OK;
}

cb_status lab_show_campaign(cb_store *s, int64_t id, json_t **out, cb_err *err) {
  CB_TRY(read_document(
      s,
      "SELECT c.id AS campaign_id, c.name, c.kind, c.origin, " NAME("c.cloth_id") " AS cloth, " NAME(
          "c.body_id") " AS body, c.operator_name AS operator, c.created_at, c.finished_at, d.preset, "
                       "d.atmosphere, c.temperature_degC, c.humidity_percent, d.conditioning_h, d.cloth_lot "
                       "AS lot, d.cloth_side AS side, d.body_specimen, d.specimen_area_m2, d.wash_state AS "
                       "washed, d.note FROM campaign c LEFT JOIN conditioning d ON d.campaign_id = c.id "
                       "WHERE c.id = ?1",
      "runs",
      "SELECT v.run_id, v.kind, v.cloth, v.body, v.specimen, v.angle_deg, v.body_angle_deg, v.added_mass_g, "
      "v.normal_force_N, v.speed_mm_per_s, v.direction, v.repeat, p.static_N, p.u_static_N, p.kinetic_N, "
      "p.u_kinetic_N, p.kinetic_N / v.normal_force_N AS mu, v.status, v.flags, v.started_at FROM v_run v "
      "LEFT JOIN friction_point p ON p.id = (SELECT max(id) FROM friction_point WHERE run_id = v.run_id) "
      "WHERE v.campaign_id = ?1 ORDER BY v.run_id",
      (cb_query_value){NULL, (double)id}, out, err));
  if (!*out) return cb_fail(err, CB_E_NOTFOUND, "no campaign %lld", (long long)id);
  cb_status st = CB_OK;
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(*out, "runs"), i, row) {
    st = add_verdict(s, row, err);
    if (st != CB_OK) break;
  }
  if (st != CB_OK) json_decref(*out);
  return st;
}
