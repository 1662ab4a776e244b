#include "val_drape_impl.h"

#include <math.h>

#include "cb_bending_loading.h"
#include "cb_num.h"

const char *const val_drape_sign_names[] = {"drape_coefficient", "nodes", "amplitude_m", "elongation", NULL};

/* Peirce's form between warp and weft. */
static cb_bending_loading loading_of(const val_drape_cloth *c, double w, double bending_Nm[3][3]) {
  const double B = w * c->bending_m * c->bending_m * c->bending_m, K = VAL_DRAPE_BEND / c->bending_m;
  cb_bending_law law = {.form = CB_BENDING_PEIRCE,
                        .B_is = CB_BENDING_SECANT,
                        .B_Nm = {B * sqrt(c->ratio), B, B / sqrt(c->ratio)},
                        .dof = INFINITY,
                        .curvature_per_m = K,
                        .curvature_min_per_m = K,
                        .curvature_max_per_m = K,
                        .width_N = {NAN, NAN}};
  cb_bending_loading l;
  cb_bending_loading_of(&law, w, NULL, &l);
  for (int k = 0; k < 3; k++) law.B_Nm[k] *= l.B_Nm[0] / (B * sqrt(c->ratio));
  cb_bending_shell(&law, bending_Nm);
  return l;
}

val_drape_many val_drape_of_cloth(const val_drape_cloth *c, double areal_density_kg_per_m2) {
  const double w = areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2;
  val_drape_many e = {.one = val_drape_default(), .seeds = 1};
  sim_material *m = &e.one.material;
  *m = (sim_material){.areal_density_kg_per_m2 = areal_density_kg_per_m2,
                      .warp = sim_curve_linear(w * c->stretch_m),
                      .weft = sim_curve_linear(w * c->stretch_m),
                      .shear = sim_curve_linear(2 * w * c->shear_m)}; /* angle = 2 E_uv */
  const cb_bending_loading l = loading_of(c, w, m->bending_Nm);
  for (int k = 0; k < 2; k++) m->bending_friction_N[k] = l.friction_N[k];
  m->bending_friction_onset_per_m = l.onset_per_m;
  e.doubt = (val_drape_doubt){
      .friction = l.u_ln_friction, .onset = l.u_ln_onset, .moment_known_at_per_m = l.known_at_per_m};
  e.one.also_coarser = true;
  return e;
}

static double secant_Nm(const sim_material *m, double K) {
  return m->bending_Nm[0][0] + m->bending_friction_N[0] / fmax(K, m->bending_friction_onset_per_m);
}

double val_drape_softening(const sim_material *m, double bending_m) {
  return secant_Nm(m, VAL_DRAPE_BEND_LITTLE / bending_m) / secant_Nm(m, VAL_DRAPE_BEND / bending_m);
}

double val_drape_softening_drawn(const val_drape_many *of, double bending_m, double friction, double onset) {
  sim_material m = of->one.material;
  m.bending_friction_N[0] *= exp(of->doubt.friction * friction);
  m.bending_friction_onset_per_m *= exp(of->doubt.onset * onset);
  return val_drape_softening(&m, bending_m);
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

void val_drape_signs_of(const val_drape_statistics *all, int k, double sign[VAL_DRAPE_SIGNS]) {
  val_drape_signs(&all->each[k].drape, sign);
  sign[VAL_DRAPE_COEFFICIENT] += all->mesh_shift;
}
