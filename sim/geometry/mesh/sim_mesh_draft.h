/* A flat mesh in the making: points and triangles, and which points keep their place. */
#ifndef SIM_MESH_DRAFT_H
#define SIM_MESH_DRAFT_H

#include <stdbool.h>

#include "sim_mesh.h"

#define SIM_MESH_MAX_VERTICES 10000000

typedef struct sim_draft {
  int n_vertices, n_triangles;
  double (*point_m)[2];
  int (*triangle)[3];
  unsigned char *curve; /* 0: moves freely; else the border or circle that it stays on */
} sim_draft;

/* Room for so many; the counts begin at 0 and grow by the two functions that add. */
CB_CHECKED cb_status sim_draft_init(sim_draft *d, int n_vertices, int n_triangles, cb_err *err);
void sim_draft_clear(sim_draft *d);
void sim_draft_vertex(sim_draft *d, double x_m, double y_m, int curve);
void sim_draft_triangle(sim_draft *d, int a, int b, int c);

/* A row of vertices: vertex `first` + i % n lies at i = 0 ... steps on the row's own scale. An open row has
 * steps = n - 1, a closed one n.
 */
typedef struct sim_draft_row {
  int first, n, steps;
  double (*at)(const struct sim_draft_row *row, int i);
  double from, scale; /* of the row's kind */
} sim_draft_row;

/* Triangles between two rows, counter-clockwise if `right` lies to the right of `left` as their scales run:
 * the shorter diagonal each time.
 */
void sim_draft_zip(sim_draft *d, const sim_draft_row *right, const sim_draft_row *left);

/* Numbers it for caches and makes it a mesh whose warp lies at warp_rad from x. */
CB_CHECKED cb_status sim_draft_finish(const sim_draft *d, double warp_rad, sim_mesh *out, cb_err *err);

/* The edge length between shortest_m and longest_m whose number of vertices comes nearest to the one wanted;
 * count falls with the length.
 */
double sim_draft_edge(double (*count)(const void *context, double edge), const void *context, double wanted,
                      double shortest_m, double longest_m);

#endif
