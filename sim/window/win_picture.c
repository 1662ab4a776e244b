/* Surfaces as triangles on the screen: seen from a camera, lit by one lamp, above the eye to its left, and
 * the sky, sorted by depth. */
#include <math.h>
#include <stdlib.h>

#include "sim_mesh.h"
#include "sim_vec.h"
#include "win_impl.h"

#define FIELD_RAD 0.7 /* of the shorter side of the window */
#define LEFT 2.5      /* of the eye, over the size of what is seen: where the lamp hangs */
#define SKY 0.25      /* share of the light that comes from everywhere */

/* ---- the camera ---- */

void win_camera_aim(win_camera *c) {
  const double ca = cos(c->azimuth_rad), sa = sin(c->azimuth_rad), ce = cos(c->elevation_rad),
               se = sin(c->elevation_rad);
  const double back[3] = {ca * ce, sa * ce, se}, right[3] = {-sa, ca, 0};
  const double distance = c->zoom * c->reach_m / sin(FIELD_RAD / 2);
  const int side = c->width_px < c->height_px ? c->width_px : c->height_px;
  for (int k = 0; k < 3; k++) {
    c->forward[k] = -back[k];
    c->right[k] = right[k];
    c->eye_m[k] = c->middle_m[k] + distance * back[k];
  }
  sim_cross(back, right, c->up);
  c->px_per_1 = side / (2 * tan(FIELD_RAD / 2));
}

static double near_of(const win_camera *c) { return 0.05 * c->reach_m; }

void win_camera_see(const win_camera *c, const double x[3], double px[2], double *depth) {
  double way[3];
  sim_sub(x, c->eye_m, way);
  *depth = sim_dot(way, c->forward);
  const double scale = c->px_per_1 / fmax(*depth, near_of(c));
  px[0] = c->width_px / 2.0 + scale * sim_dot(way, c->right);
  px[1] = c->height_px / 2.0 - scale * sim_dot(way, c->up);
}

void win_camera_ray(const win_camera *c, const double px[2], double ray[3]) {
  const double right = (px[0] - c->width_px / 2.0) / c->px_per_1,
               up = (c->height_px / 2.0 - px[1]) / c->px_per_1;
  for (int k = 0; k < 3; k++) ray[k] = c->forward[k] + right * c->right[k] + up * c->up[k];
}

/* ---- triangles ---- */

typedef struct win_seen {
  win_corner corner[3];
  double depth_m;
} win_seen;

static int by_depth(const void *a, const void *b) {
  const double p = ((const win_seen *)a)->depth_m, q = ((const win_seen *)b)->depth_m;
  return (p < q) - (p > q);
}

static bool make_room(win_picture *p, const sim_drawn *surface, int n) {
  int triangles = 0, vertices = 0;
  for (int i = 0; i < n; i++) {
    triangles += surface[i].n_triangles;
    vertices = surface[i].n_vertices > vertices ? surface[i].n_vertices : vertices;
  }
  if (triangles <= p->room_triangles && vertices <= p->room_vertices) return true;
  win_picture_clear(p);
  p->seen = calloc((size_t)triangles + 1, sizeof *p->seen);
  p->corner = calloc(3 * (size_t)triangles + 1, sizeof *p->corner);
  p->normal = calloc((size_t)vertices + 1, sizeof *p->normal);
  p->at = calloc((size_t)vertices + 1, sizeof *p->at);
  if (!p->seen || !p->corner || !p->normal || !p->at) return false;
  p->room_triangles = triangles;
  p->room_vertices = vertices;
  return true;
}

/* Light is linear; the screen is not. */
static void shade(const sim_drawn *d, const win_camera *c, const double normal[3], const double x[3],
                  win_corner *out) {
  double way[3], lamp[3];
  sim_sub(c->eye_m, x, way);
  const bool faces = sim_dot(normal, way) > 0;
  for (int k = 0; k < 3; k++) lamp[k] = way[k] + c->reach_m * (c->up[k] - LEFT * c->right[k]);
  const double across = (faces ? 1 : -1) * sim_dot(normal, lamp), length = sim_norm(normal) * sim_norm(lamp);
  const float *colour = faces ? d->face : d->back;
  const double light = SKY + (1 - SKY) * (length > 0 ? fmax(0, across) / length : 0);
  for (int k = 0; k < 3; k++)
    out->rgb[k] = (unsigned char)lrint(255 * sqrt(fmin(1, fmax(0, light * (double)colour[k]))));
}

static void see_surface(win_picture *p, const win_camera *c, const sim_drawn *d) {
  sim_mesh_area_normals(d->position_m, d->n_vertices, d->triangle, d->n_triangles, p->normal);
  for (int i = 0; i < d->n_vertices; i++) win_camera_see(c, d->position_m[i], p->at[i], &p->at[i][2]);
  for (int t = 0; t < d->n_triangles; t++) {
    const int *v = d->triangle[t];
    win_seen *s = &p->seen[p->n];
    bool before = true;
    s->depth_m = d->ground ? 1e6 * c->reach_m : 0; /* the ground lies behind everything */
    for (int k = 0; k < 3; k++) {
      const double *at = p->at[v[k]];
      before = before && at[2] > near_of(c);
      s->depth_m += at[2] / 3;
      s->corner[k].px[0] = (float)at[0];
      s->corner[k].px[1] = (float)at[1];
      shade(d, c, p->normal[v[k]], d->position_m[v[k]], &s->corner[k]);
    }
    p->n += before;
  }
}

cb_status win_picture_draw(win_picture *p, const win_camera *c, const sim_drawn *surface, int n,
                           cb_err *err) {
  if (!make_room(p, surface, n)) return cb_no_memory(err, "the picture of a window");
  p->n = 0;
  for (int i = 0; i < n; i++) see_surface(p, c, &surface[i]);
  qsort(p->seen, (size_t)p->n, sizeof *p->seen, by_depth);
  for (int i = 0; i < 3 * p->n; i++) p->corner[i] = p->seen[i / 3].corner[i % 3];
  return CB_OK;
}

void win_picture_clear(win_picture *p) {
  free(p->seen);
  free(p->corner);
  free(p->normal);
  free(p->at);
  *p = (win_picture){.n = 0};
}
