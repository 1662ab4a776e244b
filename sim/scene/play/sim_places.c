#include "sim_places.h"

#include <math.h>
#include <string.h>

/* A point so far outside of a triangle, as a share of the triangle's height, is inside. */
#define ON_BORDER 1e-9

static double doubled_area(const double a[2], const double b[2], const double p[2]) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static void weights_of(const sim_mesh *m, int triangle, const double at[2], double weight[3]) {
  const double(*c)[2] = (const double(*)[2])m->corner_m[triangle];
  const double whole = doubled_area(c[0], c[1], c[2]);
  for (int k = 0; k < 3; k++) weight[k] = doubled_area(c[(k + 1) % 3], c[(k + 2) % 3], at) / whole;
}

static int lowest_of(const double weight[3]) {
  if (weight[0] <= weight[1] && weight[0] <= weight[2]) return 0;
  return weight[1] <= weight[2] ? 1 : 2;
}

/* How far the point is outside, over the triangle's size. */
static double outside_of(const sim_mesh *m, int triangle, const double weight[3]) {
  return -weight[lowest_of(weight)] * sqrt(m->area_m2[triangle]);
}

static int nearest_of(const sim_mesh *m, const sim_play_part *part, const double at[2]) {
  int nearest = part->first_triangle;
  double least = INFINITY, weight[3];
  for (int t = part->first_triangle; t < part->first_triangle + part->n_triangles; t++) {
    weights_of(m, t, at, weight);
    const double outside = outside_of(m, t, weight);
    if (outside < least) least = outside, nearest = t;
  }
  return nearest;
}

/* Walks over the side that the point is farthest beyond. At a border, or in a loop, tests every triangle. */
static int find_triangle(const sim_mesh *m, const sim_play_part *part, int triangle, const double at[2]) {
  double weight[3];
  for (int steps = 0; triangle >= 0 && steps < part->n_triangles; steps++) {
    weights_of(m, triangle, at, weight);
    const int lowest = lowest_of(weight);
    if (weight[lowest] >= -ON_BORDER) return triangle;
    triangle = sim_mesh_across(m, triangle, lowest);
  }
  return nearest_of(m, part, at);
}

/* Finds the material point of every vertex of a part of `from` in the same part of `to`. place: per vertex of
 * the part. A point outside of `to` belongs to the nearest triangle; one of its weights is below 0. */
static void find_places(const sim_mesh *from, const sim_play_part *part_from, const sim_mesh *to,
                        const sim_play_part *part_to, sim_place *place) {
  int triangle = part_to->first_triangle;
  for (int i = 0; i < part_from->n_vertices; i++) {
    const int corner = from->fan[from->fan_start[part_from->first_vertex + i]];
    const double *at = from->corner_m[corner / 3][corner % 3];
    triangle = find_triangle(to, part_to, triangle, at);
    weights_of(to, triangle, at, place[i].weight);
    memcpy(place[i].vertex, to->triangle[triangle], sizeof place[i].vertex);
  }
}

void sim_places_of_play(const sim_play *from, const sim_play *to, sim_place *place) {
  for (int k = 0; k < sim_play_parts(from); k++) {
    const sim_play_part of = sim_play_part_of(from, k), in = sim_play_part_of(to, k);
    find_places(sim_play_mesh(from), &of, sim_play_mesh(to), &in, place + of.first_vertex);
  }
}

void sim_place_at(const sim_place *p, const double (*x)[3], double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = p->weight[0] * x[p->vertex[0]][c] + p->weight[1] * x[p->vertex[1]][c] +
             p->weight[2] * x[p->vertex[2]][c];
}
