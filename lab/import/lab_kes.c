#include "lab_kes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_material_law.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "cb_store_drape.h"
#include "cb_store_figure.h"
#include "fit_kes.h"
#include "lab_import_parts.h"
#include "lab_material_parts.h"
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
  WORK, /* warp, weft */
  SHEAR_HYSTERESIS = WORK + 2,
  SHEAR_HYSTERESIS_5,
  MIU,
  PROBE,
  MMD,
  SMD,
  THICKNESS_0,
  THICKNESS_M,
  LINEARITY,
  COMPRESSION_WORK,
  RESILIENCE,
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
                                               {"specimen", CB_DIM_LENGTH, false, 1e-3, 2},
                                               {"wt_warp", CB_DIM_STIFFNESS, false, 1e-6, 1e6},
                                               {"wt_weft", CB_DIM_STIFFNESS, false, 1e-6, 1e6},
                                               {"shear_hysteresis", CB_DIM_STIFFNESS, false, 0, 1e4},
                                               {"shear_hysteresis_5", CB_DIM_STIFFNESS, false, 0, 1e4},
                                               {"miu", CB_DIM_RATIO, false, 1e-6, 100},
                                               {"probe", CB_DIM_NONE, false, 0, 0},
                                               {"mmd", CB_DIM_RATIO, false, 0, 100},
                                               {"smd", CB_DIM_LENGTH, false, 0, 1},
                                               {"t0", CB_DIM_LENGTH, false, 1e-6, 1},
                                               {"tm", CB_DIM_LENGTH, false, 1e-6, 1},
                                               {"lc", CB_DIM_RATIO, false, 0, 2},
                                               {"wc", CB_DIM_STIFFNESS, false, 0, 1e6},
                                               {"rc", CB_DIM_RATIO, false, 0, 1}};

/* The figures no law is made of. */
static const struct {
  size_t field;
  const char *name, *unit, *conditions;
} figure_fields[] = {{SHEAR_HYSTERESIS, "2HG", "N/m", "at a shear angle of 0.5 deg"},
                     {SHEAR_HYSTERESIS_5, "2HG5", "N/m", "at a shear angle of 5 deg"},
                     {MMD, "MMD", "1", "mean deviation of MIU"},
                     {SMD, "SMD", "m", "mean deviation of the height"},
                     {THICKNESS_0, "T0", "m", "thickness at 0.5 gf/cm2"},
                     {THICKNESS_M, "TM", "m", "thickness at 50 gf/cm2"},
                     {LINEARITY, "LC", "1", "linearity of compression to 50 gf/cm2"},
                     {COMPRESSION_WORK, "WC", "J/m2", "work of compression to 50 gf/cm2"},
                     {RESILIENCE, "RC", "1", "resilience of compression from 50 gf/cm2"}};
_Static_assert(sizeof figure_fields / sizeof figure_fields[0] == LAB_KES_FIGURES, "one of each");

/* The surface tester, KES-FB4: ten wires of 0.5 mm, 5 mm x 5 mm, under 50 gf at 1 mm/s. */
#define PROBE_NAME "KES surface probe"
#define PROBE_FORCE_N (0.05 * CB_STANDARD_GRAVITY_M_PER_S2)
#define PROBE_AREA_M2 25e-6
#define PROBE_SPEED_M_PER_S 1e-3

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

static fit_kes read_figures(const fit_table *t, size_t row, const char *cloth) {
  fit_kes k = fit_kes_unknown();
  (void)snprintf(k.cloth, sizeof k.cloth, "%s", cloth);
  k.load_N_per_m = fit_table_number_or(t, LOAD, row, k.load_N_per_m);
  k.strain_max = fit_table_number_or(t, STRAIN_MAX, row, k.strain_max);
  for (size_t d = 0; d < 2; d++) {
    const size_t at = TENSILE + 4 * d;
    k.tensile[d] = (fit_kes_tensile){.em = figure(t, at, row),
                                     .lt = figure(t, at + 1, row),
                                     .rt = figure(t, at + 2, row),
                                     .wt = figure(t, WORK + d, row),
                                     .stiffness_N_per_m = figure(t, at + 3, row)};
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

/* NAN where the mapping states none: nobody assumes one of a figure that is only kept. */
static double u_stated(const fit_table *t, size_t field, double value) {
  const double u_rel = fit_table_u_rel(t, field);
  return u_rel > 0 ? hypot(value * u_rel, fit_table_digit(t, field) / sqrt(12)) : NAN;
}

/* T0 is the thickness of a cloth of which nobody gives another. */
static void take_t0(const fit_table *t, size_t row, lab_kes_cloth *c) {
  const double t0_m = fit_table_number(t, THICKNESS_0, row), u_m = u_stated(t, THICKNESS_0, t0_m);
  cb_material *m = &c->material.facts;
  c->thickness_is_t0 = !(m->thickness_m > 0) && isfinite(t0_m);
  if (!c->thickness_is_t0) return;
  m->thickness_m = t0_m;
  m->u_thickness_m = isfinite(u_m) ? u_m : 0;
}

static cb_status read_facts(const fit_table *t, size_t row, cb_material *m, cb_err *err) {
  *m = (cb_material){.kind = CB_CLOTH,
                     .origin = CB_IMPORTED,
                     .areal_density_kg_per_m2 = fit_table_number_or(t, AREAL_DENSITY, row, 0),
                     .thickness_m = fit_table_number_or(t, THICKNESS, row, 0)};
  (void)snprintf(m->source, sizeof m->source, "%s", fit_table_source(t));
  CB_TRY(fit_table_name(t, MATERIAL, row, m->name, sizeof m->name, err));
  CB_TRY(fit_table_name(t, COMPOSITION, row, m->composition, sizeof m->composition, err));
  return fit_table_name(t, WEAVE, row, m->weave, sizeof m->weave, err);
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

static void read_figures_kept(const fit_table *t, size_t row, lab_kes_cloth *c) {
  for (size_t i = 0; i < LAB_KES_FIGURES; i++) {
    const double value = fit_table_number(t, figure_fields[i].field, row);
    if (isnan(value)) continue;
    cb_material_figure *f = &c->figures[c->n_figures++];
    *f = (cb_material_figure){
        .value = value, .u = u_stated(t, figure_fields[i].field, value), .origin = CB_IMPORTED};
    (void)snprintf(f->name, sizeof f->name, "%s", figure_fields[i].name);
    (void)snprintf(f->unit, sizeof f->unit, "%s", figure_fields[i].unit);
    (void)snprintf(f->conditions, sizeof f->conditions, "%s", figure_fields[i].conditions);
    (void)snprintf(f->method, sizeof f->method, "%s", fit_table_method(t));
    (void)snprintf(f->source, sizeof f->source, "%s", fit_table_source(t));
  }
}

static cb_status read_friction(const fit_table *t, size_t row, lab_kes_cloth *c, cb_err *err) {
  const fit_kes_number miu = figure(t, MIU, row);
  c->miu = miu.value;
  c->u_miu = miu.value * miu.u_rel;
  CB_TRY(fit_table_name(t, PROBE, row, c->probe, sizeof c->probe, err));
  if (!c->probe[0]) (void)snprintf(c->probe, sizeof c->probe, PROBE_NAME);
  return CB_OK;
}

static cb_status read_cloth(const fit_table *t, size_t row, lab_kes_cloth *c, cb_err *err) {
  CB_TRY(read_facts(t, row, &c->material.facts, err));
  take_t0(t, row, c);
  const fit_kes k = read_figures(t, row, c->material.facts.name);
  const cb_status st = make_laws(t, &k, &c->material, err);
  if (st != CB_OK) {
    const cb_err inner = *err;
    return fit_table_fail(t, row, st, err, "%s", inner.msg);
  }
  read_figures_kept(t, row, c);
  CB_TRY(read_friction(t, row, c, err));
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

static cb_status store_drape(cb_store *s, lab_kes_cloth *c, int64_t cloth_id, const char *fingerprint,
                             cb_err *err) {
  if (!c->has_drape) return CB_OK;
  c->drape.material_id = cloth_id;
  return cb_store_drape_put(s, &c->drape, "", fingerprint, err);
}

static cb_status store_figures(cb_store *s, lab_kes_cloth *c, int64_t cloth_id, const char *fingerprint,
                               cb_err *err) {
  for (size_t i = 0; i < c->n_figures; i++) {
    c->figures[i].material_id = cloth_id;
    CB_TRY(cb_store_figure_put(s, &c->figures[i], fingerprint, err));
  }
  return CB_OK;
}

static cb_status store_friction(cb_store *s, const lab_kes_cloth *c, const char *source, int64_t campaign_id,
                                int64_t cloth_id, cb_err *err) {
  if (isnan(c->miu)) return CB_OK;
  lab_typed t = lab_typed_default();
  t.name = c->material.facts.name;
  t.source = source;
  t.body = c->probe;
  t.mu = c->miu;
  t.u_mu = c->u_miu;
  t.normal_force_N = PROBE_FORCE_N;
  t.contact_area_m2 = PROBE_AREA_M2;
  t.speed_m_per_s = PROBE_SPEED_M_PER_S;
  return lab_typed_put_pull(s, &t, campaign_id, cloth_id, err);
}

typedef struct sheet {
  const char *file;
  lab_kes *kes;
  int64_t campaign_id; /* of the pulls on the probe; 0: none */
} sheet;

static cb_status refuse_again(cb_store *s, const sheet *q, cb_err *err) {
  const char *fingerprint = fit_table_fingerprint(q->kes->table);
  char when[32];
  CB_TRY(lab_import_refuse_again(s, q->file, fingerprint, err));
  CB_TRY(cb_store_drape_fingerprint(s, fingerprint, when, err));
  if (!when[0]) CB_TRY(cb_store_figure_fingerprint(s, fingerprint, when, err));
  if (!when[0]) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: this very table was imported on %.10s: it would count twice", q->file,
                 when);
}

static cb_status begin_pulls(cb_store *s, sheet *q, cb_err *err) {
  bool pulls = false;
  cb_campaign c = {.kind = CB_CAMPAIGN_IMPORT,
                   .plan_text = (char *)(uintptr_t)fit_table_mapping(q->kes->table),
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_IMPORTED};
  for (size_t i = 0; i < q->kes->n; i++) pulls |= isfinite(q->kes->cloths[i].miu);
  if (!pulls) return CB_OK;
  lab_import_name(q->file, fit_table_fingerprint(q->kes->table), c.name);
  CB_TRY(cb_store_campaign_put(s, &c, err));
  q->campaign_id = c.id;
  return CB_OK;
}

/* A thickness that the store has goes before T0, which is kept as a figure anyway. */
static cb_status yield_thickness(cb_store *s, lab_kes_cloth *c, cb_err *err) {
  cb_material m, *facts = &c->material.facts;
  if (!c->thickness_is_t0) return CB_OK;
  const cb_status st = cb_store_material_find(s, CB_CLOTH, facts->name, &m, err);
  if (st == CB_OK && m.thickness_m > 0) facts->thickness_m = facts->u_thickness_m = 0;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

static cb_status store_cloth(cb_store *s, const sheet *q, lab_kes_cloth *c, cb_err *err) {
  const char *fingerprint = fit_table_fingerprint(q->kes->table);
  cb_material m;
  CB_TRY(yield_thickness(s, c, err));
  CB_TRY(lab_material_put(s, q->file, &c->material, err));
  CB_TRY(cb_store_material_find(s, CB_CLOTH, c->material.facts.name, &m, err));
  CB_TRY(store_drape(s, c, m.id, fingerprint, err));
  CB_TRY(store_figures(s, c, m.id, fingerprint, err));
  return store_friction(s, c, fit_table_source(q->kes->table), q->campaign_id, m.id, err);
}

static cb_status store_sheet(cb_store *s, void *context, cb_err *err) {
  sheet *q = context;
  CB_TRY(refuse_again(s, q, err));
  CB_TRY(begin_pulls(s, q, err));
  for (size_t i = 0; i < q->kes->n; i++) CB_TRY(store_cloth(s, q, &q->kes->cloths[i], err));
  return q->campaign_id ? cb_store_campaign_finish(s, q->campaign_id, err) : CB_OK;
}

cb_status lab_kes_store(cb_store *s, const char *file, lab_kes *k, cb_err *err) {
  return lab_transact(s, store_sheet, &(sheet){.file = file, .kes = k}, err);
}

cb_status lab_import_kes(const lab_import *q, lab_kes *out, cb_err *err) {
  cb_store *s;
  CB_TRY(lab_kes_read(q->mapping, q->file, out, err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_kes_store(s, q->file, out, err), err);
}
