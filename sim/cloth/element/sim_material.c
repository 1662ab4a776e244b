#include "sim_material.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

sim_curve sim_curve_linear(double stiffness_N_per_m) {
  return (sim_curve){.n = 2, .strain = {0, 1}, .stress_N_per_m = {0, stiffness_N_per_m}};
}

double sim_curve_slope(const sim_curve *c) { return c->stress_N_per_m[1] / c->strain[1]; }

void sim_curve_scale(sim_curve *c, double factor) {
  for (int k = 0; k < c->n; k++) c->stress_N_per_m[k] *= factor;
}

void sim_bending_scale(double D[3][3], double warp, double weft) {
  const double root[3] = {sqrt(warp), sqrt(weft), sqrt(sqrt(warp * weft))};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[i][j] *= root[i] * root[j];
}

sim_material sim_material_isotropic(double areal_density_kg_per_m2, double stretch_N_per_m,
                                    double bending_Nm) {
  return (sim_material){.areal_density_kg_per_m2 = areal_density_kg_per_m2,
                        .compression_Pa = SIM_COMPRESSION_PA,
                        .warp = sim_curve_linear(stretch_N_per_m),
                        .weft = sim_curve_linear(stretch_N_per_m),
                        .shear = sim_curve_linear(stretch_N_per_m), /* 2 G E_uv with G = stretch/2 */
                        .bending_Nm = {{bending_Nm, 0, 0}, {0, bending_Nm, 0}, {0, 0, bending_Nm / 2}}};
}

static cb_status curve_check(const sim_curve *c, const char *name, cb_err *err) {
  if (c->n < 2 || c->n > SIM_CURVE_MAX)
    return cb_fail(err, CB_E_RANGE, "%s curve: %d points: 2 to %d are wanted", name, c->n, SIM_CURVE_MAX);
  if (c->strain[0] != 0 || c->stress_N_per_m[0] != 0)
    return cb_fail(err, CB_E_RANGE, "%s curve: begins at (%g, %g N/m): must begin at (0, 0)", name,
                   c->strain[0], c->stress_N_per_m[0]);
  for (int i = 1; i < c->n; i++)
    if (!(c->strain[i] > c->strain[i - 1] && c->stress_N_per_m[i] > c->stress_N_per_m[i - 1] &&
          isfinite(c->strain[i]) && isfinite(c->stress_N_per_m[i])))
      return cb_fail(err, CB_E_RANGE,
                     "%s curve: point %d (%g, %g N/m): strain and stress must ascend and be finite", name,
                     i + 1, c->strain[i], c->stress_N_per_m[i]);
  return CB_OK;
}

/* All principal minors, with room for the rounding of a rotated D. */
static bool is_semidefinite(const double d[3][3]) {
  const double t[3] = {d[0][0], d[1][1], d[2][2]}, top = fmax(t[0], fmax(t[1], t[2])), eps = 1e-12;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    if (!(t[i] >= 0) || !(t[i] * t[j] - d[i][j] * d[j][i] >= -eps * top * top)) return false;
  }
  const double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                     d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                     d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
  return det >= -eps * top * top * top;
}

static cb_status bending_check(const double d[3][3], cb_err *err) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!isfinite(d[i][j]) || d[i][j] != d[j][i])
        return cb_fail(err, CB_E_RANGE,
                       "bending stiffness [%d][%d] = %g N m: must be finite and equal to its mirror", i, j,
                       d[i][j]);
  if (!is_semidefinite(d))
    return cb_fail(err, CB_E_RANGE,
                   "bending stiffness: some curvature would set energy free; must be positive semi-definite");
  return CB_OK;
}

cb_status sim_material_check(const sim_material *m, cb_err *err) {
  if (!(m->areal_density_kg_per_m2 > 0) || !isfinite(m->areal_density_kg_per_m2))
    return cb_fail(err, CB_E_RANGE, "areal density = %g kg/m2: must be > 0", m->areal_density_kg_per_m2);
  const struct {
    const char *name;
    double value;
  } not_negative[] = {{"thickness [m]", m->thickness_m},
                      {"compression [Pa]", m->compression_Pa},
                      {"damping [s]", m->damping_s},
                      {"drag [1/s]", m->drag_per_s},
                      {"bending friction along the warp [N]", m->bending_friction_N[0]},
                      {"bending friction along the weft [N]", m->bending_friction_N[1]},
                      {"onset of bending friction [1/m]", m->bending_friction_onset_per_m}};
  for (size_t i = 0; i < sizeof not_negative / sizeof not_negative[0]; i++)
    if (!(not_negative[i].value >= 0) || !isfinite(not_negative[i].value))
      return cb_fail(err, CB_E_RANGE, "%s = %g: must be >= 0", not_negative[i].name, not_negative[i].value);
  CB_TRY(curve_check(&m->warp, "warp", err));
  CB_TRY(curve_check(&m->weft, "weft", err));
  CB_TRY(curve_check(&m->shear, "shear", err));
  const double limit = sqrt(sim_curve_slope(&m->warp) * sim_curve_slope(&m->weft));
  if (!(m->cross_N_per_m >= 0 && m->cross_N_per_m < limit))
    return cb_fail(err, CB_E_RANGE,
                   "cross stiffness = %g N/m: must be >= 0 and below %g, the geometric mean of warp and weft",
                   m->cross_N_per_m, limit);
  return bending_check(m->bending_Nm, err);
}
