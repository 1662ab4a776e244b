/* Numbers of a cloth that no published fabric has: perhaps another unit, or a clamp that slipped. */
#include <math.h>

#include "cb_bending_loading.h"
#include "cb_num.h"
#include "lab_drape_impl.h"

/* First slopes of stretch: 3.3 to 2170 N/m in Wang, O'Brien, Ramamoorthi (ACM TOG 30(4):71, 2011), 374 to 477
 * in Petrak et al. (Sustainability 17(4):1388, 2025). Twice beyond either end. */
#define STRETCH_LEAST 1.6
#define STRETCH_MOST 4400
/* 95 % of the prior of docs/method/drape-inverse.md, "Posterior", about the same thirteen cloths. */
#define SHEAR_LEAST 8
#define SHEAR_MOST 192
/* Bending lengths of materials/drape_table.csv, beyond those of 251 fabrics (docs/method/bending.md). */
#define LENGTH_LEAST 0.006
#define LENGTH_MOST 0.06
/* Standard uncertainties of the prior of 2HB / B. */
#define COVERAGE 2

static void add_odd(lab_drape_cloth *c, const char *what, double value, double low, double high) {
  if (value >= low && value <= high) return;
  c->odd[c->n_odd++] = (lab_drape_odd){what, value, low, high};
}

static void judge_friction(lab_drape_cloth *c, double length_m) {
  const sim_material *m = &c->material;
  const cb_bending_prior p = cb_bending_prior_at(length_m);
  const double most = exp(COVERAGE * p.u_ln_width), usual = p.width_over_B_per_m,
               h = m->bending_friction_N[0] + m->bending_friction_N[1],
               ratio = 2 * h / (m->bending_Nm[0][0] + m->bending_Nm[1][1]);
  if (c->hysteresis_from != LAB_HYSTERESIS_RELATION && h > 0)
    add_odd(c, "2HB over B, 1/m", ratio, usual / most, usual * most);
}

void lab_drape_judge_numbers(lab_drape_cloth *c) {
  const sim_material *m = &c->material;
  const double weight = m->areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2,
               length_m = cbrt(sqrt(m->bending_Nm[0][0] * m->bending_Nm[1][1]) / weight);
  c->n_odd = 0;
  add_odd(c, "stretch along the warp, N/m", sim_curve_slope(&m->warp), STRETCH_LEAST, STRETCH_MOST);
  add_odd(c, "stretch along the weft, N/m", sim_curve_slope(&m->weft), STRETCH_LEAST, STRETCH_MOST);
  add_odd(c, "shear, N/m", sim_curve_slope(&m->shear) / 2, SHEAR_LEAST, SHEAR_MOST);
  add_odd(c, "bending length, m", length_m, LENGTH_LEAST, LENGTH_MOST);
  judge_friction(c, length_m);
}
