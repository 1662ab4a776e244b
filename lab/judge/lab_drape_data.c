#include "lab_drape_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "lab_law.h"
#include "lab_material_parts.h"

/* Of amplitudes in pictures: beside the scans of the same drapes they differ by 1 mm (docs/method/drape.md),
 * which both have a share in. */
#define U_AMPLITUDE_M 0.0007

static void set_doubt(val_drape_seen *seen, double u_coefficient, bool picture) {
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) seen->u[s] = 0;
  seen->u[VAL_DRAPE_COEFFICIENT] = u_coefficient;
  if (picture) seen->u[VAL_DRAPE_AMPLITUDE] = U_AMPLITUDE_M;
}

/* ---- the database ---- */

static bool wants_drape(const lab_drape_request *q, const cb_drape_test *t) {
  if (q->origin >= 0) return (int)t->origin == q->origin;
  return t->origin != CB_VIRTUAL && t->origin != CB_SIMULATED;
}

cb_status lab_drape_outline(cb_store *s, const cb_drape_test *t, double radius_m[FIT_DRAPE_ANGLES],
                            bool *known, cb_err *err) {
  char *text;
  *known = false;
  CB_TRY(cb_store_drape_profile(s, t, &text, err));
  if (!text[0]) {
    free(text);
    return CB_OK;
  }
  json_t *list = cb_json_read(text);
  size_t n = json_array_size(list);
  free(text);
  for (size_t i = 0; i < n && i < FIT_DRAPE_ANGLES; i++)
    radius_m[i] = json_number_value(json_array_get(list, i));
  json_decref(list);
  if (n != FIT_DRAPE_ANGLES)
    return cb_fail(err, CB_E_PARSE, "%s: drape '%s': its outline has %zu radii: %d were wanted",
                   cb_store_path(s), t->capture, n, FIT_DRAPE_ANGLES);
  *known = true;
  return CB_OK;
}

static cb_status elongation_of(cb_store *s, const cb_drape_test *t, double *out, cb_err *err) {
  double radius_m[FIT_DRAPE_ANGLES];
  bool known;
  *out = NAN;
  CB_TRY(lab_drape_outline(s, t, radius_m, &known, err));
  if (known) *out = val_drape_harmonic(radius_m, FIT_DRAPE_ANGLES, 2);
  return CB_OK;
}

static cb_status read_row(cb_store *s, const cb_drape_test *t, val_drape_seen *out, cb_err *err) {
  *out = (val_drape_seen){.support_m = t->support_m, .specimen_m = t->specimen_m};
  out->sign[VAL_DRAPE_COEFFICIENT] = t->drape_coefficient;
  out->sign[VAL_DRAPE_NODES] = t->nodes;
  out->sign[VAL_DRAPE_AMPLITUDE] = t->node_height_m;
  set_doubt(out, t->u_drape_coefficient, strcmp(t->method, "mesh") != 0);
  return elongation_of(s, t, &out->sign[VAL_DRAPE_ELONGATION], err);
}

static cb_status read_rows(const lab_drape_request *q, cb_store *s, const cb_drape_test *list, size_t n,
                           const val_drape_model *m, lab_drape_data *out, cb_err *err) {
  val_drape_seen *seen = calloc(n + 1, sizeof *seen);
  out->drape_id = calloc(n + 1, sizeof *out->drape_id);
  cb_status st = seen && out->drape_id ? CB_OK : cb_no_memory(err, "%zu drapes", n);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    if (!wants_drape(q, &list[i])) continue;
    if (out->n_ids == 0 || list[i].origin == CB_IMPORTED) out->origin = list[i].origin;
    st = read_row(s, &list[i], &seen[out->n_ids], err);
    out->drape_id[out->n_ids++] = list[i].id;
  }
  if (st == CB_OK && out->n_ids == 0)
    st = lab_law_no_tests(s, q->origin, "drapes", q->cloth, "'clothbench import drape'", err);
  if (st == CB_OK) st = val_drape_gather(m, seen, out->n_ids, out->group, &out->n_groups, err);
  free(seen);
  return st;
}

/* First slopes of the cloth's law, if it has one that tells both directions and is as real as the drapes. */
static cb_status read_stretch(cb_store *s, const char *cloth, cb_origin drapes, double *out, cb_err *err) {
  cb_stretch_law law;
  sim_curve warp, weft;
  cb_status st = cb_store_law_of(s, CB_LAW_STRETCH, cloth, &law, NULL, err);
  if (st == CB_OK && cb_origin_is_real(law.origin) != cb_origin_is_real(drapes)) return CB_OK;
  if (st == CB_OK) st = lab_cloth_curve(&law, CB_STRETCH_WARP, &warp, err);
  if (st == CB_OK) st = lab_cloth_curve(&law, CB_STRETCH_WEFT, &weft, err);
  if (st == CB_OK) *out = sqrt(sim_curve_slope(&warp) * sim_curve_slope(&weft));
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

static cb_status from_database(const lab_drape_request *q, cb_store *s, const val_drape_model *m,
                               lab_drape_data *out, cb_err *err) {
  cb_material cloth;
  cb_drape_test *list;
  size_t n;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &cloth, err));
  if (!out->mass_known && cloth.areal_density_kg_per_m2 > 0)
    out->mass_known = true, out->mass_kg_per_m2 = cloth.areal_density_kg_per_m2;
  CB_TRY(cb_store_drapes(s, cloth.id, &list, &n, err));
  cb_status st = read_rows(q, s, list, n, m, out, err);
  free(list);
  if (st == CB_OK && isnan(out->stretch_N_per_m))
    st = read_stretch(s, q->cloth, out->origin, &out->stretch_N_per_m, err);
  return st;
}

/* ---- files ---- */

static cb_status from_files(const lab_drape_request *q, const val_drape_model *m, lab_drape_data *out,
                            cb_err *err) {
  fit_drape_setup size = {q->support_m, q->specimen_m, q->scale_m_per_px};
  CB_TRY(fit_drape_setup_check(&size, err));
  val_drape_seen *seen = calloc(q->n_files, sizeof *seen);
  cb_status st = seen ? CB_OK : cb_no_memory(err, "%zu drapes", q->n_files);
  for (size_t i = 0; i < q->n_files && st == CB_OK; i++) {
    fit_drape_file f;
    st = fit_drape_read(q->files[i], &size, &f, err);
    if (st != CB_OK) break;
    seen[i] = (val_drape_seen){.support_m = size.support_m, .specimen_m = size.specimen_m};
    val_drape_signs(&f.drape, seen[i].sign);
    set_doubt(&seen[i], f.drape.u, f.drape.scale_from != FIT_SCALE_MESH);
  }
  if (st == CB_OK) st = val_drape_gather(m, seen, q->n_files, out->group, &out->n_groups, err);
  free(seen);
  return st;
}

/* ---- numbers ---- */

static cb_status from_numbers(const lab_drape_request *q, const val_drape_model *m, lab_drape_data *out,
                              cb_err *err) {
  val_drape_seen seen = {.support_m = q->support_m,
                         .specimen_m = q->specimen_m,
                         .sign = {q->measured, q->nodes, q->amplitude_m, NAN}};
  set_doubt(&seen, q->u_measured, false);
  CB_TRY(val_drape_gather(m, &seen, 1, out->group, &out->n_groups, err));
  out->group[0].n = (int)q->drapes;
  if (!isnan(q->sd_measured))
    out->group[0].sd[VAL_DRAPE_COEFFICIENT] =
        q->sd_measured * val_drape_even_slope(VAL_DRAPE_COEFFICIENT, q->measured);
  return CB_OK;
}

cb_status lab_drape_gather(const lab_drape_request *q, cb_store *s, const val_drape_model *m,
                           lab_drape_data *out, cb_err *err) {
  *out = (lab_drape_data){.origin = CB_IMPORTED,
                          .mass_known = !isnan(q->areal_mass_kg_per_m2),
                          .mass_kg_per_m2 = q->areal_mass_kg_per_m2,
                          .stretch_N_per_m = q->stretch_N_per_m};
  if (s) return from_database(q, s, m, out, err);
  return q->n_files > 0 ? from_files(q, m, out, err) : from_numbers(q, m, out, err);
}

void lab_drape_data_clear(lab_drape_data *d) {
  free(d->drape_id);
  d->drape_id = NULL;
}
