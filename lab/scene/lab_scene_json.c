/* What a scene's cloth is made of and slides with, as JSON. */
#include "lab_scene.h"

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

static json_t *cloth_json(const sim_scene *s, const lab_scene *c) {
  static const char *const rest[] = {"flat", "as-made"};
  const sim_material *m = &s->material;
  bool named = s->cloth[0] != '\0';
  const double hysteresis_mN[2] = {2e3 * m->bending_friction_N[0], 2e3 * m->bending_friction_N[1]};
  json_t *bending = json_array();
  for (int i = 0; bending && i < 3; i++) (void)json_array_append_new(bending, numbers(m->bending_Nm[i], 3));
  json_t *from = json_pack(
      "{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "areal_density", source(c->from.areal_density), "thickness",
      source(c->from.thickness), "compression", source(c->from.compression), "warp", source(c->from.warp),
      "weft", source(c->from.weft), "shear", source(c->from.shear), "bending", source(c->from.bending));
  return json_pack(
      "{s:s?, s:s?, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:f, s:f, s:s, s:o}",
      "name", named ? s->cloth : NULL, "origin", named ? cb_origin_names[c->facts.origin] : NULL, "from",
      from, "areal_density_g_per_m2", 1e3 * m->areal_density_kg_per_m2, "thickness_mm", 1e3 * m->thickness_m,
      "compression_kPa", 1e-3 * m->compression_Pa, "compression_law_id", id_or_null(c->compression.id),
      "stretch_law_id", id_or_null(c->stretch.id), "bending_law_id", id_or_null(c->bending_id), "warp",
      curve_json(&m->warp), "weft", curve_json(&m->weft), "shear", curve_json(&m->shear), "cross_N_per_m",
      m->cross_N_per_m, "bending_Nm", bending, "bend_hysteresis_mN", numbers(hysteresis_mN, 2), "damping_ms",
      1e3 * m->damping_s, "drag_per_s", m->drag_per_s, "rest_shape", rest[s->rest], "rest_curvature_per_m",
      numbers(s->rest_curvature_per_m, 3));
}

void lab_scene_pressures(const cb_friction_law *law, double out_Pa[2]) {
  out_Pa[0] = law->knots[0].normal_force_N / law->contact_area_m2;
  out_Pa[1] = law->knots[law->n_knots - 1].normal_force_N / law->contact_area_m2;
}

static json_t *pair_json(const char *material, const sim_friction *f, const lab_scene_pair *p) {
  double measured_Pa[2];
  if (!f->kinetic_law)
    return json_pack("{s:n, s:n, s:n, s:n, s:n, s:f, s:f, s:n}", "material", "origin", "law_kinetic_id",
                     "law_static_id", "fitted_now", "friction", f->mu_kinetic, "static_friction",
                     f->mu_static, "measured_Pa");
  lab_scene_pressures(&p->kinetic, measured_Pa);
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
                   e->law.id > 0 ? cb_origin_names[e->law.origin] : NULL, "damping_ms", 1e3 * l->damping_s,
                   "drag_per_s", l->drag_per_s, "friction_on_bodies", l->friction_on_bodies);
}

/* The pair's friction, what the body is made of, the air. */
static json_t *layer_json(const sim_scene_layer *l, const lab_scene *c, const lab_scene_pair *p,
                          const lab_scene_elastic *e) {
  json_t *doc = pair_json(l->material, &l->friction, p), *elastic = elastic_json(l, e);
  json_t *air =
      !l->air.on ? json_null()
                 : json_pack("{s:o, s:o, s:f, s:f, s:b}", "permeability_mm_per_s",
                             l->air.law ? json_null() : json_real(1e3 * l->air.permeability_m_per_s),
                             "permeability_law_id", l->air.law ? id_or_null(c->permeability.id) : json_null(),
                             "flow_m_per_s", l->air.flow_m_per_s, "over_Pa", l->air.over_Pa, "open_border",
                             l->air.open_border);
  if (!doc || json_object_set_new(doc, "elastic", elastic) < 0 || json_object_set_new(doc, "air", air) < 0) {
    json_decref(doc);
    return NULL;
  }
  return doc;
}

void lab_scene_self_pressures(const cb_self_friction_law *law, double out_Pa[2]) {
  out_Pa[0] = law->min_N / law->contact_area_m2;
  out_Pa[1] = law->max_N / law->contact_area_m2;
}

static json_t *self_json(const sim_scene *s, const lab_scene *c) {
  double measured_Pa[2];
  if (!s->self_material[0])
    return json_pack("{s:b, s:n, s:n, s:n, s:f, s:n}", "collision", s->self_collision, "material", "origin",
                     "law_id", "friction", s->self_friction.mu_kinetic, "measured_Pa");
  lab_scene_self_pressures(&c->self, measured_Pa);
  return json_pack("{s:b, s:s, s:s, s:o, s:n, s:o}", "collision", s->self_collision, "material",
                   s->self_material, "origin", cb_origin_names[c->self.origin], "law_id",
                   id_or_null(c->self.id), "friction", "measured_Pa", numbers(measured_Pa, 2));
}

json_t *lab_scene_json(const sim_scene *s, const lab_scene *c, const char *database) {
  json_t *bodies = json_array();
  for (int b = 0; bodies && b < s->n_bodies; b++)
    (void)json_array_append_new(bodies, pair_json(s->body[b].material, &s->body[b].friction, &c->pair[b]));
  json_t *layers = json_array();
  for (int k = 0; layers && k < s->n_layers; k++)
    (void)json_array_append_new(layers, layer_json(&s->layer[k], c, &c->layer[k], &c->elastic[k]));
  return json_pack("{s:s?, s:o, s:o, s:o, s:o}", "database", database, "cloth",
                   s->no_cloth ? json_null() : cloth_json(s, c), "bodies", bodies, "layers", layers, "self",
                   self_json(s, c));
}
