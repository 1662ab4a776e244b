#include "lab_law_draw.h"

#include <math.h>
#include <string.h>

#include "cb_stats.h"
#include "lab_scene_parts.h"

#define TRIES 100 /* for a draw that a law allows; the least likely ones are no law */

/* A normal number, widened so that 95 % of them lie as far as Student's t says. */
static double draw_wide(cb_rng *rng, double dof) {
  return cb_rng_normal(rng) * (dof < 1e6 ? cb_student_t(0.95, dof) / cb_student_t(0.95, INFINITY) : 1);
}

bool lab_draw_factor(cb_rng *rng, double u_ln, double dof, double *factor) {
  const bool known = u_ln > 0 && isfinite(u_ln);
  *factor = known ? exp(u_ln * draw_wide(rng, dof)) : 1;
  return known;
}

bool lab_draw_friction(cb_rng *rng, cb_friction_law *law) {
  const cb_friction_law fitted = *law;
  cb_friction_value v;
  cb_friction_law_eval(&fitted, 0, fitted.knots[0].normal_force_N, &v);
  cb_friction_law_draw(&fitted, rng, law);
  return v.u_force_N > 0;
}

bool lab_draw_self_friction(cb_rng *rng, cb_self_friction_law *law) {
  cb_friction_value v;
  double factor;
  cb_self_friction_eval(law, 0, 0, sqrt(law->min_N * law->max_N), &v);
  const bool known = lab_draw_factor(rng, v.u_force_N / v.force_N, v.dof, &factor);
  law->form.p[0] += log(factor);
  return known;
}

bool lab_draw_stretch(cb_rng *rng, cb_stretch_law *law) {
  bool known = false;
  for (size_t i = 0; i < law->n; i++) {
    cb_stretch_direction *dir = &law->directions[i];
    cb_stretch_value v;
    double factor;
    cb_stretch_eval(law, dir->angle_deg, fmin(CB_STRETCH_SECANT_STRAIN, cb_stretch_strain_max(dir)), &v);
    known |= lab_draw_factor(rng, v.u_N_per_m / v.force_N_per_m, v.dof, &factor);
    for (size_t k = 0; k < dir->n_knots; k++) dir->knots[k].force_N_per_m *= factor;
    dir->k1_N_per_m *= factor;
    dir->k3_N_per_m *= factor;
  }
  return known;
}

/* One draw of B1, H, B2: by the roots of their covariance, one after the other. */
static void draw_rigidities(cb_rng *rng, const cb_bending_law *law, double B_Nm[3]) {
  cb_friction_knot k; /* which has such a covariance */
  double lower[3][3], z[3];
  memcpy(k.cov_N2, law->cov_N2m2, sizeof k.cov_N2);
  cb_friction_knot_cholesky(&k, lower);
  for (int i = 0; i < 3; i++) {
    z[i] = draw_wide(rng, law->dof);
    B_Nm[i] = law->B_Nm[i];
    for (int j = 0; j <= i; j++) B_Nm[i] += lower[i][j] * z[j];
  }
}

bool lab_draw_bending(cb_rng *rng, cb_bending_law *law) {
  if (law->form == CB_BENDING_TABLE || !(law->cov_N2m2[0][0] > 0 || law->u_rel_common > 0)) return false;
  cb_bending_law one = *law;
  int tries = 0;
  do draw_rigidities(rng, law, one.B_Nm);
  while (cb_bending_law_check(&one, NULL) != CB_OK && ++tries < TRIES);
  if (tries == TRIES) memcpy(one.B_Nm, law->B_Nm, sizeof one.B_Nm);
  const double common = exp(law->u_rel_common * draw_wide(rng, law->dof));
  for (int i = 0; i < 3; i++) one.B_Nm[i] *= common;
  for (int i = 0; i < 2; i++)
    if (one.width_N[i] > 0 && one.u_width_N[i] > 0)
      one.width_N[i] *= exp(one.u_width_N[i] / one.width_N[i] * draw_wide(rng, law->dof));
  *law = one;
  return true;
}

bool lab_draw_compression(cb_rng *rng, cb_compression_law *law) {
  cb_compression_knot *light = &law->knot[0], *heavy = light + law->n - 1;
  const double thin = light->thickness_m / heavy->thickness_m;
  double factor;
  const bool known = lab_draw_factor(rng, hypot(light->u_ln, heavy->u_ln), law->dof, &factor);
  if (thin * factor > 1) light->thickness_m *= factor;
  return known;
}

bool lab_draw_permeability(cb_rng *rng, cb_permeability_law *law) {
  const cb_permeability_layer one = {law, 1};
  cb_permeability_value v;
  double factor;
  cb_permeability_at_pressure(&one, 1, sqrt(law->min_Pa * law->max_Pa), &v);
  const bool known = lab_draw_factor(rng, v.u_ln_velocity, v.dof, &factor);
  law->curve.velocity_m_per_s *= factor;
  return known;
}
