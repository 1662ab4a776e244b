#include "lab_scene_parts.h"

#include <math.h>

#include "lab_law_draw.h"

const char *const lab_scene_source_names[] = {"areal density", "thickness", "stretch",       "bending",
                                              "compression",   "friction",  "self-friction", "permeability",
                                              "elasticity",    NULL};

#define SEED 20130721

typedef struct drawing {
  cb_rng rng;
  unsigned drawn, unknown;
} drawing;

static void note(drawing *d, lab_scene_source source, bool known) {
  *(known ? &d->drawn : &d->unknown) |= 1U << source;
}

/* A factor on a number > 0 with the uncertainty u; 1 where that is not known. */
static double draw_factor(drawing *d, lab_scene_source source, double u, double value) {
  double factor;
  note(d, source, lab_draw_factor(&d->rng, u / value, INFINITY, &factor));
  return factor;
}

/* ---- the cloth ---- */

static void draw_facts(drawing *d, const sim_scene_wants *from, cb_material *m) {
  double *const rho = &m->areal_density_kg_per_m2, *const thick = &m->thickness_m;
  if (from->areal_density)
    *rho *= draw_factor(d, LAB_SCENE_AREAL_DENSITY, m->u_areal_density_kg_per_m2, *rho);
  if (from->thickness) *thick *= draw_factor(d, LAB_SCENE_THICKNESS, m->u_thickness_m, *thick);
}

static void draw_pair(drawing *d, lab_scene_pair *p) {
  if (p->kinetic.n_knots == 0) return;
  note(d, LAB_SCENE_FRICTION, lab_draw_friction(&d->rng, &p->kinetic));
  if (p->has_static) (void)lab_draw_friction(&d->rng, &p->stat);
}

/* ---- bodies ---- */

static void draw_elastic(drawing *d, lab_scene_elastic *e) {
  double *const poisson = &e->law.value[CB_ELASTIC_POISSON];
  for (int k = 0; k < CB_ELASTIC_POISSON; k++)
    if (e->from[k]) e->law.value[k] *= draw_factor(d, LAB_SCENE_ELASTICITY, e->law.u[k], e->law.value[k]);
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
  if (laws->stretch.id > 0) note(&d, LAB_SCENE_STRETCH, lab_draw_stretch(&d.rng, &out->stretch));
  if (laws->bending_id > 0) note(&d, LAB_SCENE_BENDING, lab_draw_bending(&d.rng, &out->bending));
  if (laws->compression.id > 0)
    note(&d, LAB_SCENE_COMPRESSION, lab_draw_compression(&d.rng, &out->compression));
  for (int b = 0; b < SIM_SCENE_BODIES; b++) draw_pair(&d, &out->pair[b]);
  for (int k = 0; k < SIM_SCENE_LAYERS; k++) draw_pair(&d, &out->layer[k]);
  if (laws->self.id > 0) note(&d, LAB_SCENE_SELF_FRICTION, lab_draw_self_friction(&d.rng, &out->self));
  if (laws->permeability.id > 0)
    note(&d, LAB_SCENE_PERMEABILITY, lab_draw_permeability(&d.rng, &out->permeability));
  for (int k = 0; k < SIM_SCENE_LAYERS; k++) draw_elastic(&d, &out->elastic[k]);
  *drawn = d.drawn;
  *unknown = d.unknown;
}
