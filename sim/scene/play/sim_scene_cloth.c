/* The section `cloth` of a scene file: what the main cloth has beside its sheets and its material. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim_scene_impl.h"

typedef struct cloth_text {
  cb_numlist rest_curvature;
  int rest;
  bool self_collision;
  double self_friction;
  char self_material[64];
} cloth_text;

static const char *const rest_names[] = {"flat", "as-made", NULL};

static const cb_yfield cloth_fields[] = {
    {"rest_shape", CB_Y_ENUM, offsetof(cloth_text, rest), .choices = rest_names},
    {"rest_curvature_per_m", CB_Y_NUMLIST, offsetof(cloth_text, rest_curvature), .min = -1e5, .max = 1e5},
    {"self_collision", CB_Y_BOOL, offsetof(cloth_text, self_collision)},
    {"self_friction", CB_Y_NUM, offsetof(cloth_text, self_friction), .min = 0, .max = 100},
    {"self_material", CB_Y_STR, offsetof(cloth_text, self_material),
     sizeof((cloth_text *)NULL)->self_material},
};

static cb_status check_cloth(cb_ynode at, const cloth_text *t, const sim_scene *s, cb_err *err) {
  if (t->self_material[0] && t->self_friction >= 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "cloth: self_friction or self_material was wanted, not both");
  if (t->self_material[0] && !s->cloth[0])
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "cloth: self_material = '%s': `material` needs a name, the other half of the pair",
                        t->self_material);
  return CB_OK;
}

cb_status sim_scene_cloth(cb_ynode at, sim_scene *s, cb_err *err) {
  cloth_text t = {.self_collision = true, .self_friction = -1};
  if (at.doc != NULL) CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(cloth_fields), &t, err));
  CB_TRY(check_cloth(at, &t, s, err));
  s->rest = t.rest;
  s->self_collision = t.self_collision;
  s->self_friction.mu_kinetic = s->self_friction.mu_static = fmax(t.self_friction, 0);
  memcpy(s->self_material, t.self_material, sizeof s->self_material);
  return sim_scene_triple(at, "rest_curvature_per_m", &t.rest_curvature, s->rest_curvature_per_m, err);
}
