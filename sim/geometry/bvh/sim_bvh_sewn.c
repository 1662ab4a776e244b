/* Cloth that is not flat in one piece: gradients of the map from the shape in which it was made
 * (sim_query.h). */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim_bvh_impl.h"
#include "sim_vec.h"

/* ---- the shape ---- */

static void describe(const double (*x)[3], const int v[3], sim_sewn *out) {
  double e1[3], e2[3], normal[3], dual[3];
  sim_sub(x[v[1]], x[v[0]], e1);
  sim_sub(x[v[2]], x[v[0]], e2);
  sim_cross(e1, e2, normal);
  const double area = sim_norm(normal);
  *out = (sim_sewn){0};
  if (!(area > 1e-6 * (sim_dot(e1, e1) + sim_dot(e2, e2)))) return;
  out->per_area = (float)(1 / area);
  for (int k = 0; k < 3; k++) normal[k] /= area;
  sim_cross(e2, normal, dual);
  for (int k = 0; k < 3; k++) out->row[0][k] = (float)(dual[k] / area);
  sim_cross(normal, e1, dual);
  for (int k = 0; k < 3; k++) out->row[1][k] = (float)(dual[k] / area);
  for (int k = 0; k < 3; k++) out->row[2][k] = (float)normal[k];
}

/* The corner of a triangle: unit vectors along its two sides, and across both. */
typedef struct sector {
  double side[2][3], normal[3];
} sector;

static sector sector_of(const double (*x)[3], const int t[3], int k) {
  sector s;
  for (int i = 0; i < 2; i++) {
    sim_sub(x[t[(k + 1 + i) % 3]], x[t[k]], s.side[i]);
    const double length = sim_norm(s.side[i]);
    for (int c = 0; c < 3 && length > 0; c++) s.side[i][c] /= length;
  }
  sim_cross(s.side[0], s.side[1], s.normal);
  const double length = sim_norm(s.normal);
  for (int c = 0; c < 3 && length > 0; c++) s.normal[c] /= length;
  return s;
}

/* Whether a direction in the sector's plane lies within the sector. */
static bool lies_between(const sector *s, const double d[3]) {
  double left[3], right[3];
  sim_cross(s->side[0], d, left);
  sim_cross(d, s->side[1], right);
  return sim_dot(left, s->normal) >= 0 && sim_dot(right, s->normal) >= 0;
}

/* Greatest cosine between the direction and one of the sector's. */
static double nearness(const double d[3], const sector *s) {
  double closest[3];
  memcpy(closest, d, sizeof closest);
  sim_add(closest, -sim_dot(d, s->normal), s->normal);
  const double length = sim_norm(closest);
  if (length > 0 && lies_between(s, closest)) return length;
  return fmax(sim_dot(d, s->side[0]), sim_dot(d, s->side[1]));
}

/* Sine of the least angle between two sectors of a corner; 1 beyond a right angle, 0 where they cross. */
static double sine_between(const sector *a, const sector *b) {
  double line[3], cosine = 0;
  sim_cross(a->normal, b->normal, line);
  for (int sign = 0; sign < 2 && sim_norm(line) > 0; sign++) {
    for (int k = 0; k < 3; k++) line[k] = -line[k];
    if (lies_between(a, line) && lies_between(b, line)) return 0;
  }
  for (int i = 0; i < 2; i++) cosine = fmax(cosine, fmax(nearness(a->side[i], b), nearness(b->side[i], a)));
  return cosine < 1 ? sqrt(1 - cosine * cosine) : 0;
}

/* Sine of the least angle between triangles at a vertex. Triangles that share a side, too, are tested by the
 * side's argument. It needs a fold of at most a right angle; otherwise the result is 0. */
static float sine_at(const sim_mesh *mesh, int v) {
  const double(*x)[3] = (const sim_vec3 *)mesh->position_m;
  double least = 1;
  for (int i = mesh->fan_start[v]; i < mesh->fan_start[v + 1]; i++)
    for (int j = mesh->fan_start[v]; j < i; j++) {
      const int *s = mesh->triangle[mesh->fan[i] / 3], *t = mesh->triangle[mesh->fan[j] / 3];
      const sector a = sector_of(x, s, mesh->fan[i] % 3), b = sector_of(x, t, mesh->fan[j] % 3);
      int shared = 0;
      for (int k = 0; k < 9; k++) shared += s[k / 3] == t[k % 3];
      if (shared == 1) least = fmin(least, sine_between(&a, &b));
      if (shared > 1 && sim_dot(a.normal, b.normal) <= 0) return 0;
    }
  return (float)least;
}

cb_status sim_bvh_sewn(const sim_mesh *mesh, sim_bvh *tree, int first_triangle, int first_vertex,
                       cb_err *err) {
  if (!tree->sewn) tree->sewn = calloc((size_t)tree->n_slots, sizeof *tree->sewn);
  if (!tree->sewn) return cb_no_memory(err, "a BVH of %d triangles", tree->n_triangles);
  for (int t = 0; t < mesh->n_triangles; t++)
    describe((const sim_vec3 *)mesh->position_m, mesh->triangle[t],
             &tree->sewn[tree->slot[first_triangle + t]]);
  for (int v = 0; v < mesh->n_vertices; v++) tree->sine[first_vertex + v] = sine_at(mesh, v);
  return CB_OK;
}

/* ---- as it moves ---- */

#define LANES for (int l = 0; l < SIM_BVH_LEAF; l++)
typedef float lanes[SIM_BVH_LEAF];

/* F of a leaf's triangles, and its lesser stretch in their planes. */
CB_WIDE static void leaf_gradient(const sim_bvh *tree, int leaf, const double (*x)[3], lanes out[9],
                                  lanes stretch) {
  const sim_sewn *made = &tree->sewn[(ptrdiff_t)SIM_BVH_LEAF * leaf];
  lanes d[3][3], row[3][3], per_area, square = {0}, length;
  LANES {
    const int *v = tree->triangle[SIM_BVH_LEAF * leaf + l];
    for (int k = 0; k < 3; k++) {
      d[0][k][l] = (float)(x[v[1]][k] - x[v[0]][k]);
      d[1][k][l] = (float)(x[v[2]][k] - x[v[0]][k]);
      for (int r = 0; r < 3; r++) row[r][k][l] = made[l].row[r][k];
    }
    per_area[l] = made[l].per_area;
  }
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    LANES d[2][k][l] = d[0][a][l] * d[1][b][l] - d[0][b][l] * d[1][a][l];
  }
  LANES length[l] = sqrtf(d[2][0][l] * d[2][0][l] + d[2][1][l] * d[2][1][l] + d[2][2][l] * d[2][2][l]);
  for (int k = 0; k < 3; k++) LANES d[2][k][l] = length[l] > 0 ? d[2][k][l] / length[l] : 0;
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++) {
      LANES {
        const float plane = d[0][k][l] * row[0][c][l] + d[1][k][l] * row[1][c][l];
        square[l] += plane * plane;
        out[3 * c + k][l] = plane + d[2][k][l] * row[2][c][l];
      }
    }
  /* The lesser singular value, from the sum of squares and the product of both. */
  LANES {
    const float product = length[l] * per_area[l], inner = square[l] * square[l] / 4 - product * product;
    const float lesser = square[l] / 2 - sqrtf(inner > 0 ? inner : 0);
    stretch[l] = per_area[l] > 0 && lesser > 0 ? sqrtf(lesser) : 0;
  }
}

/* The stretch along the normal is 1. The middle differs from the start by the radius. */
void sim_bvh_refit_sewn(const sim_bvh *tree, int leaf, const double (*start)[3], const double (*end)[3]) {
  float(*to)[SIM_BVH_LEAF] = sim_bvh_rows(tree, leaf);
  lanes first[9], last[9], stretch, unused, square = {0};
  leaf_gradient(tree, leaf, start, first, stretch);
  if (start != end)
    leaf_gradient(tree, leaf, end, last, unused);
  else
    memcpy(last, first, sizeof last);
  for (int k = 0; k < 9; k++) LANES {
      to[SIM_BVH_MIDDLE + k][l] = (first[k][l] + last[k][l]) / 2;
      square[l] += (last[k][l] - first[k][l]) * (last[k][l] - first[k][l]);
    }
  LANES {
    to[SIM_BVH_RADIUS][l] = sqrtf(square[l]) / 2;
    to[SIM_BVH_FIRM][l] = tree->everything ? -1
                                           : (stretch[l] < 1 ? stretch[l] : 1) - 2 * to[SIM_BVH_RADIUS][l] -
                                                 (float)SIM_BVH_FLAT - SIM_BVH_SLACK;
  }
}
