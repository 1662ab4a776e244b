/* Bodies in layers: what they are, the cloth sewn around them, the air between. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_layered.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

/* What follows SIM_SCENE_SURFACE are sim_shape_ready_names. */
static const char *const shape_names[] = {"block", "tets", "surface",  "ball",   "car", "torso",
                                          "toy",   "vest", "mattress", "pillow", NULL};
static const char *const meets_names[] = {"all", "case", NULL};

#define NUMBER(type, name, member, least, most, to_si)                                          \
  {                                                                                             \
    .key = name, .kind = CB_Y_NUM, .offset = offsetof(type, member), .min = least, .max = most, \
    .scale = to_si                                                                              \
  }
#define LIST(type, name, member, least, most, to_si)                                                \
  {                                                                                                 \
    .key = name, .kind = CB_Y_NUMLIST, .offset = offsetof(type, member), .min = least, .max = most, \
    .scale = to_si                                                                                  \
  }

/* ---- the case ---- */

typedef struct case_text {
  int vertices;
  double gap, quilted;
  cb_numlist warp;
} case_text;

static const cb_yfield case_fields[] = {
    {"vertices", CB_Y_INT, offsetof(case_text, vertices), .min = 50, .max = 2e6},
    NUMBER(case_text, "gap_mm", gap, 1e-3, 1e5, 1e-3),
    NUMBER(case_text, "quilted_every_mm", quilted, 1, 1e5, 1e-3),
    LIST(case_text, "warp", warp, -1e6, 1e6, 1),
};

static cb_status bind_case(cb_ynode at, const sim_scene_layer *l, sim_scene_case *c, cb_err *err) {
  case_text t = {.vertices = 2000};
  *c = (sim_scene_case){.warp = {1, 0, 0}};
  if (at.doc == NULL) return CB_OK;
  if (l->shape < SIM_SCENE_READY)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "case: a %s has none: a shape that is given by a formula was wanted, like 'pillow'",
                        shape_names[l->shape]);
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(case_fields), &t, err));
  CB_TRY(sim_scene_triple(at, "warp", &t.warp, c->warp, err));
  if (!(sim_norm(c->warp) > 0)) return cb_yaml_fail(at, err, CB_E_RANGE, "warp: a direction was wanted");
  c->sewn = true;
  c->vertices = t.vertices;
  c->gap_m = t.gap;
  c->quilted_every_m = t.quilted;
  return CB_OK;
}

/* ---- the air ---- */

static const cb_yfield air_fields[] = {
    NUMBER(sim_scene_air, "over_Pa", over_Pa, -1e5, 1e7, 1),
    NUMBER(sim_scene_air, "flow_m_per_s", flow_m_per_s, 0, 1e6, 1),
    NUMBER(sim_scene_air, "permeability_mm_per_s", permeability_m_per_s, 0, 1e6, 1e-3),
    NUMBER(sim_scene_air, "gap_most_mm", gap_most_m, 1e-3, 1e5, 1e-3),
    {"open_border", CB_Y_BOOL, offsetof(sim_scene_air, open_border)},
    {"solver", CB_Y_ENUM, offsetof(sim_scene_air, solver), .choices = sim_air_solver_names},
};

/* Below 0: not given. */
/* Its own number, else the material's, else the law of a cloth that is named. */
static cb_status bind_air(cb_ynode at, const sim_scene *s, bool sewn, sim_scene_air *a, cb_err *err) {
  *a = (sim_scene_air){.flow_m_per_s = 1, .permeability_m_per_s = -1, .open_border = !sewn};
  if (at.doc == NULL) return CB_OK;
  a->on = true;
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(air_fields), a, err));
  if (a->permeability_m_per_s < 0) a->permeability_m_per_s = s->permeability_m_per_s;
  if (a->permeability_m_per_s < 0 && !s->cloth[0] && !s->permeability_of[0])
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "air: no permeability_mm_per_s: it was wanted (0: sealed), here or in `material`, or "
                        "the name of a material in a database");
  return CB_OK;
}

/* ---- the body ---- */

typedef struct layer_text {
  int shape, meets;
  cb_numlist size, cells, at, turned, velocity, spin;
  double length, cell, offset, m_per_unit, density, young, poisson, damping, drag, friction, static_friction,
      on_bodies;
  char file[256], material[64];
  bool rigid;
  int vertices;
  cb_ynode motion, sewn, air;
} layer_text;

static const cb_yfield layer_fields[] = {
    {"shape", CB_Y_ENUM, offsetof(layer_text, shape), .required = true, .choices = shape_names},
    LIST(layer_text, "size_mm", size, 1e-3, 1e6, 1e-3),
    LIST(layer_text, "cells", cells, 1, 1000, 1),
    NUMBER(layer_text, "length_mm", length, 1e-3, 1e6, 1e-3),
    NUMBER(layer_text, "cell_mm", cell, 1e-3, 1e6, 1e-3),
    NUMBER(layer_text, "offset_mm", offset, -1e5, 1e5, 1e-3),
    {"vertices", CB_Y_INT, offsetof(layer_text, vertices), .min = 50, .max = 2e6},
    {"file", CB_Y_STR, offsetof(layer_text, file), sizeof((layer_text *)NULL)->file},
    NUMBER(layer_text, "mm_per_unit", m_per_unit, 1e-6, 1e6, 1e-3),
    LIST(layer_text, "at_mm", at, -1e6, 1e6, 1e-3),
    LIST(layer_text, "turned_deg", turned, -360, 360, CB_DEG),
    {"rigid", CB_Y_BOOL, offsetof(layer_text, rigid)},
    {"motion", CB_Y_NODE, offsetof(layer_text, motion)},
    LIST(layer_text, "velocity_mm_per_s", velocity, -1e6, 1e6, 1e-3),
    LIST(layer_text, "spin_deg_per_s", spin, -1e5, 1e5, CB_DEG),
    {"material", CB_Y_STR, offsetof(layer_text, material), sizeof((layer_text *)NULL)->material},
    NUMBER(layer_text, "density_kg_per_m3", density, 1e-3, 1e5, 1),
    NUMBER(layer_text, "young_kPa", young, 1e-3, 1e9, 1e3),
    NUMBER(layer_text, "poisson", poisson, 0, 0.49, 1),
    NUMBER(layer_text, "damping_ms", damping, 0, 1e6, 1e-3),
    NUMBER(layer_text, "drag_per_s", drag, 0, 1e6, 1),
    NUMBER(layer_text, "friction", friction, 0, 100, 1),
    NUMBER(layer_text, "static_friction", static_friction, 0, 100, 1),
    NUMBER(layer_text, "friction_on_bodies", on_bodies, 0, 100, 1),
    {"meets", CB_Y_ENUM, offsetof(layer_text, meets), .choices = meets_names},
    {"case", CB_Y_NODE, offsetof(layer_text, sewn)},
    {"air", CB_Y_NODE, offsetof(layer_text, air)},
};

static cb_status take_shape(cb_ynode at, const layer_text *t, sim_scene_layer *l, cb_err *err) {
  const char *name = shape_names[t->shape];
  double cells[3] = {8, 8, 8};
  l->shape = t->shape;
  l->length_m = t->length;
  l->cell_m = t->cell;
  l->offset_m = t->offset;
  l->vertices = t->vertices;
  l->m_per_unit = t->m_per_unit;
  memcpy(l->file, t->file, sizeof l->file);
  if ((t->shape == SIM_SCENE_TETS || t->shape == SIM_SCENE_SURFACE) && !t->file[0])
    return cb_yaml_fail(at, err, CB_E_RANGE, "'%s' needs the name of a file", name);
  if (t->shape == SIM_SCENE_BLOCK && t->size.n == 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "a block needs size_mm");
  if (t->shape == SIM_SCENE_SURFACE && !t->rigid)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "'surface' needs `rigid: true`: an elastic body is of tetrahedra");
  if (t->shape >= SIM_SCENE_READY && !t->rigid && !(t->cell > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "a %s needs cell_mm, the side of the lattice its tetrahedra come from", name);
  if (t->offset != 0 && !(t->rigid && t->shape >= SIM_SCENE_READY))
    return cb_yaml_fail(at, err, CB_E_RANGE, "offset_mm: of a rigid shape that is given by a formula alone");
  CB_TRY(sim_scene_triple(at, "cells", &t->cells, cells, err));
  for (int k = 0; k < 3; k++) l->cells[k] = (int)lround(cells[k]);
  CB_TRY(sim_scene_triple(at, "size_mm", &t->size, l->size_m, err));
  CB_TRY(sim_scene_triple(at, "at_mm", &t->at, l->at_m, err));
  return sim_scene_triple(at, "turned_deg", &t->turned, l->turned_rad, err);
}

static cb_status take_motion(cb_ynode at, const layer_text *t, sim_scene_layer *l, cb_err *err) {
  l->rigid = t->rigid;
  if (!t->rigid && t->motion.doc != NULL)
    return cb_yaml_fail(
        t->motion, err, CB_E_RANGE,
        "motion: an elastic body moves by itself: `rigid: true` or velocity_mm_per_s was wanted");
  if (t->rigid && (t->velocity.n > 0 || t->spin.n > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "velocity_mm_per_s, spin_deg_per_s: a rigid body moves as `motion` tells");
  CB_TRY(sim_scene_triple(at, "velocity_mm_per_s", &t->velocity, l->velocity_m_per_s, err));
  CB_TRY(sim_scene_triple(at, "spin_deg_per_s", &t->spin, l->spin_rad_per_s, err));
  return sim_scene_motions(t->motion, true, &l->motions, err);
}

/* Numbers go before what a database knows; nothing is made up. */
static cb_status take_material(cb_ynode at, const layer_text *t, const sim_scene *s, sim_scene_layer *l,
                               cb_err *err) {
  const bool named = t->material[0] != '\0';
  memcpy(l->material, t->material, sizeof l->material);
  l->wants.friction = named && t->friction < 0 && !s->no_cloth;
  l->wants.density = !t->rigid && !(t->density > 0);
  l->wants.young = !t->rigid && !(t->young > 0);
  l->wants.poisson = !t->rigid && !(t->poisson >= 0);
  if (t->friction < 0 && !named && !s->no_cloth)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "no friction of the pair: `material`, the body it was measured on, or a number "
                        "`friction` was wanted");
  if (l->wants.friction && s->cloth[0] == '\0')
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "material = '%s': the cloth's `material` needs a name, the other half of the pair",
                        t->material);
  if ((l->wants.density || l->wants.young || l->wants.poisson) && !named)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "an elastic body needs density_kg_per_m3, young_kPa and poisson, or `material`, a "
                        "body whose elasticity a database knows");
  if (t->static_friction >= 0 && !(t->static_friction >= t->friction && t->friction >= 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "static_friction = %g: must be at least a number `friction`",
                        t->static_friction);
  l->density_kg_per_m3 = t->density;
  l->young_Pa = t->young;
  l->poisson = t->poisson;
  l->damping_s = t->damping;
  l->drag_per_s = t->drag;
  l->friction.mu_kinetic = fmax(t->friction, 0);
  l->friction.mu_static = fmax(t->static_friction, l->friction.mu_kinetic);
  l->friction_on_bodies = t->on_bodies;
  return CB_OK;
}

/* A body with a case meets that; one without, all there is. */
static cb_status take_meets(cb_ynode at, const layer_text *t, sim_scene_layer *l, cb_err *err) {
  l->meets_all = t->meets < 0 ? !l->sewn.sewn : t->meets == 0;
  if (!l->meets_all && !l->sewn.sewn)
    return cb_yaml_fail(at, err, CB_E_RANGE, "meets = 'case': it has none: `case` or meets: all was wanted");
  return CB_OK;
}

static cb_status bind_layer(cb_ynode at, const sim_scene *s, sim_scene_layer *l, cb_err *err) {
  layer_text t = {.meets = -1,
                  .vertices = 2000,
                  .m_per_unit = 1e-3,
                  .poisson = -1,
                  .friction = -1,
                  .static_friction = -1};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(layer_fields), &t, err));
  *l = (sim_scene_layer){0};
  CB_TRY(take_shape(at, &t, l, err));
  CB_TRY(take_motion(at, &t, l, err));
  CB_TRY(take_material(at, &t, s, l, err));
  CB_TRY(bind_case(t.sewn, l, &l->sewn, err));
  if (l->sewn.quilted_every_m > 0 && t.meets == 0)
    return cb_yaml_fail(t.sewn, err, CB_E_RANGE, "quilted_every_mm: 'meets: case' was wanted");
  if (s->no_cloth && t.air.doc != NULL)
    return cb_yaml_fail(t.air, err, CB_E_RANGE,
                        "air: it lies under cloth, and there is none: `material` was wanted");
  CB_TRY(bind_air(t.air, s, l->sewn.sewn, &l->air, err));
  return take_meets(at, &t, l, err);
}

cb_status sim_scene_layers(cb_ynode list, sim_scene *s, cb_err *err) {
  CB_TRY(sim_scene_list(list, "layers", SIM_SCENE_LAYERS, err));
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    CB_TRY(bind_layer(cb_yaml_item(list, i), s, &s->layer[s->n_layers], err));
    s->n_layers++;
  }
  return CB_OK;
}
