/* What a drape needs to know of a cloth: numbers as they are typed, or the laws of a cloth in the store;
 * numbers go before laws. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_bending_loading.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "lab_material_parts.h"
#include "lab_drape_impl.h"

const char *const lab_hysteresis_from_names[] = {"numbers", "law", "relation"};

static bool given(double v) { return !isnan(v); }

static double or_else(double u_rel, double other) { return given(u_rel) ? u_rel : other; }

/* A cloth under work. */
typedef struct job {
  const char *name;
  const lab_drape_numbers *q;
  lab_drape_cloth *c;
  cb_bending_law bending; /* of the store, or as typed */
} job;

/* ---- the moment of the cloth ---- */

static bool has_widths(const lab_drape_numbers *q) {
  return given(q->hysteresis_N[0]) && given(q->hysteresis_N[1]);
}

static void set_friction(const job *j, const cb_bending_loading *l) {
  lab_drape_cloth *c = j->c;
  bool typed = has_widths(j->q);
  for (int k = 0; k < 2; k++) c->material.bending_friction_N[k] = l->friction_N[k];
  c->material.bending_friction_onset_per_m = l->onset_per_m;
  c->hysteresis_from = typed         ? LAB_HYSTERESIS_NUMBERS
                       : l->measured ? LAB_HYSTERESIS_LAW
                                     : LAB_HYSTERESIS_RELATION;
  c->doubt.friction = or_else(j->q->u_hysteresis_rel, l->u_ln_friction);
  c->doubt.onset = or_else(j->q->u_onset_rel, l->u_ln_onset);
  c->doubt.friction_follows_bending = !l->measured;
  c->doubt.moment_known_at_per_m = l->known_at_per_m;
}

/* Areal density first: the prior depends on the bending length. */
static void set_bending(const job *j) {
  sim_material *m = &j->c->material;
  cb_bending_loading l;
  cb_bending_loading_of(&j->bending, m->areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2,
                        has_widths(j->q) ? j->q->hysteresis_N : NULL, &l);
  if (j->q->bend_known_at_per_m > 0) l.known_at_per_m = j->q->bend_known_at_per_m;
  cb_bending_shell(&j->bending, m->bending_Nm);
  sim_bending_scale(m->bending_Nm, l.B_Nm[0] / m->bending_Nm[0][0], l.B_Nm[1] / m->bending_Nm[1][1]);
  set_friction(j, &l);
}

/* ---- from laws ---- */

static cb_status read_stretch(cb_store *s, job *j, cb_err *err) {
  sim_material *m = &j->c->material;
  sim_curve *const curves[] = {&m->warp, &m->weft, &m->shear};
  const double numbers[] = {j->q->stretch_N_per_m[0], j->q->stretch_N_per_m[1], j->q->shear_N_per_m};
  cb_stretch_law law = {.id = 0};
  bool loaded = false;
  for (int k = 0; k < 3; k++) {
    if (given(numbers[k])) continue;
    if (!loaded) CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, j->name, &law, NULL, err));
    loaded = true;
    j->c->stretch_law_id = law.id;
    j->c->origin = law.origin;
    CB_TRY(lab_cloth_curve(&law, (cb_stretch_axis)k, curves[k], err));
  }
  return CB_OK;
}

static cb_status read_bending(cb_store *s, job *j, cb_err *err) {
  lab_drape_cloth *c = j->c;
  cb_material_law row;
  if (given(j->q->bend_Nm[0]) && given(j->q->bend_Nm[1])) return CB_OK;
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, j->name, &j->bending, &row, err));
  c->from_drapes = strncmp(row.method, LAB_DRAPE_METHOD, strlen(LAB_DRAPE_METHOD)) == 0;
  c->bending_law_id = row.id;
  free(row.result_json);
  if (c->stretch_law_id == 0) c->origin = row.origin;
  CB_TRY(cb_origin_join(&c->origin, row.origin, err));
  for (int k = 0; k < 2; k++) {
    cb_bending_value v;
    cb_bending_eval(&j->bending, k * CB_PI / 2, NAN, &v);
    c->doubt.bending[k] = or_else(j->q->u_bend_rel, isfinite(v.u_B_Nm) ? v.u_B_Nm / v.B_Nm : 0.1);
  }
  return CB_OK;
}

static cb_status read_laws(cb_store *s, job *j, cb_err *err) {
  sim_material *to = &j->c->material;
  cb_material m;
  CB_TRY(lab_cloth_facts(s, j->name, &m, err));
  if (!given(j->q->areal_density_kg_per_m2) && !(m.areal_density_kg_per_m2 > 0))
    return cb_fail(err, CB_E_NOTFOUND, "%s: its areal mass is not known: --areal-mass-g-m2 is wanted",
                   j->name);
  if (!given(j->q->areal_density_kg_per_m2)) to->areal_density_kg_per_m2 = m.areal_density_kg_per_m2;
  if (!given(j->q->areal_density_kg_per_m2) && !given(j->q->u_mass_rel) && m.u_areal_density_kg_per_m2 > 0)
    j->c->doubt.mass = m.u_areal_density_kg_per_m2 / m.areal_density_kg_per_m2;
  if (!given(j->q->thickness_m)) to->thickness_m = m.thickness_m;
  CB_TRY(read_stretch(s, j, err));
  return read_bending(s, j, err);
}

/* ---- from numbers ---- */

/* Slopes of KES-FB2. Two numbers and no third: Peirce's form between them. */
static void bend_as_typed(job *j) {
  const double *B = j->q->bend_Nm;
  j->bending = (cb_bending_law){.form = CB_BENDING_PEIRCE,
                                .B_is = CB_BENDING_SLOPE,
                                .B_Nm = {B[0], sqrt(B[0] * B[1]), B[1]},
                                .dof = INFINITY,
                                .curvature_per_m = 100,
                                .curvature_min_per_m = 50,
                                .curvature_max_per_m = 150,
                                .width_N = {NAN, NAN}};
  for (int k = 0; k < 2; k++) j->c->doubt.bending[k] = or_else(j->q->u_bend_rel, 0.1);
}

static void set_numbers(job *j) {
  const lab_drape_numbers *q = j->q;
  sim_material *m = &j->c->material;
  if (given(q->areal_density_kg_per_m2)) m->areal_density_kg_per_m2 = q->areal_density_kg_per_m2;
  if (given(q->thickness_m)) m->thickness_m = q->thickness_m;
  if (given(q->stretch_N_per_m[0])) m->warp = sim_curve_linear(q->stretch_N_per_m[0]);
  if (given(q->stretch_N_per_m[1])) m->weft = sim_curve_linear(q->stretch_N_per_m[1]);
  if (given(q->shear_N_per_m)) m->shear = sim_curve_linear(2 * q->shear_N_per_m); /* angle = 2 E_uv */
  if (given(q->bend_Nm[0]) && given(q->bend_Nm[1])) bend_as_typed(j);
  set_bending(j);
}

/* Without these a law is wanted. */
static bool are_whole(const lab_drape_numbers *q) {
  return given(q->areal_density_kg_per_m2) && given(q->stretch_N_per_m[0]) && given(q->stretch_N_per_m[1]) &&
         given(q->shear_N_per_m) && given(q->bend_Nm[0]) && given(q->bend_Nm[1]);
}

cb_status lab_drape_cloth_make(cb_store *s, const char *name, const lab_drape_numbers *numbers,
                               lab_drape_cloth *out, cb_err *err) {
  job j = {.name = name, .q = numbers, .c = out};
  *out = (lab_drape_cloth){.origin = CB_IMPORTED,
                           .doubt = {.mass = or_else(numbers->u_mass_rel, 0.01),
                                     .shear = or_else(numbers->u_shear_rel, 0.1),
                                     .stretch = or_else(numbers->u_stretch_rel, 0.1)}};
  if (name) (void)snprintf(out->name, sizeof out->name, "%s", name);
  if (name && !are_whole(numbers)) CB_TRY(read_laws(s, &j, err));
  set_numbers(&j);
  CB_TRY(sim_material_check(&out->material, err));
  lab_drape_judge_numbers(out);
  return CB_OK;
}
