/* The layers of a scene: bodies, the cloth sewn around them, the air between. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_clothing.h"
#include "sim_sheet.h"
#include "sim_mesh.h"
#include "sim_vec.h"
#include "sim_scene_impl.h"

/* ---- bodies as they are made ---- */

static sim_shape_body shape_of(const sim_scene_layer *l) {
  return sim_shape_make((sim_shape_ready)(l->shape - SIM_SCENE_READY), l->length_m);
}

static cb_status read_surface(const sim_scene_layer *l, sim_shape_surface *out, cb_err *err) {
  sim_solid *solid;
  const double(*x)[3];
  const int(*triangle)[3];
  CB_TRY(sim_solid_read(l->file, l->m_per_unit, &solid, err));
  size_t n = (size_t)sim_solid_vertices(solid, &x), nt = (size_t)sim_solid_triangles(solid, &triangle);
  *out = (sim_shape_surface){.n_vertices = (int)n,
                             .n_triangles = (int)nt,
                             .x_m = malloc(n * sizeof *x),
                             .triangle = malloc(nt * sizeof *triangle)};
  cb_status st = out->x_m && out->triangle ? CB_OK : cb_no_memory(err, "%s", l->file);
  if (st == CB_OK) {
    memcpy(out->x_m, x, n * sizeof *x);
    memcpy(out->triangle, triangle, nt * sizeof *triangle);
  }
  sim_solid_free(solid);
  return st;
}

static cb_status make_block(const sim_scene_layer *l, sim_tets *out, cb_err *err) {
  sim_block block = {.cells = {l->cells[0], l->cells[1], l->cells[2]}};
  for (int k = 0; k < 3; k++) {
    block.high_m[k] = l->size_m[k] / 2;
    block.low_m[k] = -block.high_m[k];
  }
  return sim_tets_block(&block, out, err);
}

/* In its own frame. */
static cb_status make_body(const sim_scene_layer *l, sim_play_made *m, cb_err *err) {
  sim_shape_body shape;
  switch (l->shape) {
    case SIM_SCENE_BLOCK: return make_block(l, &m->tets, err);
    case SIM_SCENE_TETS: return sim_tets_read(l->file, l->m_per_unit, &m->tets, err);
    case SIM_SCENE_SURFACE: return read_surface(l, &m->skin, err);
    default: break;
  }
  shape = shape_of(l);
  return l->rigid ? sim_shape_skin(&shape, l->offset_m, l->vertices, &m->skin, err)
                  : sim_shape_tets(&shape, l->cell_m, &m->tets, err);
}

/* ---- cloth ---- */

#define SEWN_AGAIN 12   /* until the gap is as wide as the contact offset; from ... */
#define GROWS_ONLY 3    /* ... on it is no longer made narrower: another gap is another mesh */
#define FIRST_GAP 0.005 /* m */
#define WIDER 1.02

/* So far from the body that the contact offset, two thirds of the longest edge, is free, where no gap was
 * told. */
static cb_status make_case(const sim_scene_layer *l, const sim_play_made *m, sim_mesh *out, cb_err *err) {
  const sim_shape_body shape = shape_of(l);
  sim_shape_case c = {.offset_m = l->sewn.gap_m > 0 ? l->sewn.gap_m : FIRST_GAP,
                      .about_vertices = l->sewn.vertices,
                      .body_m = (const sim_vec3 *)(m->skin.x_m ? m->skin.x_m : m->tets.position_m),
                      .body_triangle = (const int(*)[3])(m->skin.x_m ? m->skin.triangle : m->tets.surface),
                      .body_vertices = m->skin.x_m ? m->skin.n_vertices : m->tets.n_vertices,
                      .body_triangles = m->skin.x_m ? m->skin.n_triangles : m->tets.n_surface};
  memcpy(c.warp, l->sewn.warp, sizeof c.warp);
  CB_TRY(sim_shape_sew(&shape, &c, out, err));
  for (int k = 0; k < SEWN_AGAIN && !(l->sewn.gap_m > 0); k++) {
    double wanted = sim_layered_body_default(out).offset.thickness_m;
    if (c.offset_m >= wanted && (k >= GROWS_ONLY || c.offset_m <= WIDER * WIDER * wanted)) break;
    sim_mesh_clear(out);
    c.offset_m = WIDER * (k >= GROWS_ONLY ? fmax(wanted, c.offset_m) : wanted);
    CB_TRY(sim_shape_sew(&shape, &c, out, err));
  }
  return CB_OK;
}

#define LINE 0.33 /* a line's half width, in the longest edge of the case: about a vertex wide */

/* Marks the vertices near the lines of quilting. The case is in the body's own frame. */
static cb_status quilt_case(const sim_scene_layer *l, const sim_mesh *sewn, sim_play_made *m, cb_err *err) {
  const double every_m = l->sewn.quilted_every_m,
               longest_m = sim_layered_body_default(sewn).offset.edge_most_m;
  if (!(every_m > 0)) return CB_OK;
  m->stitched = calloc((size_t)sewn->n_vertices, sizeof *m->stitched);
  if (!m->stitched) return cb_no_memory(err, "quilting of %d vertices", sewn->n_vertices);
  for (int i = 0; i < sewn->n_vertices; i++) {
    const double along_m = sim_dot(l->sewn.warp, sewn->position_m[i]) / sim_norm(l->sewn.warp);
    m->stitched[i] = fabs(along_m - every_m * round(along_m / every_m)) < LINE * longest_m;
  }
  return CB_OK;
}

static void put(const sim_scene_layer *l, double (*x)[3], int n) {
  for (int i = 0; i < n; i++) {
    sim_turn(x[i], l->turned_rad, 1);
    sim_add(x[i], 1, l->at_m);
  }
}

static void add_part(sim_clothing *p, int layer) {
  sim_play_part *part = &p->part_of[p->n_parts], *before = part - 1;
  *part = (sim_play_part){layer, 0, p->part[p->n_parts].n_vertices, 0, p->part[p->n_parts].n_triangles};
  if (p->n_parts > 0) {
    part->first_vertex = before->first_vertex + before->n_vertices;
    part->first_triangle = before->first_triangle + before->n_triangles;
  }
  p->n_parts++;
}

static cb_status make_layer(sim_clothing *p, int k, cb_err *err) {
  const sim_scene_layer *l = &p->scene->layer[k];
  sim_play_made *m = &p->made[k];
  m->part = -1;
  CB_TRY(make_body(l, m, err));
  if (l->sewn.sewn) {
    sim_mesh *sewn = &p->part[p->n_parts];
    CB_TRY(make_case(l, m, sewn, err));
    CB_TRY(quilt_case(l, sewn, m, err));
    sim_mesh_place(sewn, l->turned_rad, l->at_m);
    m->part = p->n_parts;
    add_part(p, k);
  }
  put(l, m->tets.position_m, m->tets.n_vertices);
  put(l, m->skin.x_m, m->skin.n_vertices);
  return CB_OK;
}

cb_status sim_clothing_make_parts(sim_clothing *p, cb_err *err) {
  const sim_scene *s = p->scene;
  if (s->n_sheets == 1 && s->n_layers == 0) {
    CB_TRY(sim_sheet_make(&s->sheet[0], 0, &p->mesh, err));
    p->part_of[p->n_parts++] = (sim_play_part){-1, 0, p->mesh.n_vertices, 0, p->mesh.n_triangles};
    return CB_OK;
  }
  for (int k = 0; k < s->n_sheets; k++) {
    CB_TRY(sim_sheet_make(&s->sheet[k], 0, &p->part[k], err));
    add_part(p, -1);
  }
  for (int k = 0; k < s->n_layers; k++) {
    cb_status st = make_layer(p, k, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s: layer %d", s->name, k + 1);
  }
  return s->no_cloth ? sim_mesh_empty(&p->mesh, err) : sim_mesh_join(p->part, p->n_parts, &p->mesh, err);
}

void sim_clothing_clear_layers(sim_clothing *p) {
  sim_layered_free(p->layered);
  for (int k = 0; k < SIM_SCENE_LAYERS; k++) {
    sim_tets_clear(&p->made[k].tets);
    sim_shape_surface_clear(&p->made[k].skin);
    free(p->made[k].stitched);
  }
  for (int k = 0; k < SIM_PLAY_PARTS; k++) sim_mesh_clear(&p->part[k]);
}

/* ---- the layers ---- */

/* The tets' inner vertices belong to no triangle, which is allowed. */
static void set_surface(const sim_play_made *m, sim_layered_body *b) {
  const bool skin = m->skin.x_m != NULL;
  b->surface_m = (const sim_vec3 *)(skin ? m->skin.x_m : m->tets.position_m);
  b->surface_triangle = (const int(*)[3])(skin ? m->skin.triangle : m->tets.surface);
  b->surface_vertices = skin ? m->skin.n_vertices : m->tets.n_vertices;
  b->surface_triangles = skin ? m->skin.n_triangles : m->tets.n_surface;
}

static void set_elastic(const sim_scene *s, const sim_scene_layer *l, const sim_tets *tets,
                        sim_elastic_setup *e) {
  *e = sim_elastic_setup_default(tets);
  e->density_kg_per_m3 = l->density_kg_per_m3;
  e->young_Pa = l->young_Pa;
  e->poisson = l->poisson;
  e->damping_s = l->damping_s;
  e->drag_per_s = l->drag_per_s;
  memcpy(e->gravity_m_per_s2, s->gravity_m_per_s2, sizeof e->gravity_m_per_s2);
}

static void set_air(const sim_scene_layer *l, const sim_mesh *mesh, sim_layered_body *b) {
  b->has_air = l->air.on;
  b->air = sim_air_setup_default(mesh);
  b->air.flow_m_per_s = l->air.flow_m_per_s;
  b->air.kappa_m_per_s = fmax(0, l->air.permeability_m_per_s);
  b->air.kappa_at_Pa = SIM_SCENE_PERMEABILITY_PA;
  b->air.law = l->air.law;
  b->air.open_border = l->air.open_border;
  b->air.solver = (sim_air_solver)l->air.solver;
  b->air_Pa = b->air.ambient_Pa + l->air.over_Pa;
  b->air_gap_most_m = l->air.gap_most_m;
}

#define NO_CLOTH_M 1e-3 /* a contact offset that nobody meets */

static void set_layer(sim_clothing *p, int k) {
  const sim_scene_layer *l = &p->scene->layer[k];
  sim_play_made *m = &p->made[k];
  sim_layered_body *b = &p->layer[k];
  const sim_mesh *met = l->meets_all ? &p->mesh : &p->part[m->part];
  *b = sim_layered_body_default(met);
  b->first_vertex = m->first_met = l->meets_all ? 0 : p->part_of[m->part].first_vertex;
  b->n_vertices = m->n_met = met->n_vertices;
  b->stitched = m->stitched;
  b->offset.friction = l->friction;
  if (p->scene->no_cloth) b->offset.thickness_m = b->offset.skin_m = NO_CLOTH_M;
  b->friction = (sim_friction){.mu_kinetic = l->friction_on_bodies, .mu_static = l->friction_on_bodies};
  set_air(l, met, b);
  if (l->rigid)
    set_surface(m, b);
  else
    set_elastic(p->scene, l, &m->tets, &b->elastic);
}

/* An elastic body and its case start alike. */
static void start_moving(sim_clothing *p, int k) {
  const sim_scene_layer *l = &p->scene->layer[k];
  const sim_play_made *m = &p->made[k];
  struct {
    double (*x)[3], (*v)[3];
    int n;
  } all[2] = {{sim_layered_body_position(p->layered, k), sim_layered_body_velocity(p->layered, k),
               m->tets.n_vertices},
              {NULL, NULL, 0}};
  if (m->part >= 0) {
    const sim_play_part *part = &p->part_of[m->part];
    all[1].x = sim_cloth_position(p->cloth) + part->first_vertex;
    all[1].v = sim_cloth_velocity(p->cloth) + part->first_vertex;
    all[1].n = part->n_vertices;
  }
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < all[e].n; i++) {
      double arm[3];
      sim_sub(all[e].x[i], l->at_m, arm);
      sim_cross(l->spin_rad_per_s, arm, all[e].v[i]);
      sim_add(all[e].v[i], 1, l->velocity_m_per_s);
    }
}

cb_status sim_clothing_make_layered(sim_clothing *p, const sim_cloth_setup *cloth, cb_err *err) {
  const sim_scene *s = p->scene;
  for (int k = 0; k < s->n_layers; k++) set_layer(p, k);
  sim_layered_setup setup = sim_layered_setup_default(&p->mesh, &s->material);
  setup.cloth = *cloth;
  setup.bodies = p->layer;
  setup.n_bodies = s->n_layers;
  memcpy(setup.wind_m_per_s, s->wind_m_per_s, sizeof setup.wind_m_per_s);
  setup.gusts = s->gusts;
  cb_status st = sim_layered_new(&setup, &p->layered, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", s->name);
  p->cloth = sim_layered_cloth(p->layered);
  for (int k = 0; k < s->n_layers; k++)
    if (!s->layer[k].rigid) start_moving(p, k);
  return CB_OK;
}

/* ---- motion ---- */

/* Where the origin has been taken since the beginning. */
static void moved_until(const sim_motions *m, double time_s, double out[3]) {
  double from = 0;
  for (int i = 0; i < m->n && from < time_s; i++) {
    double to = fmin(time_s, m->part[i].until_s);
    sim_add(out, to - from, m->part[i].velocity_m_per_s);
    from = to;
  }
}

void sim_clothing_move_layers(sim_clothing *p, double dt_s) {
  double now = sim_cloth_time(p->cloth);
  sim_layered_blow(p->layered, now + dt_s / 2);
  for (int k = 0; k < p->scene->n_layers; k++) {
    const sim_scene_layer *l = &p->scene->layer[k];
    if (!l->rigid) continue;
    sim_motion m = sim_motion_at(&l->motions, now + dt_s / 2);
    double from[3], to[3], turn[3] = {0, 0, 0}, (*x)[3] = sim_layered_body_position(p->layered, k),
                           (*v)[3] = sim_layered_body_velocity(p->layered, k);
    memcpy(from, l->at_m, sizeof from);
    memcpy(to, l->at_m, sizeof to);
    moved_until(&l->motions, now, from);
    moved_until(&l->motions, now + dt_s, to);
    sim_add(turn, dt_s, m.spin_rad_per_s);
    for (int i = 0; i < p->layer[k].surface_vertices; i++) {
      double arm[3];
      sim_sub(x[i], from, arm);
      sim_turn(arm, turn, 1);
      sim_add(arm, 1, to);
      sim_sub(arm, x[i], v[i]);
      for (int c = 0; c < 3; c++) v[i][c] /= dt_s;
    }
  }
}

sim_play_layer sim_clothing_layer(const sim_clothing *p, int k) {
  const sim_play_made *m = &p->made[k];
  const sim_layered_body *b = &p->layer[k];
  const bool rigid = p->scene->layer[k].rigid;
  return (sim_play_layer){.position_m = (const sim_vec3 *)sim_layered_body_position(p->layered, k),
                          .velocity_m_per_s = (const sim_vec3 *)sim_layered_body_velocity(p->layered, k),
                          .triangle = rigid ? b->surface_triangle : (const int(*)[3])m->tets.surface,
                          .n_vertices = rigid ? b->surface_vertices : m->tets.n_vertices,
                          .n_triangles = rigid ? b->surface_triangles : m->tets.n_surface,
                          .n_tets = rigid ? 0 : m->tets.n_tets,
                          .first_met = m->first_met,
                          .n_met = m->n_met,
                          .contact_offset_m = b->offset.thickness_m,
                          .contacts = sim_layered_contacts_of(p->layered, k)};
}
