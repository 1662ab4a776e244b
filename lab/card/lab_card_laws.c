#include "lab_card_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_permeability_law.h"
#include "cb_law_json.h"
#include "lab_exch_cloth.h"

/* ---- what stands behind a law ---- */

static void describe_tests(const cb_material_test *t, size_t n, lab_section *out) {
  out->n = n;
  out->n_what = "test";
  if (n == 0) return;
  if (t[0].u_x_rel > 0 || t[0].u_y_rel > 0)
    (void)snprintf(out->calibration, sizeof out->calibration, "%s: relative u %.2g and %.2g", t[0].method,
                   t[0].u_x_rel, t[0].u_y_rel);
  else if (t[0].method[0])
    (void)snprintf(out->calibration, sizeof out->calibration, "%s: calibration not stated", t[0].method);
}

static cb_status begin_law(cb_store *s, lab_card *card, const cb_material_law *l, cb_err *err) {
  cb_material_test *tests;
  size_t n;
  lab_section *out;
  CB_TRY(lab_card_begin(card, l->origin, l->created_at, &out, err));
  (void)snprintf(out->title, sizeof out->title, "%s", cb_material_law_kind_names[l->kind]);
  (void)snprintf(out->form, sizeof out->form, "%s", l->form);
  (void)snprintf(out->source, sizeof out->source, "%s", l->source);
  (void)snprintf(out->method, sizeof out->method, "%s", l->method);
  CB_TRY(cb_store_material_law_tests(s, l->id, &tests, &n, err));
  describe_tests(tests, n, out);
  free(tests);
  return CB_OK;
}

static const char *outside(bool inside) { return inside ? "" : ", not measured there"; }

/* ---- permeability ---- */

static cb_status add_permeability(const cb_material_law *l, lab_card *card, cb_err *err) {
  static const double pressures_Pa[] = {100, 125, 200}; /* ISO 9237 and ASTM D737; 200 Pa is what the
                                                           simulator takes */
  cb_permeability_law law;
  CB_TRY(cb_permeability_parse(l->result_json, &law, err));
  for (size_t i = 0; i < sizeof pressures_Pa / sizeof pressures_Pa[0]; i++) {
    cb_permeability_value v;
    cb_permeability_at_pressure(&(cb_permeability_layer){&law, 1}, 1, pressures_Pa[i], &v);
    lab_card_add(card, "face velocity",
                 (lab_property){.value = v.velocity_m_per_s,
                                .u = v.velocity_m_per_s * v.u_ln_velocity,
                                .dof = v.dof,
                                .unit = "m/s"},
                 "%g Pa%s", pressures_Pa[i], outside(v.inside_measured_range));
  }
  return CB_OK;
}

/* ---- stretch ---- */

static void add_kes(lab_card *card, const cb_stretch_direction *d) {
  const cb_stretch_kes *k = &d->kes;
  const struct {
    const char *name, *unit;
    double value, u;
  } figures[] = {{"EMT", "1", k->emt, k->u_emt},
                 {"WT", "J/m2", k->wt_J_per_m2, k->u_wt_J_per_m2},
                 {"LT", "1", k->lt, k->u_lt}};
  for (size_t i = 0; i < 3; i++)
    lab_card_add(
        card, figures[i].name,
        (lab_property){.value = figures[i].value, .u = figures[i].u, .dof = d->dof, .unit = figures[i].unit},
        "%g deg at %.4g N/m", d->angle_deg, k->load_N_per_m);
  lab_card_add(card, "RT", (lab_property){.value = k->rt, .u = k->u_rt, .dof = d->dof, .unit = "1"},
               "%g deg, from %.4g N/m", d->angle_deg, k->rt_load_N_per_m);
}

static void add_wang(lab_card *card, const cb_stretch_wang *w) {
  static const char *const names[] = {"k11", "k12", "k22", "k33"};
  const double at_rest[3] = {0};
  double k[4];
  cb_stretch_wang_stiffness(w, at_rest, k);
  for (int i = 0; i < 4; i++)
    lab_card_add(card, names[i], (lab_property){.value = k[i], .u = NAN, .dof = NAN, .unit = "N/m"},
                 "no strain");
}

static cb_status add_stretch(const cb_material_law *l, lab_card *card, cb_err *err) {
  cb_stretch_law law;
  CB_TRY(cb_stretch_parse(l->result_json, &law, err));
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_stretch_value v;
    cb_stretch_eval(&law, deg, LAB_EXCH_CLOTH_STRAIN, &v);
    lab_card_add(card, "stiffness",
                 (lab_property){.value = v.force_N_per_m / LAB_EXCH_CLOTH_STRAIN,
                                .u = v.u_N_per_m / LAB_EXCH_CLOTH_STRAIN,
                                .dof = v.dof,
                                .unit = "N/m"},
                 "%d deg, secant to %g %%%s", deg, 100 * LAB_EXCH_CLOTH_STRAIN,
                 outside(v.inside_measured_range));
  }
  for (size_t i = 0; i < law.n; i++) add_kes(card, &law.directions[i]);
  if (law.has_wang) add_wang(card, &law.wang);
  return CB_OK;
}

/* ---- bending ---- */

static cb_status add_bending(const cb_material_law *l, lab_card *card, cb_err *err) {
  cb_bending_law law;
  CB_TRY(cb_bending_parse(l->result_json, &law, err));
  double curvature = law.form == CB_BENDING_TABLE ? 0 : law.curvature_per_m;
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_bending_value v;
    cb_bending_eval(&law, deg * CB_DEG, curvature, &v);
    lab_card_add(card, "rigidity",
                 (lab_property){.value = v.B_Nm, .u = v.u_B_Nm, .dof = v.dof, .unit = "N m"},
                 "%d deg at %.3g 1/m", deg, curvature);
    lab_card_add(card, "hysteresis 2HB",
                 (lab_property){.value = v.width_N, .u = v.u_width_N, .dof = v.dof, .unit = "N"}, "%d deg",
                 deg);
  }
  return CB_OK;
}

/* ---- elasticity ---- */

static cb_status add_elasticity(const cb_material_law *l, lab_card *card, cb_err *err) {
  static const char *const names[] = {"density", "Young's modulus", "Poisson's ratio"}, *const units[] = {
                                                                                            "kg/m3", "Pa",
                                                                                            "1"};
  cb_elasticity_law law;
  CB_TRY(cb_elasticity_parse(l->result_json, &law, err));
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++)
    lab_card_add(card, names[k],
                 (lab_property){.value = law.value[k], .u = law.u[k], .dof = NAN, .unit = units[k]}, "%s",
                 l->method);
  return CB_OK;
}

cb_status lab_card_laws(cb_store *s, const exch_material *m, lab_card *card, cb_err *err) {
  static cb_status (*const add[EXCH_N_LAWS])(const cb_material_law *l, lab_card *card, cb_err *err) = {
      [CB_LAW_PERMEABILITY] = add_permeability,
      [CB_LAW_STRETCH] = add_stretch,
      [CB_LAW_BENDING] = add_bending,
      [CB_LAW_ELASTICITY] = add_elasticity};
  for (int kind = 0; kind < EXCH_N_LAWS; kind++) {
    const cb_material_law *l = &m->laws[kind];
    if (!l->result_json) continue;
    CB_TRY(begin_law(s, card, l, err));
    cb_status st = add[kind](l, card, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s: law %lld", cb_store_path(s), (long long)l->id);
  }
  return CB_OK;
}
