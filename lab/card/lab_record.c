#include "lab_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_json.h"
#include "lab_fields.h"
#include "lab_point_parts.h"

void lab_record_clear(lab_record *r) {
  lab_point_detail_clear(&r->detail);
  *r = (lab_record){.mu = NAN};
}

static cb_status find_names(cb_store *s, lab_record *r, cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (list[i].id == r->run.cloth_id) (void)snprintf(r->cloth, sizeof r->cloth, "%s", list[i].name);
    if (list[i].id == r->run.body_id) (void)snprintf(r->body, sizeof r->body, "%s", list[i].name);
  }
  free(list);
  return CB_OK;
}

static void find_mu(lab_record *r) {
  const double N = r->run.normal_force_N > 0 ? r->run.normal_force_N : NAN;
  r->normal_force_N = N;
  r->mu = r->point.kinetic_N / N;
  r->u_mu = hypot(r->point.u_kinetic_N / N, r->point.kinetic_N * r->run.u_normal_force_N / (N * N));
}

cb_status lab_record_read(cb_store *s, int64_t run_id, lab_record *r, cb_err *err) {
  *r = (lab_record){.mu = NAN};
  CB_TRY(cb_store_run_get(s, run_id, &r->run, err));
  CB_TRY(lab_point_of_run(s, &r->run, &r->point, &r->detail, err));
  find_mu(r);
  return find_names(s, r, err);
}

cb_status lab_record_stored(cb_store *s, int64_t run_id, lab_record *r, cb_err *err) {
  *r = (lab_record){.point = {.static_N = NAN, .kinetic_N = NAN}};
  CB_TRY(cb_store_run_get(s, run_id, &r->run, err));
  const cb_status st = cb_store_point_of_run(s, run_id, &r->point, err);
  if (st != CB_OK && st != CB_E_NOTFOUND) return st;
  find_mu(r);
  return find_names(s, r, err);
}

json_t *lab_record_json(const lab_record *r) {
  const cb_friction_point *p = &r->point;
  bool force = !isnan(p->kinetic_N);
  json_t *doc =
      json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}",
                "run_id", (json_int_t)r->run.id, "cloth", r->cloth, "body", r->body, "origin",
                cb_origin_names[r->run.origin], "flags", r->run.flags, "method", p->method, "normal_force_N",
                cb_json_real(r->normal_force_N), "angle_deg", r->run.angle_deg, "zero_N",
                cb_json_real(force ? p->zero_N : NAN), "u_zero_N", cb_json_real(force ? p->u_zero_N : NAN),
                "static_N", cb_json_real(p->static_N), "u_static_N", cb_json_real(p->u_static_N), "kinetic_N",
                cb_json_real(p->kinetic_N), "u_kinetic_N", cb_json_real(p->u_kinetic_N), "mu",
                cb_json_real(r->mu), "u_mu", cb_json_real(r->u_mu), "n_eff", p->n_eff);
  if (lab_fields_join(doc, lab_point_detail_json(&r->detail))) return doc;
  json_decref(doc);
  return NULL;
}
