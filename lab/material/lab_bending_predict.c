/* What a law of bending says, with uncertainty. */
#include <math.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "fit_elastica.h"
#include "lab_bending.h"

/* A strip that hangs. */
typedef struct strip {
  double angle_rad, overhang_m, density_kg_per_m2;
  bool curvature_given;
} strip;

static cb_status load_law(cb_store *s, const lab_bending_question *q, lab_bending_answer *a, strip *hanging,
                          cb_err *err) {
  cb_material m;
  cb_material_law row;
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, q->cloth, &a->law, &row, err));
  a->origin = row.origin;
  free(row.result_json);
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  hanging->density_kg_per_m2 =
      isnan(q->areal_density_kg_per_m2) ? m.areal_density_kg_per_m2 : q->areal_density_kg_per_m2;
  return CB_OK;
}

static double load_of(const strip *h, double B_Nm) {
  return h->density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2 * h->overhang_m * h->overhang_m * h->overhang_m /
         B_Nm;
}

static bool is_told(double load) { return load > 0 && load <= FIT_ELASTICA_MAX_LOAD; }

/* B at the curvature that a strip has which is as stiff as that: both follow from each other. */
static bool settle_strip(const strip *h, lab_bending_answer *a) {
  double before = 0;
  for (int i = 0; i < 50 && fabs(a->value.B_Nm - before) > 1e-12 * before; i++) {
    double load = load_of(h, a->value.B_Nm);
    if (!is_told(load)) return false;
    if (h->curvature_given) return true;
    before = a->value.B_Nm;
    a->curvature_per_m = sqrt(fit_elastica_of_load(load).square_curvature) / h->overhang_m;
    cb_bending_eval(&a->law, h->angle_rad, a->curvature_per_m, &a->value);
  }
  return true;
}

/* How far the strip hangs down. */
static cb_status hang(const lab_bending_question *q, const strip *strip_, lab_bending_answer *a,
                      cb_err *err) {
  double h = 1e-3;
  if (!(strip_->density_kg_per_m2 > 0))
    return cb_fail(err, CB_E_NOTFOUND, "the areal density of '%s' is not known: --areal-mass-g-m2 was wanted",
                   q->cloth);
  if (!settle_strip(strip_, a))
    return cb_fail(err, CB_E_RANGE, "an overhang of %g mm hangs straight down: a shorter one was wanted",
                   1e3 * q->overhang_m);
  double B = a->value.B_Nm, chord_rad = fit_elastica_of_load(load_of(strip_, B)).chord_rad;
  double stiffer_rad = fit_elastica_of_load(load_of(strip_, B * (1 + h))).chord_rad;
  a->chord_deg = chord_rad / CB_DEG;
  a->u_chord_deg = (chord_rad - stiffer_rad) / CB_DEG / h * a->value.u_B_Nm / B;
  return CB_OK;
}

cb_status lab_bending_predict(cb_store *s, const lab_bending_question *q, lab_bending_answer *a,
                              cb_err *err) {
  /* A direction has no sign; the remainder also keeps huge angles exact. */
  strip h = {.angle_rad = remainder(q->angle_deg, 180) * CB_DEG,
             .overhang_m = q->overhang_m,
             .curvature_given = !isnan(q->curvature_per_m)};
  *a = (lab_bending_answer){.curvature_per_m = q->curvature_per_m, .chord_deg = NAN, .u_chord_deg = NAN};
  CB_TRY(load_law(s, q, a, &h, err));
  cb_bending_eval(&a->law, h.angle_rad, a->curvature_per_m, &a->value);
  if (!isnan(q->overhang_m)) CB_TRY(hang(q, &h, a, err));
  if (isnan(a->curvature_per_m) && a->law.form != CB_BENDING_TABLE)
    a->curvature_per_m = a->law.curvature_per_m;
  a->u95_B_Nm = cb_student_t(0.95, a->value.dof) * a->value.u_B_Nm;
  return CB_OK;
}

json_t *lab_bending_answer_json(const lab_bending_question *q, const lab_bending_answer *a) {
  const cb_bending_value *v = &a->value;
  return json_pack("{s:s, s:s, s:f, s:o, s:f, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:b, s:s}", "cloth",
                   q->cloth, "form", cb_bending_form_names[a->law.form], "angle_deg", q->angle_deg,
                   "curvature_per_m", cb_json_real(a->curvature_per_m), "B_Nm", v->B_Nm, "u_B_Nm",
                   cb_json_real(v->u_B_Nm), "u95_B_Nm", cb_json_real(a->u95_B_Nm), "dof", fmin(v->dof, 1e9),
                   "width_N", cb_json_real(v->width_N), "u_width_N", cb_json_real(v->u_width_N),
                   "chord_angle_deg", cb_json_real(a->chord_deg), "u_chord_angle_deg",
                   cb_json_real(a->u_chord_deg), "inside_measured_range", v->inside_measured_range, "origin",
                   cb_origin_names[a->origin]);
}
