/* Quality figures of a mesh in the material plane: angles, edge lengths, area, border, numbering. */
#ifndef MESHQUALITY_H
#define MESHQUALITY_H

#include <math.h>
#include <stdlib.h>

#include "sim_mesh.h"

typedef struct sim_mesh_quality {
  double angle_min_rad, angle_max_rad;
  double edge_min_m, edge_mean_m, edge_max_m;
  double area_m2, border_m;
  int n_border_edges;
  int euler;     /* vertices - edges + triangles: 1 for a disc, 0 for a ring */
  int bandwidth; /* largest difference between the numbers of two joined vertices */
} sim_mesh_quality;

static inline void look_at_angles(const double c[3][2], sim_mesh_quality *q) {
  for (int k = 0; k < 3; k++) {
    const double *p = c[k], *a = c[(k + 1) % 3], *b = c[(k + 2) % 3];
    double ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1];
    double angle = atan2(ax * by - ay * bx, ax * bx + ay * by);
    q->angle_min_rad = fmin(q->angle_min_rad, angle);
    q->angle_max_rad = fmax(q->angle_max_rad, angle);
  }
}

/* Length in the cloth, from the edge's first triangle. */
static inline double edge_length(const sim_mesh *m, const sim_edge *e) {
  const double(*c)[2] = (const double(*)[2])m->corner_m[e->triangle[0]];
  const double *a = c[(e->opposite[0] + 1) % 3], *b = c[(e->opposite[0] + 2) % 3];
  return hypot(b[0] - a[0], b[1] - a[1]);
}

static inline sim_mesh_quality sim_mesh_quality_of(const sim_mesh *m) {
  sim_mesh_quality q = {.angle_min_rad = INFINITY,
                        .edge_min_m = INFINITY,
                        .euler = m->n_vertices - m->n_edges + m->n_triangles};
  for (int t = 0; t < m->n_triangles; t++) {
    look_at_angles((const double(*)[2])m->corner_m[t], &q);
    q.area_m2 += m->area_m2[t];
  }
  for (int i = 0; i < m->n_edges; i++) {
    const sim_edge *e = &m->edge[i];
    double length = edge_length(m, e);
    int apart = abs(e->vertex[0] - e->vertex[1]);
    q.edge_min_m = fmin(q.edge_min_m, length);
    q.edge_max_m = fmax(q.edge_max_m, length);
    q.edge_mean_m += length / m->n_edges;
    if (apart > q.bandwidth) q.bandwidth = apart;
    if (e->triangle[1] < 0) {
      q.border_m += length;
      q.n_border_edges++;
    }
  }
  return q;
}

#endif
