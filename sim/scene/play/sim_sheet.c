#include "sim_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_vec.h"

#define ON_EDGE 1e-9 /* of a sheet's size: what lies on its edge */
#define ASIDE_M 1e-3
#define DISC_EDGES 20 /* along the radius of a disc, before its vertices are counted */

/* ---- the mesh ---- */

static cb_status make_rectangle(const sim_scene_sheet *s, sim_mesh *out, cb_err *err) {
  const sim_rectangle r = {.length_m = s->length_m,
                           .width_m = s->width_m,
                           .pattern = (sim_pattern)s->pattern,
                           .edge_m = s->edge_m,
                           .cells_across = s->cells,
                           .about_vertices = s->vertices,
                           .warp_rad = s->warp_rad,
                           .seed = (uint64_t)s->seed};
  return sim_mesh_rectangle(&r, out, err);
}

static cb_status make_disc(const sim_scene_sheet *s, double ring_m, sim_mesh *out, cb_err *err) {
  const double edge_m = s->edge_m > 0 ? s->edge_m : (s->radius_m - s->hole_m) / DISC_EDGES;
  sim_disc d = {.n_circles = 2,
                .circle = {{s->hole_m, edge_m}, {s->radius_m, edge_m}},
                .pattern = (sim_pattern)s->pattern,
                .about_vertices = s->vertices,
                .warp_rad = s->warp_rad,
                .seed = (uint64_t)s->seed};
  if (ring_m > 0) {
    d.n_circles = 3;
    d.circle[2] = d.circle[1];
    d.circle[1] = (sim_circle){ring_m, edge_m};
  }
  return sim_mesh_disc(&d, out, err);
}

static cb_status make_ball(const sim_scene_sheet *s, sim_mesh *out, cb_err *err) {
  const int cells = s->cells > 0 ? s->cells : 20;
  const sim_case ball = {
      .half_m = {s->radius_m, s->radius_m, s->radius_m}, .exponent = {2, 2}, .cells = {cells, cells}};
  return sim_mesh_case(&ball, out, err);
}

static cb_status make_flat(const sim_scene_sheet *s, double ring_m, sim_mesh *out, cb_err *err) {
  sim_obj_options obj = sim_obj_options_default();
  switch ((sim_scene_sheet_shape)s->shape) {
    case SIM_SCENE_RECTANGLE: return make_rectangle(s, out, err);
    case SIM_SCENE_DISC: return make_disc(s, ring_m, out, err);
    case SIM_SCENE_BALL: return make_ball(s, out, err);
    case SIM_SCENE_SHIRT: return cb_fail(err, CB_E_RANGE, "sheet: a shirt is made on its mannequin");
    case SIM_SCENE_SHEET_FILE: break;
  }
  obj.m_per_unit = s->m_per_unit;
  obj.texture_m_per_unit = s->texture_m_per_unit;
  return sim_mesh_obj_read(s->file, &obj, out, NULL, err);
}

cb_status sim_sheet_make(const sim_scene_sheet *s, double ring_m, sim_mesh *out, cb_err *err) {
  const double none[3] = {0, 0, 0};
  double to[3] = {0, 0, 0};
  CB_TRY(make_flat(s, ring_m, out, err));
  if (s->shape == SIM_SCENE_RECTANGLE) {
    to[0] = -s->length_m / 2;
    to[1] = -s->width_m / 2;
  }
  const bool turned = sim_norm(s->turned_rad) > 0;
  if (turned) sim_mesh_place(out, none, to);
  for (int k = 0; k < 3; k++) to[k] = s->at_m[k] + (turned ? 0 : to[k]);
  sim_mesh_place(out, s->turned_rad, to);
  return CB_OK;
}

cb_status sim_sheet_make_flat(const sim_scene_sheet *s, sim_mesh *out, cb_err *err) {
  return make_flat(s, 0, out, err);
}

/* A bowl whose sides are drawn together by so much: sin sin, as deep as keeps the length of the arcs through
 * its middle. p: seen from the middle. */
static void slacken(const sim_scene_sheet *s, double p[3]) {
  p[2] -= 2 / CB_PI * sqrt(s->slack * s->length_m * s->width_m) * cos(CB_PI * p[0] / s->length_m) *
          cos(CB_PI * p[1] / s->width_m);
  p[0] *= 1 - s->slack;
  p[1] *= 1 - s->slack;
}

void sim_sheet_place(const sim_scene_sheet *s, double x[3]) {
  if (s->shape == SIM_SCENE_RECTANGLE) {
    x[0] -= s->length_m / 2;
    x[1] -= s->width_m / 2;
  }
  if (s->slack > 0) slacken(s, x);
  sim_turn(x, s->turned_rad, 1);
  sim_add(x, 1, s->at_m);
}

void sim_sheet_put_aside(const sim_scene_sheet *s, const bool *held, int n, double (*x)[3]) {
  double normal[3] = {0, 0, 1};
  cb_rng rng;
  cb_rng_init(&rng, (uint64_t)s->seed, 0);
  sim_turn(normal, s->turned_rad, 1);
  for (int i = 0; i < n; i++)
    if (!held[i]) sim_add(x[i], ASIDE_M * (2 * cb_rng_uniform(&rng) - 1), normal);
}

void sim_sheet_local(const sim_scene_sheet *s, const double x[3], double local[3]) {
  sim_sub(x, s->at_m, local);
  sim_turn(local, s->turned_rad, -1);
}

/* ---- what is held ---- */

static bool in_box(const sim_scene_held *h, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (!(x[k] >= h->low_m[k] && x[k] <= h->high_m[k])) return false;
  return true;
}

/* On which side of the middle corners and edges lie, along x and y; 0: on both. */
static const signed char side_of[][2] = {
    [SIM_SCENE_CORNERS] = {0, 0},       [SIM_SCENE_LOWER_CORNERS] = {0, -1},
    [SIM_SCENE_UPPER_CORNERS] = {0, 1}, [SIM_SCENE_LEFT_CORNERS] = {-1, 0},
    [SIM_SCENE_RIGHT_CORNERS] = {1, 0}, [SIM_SCENE_LOWER_EDGE] = {0, -1},
    [SIM_SCENE_UPPER_EDGE] = {0, 1},    [SIM_SCENE_LEFT_EDGE] = {-1, 0},
    [SIM_SCENE_RIGHT_EDGE] = {1, 0},
};

/* How far a place is from a corner or edge of a rectangle; INFINITY on the other side of its middle. */
static double to_rim(sim_scene_part part, const sim_scene_sheet *s, const double p[3]) {
  const signed char *side = side_of[part];
  const double x = s->length_m / 2 - fabs(p[0]), y = s->width_m / 2 - fabs(p[1]);
  if (side[0] * p[0] + side[1] * p[1] < 0) return INFINITY;
  if (part < SIM_SCENE_LOWER_EDGE) return hypot(x, y);
  return side[0] != 0 ? x : y;
}

static bool in_part(const sim_scene_held *h, const sim_scene_sheet *s, const double x[3]) {
  const double within = h->within_m + ON_EDGE * (s->length_m + s->width_m + s->radius_m);
  double p[3];
  if (h->part == SIM_SCENE_BOX) return in_box(h, x);
  sim_sheet_local(s, x, p);
  if (h->part == SIM_SCENE_MIDDLE) return hypot(p[0], p[1]) <= within;
  if (h->part == SIM_SCENE_TOP) return s->radius_m - p[2] <= within;
  return to_rim(h->part, s, p) <= within;
}

static bool holds(const sim_scene *s, const sim_scene_held *h, int sheet, const double x[3]) {
  if (h->sheet >= 0 && h->sheet != sheet) return false;
  if (sheet < 0) return h->part == SIM_SCENE_BOX && in_box(h, x);
  return in_part(h, &s->sheet[sheet], x);
}

void sim_sheet_hold(const sim_scene *s, int sheet, const double (*x)[3], int n, int *by, int *count) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < s->n_held && by[i] < 0; k++) {
      if (!holds(s, &s->held[k], sheet, x[i])) continue;
      by[i] = k;
      count[k]++;
    }
}

cb_status sim_sheet_check_held(const sim_scene *s, const int *count, cb_err *err) {
  for (int k = 0; k < s->n_held; k++)
    if (count[k] == 0)
      return cb_fail(err, CB_E_RANGE, "%s: held %d: it holds no vertex that nothing before it holds", s->name,
                     k + 1);
  return CB_OK;
}

cb_status sim_sheet_held(const sim_scene *s, const sim_mesh *mesh, bool **out, cb_err *err) {
  const size_t n = (size_t)mesh->n_vertices;
  int count[SIM_SCENE_HELD] = {0}, *by = malloc(n * sizeof *by);
  *out = calloc(n, sizeof **out);
  cb_status st = by && *out ? CB_OK : cb_no_memory(err, "%s, %zu vertices", s->name, n);
  for (size_t i = 0; st == CB_OK && i < n; i++) by[i] = -1;
  if (st == CB_OK) sim_sheet_hold(s, 0, (const sim_vec3 *)mesh->position_m, (int)n, by, count);
  if (st == CB_OK) st = sim_sheet_check_held(s, count, err);
  for (size_t i = 0; st == CB_OK && i < n; i++) (*out)[i] = by[i] >= 0;
  free(by);
  return st;
}
