#include "sim_body_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_body.h"
#include "sim_vec.h"

#define PLANE_CELLS 100 /* across a plane */
#define AROUND 96       /* corners of a circle */

void sim_surface_clear(sim_surface *s) {
  free(s->position_m);
  free(s->triangle);
  *s = (sim_surface){0};
}

static cb_status allocate_surface(int n_vertices, int n_triangles, sim_surface *out, cb_err *err) {
  *out = (sim_surface){.n_vertices = n_vertices,
                       .n_triangles = n_triangles,
                       .position_m = malloc((size_t)n_vertices * sizeof *out->position_m),
                       .triangle = malloc((size_t)n_triangles * sizeof *out->triangle)};
  if (out->position_m && out->triangle) return CB_OK;
  return cb_no_memory(err, "surface of a body, %d triangles", n_triangles);
}

/* Two unit vectors that form a right-handed system with the axis. */
static void frame_of(const double axis[3], double u[3], double v[3]) {
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(axis[k]) < fabs(axis[least])) least = k;
  double any[3] = {0};
  any[least] = 1;
  sim_cross(axis, any, u);
  double length = sim_norm(u);
  for (int k = 0; k < 3; k++) u[k] /= length;
  sim_cross(axis, u, v);
}

static void place_point(const double origin[3], const double u[3], double a, const double v[3], double b,
                        const double w[3], double c, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = origin[k] + a * u[k] + b * v[k] + c * w[k];
}

/* Triangles between rows x columns points; `wraps`: the last column is joined to the first. (Direction along
 * a row) x (direction from row to row) points outwards. */
static void weave(sim_surface *s, int rows, int columns, bool wraps) {
  int t = 0, across = wraps ? columns : columns - 1;
  for (int i = 0; i + 1 < rows; i++)
    for (int j = 0; j < across; j++) {
      int a = i * columns + j, b = i * columns + (j + 1) % columns, c = b + columns, d = a + columns;
      const int two[2][3] = {{a, b, c}, {a, c, d}};
      for (int k = 0; k < 3; k++) {
        s->triangle[t][k] = two[0][k];
        s->triangle[t + 1][k] = two[1][k];
      }
      t += 2;
    }
}

static cb_status plane(const sim_body *b, const double middle[3], double reach, sim_surface *out,
                       cb_err *err) {
  const int n = PLANE_CELLS + 1;
  double u[3], v[3], closest[3], d[3];
  CB_TRY(allocate_surface(n * n, 2 * PLANE_CELLS * PLANE_CELLS, out, err));
  frame_of(b->axis, u, v);
  sim_sub(middle, b->origin_m, d);
  for (int k = 0; k < 3; k++) closest[k] = middle[k] - sim_dot(d, b->axis) * b->axis[k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      place_point(closest, u, reach * (2.0 * j / PLANE_CELLS - 1), v, reach * (2.0 * i / PLANE_CELLS - 1),
                  b->axis, 0, out->position_m[i * n + j]);
  weave(out, n, n, false);
  return CB_OK;
}

/* A sphere, row by row from one pole to the other; the poles are rows of equal points. */
static cb_status sphere(const sim_body *b, sim_surface *out, cb_err *err) {
  const int rows = AROUND / 2 + 1;
  double u[3], v[3], w[3] = {0, 0, 1};
  CB_TRY(allocate_surface(rows * AROUND, 2 * (rows - 1) * AROUND, out, err));
  frame_of(w, u, v);
  for (int i = 0; i < rows; i++) {
    double latitude = M_PI * (i / (rows - 1.0) - 0.5), across = b->radius_m * cos(latitude),
           along = b->radius_m * sin(latitude);
    for (int j = 0; j < AROUND; j++) {
      double angle = 2 * M_PI * j / AROUND;
      place_point(b->origin_m, u, across * cos(angle), v, across * sin(angle), w, along,
                  out->position_m[i * AROUND + j]);
    }
  }
  weave(out, rows, AROUND, true);
  return CB_OK;
}

static cb_status cylinder(const sim_body *b, const double middle[3], double reach, sim_surface *out,
                          cb_err *err) {
  double u[3], v[3], d[3];
  CB_TRY(allocate_surface(2 * AROUND, 2 * AROUND, out, err));
  frame_of(b->axis, u, v);
  sim_sub(middle, b->origin_m, d);
  double centre = sim_dot(d, b->axis);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < AROUND; j++) {
      double angle = 2 * M_PI * j / AROUND;
      place_point(b->origin_m, u, b->radius_m * cos(angle), v, b->radius_m * sin(angle), b->axis,
                  centre + (i ? reach : -reach), out->position_m[i * AROUND + j]);
    }
  weave(out, 2, AROUND, true);
  return CB_OK;
}

static cb_status triangles(const sim_body *b, sim_surface *out, cb_err *err) {
  const double(*x)[3];
  const int(*triangle)[3];
  int n = sim_solid_vertices(b->solid, &x), nt = sim_solid_triangles(b->solid, &triangle);
  CB_TRY(allocate_surface(n, nt, out, err));
  memcpy(out->triangle, triangle, (size_t)nt * sizeof *triangle);
  for (int i = 0; i < n; i++) sim_body_place(b, x[i], out->position_m[i]);
  return CB_OK;
}

cb_status sim_surface_of_body(const sim_body *b, const double middle_m[3], double reach_m, sim_surface *out,
                              cb_err *err) {
  *out = (sim_surface){0};
  switch (b->shape) {
    case SIM_PLANE: return plane(b, middle_m, reach_m, out, err);
    case SIM_SPHERE: return sphere(b, out, err);
    case SIM_CYLINDER: return cylinder(b, middle_m, reach_m, out, err);
    case SIM_TRIANGLES: return triangles(b, out, err);
  }
  return cb_fail(err, CB_E_ARG, "surface of a body: shape %d", (int)b->shape);
}
