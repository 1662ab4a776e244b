/* The cloth of a scene file: its mesh, its material. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

static const char *const mesh_names[] = {"rectangle", "disc", "file", NULL};
/* sim_pattern_text, with the end that a table of choices wants. */
static const char *const pattern_names[] = {"right", "alternating", "equilateral", "irregular", NULL};
_Static_assert(sizeof pattern_names / sizeof pattern_names[0] == SIM_PATTERN_COUNT + 1,
               "one name for each pattern");

/* ---- mesh ---- */

typedef struct mesh_text {
  sim_scene_sheet sheet;
  cb_numlist at, turned;
} mesh_text;

static const cb_yfield mesh_fields[] = {
    {"shape", CB_Y_ENUM, offsetof(mesh_text, sheet.mesh), .required = true, .choices = mesh_names},
    {"length_mm", CB_Y_NUM, offsetof(mesh_text, sheet.length_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {"width_mm", CB_Y_NUM, offsetof(mesh_text, sheet.width_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {"radius_mm", CB_Y_NUM, offsetof(mesh_text, sheet.radius_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {"hole_mm", CB_Y_NUM, offsetof(mesh_text, sheet.hole_m), .min = 0, .max = 1e5, .scale = 1e-3},
    {"vertices", CB_Y_INT, offsetof(mesh_text, sheet.vertices), .min = 4, .max = 2e6},
    {"pattern", CB_Y_ENUM, offsetof(mesh_text, sheet.pattern), .choices = pattern_names},
    {"warp_deg", CB_Y_NUM, offsetof(mesh_text, sheet.warp_rad), .min = -360, .max = 360, .scale = CB_DEG},
    {"seed", CB_Y_INT, offsetof(mesh_text, sheet.seed), .min = 0, .max = 1e9},
    {"file", CB_Y_STR, offsetof(mesh_text, sheet.file), sizeof((mesh_text *)NULL)->sheet.file},
    {"mm_per_unit", CB_Y_NUM, offsetof(mesh_text, sheet.m_per_unit), .min = 1e-6, .max = 1e6, .scale = 1e-3},
    {"texture_mm_per_unit", CB_Y_NUM, offsetof(mesh_text, sheet.texture_m_per_unit), .min = 1e-6, .max = 1e6,
     .scale = 1e-3},
    {"at_mm", CB_Y_NUMLIST, offsetof(mesh_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {"turned_deg", CB_Y_NUMLIST, offsetof(mesh_text, turned), .min = -360, .max = 360, .scale = CB_DEG},
};

static cb_status check_sheet(cb_ynode at, const sim_scene_sheet *s, cb_err *err) {
  if (s->mesh == SIM_SCENE_RECTANGLE && !(s->length_m > 0 && s->width_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: a rectangle needs length_mm and width_mm");
  if (s->mesh == SIM_SCENE_DISC && !(s->radius_m > s->hole_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: a disc needs radius_mm, larger than hole_mm");
  if (s->mesh == SIM_SCENE_MESH_FILE && !s->file[0])
    return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: 'file' needs the name of an OBJ file");
  return CB_OK;
}

/* Moved by at_m, beside its own. */
static cb_status bind_sheet(cb_ynode at, const double at_m[3], sim_scene_sheet *s, cb_err *err) {
  mesh_text t = {
      .sheet = {.pattern = SIM_PATTERN_IRREGULAR, .vertices = 5000, .seed = 1, .m_per_unit = 1e-3}};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(mesh_fields), &t, err));
  CB_TRY(check_sheet(at, &t.sheet, err));
  *s = t.sheet;
  if (!(s->texture_m_per_unit > 0)) s->texture_m_per_unit = s->m_per_unit;
  CB_TRY(sim_scene_triple(at, "at_mm", &t.at, s->at_m, err));
  sim_add(s->at_m, 1, at_m);
  return sim_scene_triple(at, "turned_deg", &t.turned, s->turned_rad, err);
}

/* One, a list of several, or none. */
static cb_status bind_mesh(cb_ynode at, const double at_m[3], sim_scene *s, cb_err *err) {
  if (at.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(at)) return bind_sheet(at, at_m, &s->sheet[s->n_sheets++], err);
  CB_TRY(sim_scene_list(at, "mesh", SIM_SCENE_SHEETS, err));
  for (size_t i = 0; i < cb_yaml_count(at); i++)
    CB_TRY(bind_sheet(cb_yaml_item(at, i), at_m, &s->sheet[s->n_sheets++], err));
  return CB_OK;
}

/* ---- material ---- */

/* 0: not given; none of them may be, but the thickness, which is below 0 then. */
typedef struct material_text {
  char cloth[64];
  double density, thickness, compression, warp, weft, shear, cross, bend_warp, bend_weft, hysteresis_warp,
      hysteresis_weft, damping, drag;
} material_text;

#define NUMBER(name, member, least, most, to_si)                                                         \
  {                                                                                                      \
    .key = name, .kind = CB_Y_NUM, .offset = offsetof(material_text, member), .min = least, .max = most, \
    .scale = to_si                                                                                       \
  }
static const cb_yfield material_fields[] = {
    {"cloth", CB_Y_STR, offsetof(material_text, cloth), sizeof((material_text *)NULL)->cloth},
    NUMBER("areal_density_g_per_m2", density, 0.01, 1e6, 1e-3),
    NUMBER("thickness_mm", thickness, 0, 1e3, 1e-3),
    NUMBER("compression_kPa", compression, 0, 1e6, 1e3),
    NUMBER("stretch_warp_N_per_m", warp, 1e-6, 1e12, 1),
    NUMBER("stretch_weft_N_per_m", weft, 1e-6, 1e12, 1),
    NUMBER("shear_N_per_m", shear, 1e-6, 1e12, 1),
    NUMBER("cross_N_per_m", cross, 0, 1e12, 1),
    NUMBER("bend_warp_uN_m", bend_warp, 1e-9, 1e12, 1e-6),
    NUMBER("bend_weft_uN_m", bend_weft, 1e-9, 1e12, 1e-6),
    NUMBER("bend_hysteresis_warp_mN", hysteresis_warp, 0, 1e9, 1e-3),
    NUMBER("bend_hysteresis_weft_mN", hysteresis_weft, 0, 1e9, 1e-3),
    NUMBER("damping_ms", damping, 0, 1e6, 1e-3),
    NUMBER("drag_per_s", drag, 0, 1e6, 1),
};

/* What a cloth without a name must be given. */
static cb_status check_given(cb_ynode at, const material_text *t, cb_err *err) {
  const struct {
    const char *key;
    double value;
  } wanted[] = {{"areal_density_g_per_m2", t->density}, {"stretch_warp_N_per_m", t->warp},
                {"stretch_weft_N_per_m", t->weft},      {"shear_N_per_m", t->shear},
                {"bend_warp_uN_m", t->bend_warp},       {"bend_weft_uN_m", t->bend_weft}};
  for (size_t i = 0; !t->cloth[0] && i < sizeof wanted / sizeof wanted[0]; i++)
    if (!(wanted[i].value > 0))
      return cb_yaml_fail(at, err, CB_E_RANGE,
                          "material: no %s: it was wanted, or `cloth`, the name of one in a database",
                          wanted[i].key);
  if ((t->bend_warp > 0) != (t->bend_weft > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "material: bend_warp_uN_m and bend_weft_uN_m go together");
  if ((t->hysteresis_warp >= 0) != (t->hysteresis_weft >= 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "material: bend_hysteresis_warp_mN and bend_hysteresis_weft_mN go together");
  return CB_OK;
}

/* Two numbers tell nothing of the twist: the plate whose rigidity between is their geometric mean's, H =
 * sqrt(B1 B2) (cb_bending_shell). */
static void take_bending(const material_text *t, sim_material *m) {
  m->bending_Nm[0][0] = t->bend_warp;
  m->bending_Nm[1][1] = t->bend_weft;
  m->bending_Nm[2][2] = sqrt(t->bend_warp * t->bend_weft) / 2;
  m->bending_friction_N[0] = fmax(0, t->hysteresis_warp) / 2;
  m->bending_friction_N[1] = fmax(0, t->hysteresis_weft) / 2;
}

static cb_status bind_material(cb_ynode at, sim_scene *s, cb_err *err) {
  material_text t = {
      .thickness = -1, .compression = SIM_COMPRESSION_PA, .hysteresis_warp = -1, .hysteresis_weft = -1};
  cb_err why = {""};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(material_fields), &t, err));
  CB_TRY(check_given(at, &t, err));
  memcpy(s->cloth, t.cloth, sizeof s->cloth);
  bool named = t.cloth[0] != '\0';
  s->wants = (sim_scene_wants){.areal_density = named && !(t.density > 0),
                               .thickness = named && t.thickness < 0,
                               .warp = named && !(t.warp > 0),
                               .weft = named && !(t.weft > 0),
                               .shear = named && !(t.shear > 0),
                               .bending = named && !(t.bend_warp > 0),
                               .hysteresis = named && !(t.bend_warp > 0) && t.hysteresis_warp < 0};
  s->material = (sim_material){.areal_density_kg_per_m2 = t.density,
                               .thickness_m = t.thickness < 0 ? 5e-4 : t.thickness,
                               .compression_Pa = t.compression,
                               .warp = sim_curve_linear(t.warp),
                               .weft = sim_curve_linear(t.weft),
                               .shear = sim_curve_linear(2 * t.shear), /* angle = 2 E_uv */
                               .cross_N_per_m = t.cross,
                               .damping_s = t.damping,
                               .drag_per_s = t.drag};
  take_bending(&t, &s->material);
  if (named) return CB_OK; /* whoever fills in the rest checks it */
  cb_status st = sim_material_check(&s->material, &why);
  return st == CB_OK ? CB_OK : cb_yaml_fail(at, err, st, "%s", why.msg);
}

/* ---- the whole ---- */

typedef struct cloth_text {
  cb_ynode mesh, material;
  cb_numlist at, rest_curvature;
  int rest;
  bool self_collision;
  double self_friction;
  char self_material[64];
} cloth_text;

static const char *const rest_names[] = {"flat", "as-made", NULL};

static const cb_yfield cloth_fields[] = {
    {"mesh", CB_Y_NODE, offsetof(cloth_text, mesh)},
    {"material", CB_Y_NODE, offsetof(cloth_text, material), .required = true},
    {"at_mm", CB_Y_NUMLIST, offsetof(cloth_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
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
                        "cloth: self_material = '%s': material needs `cloth`, the other half of the pair",
                        t->self_material);
  return CB_OK;
}

cb_status sim_scene_cloth(cb_ynode at, sim_scene *s, cb_err *err) {
  cloth_text t = {.self_collision = true, .self_friction = -1};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(cloth_fields), &t, err));
  double at_m[3] = {0, 0, 0};
  CB_TRY(sim_scene_triple(at, "at_mm", &t.at, at_m, err));
  CB_TRY(bind_mesh(t.mesh, at_m, s, err));
  CB_TRY(bind_material(t.material, s, err));
  CB_TRY(check_cloth(at, &t, s, err));
  s->rest = t.rest;
  s->self_collision = t.self_collision;
  s->self_friction.mu_kinetic = s->self_friction.mu_static = fmax(t.self_friction, 0);
  memcpy(s->self_material, t.self_material, sizeof s->self_material);
  return sim_scene_triple(at, "rest_curvature_per_m", &t.rest_curvature, s->rest_curvature_per_m, err);
}
