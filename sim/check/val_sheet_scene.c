#include "val_sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "val_layers.h"

#define HEAVY_KG_PER_M3 500.0

void val_sheet_scene_clear(val_sheet_scene *s) {
  sim_layered_free(s->layered);
  sim_mesh_clear(&s->mesh);
  sim_tets_clear(&s->tets);
  free(s->held);
  free(s->load_kg);
}

static cb_status make_body(const val_sheet *e, val_sheet_scene *s, cb_err *err) {
  double low = -0.2 * e->side_m, depth = 0.3 * e->side_m;
  const sim_block block = {{low, low, -depth}, {e->side_m + e->room_m, e->side_m - low, 0}, {10, 4, 2}};
  CB_TRY(sim_tets_block(&block, &s->tets, err));
  val_layers_skin(&s->body, &s->tets);
  if (e->body == VAL_SHEET_PRESCRIBED) return CB_OK;
  s->body.elastic = sim_elastic_setup_default(&s->tets);
  s->body.elastic.young_Pa = e->young_Pa;
  s->body.elastic.poisson = e->poisson;
  s->body.elastic.density_kg_per_m3 = HEAVY_KG_PER_M3;
  s->body.elastic.tolerance = 1e-10;
  memset(s->body.elastic.gravity_m_per_s2, 0, sizeof s->body.elastic.gravity_m_per_s2);
  if (e->body == VAL_SHEET_FREE) return CB_OK;
  s->held = malloc((size_t)s->tets.n_vertices * sizeof *s->held);
  if (!s->held) return cb_no_memory(err, "sheet-slide");
  for (int i = 0; i < s->tets.n_vertices; i++) s->held[i] = s->tets.position_m[i][2] < -0.99 * depth;
  s->body.elastic.held = s->held;
  return CB_OK;
}

/* By area: what rides on it presses evenly. */
static cb_status spread_load(const val_sheet *e, val_sheet_scene *s, cb_err *err) {
  double area = 0;
  if (e->load_kg == 0) return CB_OK;
  s->load_kg = malloc((size_t)s->mesh.n_vertices * sizeof *s->load_kg);
  if (!s->load_kg) return cb_no_memory(err, "sheet-slide");
  for (int i = 0; i < s->mesh.n_vertices; i++) area += s->mesh.vertex_area_m2[i];
  for (int i = 0; i < s->mesh.n_vertices; i++) s->load_kg[i] = e->load_kg * s->mesh.vertex_area_m2[i] / area;
  s->setup.cloth.load_kg = s->load_kg;
  return CB_OK;
}

cb_status val_sheet_scene_make(const val_sheet *e, val_sheet_scene *s, cb_err *err) {
  const sim_rectangle r = {.length_m = e->side_m,
                           .width_m = e->side_m,
                           .pattern = SIM_PATTERN_IRREGULAR,
                           .about_vertices = e->vertices,
                           .warp_rad = -e->turned_rad};
  *s = (val_sheet_scene){
      .material = e->cloth ? *e->cloth : sim_material_isotropic(e->areal_density_kg_per_m2, 1000, 1e-5)};
  CB_TRY(sim_mesh_rectangle(&r, &s->mesh, err));
  s->body = sim_layered_body_default(&s->mesh);
  s->body.offset.friction = e->friction;
  s->body.has_air = e->air != NULL;
  s->body.air.law = e->air;
  s->body.air.open_border = true;
  CB_TRY(make_body(e, s, err));
  for (int i = 0; i < s->mesh.n_vertices; i++)
    s->mesh.position_m[i][2] = s->body.offset.thickness_m * (1 + 1e-6);
  s->setup = sim_layered_setup_default(&s->mesh, &s->material);
  CB_TRY(spread_load(e, s, err));
  s->setup.bodies = &s->body;
  s->setup.n_bodies = 1;
  s->setup.cloth.solve_tolerance = 1e-7;
  s->setup.cloth.gravity_m_per_s2[0] = e->gravity_m_per_s2 * sin(e->angle_rad);
  s->setup.cloth.gravity_m_per_s2[2] = -e->gravity_m_per_s2 * cos(e->angle_rad);
  return sim_layered_new(&s->setup, &s->layered, err);
}
