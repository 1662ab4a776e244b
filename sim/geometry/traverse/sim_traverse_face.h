/* The surface's triangles as the traversal needs them: on which side of one a point lies, over which part,
 * and how far from the nearest. */
#ifndef SIM_TRAVERSE_FACE_H
#define SIM_TRAVERSE_FACE_H

#include <stdbool.h>

#include "sim_traverse.h"
#include "sim_vec.h"

/* The plane of a triangle. */
typedef struct sim_traverse_face {
  double corner[3]; /* position of the first corner */
  double normal[3]; /* unit; 0 where the triangle has no area */
  /* along[0] . (p - corner) is the weight of the second corner, along[1] of the third; NaN where rounding
   * would spoil it. */
  double along[2][3];
} sim_traverse_face;

/* All planes of a surface. hull and x are borrowed. */
typedef struct sim_traverse_sheet {
  const sim_hull *hull;
  const double (*x)[3];
  sim_traverse_face *face; /* n_triangles */
  /* The planes again in single precision: normal, and its product with (corner - origin). A plane decides the
   * side of a point that is further than doubt_m from it. */
  float (*plane)[4];
  double origin[3];
  float doubt_m;
} sim_traverse_sheet;

/* Computes the planes of the surface at s->x. origin: from where places count in single precision. */
void sim_traverse_sheet_lay(sim_traverse_sheet *s, const double origin[3]);
/* Sets doubt_m. extent_m: all points asked about and the surface are within it of the origin, summed over the
 * axes. */
void sim_traverse_sheet_trust(sim_traverse_sheet *s, double extent_m);

/* Signed height of p over the triangle's plane [m]. */
static inline double sim_traverse_over(const sim_traverse_sheet *s, int triangle, const double p[3]) {
  double d[3];
  sim_sub(p, s->face[triangle].corner, d);
  return sim_dot(s->face[triangle].normal, d);
}

/* Weights of p's projection onto the plane. Returns false where the triangle has no area. */
bool sim_traverse_project(const sim_traverse_sheet *s, int triangle, const double p[3], double weight[3]);

/* Returns true if p's projection lies inside of the triangle, off its edges. Then it is the closest point,
 * and *closest is set. */
static inline bool sim_traverse_inside(const sim_traverse_sheet *s, int triangle, const double p[3],
                                       sim_closest_point *closest) {
  const sim_traverse_face *f = &s->face[triangle];
  double d[3];
  sim_sub(p, f->corner, d);
  double b = sim_dot(f->along[0], d), c = sim_dot(f->along[1], d), a = 1 - b - c;
  if (!(a > 0 && b > 0 && c > 0)) return false;
  closest->triangle = triangle;
  closest->weight[0] = a, closest->weight[1] = b, closest->weight[2] = c;
  closest->distance_m = sim_dot(f->normal, d);
  return true;
}

/* The nearest point found so far. The sign of its distance is not known yet. */
typedef struct sim_traverse_near {
  int triangle, part; /* part: see sim_triangle_nearest */
  double weight[3];
  double away[3], away2; /* from the nearest point to p; its square */
} sim_traverse_near;

/* Measures a triangle. If its nearest point is nearer than *near, or as near with a lower triangle number,
 * replaces *near and returns true. So the order in which triangles are measured does not matter. */
bool sim_traverse_measure(const sim_traverse_sheet *s, int triangle, const double p[3],
                          sim_traverse_near *near);
/* Sets *closest from *near, with the sign of the angle-weighted normal. */
void sim_traverse_stand(const sim_traverse_sheet *s, const double p[3], const sim_traverse_near *near,
                        sim_closest_point *closest);

/* Plain comparisons, since fmin and fmax are calls. */
static inline double sim_traverse_least(double a, double b, double c) {
  double m = a < b ? a : b;
  return m < c ? m : c;
}
static inline double sim_traverse_most(double a, double b, double c) {
  double m = a > b ? a : b;
  return m > c ? m : c;
}

/* Whether the triangle's box is within reach of the point. */
static inline bool sim_traverse_within(const sim_traverse_sheet *s, int triangle, const double p[3],
                                       double reach) {
  const int *v = s->hull->triangle[triangle];
  const double *a = s->x[v[0]], *b = s->x[v[1]], *c = s->x[v[2]];
  for (int k = 0; k < 3; k++)
    if (p[k] < sim_traverse_least(a[k], b[k], c[k]) - reach ||
        p[k] > sim_traverse_most(a[k], b[k], c[k]) + reach)
      return false;
  return true;
}

/* Position [m] of a closest point. */
void sim_traverse_place_of(const sim_traverse_sheet *s, const sim_closest_point *closest, double point[3]);
/* Unit normal at a closest point: of its triangle, or of the triangles at its edge or corner together. */
void sim_traverse_normal_of(const sim_traverse_sheet *s, const sim_closest_point *closest, double normal[3]);

#endif
