#include "report_eln_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_query.h"
#include "cb_store_specimen.h"
#include "lab_specimen.h"
#include "report_text.h"

/* Foreign text as part of an URI: letters, digits and dashes; other bytes as %XX. */
static void put_uri(const char *prefix, const char *text, char id[REPORT_ID_BYTES]) {
  size_t n = (size_t)snprintf(id, REPORT_ID_BYTES, "%s", prefix);
  for (; *text && n + 4 < REPORT_ID_BYTES; text++) {
    const unsigned char c = (unsigned char)*text;
    n += (size_t)snprintf(id + n, REPORT_ID_BYTES - n, isalnum(c) && c < 128 ? "%c" : "%%%02X", c);
  }
}

void report_eln_person(report_eln *e, const char *name, char id[REPORT_ID_BYTES]) {
  put_uri("#person-", name, id);
  report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s}", "@id", id, "@type", "Person", "name",
                                          name[0] ? name : "not recorded"));
}

cb_status report_eln_program(report_eln *e, const char *table, int64_t row, char id[REPORT_ID_BYTES],
                             cb_err *err) {
  json_t *rows;
  char sql[80];
  const cb_query_value of = {.number = (double)row};
  (void)snprintf(sql, sizeof sql, "SELECT program_version FROM %s WHERE id = ?", table);
  CB_TRY(cb_store_query(e->data.store, sql, &of, 1, &rows, err));
  const json_t *cell = json_array_get(json_array_get(json_object_get(rows, "rows"), 0), 0);
  const char *version = json_string_value(cell);
  put_uri("#clothbench-", version ? version : "", id);
  report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s, s:s}", "@id", id, "@type", "SoftwareApplication",
                                          "name", "clothbench", "softwareVersion", version ? version : ""));
  json_decref(rows);
  return CB_OK;
}

static cb_status add_rig(report_eln *e, const cb_run *run, char id[REPORT_ID_BYTES], cb_err *err) {
  char *text = NULL;
  (void)snprintf(id, REPORT_ID_BYTES, "#rig-%lld", (long long)run->rig_id);
  CB_TRY(cb_store_rig_text(e->data.store, run->rig_id, &text, err));
  report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s, s:s}", "@id", id, "@type", "IndividualProduct",
                                          "name", run->source, "description", text));
  free(text);
  return CB_OK;
}

static cb_status add_calibration(report_eln *e, int64_t calibration_id, char id[REPORT_ID_BYTES],
                                 cb_err *err) {
  cb_calibration c;
  char name[200], unit[32], text[400];
  CB_TRY(cb_store_calibration_get(e->data.store, calibration_id, &c, err));
  (void)snprintf(id, REPORT_ID_BYTES, "#calibration-%lld", (long long)c.id);
  (void)snprintf(name, sizeof name, "calibration %lld, %s", (long long)c.id,
                 cb_calibration_kind_names[c.kind]);
  (void)snprintf(unit, sizeof unit, "N/(%s)", c.unit);
  (void)snprintf(text, sizeof text,
                 "force = (reading - zero) * value; certificate: %s; valid from %s; relative standard "
                 "uncertainty %g, and %g N at every force",
                 c.certificate, c.valid_from, c.u_rel, c.u_floor_N);
  report_crate_entity(
      e->crate, json_pack("{s:s, s:s, s:s, s:s, s:f, s:s, s:s}", "@id", id, "@type", "PropertyValue", "name",
                          name, "propertyID", "slope_N_per_unit", "value", c.slope_N_per_unit, "unitText",
                          unit, "description", text));
  return CB_OK;
}

static void add_material(report_eln *e, int64_t material_id, char id[REPORT_ID_BYTES]) {
  (void)snprintf(id, REPORT_ID_BYTES, "#material-%lld", (long long)material_id);
  for (size_t i = 0; i < e->data.n_materials; i++) {
    const cb_material *m = &e->data.materials[i];
    if (m->id == material_id)
      report_crate_entity(
          e->crate, json_pack("{s:s, s:s, s:s, s:s, s:s}", "@id", id, "@type", "Product", "name", m->name,
                              "category", cb_material_kind_names[m->kind], "material", m->composition));
  }
}

/* ---- specimens ---- */

static cb_status describe_specimen(report_eln *e, const cb_specimen *p, report_text *t, cb_err *err) {
  cb_specimen_entry *log;
  char facts[256];
  size_t n;
  lab_specimen_text(p, facts);
  report_text_add(t, facts);
  CB_TRY(cb_store_specimen_entries(e->data.store, p->id, &log, &n, err));
  for (size_t i = 0; i < n; i++)
    report_text_addf(t, "; %s %s: %s (%s)", log[i].created_at, cb_specimen_event_names[log[i].kind],
                     log[i].text, log[i].operator_name);
  free(log);
  return report_text_check(t, err);
}

static cb_status add_specimen(report_eln *e, const cb_specimen *p, cb_err *err) {
  char id[REPORT_ID_BYTES], cloth[REPORT_ID_BYTES], key[32];
  report_text t = {0};
  put_uri("#specimen-", p->mark, id);
  (void)snprintf(key, sizeof key, "%lld", (long long)p->id);
  add_material(e, p->cloth_id, cloth);
  const cb_status st = describe_specimen(e, p, &t, err);
  if (st == CB_OK) {
    report_crate_entity(
        e->crate, json_pack("{s:s, s:s, s:s, s:s, s:s, s:{s:s}, s:s}", "@id", id, "@type",
                            "IndividualProduct", "name", p->name, "identifier", p->mark, "description", t.s,
                            "isRelatedTo", "@id", cloth, "productionDate", p->created_at));
    (void)json_object_set_new(e->specimens, key, json_string(id));
  }
  report_text_clear(&t);
  return st;
}

cb_status report_eln_specimens(report_eln *e, cb_err *err) {
  cb_specimen *list;
  size_t n;
  CB_TRY(cb_store_specimens(e->data.store, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_specimen(e, &list[i], err);
  free(list);
  return st;
}

/* ---- runs ---- */

void report_eln_run_id(const cb_run *run, char id[REPORT_ID_BYTES]) {
  (void)snprintf(id, REPORT_ID_BYTES, "#run-%lld", (long long)run->id);
}

static cb_status list_instruments(report_eln *e, const cb_run *run, json_t *to, cb_err *err) {
  char id[REPORT_ID_BYTES];
  if (run->rig_id) {
    CB_TRY(add_rig(e, run, id, err));
    (void)json_array_append_new(to, report_crate_ref(id));
  }
  if (run->calibration_id) {
    CB_TRY(add_calibration(e, run->calibration_id, id, err));
    (void)json_array_append_new(to, report_crate_ref(id));
  }
  CB_TRY(report_eln_program(e, "run", run->id, id, err));
  (void)json_array_append_new(to, report_crate_ref(id));
  return CB_OK;
}

static void list_objects(report_eln *e, const cb_run *run, json_t *to) {
  char id[REPORT_ID_BYTES], key[32];
  add_material(e, run->cloth_id, id);
  (void)json_array_append_new(to, report_crate_ref(id));
  add_material(e, run->body_id, id);
  (void)json_array_append_new(to, report_crate_ref(id));
  (void)snprintf(key, sizeof key, "%lld", (long long)run->specimen_id);
  const char *specimen = json_string_value(json_object_get(e->specimens, key));
  if (specimen) (void)json_array_append_new(to, report_crate_ref(specimen));
}

static const char *run_state(cb_run_status status) {
  return status == CB_RUN_DONE ? "http://schema.org/CompletedActionStatus"
                               : "http://schema.org/FailedActionStatus";
}

cb_status report_eln_run(report_eln *e, const cb_run *run, const char *person, const char *file,
                         cb_err *err) {
  char id[REPORT_ID_BYTES], name[160];
  json_t *instruments = json_array(), *objects = json_array();
  const cb_status st = list_instruments(e, run, instruments, err);
  list_objects(e, run, objects);
  report_eln_run_id(run, id);
  (void)snprintf(name, sizeof name, "run %lld: %s at %g deg under %.4g N, %s, %s", (long long)run->id,
                 cb_run_kind_names[run->kind], run->angle_deg, run->normal_force_N,
                 cb_run_status_names[run->status], cb_origin_names[run->origin]);
  json_t *action = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:{s:s}, s:{s:s}, s:o, s:o, s:{s:s}}", "@id",
                             id, "@type", "CreateAction", "name", name, "identifier", run->uuid, "startTime",
                             run->started_at, "endTime", run->finished_at[0] ? run->finished_at : NULL,
                             "actionStatus", "@id", run_state(run->status), "agent", "@id", person,
                             "instrument", instruments, "object", objects, "result", "@id", file);
  report_crate_entity(e->crate, action);
  return st;
}
