#include "sim_scene.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_vec.h"

static const char *const shape_names[] = {"plane", "sphere", "cylinder", "torus", "mesh", NULL};
static const char *const mesh_names[] = {"rectangle", "disc", "file", NULL};
/* sim_pattern_text, with the end that a table of choices wants. */
static const char *const pattern_names[] = {"right", "alternating", "equilateral", "irregular", NULL};
_Static_assert(sizeof pattern_names / sizeof pattern_names[0] == SIM_PATTERN_COUNT + 1, "one name for each pattern");

#define FIELDS(list) list, sizeof list / sizeof list[0]

/* ---- small parts ---- */

static cb_status triple(cb_ynode map, const char *key, const cb_numlist *list, double out[3], cb_err *err) {
  if (list->n == 0) return CB_OK;
  if (list->n != 3) return cb_yaml_fail(cb_yaml_get(map, key), err, CB_E_RANGE, "%s: %zu numbers: three were wanted", key, list->n);
  memcpy(out, list->v, 3 * sizeof *out);
  return CB_OK;
}

/* A list of maps, or nothing. */
static cb_status check_list(cb_ynode list, const char *key, int most, cb_err *err) {
  if (list.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list was wanted", key);
  if (cb_yaml_count(list) > (size_t)most)
    return cb_yaml_fail(list, err, CB_E_RANGE, "%s: %zu items: at most %d are possible", key, cb_yaml_count(list), most);
  return CB_OK;
}

typedef struct motion_text {
  double until_s;
  cb_numlist velocity, spin;
} motion_text;

static const cb_yfield motion_fields[] = {
    {.key = "until_s", .kind = CB_Y_NUM, .offset = offsetof(motion_text, until_s), .required = true, .min = 1e-9, .max = 1e6},
    {.key = "velocity_mm_per_s", .kind = CB_Y_NUMLIST, .offset = offsetof(motion_text, velocity), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {.key = "spin_deg_per_s", .kind = CB_Y_NUMLIST, .offset = offsetof(motion_text, spin), .min = -1e5, .max = 1e5, .scale = CB_DEG},
};

static cb_status bind_motions(cb_ynode list, bool may_spin, sim_motions *out, cb_err *err) {
  CB_TRY(check_list(list, "motion", SIM_SCENE_MOTIONS, err));
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    cb_ynode at = cb_yaml_item(list, i);
    motion_text t = {0};
    sim_motion *m = &out->part[out->n];
    CB_TRY(cb_yaml_bind(at, FIELDS(motion_fields), &t, err));
    m->until_s = t.until_s;
    CB_TRY(triple(at, "velocity_mm_per_s", &t.velocity, m->velocity_m_per_s, err));
    CB_TRY(triple(at, "spin_deg_per_s", &t.spin, m->spin_rad_per_s, err));
    if (!may_spin && t.spin.n > 0) return cb_yaml_fail(at, err, CB_E_RANGE, "spin_deg_per_s: a grip cannot turn");
    if (out->n > 0 && !(m->until_s > m[-1].until_s))
      return cb_yaml_fail(at, err, CB_E_RANGE, "until_s = %g: must be later than that of the part before, %g", m->until_s, m[-1].until_s);
    out->n++;
  }
  return CB_OK;
}

sim_motion sim_motion_at(const sim_motions *m, double time_s) {
  for (int i = 0; i < m->n; i++)
    if (time_s < m->part[i].until_s) return m->part[i];
  return (sim_motion){.until_s = INFINITY};
}

/* ---- cloth ---- */

static const cb_yfield mesh_fields[] = {
    {.key = "shape", .kind = CB_Y_ENUM, .offset = offsetof(sim_scene, mesh), .required = true, .choices = mesh_names},
    {.key = "length_mm", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, length_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {.key = "width_mm", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, width_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {.key = "radius_mm", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, radius_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {.key = "hole_mm", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, hole_m), .min = 0, .max = 1e5, .scale = 1e-3},
    {.key = "vertices", .kind = CB_Y_INT, .offset = offsetof(sim_scene, vertices), .min = 4, .max = 2e6},
    {.key = "pattern", .kind = CB_Y_ENUM, .offset = offsetof(sim_scene, pattern), .choices = pattern_names},
    {.key = "warp_deg", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, warp_rad), .min = -360, .max = 360, .scale = CB_DEG},
    {.key = "seed", .kind = CB_Y_INT, .offset = offsetof(sim_scene, seed), .min = 0, .max = 1e9},
    {.key = "file", .kind = CB_Y_STR, .offset = offsetof(sim_scene, file), .size = sizeof((sim_scene *)NULL)->file},
    {.key = "mm_per_unit", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, m_per_unit), .min = 1e-6, .max = 1e6, .scale = 1e-3},
};

static cb_status bind_mesh(cb_ynode at, sim_scene *s, cb_err *err) {
  CB_TRY(cb_yaml_bind(at, FIELDS(mesh_fields), s, err));
  if (s->mesh == SIM_SCENE_RECTANGLE && !(s->length_m > 0 && s->width_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: a rectangle needs length_mm and width_mm");
  if (s->mesh == SIM_SCENE_DISC && !(s->radius_m > s->hole_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: a disc needs radius_mm, larger than hole_mm");
  if (s->mesh == SIM_SCENE_MESH_FILE && !s->file[0]) return cb_yaml_fail(at, err, CB_E_RANGE, "mesh: 'file' needs the name of an OBJ file");
  return CB_OK;
}

typedef struct material_text {
  double density, thickness, compression, warp, weft, shear, cross, bend_warp, bend_weft, damping, drag;
} material_text;

#define NUMBER(name, member, least, most, to_si, must) \
  { .key = name, .kind = CB_Y_NUM, .offset = offsetof(material_text, member), .required = must, .min = least, .max = most, .scale = to_si }
static const cb_yfield material_fields[] = {
    NUMBER("areal_density_g_per_m2", density, 0.01, 1e6, 1e-3, true),
    NUMBER("thickness_mm", thickness, 0, 1e3, 1e-3, false),
    NUMBER("compression_kPa", compression, 0, 1e6, 1e3, false),
    NUMBER("stretch_warp_N_per_m", warp, 1e-6, 1e12, 1, true),
    NUMBER("stretch_weft_N_per_m", weft, 1e-6, 1e12, 1, true),
    NUMBER("shear_N_per_m", shear, 1e-6, 1e12, 1, true),
    NUMBER("cross_N_per_m", cross, 0, 1e12, 1, false),
    NUMBER("bend_warp_uN_m", bend_warp, 1e-9, 1e12, 1e-6, true),
    NUMBER("bend_weft_uN_m", bend_weft, 1e-9, 1e12, 1e-6, true),
    NUMBER("damping_ms", damping, 0, 1e6, 1e-3, false),
    NUMBER("drag_per_s", drag, 0, 1e6, 1, false),
};

static cb_status bind_material(cb_ynode at, sim_scene *s, cb_err *err) {
  material_text t = {.thickness = 5e-4, .compression = SIM_COMPRESSION_PA};
  cb_err why = {""};
  CB_TRY(cb_yaml_bind(at, FIELDS(material_fields), &t, err));
  s->material = (sim_material){.areal_density_kg_per_m2 = t.density,
                               .thickness_m = t.thickness,
                               .compression_Pa = t.compression,
                               .warp = sim_curve_linear(t.warp),
                               .weft = sim_curve_linear(t.weft),
                               .shear = sim_curve_linear(2 * t.shear),
                               .cross_N_per_m = t.cross,
                               .damping_s = t.damping,
                               .drag_per_s = t.drag};
  /* Two numbers tell nothing of the twist: the plate whose rigidity between is their geometric mean's, H = sqrt(B1 B2) (cb_bending_shell).
   */
  s->material.bending_Nm[0][0] = t.bend_warp;
  s->material.bending_Nm[1][1] = t.bend_weft;
  s->material.bending_Nm[2][2] = sqrt(t.bend_warp * t.bend_weft) / 2;
  cb_status st = sim_material_check(&s->material, &why);
  return st == CB_OK ? CB_OK : cb_yaml_fail(at, err, st, "%s", why.msg);
}

typedef struct cloth_text {
  cb_ynode mesh, material;
  cb_numlist at;
  bool self_collision;
  double self_friction;
} cloth_text;

static const cb_yfield cloth_fields[] = {
    {.key = "mesh", .kind = CB_Y_NODE, .offset = offsetof(cloth_text, mesh), .required = true},
    {.key = "material", .kind = CB_Y_NODE, .offset = offsetof(cloth_text, material), .required = true},
    {.key = "at_mm", .kind = CB_Y_NUMLIST, .offset = offsetof(cloth_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {.key = "self_collision", .kind = CB_Y_BOOL, .offset = offsetof(cloth_text, self_collision)},
    {.key = "self_friction", .kind = CB_Y_NUM, .offset = offsetof(cloth_text, self_friction), .min = 0, .max = 100},
};

static cb_status bind_cloth(cb_ynode at, sim_scene *s, cb_err *err) {
  cloth_text t = {.self_collision = true};
  CB_TRY(cb_yaml_bind(at, FIELDS(cloth_fields), &t, err));
  CB_TRY(bind_mesh(t.mesh, s, err));
  CB_TRY(bind_material(t.material, s, err));
  s->self_collision = t.self_collision;
  s->self_friction = t.self_friction;
  return triple(at, "at_mm", &t.at, s->at_m, err);
}

/* ---- bodies and grips ---- */

typedef struct body_text {
  int shape;
  cb_numlist at, axis, turned;
  double radius, tube, m_per_unit, friction, static_friction;
  char file[256];
  cb_ynode motion;
} body_text;

static const cb_yfield body_fields[] = {
    {.key = "shape", .kind = CB_Y_ENUM, .offset = offsetof(body_text, shape), .required = true, .choices = shape_names},
    {.key = "at_mm", .kind = CB_Y_NUMLIST, .offset = offsetof(body_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {.key = "axis", .kind = CB_Y_NUMLIST, .offset = offsetof(body_text, axis), .min = -1e6, .max = 1e6},
    {.key = "turned_deg", .kind = CB_Y_NUMLIST, .offset = offsetof(body_text, turned), .min = -360, .max = 360, .scale = CB_DEG},
    {.key = "radius_mm", .kind = CB_Y_NUM, .offset = offsetof(body_text, radius), .min = 1e-3, .max = 1e6, .scale = 1e-3},
    {.key = "tube_mm", .kind = CB_Y_NUM, .offset = offsetof(body_text, tube), .min = 1e-3, .max = 1e6, .scale = 1e-3},
    {.key = "file", .kind = CB_Y_STR, .offset = offsetof(body_text, file), .size = sizeof((body_text *)NULL)->file},
    {.key = "mm_per_unit", .kind = CB_Y_NUM, .offset = offsetof(body_text, m_per_unit), .min = 1e-6, .max = 1e6, .scale = 1e-3},
    {.key = "friction", .kind = CB_Y_NUM, .offset = offsetof(body_text, friction), .min = 0, .max = 100},
    {.key = "static_friction", .kind = CB_Y_NUM, .offset = offsetof(body_text, static_friction), .min = 0, .max = 100},
    {.key = "motion", .kind = CB_Y_NODE, .offset = offsetof(body_text, motion)},
};

static cb_status check_body(cb_ynode at, const sim_scene_body *b, cb_err *err) {
  if ((b->shape == SIM_SCENE_SPHERE || b->shape == SIM_SCENE_CYLINDER || b->shape == SIM_SCENE_TORUS) && !(b->radius_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "a %s needs radius_mm", shape_names[b->shape]);
  if (b->shape == SIM_SCENE_TORUS && !(b->tube_m > 0 && b->tube_m < b->radius_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "a torus needs tube_mm, less than radius_mm");
  if (b->shape == SIM_SCENE_FILE && !b->file[0]) return cb_yaml_fail(at, err, CB_E_RANGE, "a mesh needs the name of an OBJ file");
  if (!(b->static_friction >= b->friction))
    return cb_yaml_fail(at, err, CB_E_RANGE, "static_friction = %g: must be at least friction, %g", b->static_friction, b->friction);
  return CB_OK;
}

static cb_status bind_body(cb_ynode at, sim_scene_body *b, cb_err *err) {
  body_text t = {.m_per_unit = 1e-3, .static_friction = -1};
  CB_TRY(cb_yaml_bind(at, FIELDS(body_fields), &t, err));
  *b = (sim_scene_body){.shape = (sim_scene_shape)t.shape,
                        .axis = {0, 0, 1},
                        .radius_m = t.radius,
                        .tube_m = t.tube,
                        .m_per_unit = t.m_per_unit,
                        .friction = t.friction,
                        .static_friction = t.static_friction < 0 ? t.friction : t.static_friction};
  memcpy(b->file, t.file, sizeof b->file);
  CB_TRY(triple(at, "at_mm", &t.at, b->at_m, err));
  CB_TRY(triple(at, "axis", &t.axis, b->axis, err));
  CB_TRY(triple(at, "turned_deg", &t.turned, b->turned_rad, err));
  double length = sim_norm(b->axis);
  if (!(length > 0)) return cb_yaml_fail(at, err, CB_E_RANGE, "axis: a direction was wanted");
  for (int k = 0; k < 3; k++) b->axis[k] /= length;
  CB_TRY(check_body(at, b, err));
  return bind_motions(t.motion, true, &b->motions, err);
}

typedef struct grip_text {
  cb_numlist box;
  cb_ynode motion;
} grip_text;

static const cb_yfield grip_fields[] = {
    {.key = "box_mm", .kind = CB_Y_NUMLIST, .offset = offsetof(grip_text, box), .required = true, .min = -1e6, .max = 1e6, .scale = 1e-3},
    {.key = "motion", .kind = CB_Y_NODE, .offset = offsetof(grip_text, motion)},
};

static cb_status bind_grip(cb_ynode at, sim_scene_grip *g, cb_err *err) {
  grip_text t = {0};
  CB_TRY(cb_yaml_bind(at, FIELDS(grip_fields), &t, err));
  *g = (sim_scene_grip){.motions.n = 0};
  if (t.box.n != 6)
    return cb_yaml_fail(at, err, CB_E_RANGE, "box_mm: %zu numbers: least x, y, z, then largest x, y, z were wanted", t.box.n);
  for (int k = 0; k < 3; k++) {
    g->low_m[k] = t.box.v[k];
    g->high_m[k] = t.box.v[k + 3];
    if (!(g->low_m[k] <= g->high_m[k]))
      return cb_yaml_fail(at, err, CB_E_RANGE, "box_mm: from %g to %g mm: least and largest were wanted", 1e3 * g->low_m[k],
                          1e3 * g->high_m[k]);
  }
  return bind_motions(t.motion, false, &g->motions, err);
}

/* ---- time and output ---- */

static const cb_yfield time_fields[] = {
    {.key = "duration_s", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, duration_s), .required = true, .min = 1e-6, .max = 1e6},
    {.key = "step_ms", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, dt_s), .min = 1e-3, .max = 1e3, .scale = 1e-3},
    {.key = "scheme", .kind = CB_Y_ENUM, .offset = offsetof(sim_scene, scheme), .choices = sim_scheme_names},
    {.key = "iterations", .kind = CB_Y_INT, .offset = offsetof(sim_scene, iterations), .min = 1, .max = 1000},
    {.key = "adaptive", .kind = CB_Y_BOOL, .offset = offsetof(sim_scene, adaptive)},
    {.key = "solve_tolerance", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, solve_tolerance), .min = 1e-8, .max = 0.5},
};

static const cb_yfield picture_fields[] = {
    {.key = "width_px", .kind = CB_Y_INT, .offset = offsetof(sim_view, width_px), .min = 16, .max = 8192},
    {.key = "height_px", .kind = CB_Y_INT, .offset = offsetof(sim_view, height_px), .min = 16, .max = 8192},
    {.key = "azimuth_deg", .kind = CB_Y_NUM, .offset = offsetof(sim_view, azimuth_rad), .min = -360, .max = 360, .scale = CB_DEG},
    {.key = "elevation_deg", .kind = CB_Y_NUM, .offset = offsetof(sim_view, elevation_rad), .min = -90, .max = 90, .scale = CB_DEG},
    {.key = "field_deg", .kind = CB_Y_NUM, .offset = offsetof(sim_view, field_rad), .min = 0, .max = 120, .scale = CB_DEG},
};

typedef struct output_text {
  double every, checkpoint;
  bool obj, ply, vtp, png;
  cb_ynode picture, probes;
} output_text;

static const cb_yfield output_fields[] = {
    {.key = "every_ms", .kind = CB_Y_NUM, .offset = offsetof(output_text, every), .min = 1e-3, .max = 1e9, .scale = 1e-3},
    {.key = "checkpoint_every_ms", .kind = CB_Y_NUM, .offset = offsetof(output_text, checkpoint), .min = 1e-3, .max = 1e9, .scale = 1e-3},
    {.key = "obj", .kind = CB_Y_BOOL, .offset = offsetof(output_text, obj)},
    {.key = "ply", .kind = CB_Y_BOOL, .offset = offsetof(output_text, ply)},
    {.key = "vtp", .kind = CB_Y_BOOL, .offset = offsetof(output_text, vtp)},
    {.key = "png", .kind = CB_Y_BOOL, .offset = offsetof(output_text, png)},
    {.key = "picture", .kind = CB_Y_NODE, .offset = offsetof(output_text, picture)},
    {.key = "probes", .kind = CB_Y_NODE, .offset = offsetof(output_text, probes)},
};

typedef struct probe_text {
  char name[32];
  cb_numlist at;
} probe_text;

static const cb_yfield probe_fields[] = {
    {.key = "name", .kind = CB_Y_STR, .offset = offsetof(probe_text, name), .size = sizeof((probe_text *)NULL)->name, .required = true},
    {.key = "at_mm", .kind = CB_Y_NUMLIST, .offset = offsetof(probe_text, at), .required = true, .min = -1e6, .max = 1e6, .scale = 1e-3},
};

/* Heads of columns: nothing that a reader of CSV could trip over. */
static bool plain_word(const char *s) {
  size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  return n > 0 && s[n] == '\0';
}

static cb_status bind_probe(cb_ynode at, sim_scene_probe *p, cb_err *err) {
  probe_text t = {.at.n = 0};
  CB_TRY(cb_yaml_bind(at, FIELDS(probe_fields), &t, err));
  if (!plain_word(t.name)) return cb_yaml_fail(at, err, CB_E_RANGE, "name = '%s': letters, digits, - and _ were wanted", t.name);
  memcpy(p->name, t.name, sizeof p->name);
  return triple(at, "at_mm", &t.at, p->at_m, err);
}

static cb_status bind_output(cb_ynode at, sim_scene *s, cb_err *err) {
  output_text t = {.vtp = true, .png = true};
  if (at.doc != NULL) CB_TRY(cb_yaml_bind(at, FIELDS(output_fields), &t, err));
  s->every_s = t.every;
  s->checkpoint_s = t.checkpoint;
  s->obj = t.obj;
  s->ply = t.ply;
  s->vtp = t.vtp;
  s->png = t.png;
  if (t.picture.doc != NULL) CB_TRY(cb_yaml_bind(t.picture, FIELDS(picture_fields), &s->view, err));
  CB_TRY(check_list(t.probes, "probes", SIM_SCENE_PROBES, err));
  for (size_t i = 0; i < cb_yaml_count(t.probes); i++) CB_TRY(bind_probe(cb_yaml_item(t.probes, i), &s->probe[s->n_probes++], err));
  return CB_OK;
}

/* ---- the whole ---- */

typedef struct scene_text {
  char name[64];
  cb_ynode cloth, bodies, grips, time, output;
  cb_numlist gravity;
} scene_text;

static const cb_yfield scene_fields[] = {
    {.key = "name", .kind = CB_Y_STR, .offset = offsetof(scene_text, name), .size = sizeof((scene_text *)NULL)->name, .required = true},
    {.key = "cloth", .kind = CB_Y_NODE, .offset = offsetof(scene_text, cloth), .required = true},
    {.key = "bodies", .kind = CB_Y_NODE, .offset = offsetof(scene_text, bodies)},
    {.key = "grips", .kind = CB_Y_NODE, .offset = offsetof(scene_text, grips)},
    {.key = "time", .kind = CB_Y_NODE, .offset = offsetof(scene_text, time), .required = true},
    {.key = "output", .kind = CB_Y_NODE, .offset = offsetof(scene_text, output)},
    {.key = "gravity_m_per_s2", .kind = CB_Y_NUMLIST, .offset = offsetof(scene_text, gravity), .min = -1e4, .max = 1e4},
};

static cb_status bind_scene(cb_ynode root, sim_scene *s, cb_err *err) {
  scene_text t = {.gravity.n = 0};
  CB_TRY(cb_yaml_bind(root, FIELDS(scene_fields), &t, err));
  if (!plain_word(t.name)) return cb_yaml_fail(root, err, CB_E_RANGE, "name = '%s': letters, digits, - and _ were wanted", t.name);
  memcpy(s->name, t.name, sizeof s->name);
  CB_TRY(bind_cloth(t.cloth, s, err));
  CB_TRY(check_list(t.bodies, "bodies", SIM_SCENE_BODIES, err));
  for (size_t i = 0; i < cb_yaml_count(t.bodies); i++) CB_TRY(bind_body(cb_yaml_item(t.bodies, i), &s->body[s->n_bodies++], err));
  CB_TRY(check_list(t.grips, "grips", SIM_SCENE_GRIPS, err));
  for (size_t i = 0; i < cb_yaml_count(t.grips); i++) CB_TRY(bind_grip(cb_yaml_item(t.grips, i), &s->grip[s->n_grips++], err));
  CB_TRY(cb_yaml_bind(t.time, FIELDS(time_fields), s, err));
  if (!(s->dt_s <= s->duration_s)) return cb_yaml_fail(t.time, err, CB_E_RANGE, "step_ms = %g: longer than the duration", 1e3 * s->dt_s);
  CB_TRY(triple(root, "gravity_m_per_s2", &t.gravity, s->gravity_m_per_s2, err));
  return bind_output(t.output, s, err);
}

static sim_scene scene_default(void) {
  return (sim_scene){.pattern = SIM_PATTERN_IRREGULAR,
                     .vertices = 5000,
                     .seed = 1,
                     .m_per_unit = 1e-3,
                     .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                     .dt_s = 0.005,
                     .scheme = SIM_BACKWARD_EULER,
                     .iterations = 1,
                     .solve_tolerance = 1e-3,
                     .view = sim_view_default()};
}

static cb_status bind_document(cb_yaml *doc, sim_scene *out, cb_err *err) {
  cb_status st = bind_scene(cb_yaml_root(doc), out, err);
  cb_yaml_free(doc);
  return st;
}

cb_status sim_scene_parse(const char *text, size_t n, const char *name, sim_scene *out, cb_err *err) {
  cb_yaml *doc;
  *out = scene_default();
  CB_TRY(cb_yaml_parse(text, n, name, &doc, err));
  return bind_document(doc, out, err);
}

cb_status sim_scene_load(const char *path, sim_scene *out, cb_err *err) {
  cb_yaml *doc;
  *out = scene_default();
  CB_TRY(cb_yaml_load(path, &doc, err));
  return bind_document(doc, out, err);
}
