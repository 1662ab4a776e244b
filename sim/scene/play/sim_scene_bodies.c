/* What a cloth meets in a scene file, and how bodies and what is held move. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

static const char *const shape_names[] = {"plane", "sphere", "cylinder", "torus", "mesh", NULL};

/* ---- motion ---- */

typedef struct motion_text {
  double until_s;
  cb_numlist velocity, spin;
} motion_text;

static const cb_yfield motion_fields[] = {
    {"until_s", CB_Y_NUM, offsetof(motion_text, until_s), .required = true, .min = 1e-9, .max = 1e6},
    {"velocity_mm_per_s", CB_Y_NUMLIST, offsetof(motion_text, velocity), .min = -1e6, .max = 1e6,
     .scale = 1e-3},
    {"spin_deg_per_s", CB_Y_NUMLIST, offsetof(motion_text, spin), .min = -1e5, .max = 1e5, .scale = CB_DEG},
};

cb_status sim_scene_motions(cb_ynode list, bool may_spin, sim_motions *out, cb_err *err) {
  CB_TRY(sim_scene_list(list, "motion", SIM_SCENE_MOTIONS, err));
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    cb_ynode at = cb_yaml_item(list, i);
    motion_text t = {0};
    sim_motion *m = &out->part[out->n];
    CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(motion_fields), &t, err));
    m->until_s = t.until_s;
    CB_TRY(sim_scene_triple(at, "velocity_mm_per_s", &t.velocity, m->velocity_m_per_s, err));
    CB_TRY(sim_scene_triple(at, "spin_deg_per_s", &t.spin, m->spin_rad_per_s, err));
    if (!may_spin && t.spin.n > 0)
      return cb_yaml_fail(at, err, CB_E_RANGE, "spin_deg_per_s: what is held cannot turn");
    if (out->n > 0 && !(m->until_s > m[-1].until_s))
      return cb_yaml_fail(at, err, CB_E_RANGE, "until_s = %g: must be later than that of the part before, %g",
                          m->until_s, m[-1].until_s);
    out->n++;
  }
  return CB_OK;
}

sim_motion sim_motion_at(const sim_motions *m, double time_s) {
  for (int i = 0; i < m->n; i++)
    if (time_s < m->part[i].until_s) return m->part[i];
  return (sim_motion){.until_s = INFINITY};
}

/* ---- bodies ---- */

typedef struct body_text {
  int shape;
  cb_numlist at, axis, turned;
  double radius, tube, length, m_per_unit, friction, static_friction;
  char file[256], material[64];
  cb_ynode motion;
} body_text;

static const cb_yfield body_fields[] = {
    {"shape", CB_Y_ENUM, offsetof(body_text, shape), .required = true, .choices = shape_names},
    {"at_mm", CB_Y_NUMLIST, offsetof(body_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {"axis", CB_Y_NUMLIST, offsetof(body_text, axis), .min = -1e6, .max = 1e6},
    {"turned_deg", CB_Y_NUMLIST, offsetof(body_text, turned), .min = -360, .max = 360, .scale = CB_DEG},
    {"radius_mm", CB_Y_NUM, offsetof(body_text, radius), .min = 1e-3, .max = 1e6, .scale = 1e-3},
    {"length_mm", CB_Y_NUM, offsetof(body_text, length), .min = 1e-3, .max = 1e6, .scale = 1e-3},
    {"tube_mm", CB_Y_NUM, offsetof(body_text, tube), .min = 1e-3, .max = 1e6, .scale = 1e-3},
    {"file", CB_Y_STR, offsetof(body_text, file), sizeof((body_text *)NULL)->file},
    {"mm_per_unit", CB_Y_NUM, offsetof(body_text, m_per_unit), .min = 1e-6, .max = 1e6, .scale = 1e-3},
    {"material", CB_Y_STR, offsetof(body_text, material), sizeof((body_text *)NULL)->material},
    {"friction", CB_Y_NUM, offsetof(body_text, friction), .min = 0, .max = 100},
    {"static_friction", CB_Y_NUM, offsetof(body_text, static_friction), .min = 0, .max = 100},
    {"motion", CB_Y_NODE, offsetof(body_text, motion)},
};

static cb_status check_shape(cb_ynode at, const sim_scene_body *b, cb_err *err) {
  if ((b->shape == SIM_SCENE_SPHERE || b->shape == SIM_SCENE_CYLINDER || b->shape == SIM_SCENE_TORUS) &&
      !(b->radius_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "a %s needs radius_mm", shape_names[b->shape]);
  if (b->shape == SIM_SCENE_TORUS && !(b->tube_m > 0 && b->tube_m < b->radius_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "a torus needs tube_mm, less than radius_mm");
  if (b->length_m > 0 && b->shape != SIM_SCENE_CYLINDER)
    return cb_yaml_fail(at, err, CB_E_RANGE, "length_mm: a %s has no length, a cylinder has",
                        shape_names[b->shape]);
  if (b->shape == SIM_SCENE_FILE && !b->file[0])
    return cb_yaml_fail(at, err, CB_E_RANGE, "a mesh needs the name of an OBJ file");
  return CB_OK;
}

/* Below 0: not given. */
static cb_status take_friction(cb_ynode at, const body_text *t, bool named_cloth, sim_scene_body *b,
                               cb_err *err) {
  memcpy(b->material, t->material, sizeof b->material);
  b->friction.mu_kinetic = fmax(t->friction, 0);
  b->friction.mu_static = t->static_friction < 0 ? b->friction.mu_kinetic : t->static_friction;
  if (t->material[0] && !(t->friction < 0 && t->static_friction < 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "material or friction was wanted, not both");
  if (t->material[0] && !named_cloth)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "material = '%s': the cloth's `material` needs a name, the other half of the pair",
                        t->material);
  if (!(b->friction.mu_static >= b->friction.mu_kinetic))
    return cb_yaml_fail(at, err, CB_E_RANGE, "static_friction = %g: must be at least friction, %g",
                        b->friction.mu_static, b->friction.mu_kinetic);
  return CB_OK;
}

static cb_status bind_body(cb_ynode at, bool named_cloth, sim_scene_body *b, cb_err *err) {
  body_text t = {.m_per_unit = 1e-3, .friction = -1, .static_friction = -1};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(body_fields), &t, err));
  *b = (sim_scene_body){.shape = (sim_scene_shape)t.shape,
                        .axis = {0, 0, 1},
                        .radius_m = t.radius,
                        .tube_m = t.tube,
                        .length_m = t.length,
                        .m_per_unit = t.m_per_unit};
  memcpy(b->file, t.file, sizeof b->file);
  CB_TRY(sim_scene_triple(at, "at_mm", &t.at, b->at_m, err));
  CB_TRY(sim_scene_triple(at, "axis", &t.axis, b->axis, err));
  CB_TRY(sim_scene_triple(at, "turned_deg", &t.turned, b->turned_rad, err));
  double length = sim_norm(b->axis);
  if (!(length > 0)) return cb_yaml_fail(at, err, CB_E_RANGE, "axis: a direction was wanted");
  for (int k = 0; k < 3; k++) b->axis[k] /= length;
  CB_TRY(check_shape(at, b, err));
  CB_TRY(take_friction(at, &t, named_cloth, b, err));
  return sim_scene_motions(t.motion, true, &b->motions, err);
}

cb_status sim_scene_bodies(cb_ynode list, sim_scene *s, cb_err *err) {
  CB_TRY(sim_scene_list(list, "bodies", SIM_SCENE_BODIES, err));
  for (size_t i = 0; i < cb_yaml_count(list); i++)
    CB_TRY(bind_body(cb_yaml_item(list, i), s->cloth[0] != '\0', &s->body[s->n_bodies++], err));
  return CB_OK;
}
