/* Properties of a cloth in its material plane. Is it one piece with a convex outline? Then straight lines
 * between its points stay in it. */
#include <math.h>
#include <stdlib.h>

#include "sim_bvh_impl.h"

#define PI 3.14159265358979323846
#define ROUNDING 1e-6 /* of sums of angles [rad]: smaller dents do not count */

static const double *corner_of(const sim_mesh *mesh, int triangle, int vertex) {
  for (int k = 0; k < 3; k++)
    if (mesh->triangle[triangle][k] == vertex) return mesh->corner_m[triangle][k];
  return NULL;
}

static bool has_seam(const sim_mesh *mesh) {
  for (int e = 0; e < mesh->n_edges; e++) {
    const sim_edge *edge = &mesh->edge[e];
    for (int k = 0; k < 2 && edge->triangle[1] >= 0; k++) {
      const double *p = corner_of(mesh, edge->triangle[0], edge->vertex[k]),
                   *q = corner_of(mesh, edge->triangle[1], edge->vertex[k]);
      if (p[0] != q[0] || p[1] != q[1]) return true;
    }
  }
  return false;
}

static double angle_at(double (*const m)[2], int k) {
  const double *p = m[k], *q = m[(k + 1) % 3], *r = m[(k + 2) % 3];
  double a = q[0] - p[0], b = q[1] - p[1], c = r[0] - p[0], d = r[1] - p[1];
  return atan2(a * d - b * c, a * c + b * d);
}

/* Without seams the mesh can be laid out in the plane. Around an inner vertex the angles add up to one turn.
 * On the outline they add up to at most half a turn. What is missing there adds up to one turn for each
 * outline around a piece, and to minus one around a hole. So a sum of one turn, without a dent, means one
 * convex piece. */
static bool outline_is_convex(const sim_mesh *mesh, const double *angle, const int *border_edges) {
  double turn = 0;
  for (int v = 0; v < mesh->n_vertices; v++) {
    if (border_edges[v] != 0 && border_edges[v] != 2) return false;
    double missing = (border_edges[v] == 0 ? 2 * PI : PI) - angle[v];
    if (missing < -ROUNDING || (border_edges[v] == 0 && missing > ROUNDING)) return false;
    if (border_edges[v] == 2) turn += missing;
  }
  return fabs(turn - 2 * PI) < 1;
}

cb_status sim_bvh_convex(const sim_mesh *mesh, bool *convex, cb_err *err) {
  *convex = false;
  if (has_seam(mesh)) return CB_OK;
  double *angle = calloc((size_t)mesh->n_vertices, sizeof *angle);
  int *border_edges = calloc((size_t)mesh->n_vertices, sizeof *border_edges);
  if (angle && border_edges) {
    for (int t = 0; t < mesh->n_triangles; t++)
      for (int k = 0; k < 3; k++) angle[mesh->triangle[t][k]] += angle_at(mesh->corner_m[t], k);
    for (int e = 0; e < mesh->n_edges; e++)
      for (int k = 0; k < 2 && mesh->edge[e].triangle[1] < 0; k++) border_edges[mesh->edge[e].vertex[k]]++;
    *convex = outline_is_convex(mesh, angle, border_edges);
  }
  const bool failed = !angle || !border_edges;
  free(angle);
  free(border_edges);
  return failed ? cb_no_memory(err, "boxes, the outline of %d vertices", mesh->n_vertices) : CB_OK;
}

void sim_bvh_sines(const sim_mesh *mesh, float *sine) {
  for (int v = 0; v < mesh->n_vertices; v++) sine[v] = 1;
  for (int t = 0; t < mesh->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      const double angle = angle_at(mesh->corner_m[t], k);
      float *least = &sine[mesh->triangle[t][k]];
      if (angle < PI / 2 && (float)sin(angle) < *least) *least = (float)sin(angle);
    }
}
