/* What follows from a law of stretch, for people and other programs. */
#include "cli_stretch.h"

#include "cb_stretch_form.h"
#include "cb_stretch_green.h"
#include "cb_stretch_wang.h"

static json_t *form_json(const cb_stretch_law *law, cb_stretch_form form, double strain) {
  cb_stretch_moduli m;
  cb_stretch_moduli_at(law, form, strain, &m);
  if (!m.known) return json_null();
  json_t *o =
      json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:b}", "e1_N_per_m", m.e1_N_per_m, "u_e1_N_per_m", m.u_e1_N_per_m, "e2_N_per_m",
                m.e2_N_per_m, "u_e2_N_per_m", m.u_e2_N_per_m, "cross_m_per_N", m.cross_m_per_N, "u_cross_m_per_N", m.u_cross_m_per_N,
                "rms_misfit_rel", m.n > 3 ? json_real(m.rms_rel) : json_null(), "inside_measured_range", m.inside_measured_range);
  if (o && form == CB_STRETCH_TENSOR) {
    (void)json_object_set_new(o, "g12_N_per_m_if_nu12_0", cb_json_real(cb_stretch_shear_modulus(&m, 0)));
    (void)json_object_set_new(o, "g12_N_per_m_if_nu12_0.5", cb_json_real(cb_stretch_shear_modulus(&m, 0.5)));
  }
  return o;
}

static json_t *green_json(const cb_stretch_law *law) {
  json_t *o = json_object();
  for (int axis = 0; cb_stretch_axis_names[axis]; axis++) {
    cb_stretch_green g;
    json_t *list = json_array();
    cb_stretch_green_curve(law, (cb_stretch_axis)axis, &g);
    for (size_t i = 0; i < g.n; i++)
      (void)json_array_append_new(
          list, json_pack("{s:f, s:f, s:f}", "strain", g.strain[i], "stress_N_per_m", g.stress_N_per_m[i], "u_N_per_m", g.u_N_per_m[i]));
    (void)json_object_set_new(o, cb_stretch_axis_names[axis], list);
  }
  return o;
}

cb_status cli_stretch_derive(json_t *doc, const cb_stretch_law *law, double strain, cb_err *err) {
  cb_stretch_wang w;
  bool beyond;
  json_t *moduli = json_pack("{s:f, s:o, s:o}", "strain", strain, "tensor", form_json(law, CB_STRETCH_TENSOR, strain), "strip",
                             form_json(law, CB_STRETCH_STRIP, strain));
  int failed = json_object_set_new(doc, "moduli", moduli) != 0;
  failed |= json_object_set_new(doc, "green_curves", green_json(law)) != 0;
  if (!law->has_wang && cb_stretch_wang_of(law, &w, &beyond))
    failed |= json_object_set_new(doc, "wang", cb_stretch_wang_json(&w, false, beyond)) != 0;
  return failed ? cb_fail(err, CB_E_NOMEM, "no memory for the curves of '%s'", law->cloth) : CB_OK;
}
