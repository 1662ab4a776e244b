/* What a scene's cloth is made of and slides with, as JSON and in words. */
#include <stdio.h>

#include "cli_scene.h"

/* ---- JSON ---- */

static json_t *numbers(const double *v, int n) {
  json_t *list = json_array();
  for (int i = 0; list && i < n; i++) (void)json_array_append_new(list, json_real(v[i]));
  return list;
}

static json_t *curve_json(const sim_curve *c) {
  return json_pack("{s:o, s:o}", "green_strain", numbers(c->strain, c->n), "stress_N_per_m",
                   numbers(c->stress_N_per_m, c->n));
}

static const char *source(bool database) { return database ? "database" : "scene"; }

static json_t *id_or_null(int64_t id) { return id > 0 ? json_integer((json_int_t)id) : json_null(); }

static json_t *cloth_json(const sim_scene *s, const cli_scene *c) {
  static const char *const rest[] = {"flat", "as-made"};
  const sim_material *m = &s->material;
  bool named = s->cloth[0] != '\0';
  const double hysteresis_mN[2] = {2e3 * m->bending_friction_N[0], 2e3 * m->bending_friction_N[1]};
  json_t *bending = json_array();
  for (int i = 0; bending && i < 3; i++) (void)json_array_append_new(bending, numbers(m->bending_Nm[i], 3));
  json_t *from = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "areal_density",
                           source(c->laws.from.areal_density), "thickness", source(c->laws.from.thickness),
                           "warp", source(c->laws.from.warp), "weft", source(c->laws.from.weft), "shear",
                           source(c->laws.from.shear), "bending", source(c->laws.from.bending));
  return json_pack(
      "{s:s?, s:s?, s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:f, s:f, s:s, s:o}", "name",
      named ? s->cloth : NULL, "origin", named ? cb_origin_names[c->laws.facts.origin] : NULL, "from", from,
      "areal_density_g_per_m2", 1e3 * m->areal_density_kg_per_m2, "thickness_mm", 1e3 * m->thickness_m,
      "stretch_law_id", id_or_null(c->laws.stretch_id), "bending_law_id", id_or_null(c->laws.bending_id),
      "warp", curve_json(&m->warp), "weft", curve_json(&m->weft), "shear", curve_json(&m->shear),
      "cross_N_per_m", m->cross_N_per_m, "bending_Nm", bending, "bend_hysteresis_mN",
      numbers(hysteresis_mN, 2), "damping_ms", 1e3 * m->damping_s, "drag_per_s", m->drag_per_s, "rest_shape",
      rest[s->rest], "rest_curvature_per_m", numbers(s->rest_curvature_per_m, 3));
}

static void pressures(const cb_friction_law *law, double out_Pa[2]) {
  out_Pa[0] = law->knots[0].normal_force_N / law->contact_area_m2;
  out_Pa[1] = law->knots[law->n_knots - 1].normal_force_N / law->contact_area_m2;
}

static json_t *pair_json(const char *material, const sim_friction *f, const lab_scene_pair *p) {
  double measured_Pa[2];
  if (!f->kinetic_law)
    return json_pack("{s:n, s:n, s:n, s:n, s:n, s:f, s:f, s:n}", "material", "origin", "law_kinetic_id",
                     "law_static_id", "fitted_now", "friction", f->mu_kinetic, "static_friction",
                     f->mu_static, "measured_Pa");
  pressures(&p->kinetic, measured_Pa);
  return json_pack("{s:s, s:s, s:o, s:o, s:b, s:n, s:n, s:o}", "material", material, "origin",
                   cb_origin_names[p->kinetic.origin], "law_kinetic_id", id_or_null(p->kinetic.id),
                   "law_static_id", id_or_null(p->has_static ? p->stat.id : 0), "fitted_now", p->fitted_now,
                   "friction", "static_friction", "measured_Pa", numbers(measured_Pa, 2));
}

static json_t *elastic_json(const sim_scene_layer *l, const lab_scene_elastic *e) {
  if (l->rigid) return json_null();
  json_t *from = json_pack("{s:s, s:s, s:s}", "density", source(e->from[CB_ELASTIC_DENSITY]), "young",
                           source(e->from[CB_ELASTIC_YOUNG]), "poisson", source(e->from[CB_ELASTIC_POISSON]));
  return json_pack("{s:f, s:f, s:f, s:o, s:o, s:s?, s:f, s:f, s:f}", "density_kg_per_m3",
                   l->density_kg_per_m3, "young_kPa", 1e-3 * l->young_Pa, "poisson", l->poisson, "from", from,
                   "law_id", id_or_null(e->law.id), "origin",
                   e->law.id > 0 ? cb_origin_names[e->origin] : NULL, "damping_ms", 1e3 * l->damping_s,
                   "drag_per_s", l->drag_per_s, "friction_on_bodies", l->friction_on_bodies);
}

/* The pair's friction, what the body is made of, the air. */
static json_t *layer_json(const sim_scene_layer *l, const cli_scene *c, const lab_scene_pair *p,
                          const lab_scene_elastic *e) {
  json_t *doc = pair_json(l->material, &l->friction, p), *elastic = elastic_json(l, e);
  json_t *air =
      !l->air.on
          ? json_null()
          : json_pack("{s:o, s:o, s:f, s:f, s:b}", "permeability_mm_per_s",
                      l->air.law ? json_null() : json_real(1e3 * l->air.permeability_m_per_s),
                      "permeability_law_id", l->air.law ? id_or_null(c->laws.permeability.id) : json_null(),
                      "flow_m_per_s", l->air.flow_m_per_s, "over_Pa", l->air.over_Pa, "open_border",
                      l->air.open_border);
  if (!doc || json_object_set_new(doc, "elastic", elastic) < 0 || json_object_set_new(doc, "air", air) < 0) {
    json_decref(doc);
    return NULL;
  }
  return doc;
}

static void self_pressures(const cb_self_friction_law *law, double out_Pa[2]) {
  out_Pa[0] = law->min_N / law->contact_area_m2;
  out_Pa[1] = law->max_N / law->contact_area_m2;
}

static json_t *self_json(const sim_scene *s, const cli_scene *c) {
  double measured_Pa[2];
  if (!s->self_material[0])
    return json_pack("{s:b, s:n, s:n, s:n, s:f, s:n}", "collision", s->self_collision, "material", "origin",
                     "law_id", "friction", s->self_friction.mu_kinetic, "measured_Pa");
  self_pressures(&c->laws.self, measured_Pa);
  return json_pack("{s:b, s:s, s:s, s:o, s:n, s:o}", "collision", s->self_collision, "material",
                   s->self_material, "origin", cb_origin_names[c->laws.self.origin], "law_id",
                   id_or_null(c->laws.self.id), "friction", "measured_Pa", numbers(measured_Pa, 2));
}

json_t *cli_scene_json(const sim_scene *s, const cli_scene *c) {
  json_t *bodies = json_array();
  for (int b = 0; bodies && b < s->n_bodies; b++)
    (void)json_array_append_new(bodies,
                                pair_json(s->body[b].material, &s->body[b].friction, &c->laws.pair[b]));
  json_t *layers = json_array();
  for (int k = 0; layers && k < s->n_layers; k++)
    (void)json_array_append_new(layers, layer_json(&s->layer[k], c, &c->laws.layer[k], &c->laws.elastic[k]));
  return json_pack("{s:s?, s:o, s:o, s:o, s:o}", "database", c->database, "cloth",
                   s->no_cloth ? json_null() : cloth_json(s, c), "bodies", bodies, "layers", layers, "self",
                   self_json(s, c));
}

/* ---- words ---- */

static void print_cloth(const sim_scene *s, const cli_scene *c) {
  const struct {
    const char *name;
    bool database;
  } part[] = {{"areal density", c->laws.from.areal_density},
              {"thickness", c->laws.from.thickness},
              {"warp", c->laws.from.warp},
              {"weft", c->laws.from.weft},
              {"shear", c->laws.from.shear},
              {"bending", c->laws.from.bending}};
  printf("%s (%s) of %s:", s->cloth, cb_origin_names[c->laws.facts.origin], c->database);
  for (int database = 1; database >= 0; database--) {
    int n = 0;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
      if (part[i].database == database)
        printf("%s%s", n++ > 0 ? ", " : database ? " " : "; of the scene: ", part[i].name);
    if (n == 0 && database) printf(" its name alone");
  }
  printf("\n");
}

static void print_law(const char *who, int number, const char *material, cb_origin origin, int64_t id,
                      const double Pa[2], const char *more) {
  printf("%s", who);
  if (number > 0) printf(" %d", number);
  printf(": %s, %s", material, cb_origin_names[origin]);
  if (id > 0) printf(", law %lld", (long long)id);
  printf(", measured at %.3g to %.3g Pa%s\n", Pa[0], Pa[1], more);
}

static void print_elastic(int number, const char *material, const lab_scene_elastic *e) {
  static const char *const names[] = {"density", "Young's modulus", "Poisson's ratio"};
  int n = 0;
  if (e->law.id == 0) return;
  printf("layer %d: %s, %s, law %lld:", number, material, cb_origin_names[e->origin], (long long)e->law.id);
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++)
    if (e->from[k]) printf("%s %s", n++ > 0 ? "," : "", names[k]);
  printf("\n");
}

void cli_scene_print(const sim_scene *s, const cli_scene *c) {
  double Pa[2];
  if (!c->database) return;
  if (s->cloth[0]) print_cloth(s, c);
  for (int b = 0; b < s->n_bodies; b++) {
    const lab_scene_pair *p = &c->laws.pair[b];
    if (!s->body[b].material[0]) continue;
    pressures(&p->kinetic, Pa);
    print_law("body", b + 1, s->body[b].material, p->kinetic.origin, p->kinetic.id, Pa,
              p->has_static ? "" : "; no static law: it holds as it slides");
  }
  for (int k = 0; k < s->n_layers; k++) {
    const lab_scene_pair *p = &c->laws.layer[k];
    print_elastic(k + 1, s->layer[k].material, &c->laws.elastic[k]);
    if (!s->layer[k].friction.kinetic_law) continue;
    pressures(&p->kinetic, Pa);
    print_law("layer", k + 1, s->layer[k].material, p->kinetic.origin, p->kinetic.id, Pa,
              p->has_static ? "" : "; no static law: it holds as it slides");
  }
  if (c->laws.permeability.id > 0)
    printf("air through %s: %s, law %lld, measured at %.3g to %.3g Pa\n", s->cloth,
           cb_origin_names[c->laws.permeability.origin], (long long)c->laws.permeability.id,
           c->laws.permeability.min_Pa, c->laws.permeability.max_Pa);
  if (!s->self_material[0]) return;
  self_pressures(&c->laws.self, Pa);
  print_law("on itself", 0, s->self_material, c->laws.self.origin, c->laws.self.id, Pa, "");
}
