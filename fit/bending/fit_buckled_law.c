/* Buckled strips of three directions -> the law of bending. */
#include <math.h>

#include "cb_num.h"
#include "fit_bending_impl.h"
#include "fit_buckled.h"

double fit_buckled_curvature(double length_m, double shortening_m) {
  return 2 * sqrt(2) * CB_PI * sqrt(shortening_m / length_m) / length_m;
}

/* B(45) = (B1 + 2 H + B2) / 4, hence H = 2 B(45) - (B1 + B2) / 2. */
static void set_constants(const fit_buckled_direction *of, cb_bending_law *law) {
  static const double row[3][FIT_BUCKLED_AXES] = {{1, 0, 0}, {-0.5, -0.5, 2}, {0, 1, 0}};
  for (int i = 0; i < 3; i++) {
    law->B_Nm[i] = 0;
    for (int k = 0; k < FIT_BUCKLED_AXES; k++) law->B_Nm[i] += row[i][k] * of[k].B_Nm;
    for (int j = 0; j < 3; j++) {
      law->cov_N2m2[i][j] = 0;
      for (int k = 0; k < FIT_BUCKLED_AXES; k++)
        law->cov_N2m2[i][j] += row[i][k] * row[j][k] * of[k].u_B_Nm * of[k].u_B_Nm;
    }
  }
}

cb_status fit_buckled_law(const fit_buckled_direction of[FIT_BUCKLED_AXES], double curvature_min_per_m,
                          double curvature_max_per_m, double dof, cb_bending_law *out, cb_err *err) {
  *out = (cb_bending_law){.form = CB_BENDING_ORTHOTROPIC,
                          .B_is = CB_BENDING_SLOPE,
                          .dof = dof,
                          .curvature_per_m = sqrt(curvature_min_per_m * curvature_max_per_m),
                          .curvature_min_per_m = curvature_min_per_m,
                          .curvature_max_per_m = curvature_max_per_m,
                          .u_exponent = FIT_BENDING_U_EXPONENT};
  set_constants(of, out);
  for (int i = 0; i < 2; i++) {
    const fit_buckled_direction *d = &of[i == 0 ? FIT_BUCKLED_WARP : FIT_BUCKLED_WEFT];
    out->width_N[i] = d->width_N, out->u_width_N[i] = d->u_width_N;
  }
  return cb_bending_law_check(out, err);
}
