/* Fitted laws against the truth. */
#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "vlab_impl.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

void vlab_count(vlab_tally *t, double error, double half_width) {
  const double part = fabs(error) / half_width;
  t->cells++;
  t->inside += part <= 1;
  t->worst = fmax(t->worst, isnan(part) ? INFINITY : part);
}

/* Half-width of the 95 % band of a standard uncertainty with degrees of freedom. */
static double band(double u, double dof) { return cb_student_t(0.95, dof) * u; }

vlab_tally vlab_check_stretch(const vlab *lab, const cb_stretch_law *law) {
  static const double angles_deg[] = {0, 45, 90};
  vlab_tally t = {0};
  for (int a = 0; a < COUNT(angles_deg); a++) {
    const cb_stretch_direction *d = cb_stretch_find(law, angles_deg[a]);
    for (int k = 1; d && k <= 4; k++) {
      cb_stretch_value v;
      const double strain = k * cb_stretch_strain_max(d) / 4;
      cb_stretch_eval(law, angles_deg[a], strain, &v);
      const double truth = vlab_strip_N_per_m(&lab->truth.membrane, angles_deg[a] * CB_DEG, strain);
      vlab_count(&t, v.force_N_per_m - truth, band(v.u_N_per_m, v.dof));
    }
  }
  return t;
}

vlab_tally vlab_check_bending(const vlab *lab, const cb_bending_law *law) {
  static const double angles_deg[] = {0, 30, 45, 60, 90};
  const vlab_bending *truth = &lab->truth.bending;
  vlab_tally t = {0};
  for (int a = 0; a < COUNT(angles_deg); a++) {
    cb_bending_value v;
    cb_bending_eval(law, angles_deg[a] * CB_DEG, NAN, &v);
    vlab_count(&t, v.B_Nm - vlab_rigidity_Nm(truth, angles_deg[a] * CB_DEG), band(v.u_B_Nm, v.dof));
    if (a == 0 || a == COUNT(angles_deg) - 1)
      vlab_count(&t, v.width_N - 2 * vlab_friction_N(truth, angles_deg[a] * CB_DEG),
                 band(v.u_width_N, v.dof));
  }
  return t;
}

vlab_tally vlab_check_air(const vlab *lab, const cb_permeability_law *law) {
  static const double pressures_Pa[] = {20, 50, 100, 125, 200, 300, 500};
  const cb_permeability_layer one = {law, 1};
  vlab_tally t = {0};
  for (int i = 0; i < COUNT(pressures_Pa); i++) {
    cb_permeability_value v;
    cb_permeability_at_pressure(&one, 1, pressures_Pa[i], &v);
    vlab_count(&t, log(v.velocity_m_per_s / vlab_air_m_per_s(&lab->truth, pressures_Pa[i])),
               band(v.u_ln_velocity, v.dof));
  }
  return t;
}

vlab_tally vlab_check_weighed(const vlab *lab, const vlab_weighed *w) {
  vlab_tally t = {0};
  vlab_count(&t, w->areal_density_kg_per_m2 - lab->truth.areal_density_kg_per_m2,
             2 * w->u_areal_density_kg_per_m2);
  vlab_count(&t, w->thickness_m - lab->truth.thickness_m, 2 * w->u_thickness_m);
  return t;
}
