/* Force per width of a strip at a strain, or its strain at a force. */
#include <math.h>

#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_stats.h"
#include "lab_stretch.h"

cb_status lab_stretch_predict(cb_store *s, const lab_stretch_question *q, lab_stretch_answer *a,
                              cb_err *err) {
  cb_stretch_value *v = &a->value;
  *a = (lab_stretch_answer){.u_strain = NAN};
  CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, q->cloth, &a->law, NULL, err));
  a->strain = isnan(q->strain) ? cb_stretch_strain(&a->law, q->angle_deg, q->force_N_per_m) : q->strain;
  cb_stretch_eval(&a->law, q->angle_deg, isnan(a->strain) ? 0 : a->strain, v);
  if (isnan(q->strain)) a->u_strain = v->u_N_per_m / v->slope_N_per_m;
  a->u95_N_per_m = cb_student_t(0.95, v->dof) * v->u_N_per_m;
  return CB_OK;
}

json_t *lab_stretch_answer_json(const lab_stretch_question *q, const lab_stretch_answer *a) {
  const cb_stretch_law *law = &a->law;
  const cb_stretch_value *v = &a->value;
  return json_pack("{s:s, s:s, s:f, s:f, s:o, s:f, s:o, s:o, s:o, s:o, s:f, s:s, s:s, s:f, s:b}", "cloth",
                   law->cloth, "origin", cb_origin_names[law->origin], "angle_deg", q->angle_deg, "strain",
                   a->strain, "u_strain", cb_json_real(a->u_strain), "force_N_per_m", v->force_N_per_m,
                   "u_N_per_m", cb_json_real(v->u_N_per_m), "u95_N_per_m", cb_json_real(a->u95_N_per_m),
                   "sd_N_per_m", cb_json_real(v->sd_N_per_m), "u_form_N_per_m",
                   cb_json_real(v->u_form_N_per_m), "slope_N_per_m", v->slope_N_per_m, "basis",
                   cb_stretch_basis_names[v->basis], "form", cb_stretch_form_names[law->form], "dof",
                   fmin(v->dof, 1e9), "inside_measured_range", v->inside_measured_range);
}
