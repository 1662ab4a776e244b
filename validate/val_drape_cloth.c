#include "val_drape_cloth_impl.h"

#include <math.h>

#include "cb_bending_law.h"
#include "cb_num.h"

/* Stretch stiffness over weight per area, of warp and of weft: that of wovens at the loads of a drape (M1,
 * M2, M4 of docs/drape.md have 350, 510 and 144 m; twice as much makes about 0.01 more of a coefficient). */
#define STRETCH_M 300.0

const char *const val_drape_sign_names[] = {"drape_coefficient", "nodes", "amplitude_m", "elongation", NULL};

sim_material val_drape_cloth_material(const val_drape_cloth *c, double areal_density_kg_per_m2) {
  double w = areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2,
         B = w * c->bending_m * c->bending_m * c->bending_m;
  cb_bending_law law = {.form = CB_BENDING_PEIRCE,
                        .B_Nm = {B * sqrt(c->ratio), B, B / sqrt(c->ratio)},
                        .dof = INFINITY,
                        .curvature_per_m = 1, /* B does not depend on it */
                        .curvature_min_per_m = 1,
                        .curvature_max_per_m = 1,
                        .width_N = {NAN, NAN}};
  sim_material m = {.areal_density_kg_per_m2 = areal_density_kg_per_m2,
                    .warp = sim_curve_linear(w * STRETCH_M),
                    .weft = sim_curve_linear(w * STRETCH_M),
                    .shear = sim_curve_linear(2 * w * c->shear_m)}; /* angle = 2 E_uv */
  cb_bending_shell(&law, m.bending_Nm);
  return m;
}

/* Any mass does: the drape is the same to the bit (tests/test_val_drape.c, similarity). */
val_drape val_drape_of_cloth(const val_drape_cloth *c) {
  val_drape e = val_drape_default();
  e.vertices = 2500;
  e.even_mesh = true; /* as when the table was made */
  e.material = val_drape_cloth_material(c, 0.15);
  return e;
}

double val_drape_harmonic(const double *radius_m, int n, int k) {
  double a = 0, b = 0, mean = 0;
  for (int i = 0; i < n; i++) {
    a += radius_m[i] * cos(2 * CB_PI * k * i / n);
    b += radius_m[i] * sin(2 * CB_PI * k * i / n);
    mean += radius_m[i];
  }
  return 2 * hypot(a, b) / mean;
}

void val_drape_signs(const fit_drape *d, double sign[VAL_DRAPE_SIGNS]) {
  sign[VAL_DRAPE_COEFFICIENT] = d->drape_coefficient;
  sign[VAL_DRAPE_NODES] = d->nodes;
  sign[VAL_DRAPE_AMPLITUDE] = d->node_height_m;
  sign[VAL_DRAPE_ELONGATION] = val_drape_harmonic(d->radius_m, FIT_DRAPE_ANGLES, 2);
}
