#include "lab_exch_cloth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_stretch_form.h"
#include "cb_law_json.h"
#include "law.h"

static const exch_value nothing = {NAN, NAN};

/* ---- a linear sheet ---- */

static exch_value known(double v) { return v > 0 ? (exch_value){v, NAN} : nothing; }

static exch_value secant(const cb_stretch_law *law, double angle_deg) {
  cb_stretch_value v;
  cb_stretch_eval(law, angle_deg, CB_STRETCH_SECANT_STRAIN, &v);
  return (exch_value){v.force_N_per_m / CB_STRETCH_SECANT_STRAIN, v.u_N_per_m / CB_STRETCH_SECANT_STRAIN};
}

/* ARCSim's energy is (k11 Euu^2 + 2 k12 Euu Evv + k22 Evv^2 + k33 Euv^2)/2 with Euv half the shear angle: a
 * strip free to narrow has k11 - k12^2/k22. */
static void stretch_by_table(const cb_stretch_wang *w, exch_cloth *out) {
  const double at_rest[3] = {0};
  double k[4];
  cb_stretch_wang_stiffness(w, at_rest, k);
  if (k[0] * k[2] > k[1] * k[1]) {
    out->stretch_warp_N_per_m.value = k[0] - k[1] * k[1] / k[2];
    out->stretch_weft_N_per_m.value = k[2] - k[1] * k[1] / k[0];
  }
}

static void stretch_by_curves(const cb_stretch_law *law, exch_cloth *out) {
  out->stretch_warp_N_per_m = secant(law, 0);
  out->stretch_weft_N_per_m = secant(law, 90);
}

static cb_status take_stretch(const cb_material_law *l, exch_cloth *out, cb_err *err) {
  cb_stretch_law law;
  if (!l->result_json) return CB_OK;
  CB_TRY(law_read(CB_LAW_STRETCH, l->result_json, &law, err));
  if (law.n > 0)
    stretch_by_curves(&law, out);
  else
    stretch_by_table(&law.wang, out);
  out->shear_N_per_m.value = cb_stretch_shear(&law, &out->shear_N_per_m.u);
  return CB_OK;
}

static exch_value rigidity(const cb_bending_law *law, double angle_deg) {
  cb_bending_value v;
  cb_bending_eval(law, angle_deg * CB_DEG, law->form == CB_BENDING_TABLE ? 0 : law->curvature_per_m, &v);
  return (exch_value){v.B_Nm, v.u_B_Nm};
}

static cb_status take_bending(const cb_material_law *l, exch_cloth *out, cb_err *err) {
  cb_bending_law law;
  if (!l->result_json) return CB_OK;
  CB_TRY(law_read(CB_LAW_BENDING, l->result_json, &law, err));
  out->bending_warp_N_m = rigidity(&law, 0);
  out->bending_weft_N_m = rigidity(&law, 90);
  out->bending_bias_N_m = rigidity(&law, 45);
  return CB_OK;
}

/* The middle load, the mean of three directions. */
static exch_value coefficient(const cb_friction_law *l) {
  double N = l->knots[l->n_knots / 2].normal_force_N, sum = 0, u = 0;
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_friction_value v;
    cb_friction_law_eval(l, deg * CB_DEG, N, &v);
    sum += v.force_N / N / 3;
    u += v.u_force_N / N / 3; /* mostly what all directions share */
  }
  return (exch_value){sum, u};
}

static const char *other_of(const exch_material *m, const cb_friction_law *l) {
  return m->facts.kind == CB_CLOTH ? l->body : l->cloth;
}

/* Of a law of the other kind between the same two, at the same load. NAN: there is none. */
static double static_part(const exch_material *m, const cb_friction_law *kinetic) {
  for (size_t i = 0; i < m->n_friction; i++) {
    const cb_friction_law *l = &m->friction[i].law;
    if (l->kind == CB_FRICTION_STATIC && strcmp(other_of(m, l), other_of(m, kinetic)) == 0)
      return coefficient(l).value / coefficient(kinetic).value;
  }
  return NAN;
}

static void take_range(const cb_friction_law *l, exch_cloth *out) {
  for (size_t k = 0; k < l->n_knots; k++)
    for (int deg = 0; deg <= 90; deg += 45) {
      cb_friction_value v;
      const double load_N = l->knots[k].normal_force_N;
      cb_friction_law_eval(l, deg * CB_DEG, load_N, &v);
      out->friction_least = fmin(out->friction_least, v.force_N / load_N); /* ignores a NAN */
      out->friction_most = fmax(out->friction_most, v.force_N / load_N);
    }
}

static cb_status take_friction(const exch_material *m, const char *body, exch_cloth *out, cb_err *err) {
  const cb_friction_law *law = NULL;
  size_t n = 0;
  for (size_t i = 0; i < m->n_friction; i++) {
    const cb_friction_law *l = &m->friction[i].law;
    if (l->kind != CB_FRICTION_KINETIC || (body && strcmp(other_of(m, l), body) != 0)) continue;
    law = l;
    n++;
  }
  if (body && !law)
    return cb_fail(err, CB_E_NOTFOUND, "there is no kinetic friction law of '%s' with '%s'", m->facts.name,
                   body);
  if (n != 1) return CB_OK;
  out->friction = coefficient(law);
  out->static_over_kinetic = static_part(m, law);
  take_range(law, out);
  (void)snprintf(out->friction_with, sizeof out->friction_with, "%s", other_of(m, law));
  return CB_OK;
}

cb_status lab_exch_cloth_of(const exch_material *m, const char *body, exch_cloth *out, cb_err *err) {
  *out = (exch_cloth){.areal_density_kg_per_m2 = known(m->facts.areal_density_kg_per_m2),
                      .thickness_m = known(m->facts.thickness_m),
                      .stretch_warp_N_per_m = nothing,
                      .stretch_weft_N_per_m = nothing,
                      .shear_N_per_m = nothing,
                      .bending_warp_N_m = nothing,
                      .bending_weft_N_m = nothing,
                      .bending_bias_N_m = nothing,
                      .friction = nothing,
                      .friction_least = NAN,
                      .friction_most = NAN,
                      .static_over_kinetic = NAN};
  (void)snprintf(out->name, sizeof out->name, "%s", m->facts.name);
  CB_TRY(take_stretch(&m->laws[CB_LAW_STRETCH], out, err));
  CB_TRY(take_bending(&m->laws[CB_LAW_BENDING], out, err));
  CB_TRY(take_friction(m, body, out, err));
  (void)snprintf(out->basis, sizeof out->basis,
                 "stretch: secant to %g %% strain; shear: as if Poisson's ratio were 0; friction%s%s: middle "
                 "load, mean direction",
                 100 * CB_STRETCH_SECANT_STRAIN, out->friction_with[0] ? " with " : "", out->friction_with);
  return CB_OK;
}

/* ---- ARCSim ---- */

static cb_status require_law(const exch_material *m, cb_material_law_kind kind, cb_err *err) {
  if (m->laws[kind].result_json) return CB_OK;
  const char *name = cb_material_law_kind_names[kind];
  return cb_fail(err, CB_E_NOTFOUND,
                 "there is no %s law of '%s', which ARCSim wants: 'clothbench fit %s' makes one", name,
                 m->facts.name, name);
}

static cb_status arcsim_stretching(const exch_material *m, exch_arcsim *out, bool *beyond, cb_err *err) {
  cb_stretch_law law;
  CB_TRY(require_law(m, CB_LAW_STRETCH, err));
  CB_TRY(law_read(CB_LAW_STRETCH, m->laws[CB_LAW_STRETCH].result_json, &law, err));
  if (!law.has_wang && !cb_stretch_wang_of(&law, &law.wang, beyond))
    return cb_fail(err, CB_E_NOTFOUND,
                   "the stretch law of '%s' lacks warp, weft or 45 degrees, which ARCSim wants",
                   m->facts.name);
  memcpy(out->stretching_N_per_m, law.wang.c_N_per_m, sizeof out->stretching_N_per_m);
  return CB_OK;
}

static cb_status arcsim_bending(const exch_material *m, exch_arcsim *out, cb_err *err) {
  cb_bending_law law;
  cb_bending_wang table;
  CB_TRY(require_law(m, CB_LAW_BENDING, err));
  CB_TRY(law_read(CB_LAW_BENDING, m->laws[CB_LAW_BENDING].result_json, &law, err));
  if (law.form == CB_BENDING_TABLE)
    table = law.wang;
  else
    cb_bending_wang_of(&law, &table);
  memcpy(out->bending_N_m, table.ke_Nm, sizeof out->bending_N_m);
  return CB_OK;
}

cb_status lab_arcsim_of(const exch_material *m, exch_arcsim *out, bool *beyond, cb_err *err) {
  *beyond = false;
  out->density_kg_per_m2 = m->facts.areal_density_kg_per_m2;
  if (!(out->density_kg_per_m2 > 0))
    return cb_fail(err, CB_E_NOTFOUND, "the areal density of '%s' is not known, which ARCSim wants",
                   m->facts.name);
  CB_TRY(arcsim_stretching(m, out, beyond, err));
  return arcsim_bending(m, out, err);
}

/* Steals the document. */
static cb_status put_law(exch_material *m, cb_material_law_kind kind, const char *form, json_t *doc,
                         cb_err *err) {
  char *text = cb_json_text(doc);
  json_decref(doc);
  if (!text) return cb_no_memory(err, "a %s law", cb_material_law_kind_names[kind]);
  m->laws[kind] = (cb_material_law){.kind = kind, .origin = CB_IMPORTED, .result_json = text};
  (void)snprintf(m->laws[kind].form, sizeof m->laws[kind].form, "%s", form);
  (void)snprintf(m->laws[kind].source, sizeof m->laws[kind].source, "%s", m->facts.source);
  (void)snprintf(m->laws[kind].method, sizeof m->laws[kind].method, "the table of an ARCSim material file");
  return CB_OK;
}

cb_status lab_arcsim_laws(const exch_arcsim *a, exch_material *m, cb_err *err) {
  cb_stretch_law stretch = {.origin = CB_IMPORTED, .has_wang = true};
  cb_bending_law bending = {.form = CB_BENDING_TABLE};
  m->facts.areal_density_kg_per_m2 = a->density_kg_per_m2;
  (void)snprintf(stretch.cloth, sizeof stretch.cloth, "%s", m->facts.name);
  memcpy(stretch.wang.c_N_per_m, a->stretching_N_per_m, sizeof a->stretching_N_per_m);
  memcpy(bending.wang.ke_Nm, a->bending_N_m, sizeof a->bending_N_m);
  CB_TRY(cb_stretch_law_check(&stretch, err));
  CB_TRY(cb_bending_law_check(&bending, err));
  CB_TRY(put_law(m, CB_LAW_STRETCH, "wang", cb_stretch_json(&stretch), err));
  return put_law(m, CB_LAW_BENDING, cb_bending_form_names[CB_BENDING_TABLE],
                 json_pack("{s:o}", "law", cb_bending_json(&bending)), err);
}
