#include "lab_kes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_store_drape.h"
#include "fit_kes.h"
#include "lab_material_impl.h"
#include "lab_transact.h"

/* ---- what a mapping may give ---- */

enum {
  MATERIAL,
  COMPOSITION,
  WEAVE,
  AREAL_DENSITY,
  THICKNESS,
  LOAD,
  STRAIN_MAX,
  TENSILE, /* EM, LT, RT, stiffness: warp, then weft */
  SHEAR = TENSILE + 8,
  BENDING,
  HYSTERESIS = BENDING + 2,
  DRAPE = HYSTERESIS + 2,
  SUPPORT,
  SPECIMEN,
  FIELDS
};
static const fit_table_field fields[FIELDS] = {{"material", CB_DIM_NONE, true, 0, 0},
                                               {"composition", CB_DIM_NONE, false, 0, 0},
                                               {"weave", CB_DIM_NONE, false, 0, 0},
                                               {"areal_density", CB_DIM_AREAL_DENSITY, false, 1e-3, 10},
                                               {"thickness", CB_DIM_LENGTH, false, 1e-6, 1},
                                               {"load", CB_DIM_STIFFNESS, false, 1, 1e5},
                                               {"strain_max", CB_DIM_RATIO, false, 1e-4, 10},
                                               {"em_warp", CB_DIM_RATIO, false, 1e-4, 10},
                                               {"lt_warp", CB_DIM_RATIO, false, 0.05, 1.95},
                                               {"rt_warp", CB_DIM_RATIO, false, 0, 1},
                                               {"stretch_warp", CB_DIM_STIFFNESS, false, 1e-2, 1e7},
                                               {"em_weft", CB_DIM_RATIO, false, 1e-4, 10},
                                               {"lt_weft", CB_DIM_RATIO, false, 0.05, 1.95},
                                               {"rt_weft", CB_DIM_RATIO, false, 0, 1},
                                               {"stretch_weft", CB_DIM_STIFFNESS, false, 1e-2, 1e7},
                                               {"shear", CB_DIM_STIFFNESS, false, 1e-3, 1e6},
                                               {"bending_warp", CB_DIM_RIGIDITY, false, 1e-10, 1},
                                               {"bending_weft", CB_DIM_RIGIDITY, false, 1e-10, 1},
                                               {"hysteresis_warp", CB_DIM_FORCE, false, 0, 1},
                                               {"hysteresis_weft", CB_DIM_FORCE, false, 0, 1},
                                               {"drape_coefficient", CB_DIM_RATIO, false, 0, 1},
                                               {"support", CB_DIM_LENGTH, false, 1e-3, 1},
                                               {"specimen", CB_DIM_LENGTH, false, 1e-3, 2}};

/* ---- a row as a cloth ---- */

/* The uncertainty is what the mapping states, else u_rel; and that of the last digit. */
static fit_kes_number number(const fit_table *t, size_t field, size_t row, double u_rel) {
  const double value = fit_table_number(t, field, row), digit = fit_table_digit(t, field) / sqrt(12),
               told = fit_table_u_rel(t, field);
  return (fit_kes_number){value, value > 0 ? hypot(told > 0 ? told : u_rel, digit / value) : 0};
}

static fit_kes_number figure(const fit_table *t, size_t field, size_t row) {
  return number(t, field, row, FIT_KES_U_REL);
}

static double number_or(const fit_table *t, size_t field, size_t row, double otherwise) {
  const double value = fit_table_number(t, field, row);
  return isnan(value) ? otherwise : value;
}

static fit_kes read_figures(const fit_table *t, size_t row, const char *cloth) {
  fit_kes k = fit_kes_unknown();
  (void)snprintf(k.cloth, sizeof k.cloth, "%s", cloth);
  k.load_N_per_m = number_or(t, LOAD, row, k.load_N_per_m);
  k.strain_max = number_or(t, STRAIN_MAX, row, k.strain_max);
  for (size_t d = 0; d < 2; d++) {
    const size_t at = TENSILE + 4 * d;
    k.tensile[d] = (fit_kes_tensile){figure(t, at, row), figure(t, at + 1, row), figure(t, at + 2, row),
                                     figure(t, at + 3, row)};
    k.bending_Nm[d] = figure(t, BENDING + d, row);
    k.hysteresis_N[d] = figure(t, HYSTERESIS + d, row);
  }
  k.shear_N_per_m = figure(t, SHEAR, row);
  return k;
}

static cb_status put_law(exch_material *m, const fit_table *t, cb_material_law_kind kind, const char *form,
                         json_t *doc, cb_err *err) {
  cb_material_law *l = &m->laws[kind];
  l->kind = kind;
  l->origin = CB_IMPORTED;
  l->result_json = cb_json_text(doc);
  json_decref(doc);
  if (!l->result_json) return cb_no_memory(err, "a law of '%s'", m->facts.name);
  (void)snprintf(l->form, sizeof l->form, "%s", form);
  (void)snprintf(l->source, sizeof l->source, "%s", fit_table_source(t));
  (void)snprintf(l->method, sizeof l->method,
                 "kes/1 %s, summary figures; uncertainty: the mapping's, else 10 %%", fit_table_method(t));
  return CB_OK;
}

static cb_status make_laws(const fit_table *t, const fit_kes *k, exch_material *m, cb_err *err) {
  if (fit_kes_has_stretch(k)) {
    cb_stretch_law law;
    CB_TRY(fit_kes_stretch(k, &law, err));
    CB_TRY(put_law(m, t, CB_LAW_STRETCH, cb_stretch_form_names[law.form], cb_stretch_json(&law), err));
  }
  if (fit_kes_has_bending(k)) {
    cb_bending_law law;
    CB_TRY(fit_kes_bending(k, &law, err));
    CB_TRY(put_law(m, t, CB_LAW_BENDING, cb_bending_form_names[law.form],
                   json_pack("{s:o}", "law", cb_bending_json(&law)), err));
  }
  return CB_OK;
}

static cb_status copy_text(const fit_table *t, size_t field, size_t row, size_t size, char *out,
                           cb_err *err) {
  const char *text = fit_table_text(t, field, row);
  if (strlen(text) >= size || (field == MATERIAL && !text[0]))
    return fit_table_fail(t, row, CB_E_PARSE, err, "%s '%.60s': 1 to %zu bytes were wanted",
                          fields[field].name, text, size - 1);
  memcpy(out, text, strlen(text) + 1);
  return CB_OK;
}

static cb_status read_facts(const fit_table *t, size_t row, cb_material *m, cb_err *err) {
  *m = (cb_material){.kind = CB_CLOTH,
                     .origin = CB_IMPORTED,
                     .areal_density_kg_per_m2 = number_or(t, AREAL_DENSITY, row, 0),
                     .thickness_m = number_or(t, THICKNESS, row, 0)};
  (void)snprintf(m->source, sizeof m->source, "%s", fit_table_source(t));
  CB_TRY(copy_text(t, MATERIAL, row, sizeof m->name, m->name, err));
  CB_TRY(copy_text(t, COMPOSITION, row, sizeof m->composition, m->composition, err));
  return copy_text(t, WEAVE, row, sizeof m->weave, m->weave, err);
}

static cb_status read_drape(const fit_table *t, size_t row, lab_kes_cloth *c, cb_err *err) {
  const fit_kes_number coefficient = number(t, DRAPE, row, 0);
  c->has_drape = isfinite(coefficient.value);
  if (!c->has_drape) return CB_OK;
  c->drape = (cb_drape_test){.support_m = fit_table_number(t, SUPPORT, row),
                             .specimen_m = fit_table_number(t, SPECIMEN, row),
                             .drape_coefficient = coefficient.value,
                             .u_drape_coefficient = coefficient.value * coefficient.u_rel,
                             .nodes = NAN,
                             .node_height_m = NAN,
                             .u_scale_rel = NAN,
                             .pixel_m = NAN,
                             .area_m2 = NAN,
                             .origin = CB_IMPORTED,
                             .method = "typed"};
  if (!(c->drape.specimen_m > c->drape.support_m))
    return fit_table_fail(
        t, row, CB_E_RANGE, err,
        "a drape coefficient of a %g m specimen on a %g m support: both diameters, specimen above "
        "support, were wanted",
        c->drape.specimen_m, c->drape.support_m);
  (void)snprintf(c->drape.capture, sizeof c->drape.capture, "%.40s, typed", c->material.facts.name);
  (void)snprintf(c->drape.source, sizeof c->drape.source, "%s", fit_table_source(t));
  return CB_OK;
}

static cb_status read_cloth(const fit_table *t, size_t row, lab_kes_cloth *c, cb_err *err) {
  CB_TRY(read_facts(t, row, &c->material.facts, err));
  const fit_kes k = read_figures(t, row, c->material.facts.name);
  const cb_status st = make_laws(t, &k, &c->material, err);
  if (st != CB_OK) {
    const cb_err inner = *err;
    return fit_table_fail(t, row, st, err, "%s", inner.msg);
  }
  return read_drape(t, row, c, err);
}

cb_status lab_kes_read(const char *mapping, const char *file, lab_kes *out, cb_err *err) {
  cb_err own = {""};
  if (!err) err = &own;
  *out = (lab_kes){.n = 0};
  CB_TRY(fit_table_read(mapping, file, "kes", fields, FIELDS, &out->table, err));
  const size_t n = fit_table_rows(out->table);
  out->cloths = calloc(n + 1, sizeof *out->cloths);
  if (!out->cloths) return cb_no_memory(err, "%zu cloths", n);
  for (; out->n < n; out->n++) CB_TRY(read_cloth(out->table, out->n, &out->cloths[out->n], err));
  return CB_OK;
}

void lab_kes_clear(lab_kes *k) {
  const size_t n = k->cloths ? fit_table_rows(k->table) : 0;
  for (size_t i = 0; i < n; i++) exch_material_clear(&k->cloths[i].material);
  free(k->cloths);
  fit_table_free(k->table);
  *k = (lab_kes){.n = 0};
}

/* ---- into the store ---- */

static cb_status store_drape(cb_store *s, lab_kes_cloth *c, const char *fingerprint, cb_err *err) {
  cb_material m;
  if (!c->has_drape) return CB_OK;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, c->material.facts.name, &m, err));
  c->drape.material_id = m.id;
  return cb_store_drape_put(s, &c->drape, "", fingerprint, err);
}

typedef struct sheet {
  const char *file;
  lab_kes *kes;
} sheet;

static cb_status store_sheet(cb_store *s, void *context, cb_err *err) {
  const sheet *q = context;
  const char *fingerprint = fit_table_fingerprint(q->kes->table);
  char when[32];
  CB_TRY(cb_store_drape_fingerprint(s, fingerprint, when, err));
  if (when[0])
    return cb_fail(err, CB_E_RANGE, "%s: this very table was imported on %.10s: it would count twice",
                   q->file, when);
  for (size_t i = 0; i < q->kes->n; i++) {
    CB_TRY(lab_material_put(s, q->file, &q->kes->cloths[i].material, err));
    CB_TRY(store_drape(s, &q->kes->cloths[i], fingerprint, err));
  }
  return CB_OK;
}

cb_status lab_kes_store(cb_store *s, const char *file, lab_kes *k, cb_err *err) {
  return lab_transact(s, store_sheet, &(sheet){file, k}, err);
}
