/* The surface's triangles as the traversal asks them: on which side a point is, over which of their places,
 * how far from the nearest. */
#ifndef SIM_TRAVERSE_FACE_H
#define SIM_TRAVERSE_FACE_H

#include <stdbool.h>

#include "sim_traverse.h"
#include "sim_vec.h"

typedef struct sim_traverse_face {
  double corner[3];   /* the first one's place */
  double normal[3];   /* unit; 0 where the triangle has no area */
  double along[2][3]; /* weight of the second and third corner: along . (p - corner); NaN where rounding would
                         spoil it */
} sim_traverse_face;

typedef struct sim_traverse_sheet {
  const sim_hull *hull;
  const double (*x)[3];
  sim_traverse_face *face; /* n_triangles */
  /* The same planes in single precision, as a point further off than doubt_m is sure of its side: normal, and
   * its product with the corner. Places are taken from `origin`. */
  float (*plane)[4];
  double origin[3];
  float doubt_m;
} sim_traverse_sheet;

/* Of the surface at x. */
void sim_traverse_sheet_lay(sim_traverse_sheet *s, const double origin[3]);
/* Points asked about and the surface are within this, sum of the three directions, from the origin. */
void sim_traverse_sheet_trust(sim_traverse_sheet *s, double extent_m);

static inline double sim_traverse_over(const sim_traverse_sheet *s, int triangle, const double p[3]) {
  double d[3];
  sim_sub(p, s->face[triangle].corner, d);
  return sim_dot(s->face[triangle].normal, d);
}

/* Weights of the projection onto the plane: false where the triangle has no area. */
bool sim_traverse_project(const sim_traverse_sheet *s, int triangle, const double p[3], double weight[3]);

/* Whether the point's projection lies within the triangle, off its edges: then it is the closest point. */
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

/* The nearest place so far, on which side of the surface is not asked yet. */
typedef struct sim_traverse_near {
  int triangle, part; /* part: as sim_triangle_nearest has it */
  double weight[3];
  double away[3], away2; /* from it to the point; its square */
} sim_traverse_near;

/* Whether the triangle's nearest place is nearer; or as near, and its number lower: then the order in which
 * triangles are measured does not matter. */
bool sim_traverse_measure(const sim_traverse_sheet *s, int triangle, const double p[3],
                          sim_traverse_near *near);
/* The closest point there, with the sign of the angle-weighted normal. */
void sim_traverse_stand(const sim_traverse_sheet *s, const double p[3], const sim_traverse_near *near,
                        sim_closest_point *closest);

/* Plain comparisons: fmin and fmax are calls. */
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

void sim_traverse_place_of(const sim_traverse_sheet *s, const sim_closest_point *closest, double point[3]);
/* Unit, of the part of the triangle that holds the closest point. */
void sim_traverse_normal_of(const sim_traverse_sheet *s, const sim_closest_point *closest, double normal[3]);

#endif
