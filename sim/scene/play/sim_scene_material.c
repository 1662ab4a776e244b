/* The material of a scene's cloth: a name in a database, numbers, or both: numbers go before. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim_scene_impl.h"

/* 0: not given; none of them may be 0, but those that are below 0 here. */
typedef struct material_text {
  char name[64], permeability_of[64];
  cb_ynode assumed;
  double density, thickness, compression;
  double stretch, warp, weft, shear, cross;
  double bend, bend_warp, bend_weft, hysteresis_warp, hysteresis_weft;
  double damping, drag, permeability, exponent;
} material_text;

#define NUMBER(name, member, least, most, to_si) \
  { name, CB_Y_NUM, offsetof(material_text, member), .min = least, .max = most, .scale = to_si }
#define OWN 8 /* of the fields: those that `assumed` has not */
static const cb_yfield material_fields[] = {
    {"name", CB_Y_STR, offsetof(material_text, name), sizeof((material_text *)NULL)->name},
    {"permeability_of", CB_Y_STR, offsetof(material_text, permeability_of),
     sizeof((material_text *)NULL)->permeability_of},
    {"assumed", CB_Y_NODE, offsetof(material_text, assumed)},
    NUMBER("permeability_mm_per_s", permeability, 0, 1e6, 1e-3),
    NUMBER("permeability_exponent", exponent, 0.5, 1, 1),
    NUMBER("damping_ms", damping, 0, 1e6, 1e-3),
    NUMBER("drag_per_s", drag, 0, 1e6, 1),
    NUMBER("cross_N_per_m", cross, 0, 1e12, 1),
    NUMBER("areal_density_g_per_m2", density, 0.01, 1e6, 1e-3),
    NUMBER("thickness_mm", thickness, 0, 1e3, 1e-3),
    NUMBER("compression_kPa", compression, 0, 1e6, 1e3),
    NUMBER("stretch_N_per_m", stretch, 1e-6, 1e12, 1),
    NUMBER("stretch_warp_N_per_m", warp, 1e-6, 1e12, 1),
    NUMBER("stretch_weft_N_per_m", weft, 1e-6, 1e12, 1),
    NUMBER("shear_N_per_m", shear, 1e-6, 1e12, 1),
    NUMBER("bend_uN_m", bend, 0, 1e12, 1e-6),
    NUMBER("bend_warp_uN_m", bend_warp, 1e-9, 1e12, 1e-6),
    NUMBER("bend_weft_uN_m", bend_weft, 1e-9, 1e12, 1e-6),
    NUMBER("bend_hysteresis_warp_mN", hysteresis_warp, 0, 1e9, 1e-3),
    NUMBER("bend_hysteresis_weft_mN", hysteresis_weft, 0, 1e9, 1e-3),
};
#define FIELDS (sizeof material_fields / sizeof material_fields[0])

static bool has_stretch(const material_text *t) { return t->stretch > 0; }
static bool has_bend(const material_text *t) { return t->bend >= 0; }

/* What a cloth without a name must be given, if its model needs it. */
static cb_status check_needs(cb_ynode at, const material_text *t, const sim_scene_wants *needs, cb_err *err) {
  const struct {
    const char *key;
    bool missing;
  } wanted[] = {
      {"areal_density_g_per_m2", needs->areal_density && !(t->density > 0)},
      {"stretch_warp_N_per_m, or stretch_N_per_m", needs->warp && !has_stretch(t) && !(t->warp > 0)},
      {"stretch_weft_N_per_m, or stretch_N_per_m", needs->weft && !has_stretch(t) && !(t->weft > 0)},
      {"shear_N_per_m, or stretch_N_per_m", needs->shear && !has_stretch(t) && !(t->shear > 0)},
      {"bend_warp_uN_m, or bend_uN_m", needs->bending && !has_bend(t) && !(t->bend_warp > 0)},
      {"bend_weft_uN_m, or bend_uN_m", needs->bending && !has_bend(t) && !(t->bend_weft > 0)}};
  for (size_t i = 0; !t->name[0] && i < sizeof wanted / sizeof wanted[0]; i++)
    if (wanted[i].missing)
      return cb_yaml_fail(at, err, CB_E_RANGE,
                          "material: no %s: it was wanted, or `name`, that of one in a database",
                          wanted[i].key);
  return CB_OK;
}

static cb_status check_together(cb_ynode at, const material_text *t, cb_err *err) {
  if (has_stretch(t) && (t->warp > 0 || t->weft > 0))
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "material: stretch_N_per_m, or stretch_warp_N_per_m and stretch_weft_N_per_m, was wanted, not both");
  if (has_bend(t) && (t->bend_warp > 0 || t->bend_weft > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "material: bend_uN_m, or bend_warp_uN_m and bend_weft_uN_m, was wanted, not both");
  if ((t->bend_warp > 0) != (t->bend_weft > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "material: bend_warp_uN_m and bend_weft_uN_m go together");
  if ((t->hysteresis_warp >= 0) != (t->hysteresis_weft >= 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "material: bend_hysteresis_warp_mN and bend_hysteresis_weft_mN go together");
  return CB_OK;
}

static sim_scene_wants wants_of(const material_text *t, const sim_scene_wants *needs) {
  const bool bend = has_bend(t) || t->bend_warp > 0;
  return (sim_scene_wants){.areal_density = needs->areal_density && !(t->density > 0),
                           .thickness = needs->thickness && t->thickness < 0,
                           .warp = needs->warp && !has_stretch(t) && !(t->warp > 0),
                           .weft = needs->weft && !has_stretch(t) && !(t->weft > 0),
                           .shear = needs->shear && !has_stretch(t) && !(t->shear > 0),
                           .bending = needs->bending && !bend,
                           .compression = needs->thickness && t->name[0] && t->compression < 0,
                           .hysteresis = needs->hysteresis && !bend && t->hysteresis_warp < 0};
}

/* Two numbers tell nothing of the twist: the plate whose rigidity between is their geometric mean's, H =
 * sqrt(B1 B2) (cb_bending_shell). */
static void set_bending(const material_text *t, sim_material *m) {
  const double warp = has_bend(t) ? t->bend : t->bend_warp, weft = has_bend(t) ? t->bend : t->bend_weft;
  m->bending_Nm[0][0] = warp;
  m->bending_Nm[1][1] = weft;
  m->bending_Nm[2][2] = has_bend(t) ? t->bend / 2 : sqrt(warp * weft) / 2;
  m->bending_friction_N[0] = fmax(0, t->hysteresis_warp) / 2;
  m->bending_friction_N[1] = fmax(0, t->hysteresis_weft) / 2;
}

#define THICKNESS_M 5e-4 /* where it is not given */

/* Of one stiffness: as sim_material_isotropic has it, whose shear goes with stretch. */
static void set_material(const material_text *t, sim_material *m) {
  *m = (sim_material){.areal_density_kg_per_m2 = t->density,
                      .thickness_m = t->thickness < 0 ? THICKNESS_M : t->thickness,
                      .compression_Pa = t->compression < 0 ? SIM_COMPRESSION_PA : t->compression,
                      .warp = sim_curve_linear(has_stretch(t) ? t->stretch : t->warp),
                      .weft = sim_curve_linear(has_stretch(t) ? t->stretch : t->weft),
                      .shear = sim_curve_linear(t->shear > 0 ? 2 * t->shear : t->stretch), /* 2 E_uv: angle */
                      .cross_N_per_m = t->cross,
                      .damping_s = t->damping,
                      .drag_per_s = t->drag};
  set_bending(t, m);
}

/* Of a model that needs all of it; of another, what it needs is checked above. */
static cb_status check_material(cb_ynode at, const sim_scene *s, const sim_scene_wants *needs, cb_err *err) {
  cb_err why = {""};
  if (s->cloth[0] || !needs->shear) return CB_OK; /* whoever fills in the rest checks it */
  const cb_status st = sim_material_check(&s->material, &why);
  return st == CB_OK ? CB_OK : cb_yaml_fail(at, err, st, "%s", why.msg);
}

/* What the scene says, and that with the numbers which hold where the database has none. */
static cb_status read_texts(cb_ynode at, material_text *t, material_text *all, cb_err *err) {
  CB_TRY(cb_yaml_bind(at, material_fields, FIELDS, t, err));
  if (t->assumed.doc != NULL && !t->name[0])
    return cb_yaml_fail(t->assumed, err, CB_E_RANGE,
                        "assumed: `name` was wanted, that of a cloth in a database, which may lack them");
  if (t->assumed.doc != NULL) CB_TRY(cb_yaml_bind(t->assumed, material_fields + OWN, FIELDS - OWN, all, err));
  return cb_yaml_bind(at, material_fields, FIELDS, all, err);
}

cb_status sim_scene_material(cb_ynode at, const sim_scene_wants *needs, sim_scene *s, cb_err *err) {
  material_text t = {.thickness = -1,
                     .compression = -1,
                     .bend = -1,
                     .hysteresis_warp = -1,
                     .hysteresis_weft = -1,
                     .permeability = -1,
                     .exponent = 1},
                all = t;
  const char *name = cb_yaml_scalar(at);
  if (name == NULL)
    CB_TRY(read_texts(at, &t, &all, err));
  else if (strlen(name) == 0 || strlen(name) >= sizeof t.name)
    return cb_yaml_fail(at, err, CB_E_RANGE, "material: a name of 1 to %zu bytes was wanted",
                        sizeof t.name - 1);
  else
    memcpy(t.name, name, strlen(name) + 1);
  CB_TRY(check_together(at, &all, err));
  CB_TRY(check_needs(at, &t, needs, err));
  memcpy(s->cloth, t.name, sizeof s->cloth);
  memcpy(s->permeability_of, t.permeability_of, sizeof s->permeability_of);
  if (s->cloth[0]) s->wants = wants_of(&t, needs);
  if (s->cloth[0]) s->must = wants_of(&all, needs);
  set_material(&all, &s->material);
  s->isotropic = has_stretch(&all);
  s->permeability_m_per_s = all.permeability;
  s->permeability_exponent = all.exponent;
  return check_material(at, s, needs, err);
}
