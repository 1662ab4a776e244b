#include "lab_scene_parts.h"

#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"

const char *const lab_scene_source_names[] = {"areal density", "thickness", "stretch",       "bending",
                                              "compression",   "friction",  "self-friction", "permeability",
                                              "elasticity",    NULL};

#define SEED 20130721
#define TRIES 100 /* for a draw that a law allows; the least likely ones are no law */

typedef struct drawing {
  cb_rng rng;
  unsigned drawn, unknown;
} drawing;

static void note(drawing *d, lab_scene_source source, bool known) {
  *(known ? &d->drawn : &d->unknown) |= 1U << source;
}

/* A normal number, widened so that 95 % of them lie as far as Student's t says. */
static double draw_wide(drawing *d, double dof) {
  return cb_rng_normal(&d->rng) * (dof < 1e6 ? cb_student_t(0.95, dof) / cb_student_t(0.95, INFINITY) : 1);
}

/* A factor on a number > 0 whose logarithm has the uncertainty u_ln; 1 where that is not known. */
static double draw_factor(drawing *d, lab_scene_source source, double u_ln, double dof) {
  const bool known = u_ln > 0 && isfinite(u_ln);
  note(d, source, known);
  return known ? exp(u_ln * draw_wide(d, dof)) : 1;
}

/* ---- the cloth ---- */

static void draw_facts(drawing *d, const sim_scene_wants *from, cb_material *m) {
  double *const rho = &m->areal_density_kg_per_m2, *const thick = &m->thickness_m;
  if (from->areal_density)
    *rho *= draw_factor(d, LAB_SCENE_AREAL_DENSITY, m->u_areal_density_kg_per_m2 / *rho, INFINITY);
  if (from->thickness) *thick *= draw_factor(d, LAB_SCENE_THICKNESS, m->u_thickness_m / *thick, INFINITY);
}

/* The force of a direction as a whole: scatter and calibration shift a curve more than they bend it. */
static void draw_stretch(drawing *d, cb_stretch_law *law) {
  for (size_t i = 0; i < law->n; i++) {
    cb_stretch_direction *dir = &law->directions[i];
    cb_stretch_value v;
    cb_stretch_eval(law, dir->angle_deg, fmin(CB_STRETCH_SECANT_STRAIN, cb_stretch_strain_max(dir)), &v);
    const double factor = draw_factor(d, LAB_SCENE_STRETCH, v.u_N_per_m / v.force_N_per_m, v.dof);
    for (size_t k = 0; k < dir->n_knots; k++) dir->knots[k].force_N_per_m *= factor;
    dir->k1_N_per_m *= factor;
    dir->k3_N_per_m *= factor;
  }
  if (law->n == 0) note(d, LAB_SCENE_STRETCH, false);
}

/* One draw of B1, H, B2: by the roots of their covariance, one after the other. */
static void draw_rigidities(drawing *d, const cb_bending_law *law, double B_Nm[3]) {
  cb_friction_knot k; /* which has such a covariance */
  double lower[3][3], z[3];
  memcpy(k.cov_N2, law->cov_N2m2, sizeof k.cov_N2);
  cb_friction_knot_cholesky(&k, lower);
  for (int i = 0; i < 3; i++) {
    z[i] = draw_wide(d, law->dof);
    B_Nm[i] = law->B_Nm[i];
    for (int j = 0; j <= i; j++) B_Nm[i] += lower[i][j] * z[j];
  }
}

static void draw_bending(drawing *d, cb_bending_law *law) {
  const bool known = law->form != CB_BENDING_TABLE && (law->cov_N2m2[0][0] > 0 || law->u_rel_common > 0);
  note(d, LAB_SCENE_BENDING, known);
  if (!known) return;
  cb_bending_law one = *law;
  int tries = 0;
  do draw_rigidities(d, law, one.B_Nm);
  while (cb_bending_law_check(&one, NULL) != CB_OK && ++tries < TRIES);
  if (tries == TRIES) memcpy(one.B_Nm, law->B_Nm, sizeof one.B_Nm);
  const double common = exp(law->u_rel_common * draw_wide(d, law->dof));
  for (int i = 0; i < 3; i++) one.B_Nm[i] *= common;
  for (int i = 0; i < 2; i++)
    if (one.width_N[i] > 0 && one.u_width_N[i] > 0)
      one.width_N[i] *= exp(one.u_width_N[i] / one.width_N[i] * draw_wide(d, law->dof));
  *law = one;
}

static void draw_compression(drawing *d, cb_compression_law *law) {
  cb_compression_knot *light = &law->knot[0], *heavy = light + law->n - 1;
  const double thin = light->thickness_m / heavy->thickness_m,
               factor = draw_factor(d, LAB_SCENE_COMPRESSION, hypot(light->u_ln, heavy->u_ln), law->dof);
  if (thin * factor > 1) light->thickness_m *= factor;
}

/* ---- friction ---- */

static void draw_pair(drawing *d, lab_scene_pair *p) {
  const cb_friction_law kinetic = p->kinetic, stat = p->stat;
  if (kinetic.n_knots == 0) return;
  cb_friction_value v;
  cb_friction_law_eval(&kinetic, 0, kinetic.knots[0].normal_force_N, &v);
  note(d, LAB_SCENE_FRICTION, v.u_force_N > 0);
  cb_friction_law_draw(&kinetic, &d->rng, &p->kinetic);
  if (p->has_static) cb_friction_law_draw(&stat, &d->rng, &p->stat);
}

/* The level at the middle of the measured loads, with all that the law doubts there. */
static void draw_self(drawing *d, cb_self_friction_law *law) {
  cb_friction_value v;
  if (law->id == 0) return;
  cb_self_friction_eval(law, 0, 0, sqrt(law->min_N * law->max_N), &v);
  law->form.p[0] += log(draw_factor(d, LAB_SCENE_SELF_FRICTION, v.u_force_N / v.force_N, v.dof));
}

/* ---- air and bodies ---- */

static void draw_permeability(drawing *d, cb_permeability_law *law) {
  const cb_permeability_layer one = {law, 1};
  cb_permeability_value v;
  if (law->id == 0) return;
  cb_permeability_at_pressure(&one, 1, sqrt(law->min_Pa * law->max_Pa), &v);
  law->curve.velocity_m_per_s *= draw_factor(d, LAB_SCENE_PERMEABILITY, v.u_ln_velocity, v.dof);
}

static void draw_elastic(drawing *d, lab_scene_elastic *e) {
  double *const poisson = &e->law.value[CB_ELASTIC_POISSON];
  for (int k = 0; k < CB_ELASTIC_POISSON; k++)
    if (e->from[k])
      e->law.value[k] *= draw_factor(d, LAB_SCENE_ELASTICITY, e->law.u[k] / e->law.value[k], INFINITY);
  if (!e->from[CB_ELASTIC_POISSON] || !(e->law.u[CB_ELASTIC_POISSON] > 0)) return;
  note(d, LAB_SCENE_ELASTICITY, true);
  const double drawn = *poisson + e->law.u[CB_ELASTIC_POISSON] * cb_rng_normal(&d->rng);
  *poisson = fmin(fmax(drawn, -0.99), 0.499);
}

/* ---- all ---- */

void lab_scene_draw(const lab_scene *laws, int number, lab_scene *out, unsigned *drawn, unsigned *unknown) {
  drawing d = {.drawn = 0};
  cb_rng_init(&d.rng, SEED, (uint64_t)number);
  *out = *laws;
  draw_facts(&d, &laws->from, &out->facts);
  if (laws->stretch.id > 0) draw_stretch(&d, &out->stretch);
  if (laws->bending_id > 0) draw_bending(&d, &out->bending);
  if (laws->compression.id > 0) draw_compression(&d, &out->compression);
  for (int b = 0; b < SIM_SCENE_BODIES; b++) draw_pair(&d, &out->pair[b]);
  for (int k = 0; k < SIM_SCENE_LAYERS; k++) draw_pair(&d, &out->layer[k]);
  draw_self(&d, &out->self);
  draw_permeability(&d, &out->permeability);
  for (int k = 0; k < SIM_SCENE_LAYERS; k++) draw_elastic(&d, &out->elastic[k]);
  *drawn = d.drawn;
  *unknown = d.unknown;
}
