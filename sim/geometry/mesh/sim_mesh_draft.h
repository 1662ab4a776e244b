/* A flat mesh under construction: points, triangles, and which points keep their place. */
#ifndef SIM_MESH_DRAFT_H
#define SIM_MESH_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_mesh.h"

#define SIM_MESH_MAX_VERTICES 10000000

/* A draft; owns its arrays. The capacity is fixed by sim_draft_init. */
typedef struct sim_draft {
  int n_vertices, n_triangles;
  double (*point_m)[2];
  int (*triangle)[3];
  unsigned char *curve; /* 0: the point moves freely; else the border or circle on which it stays */
} sim_draft;

/* Allocates room for so many vertices and triangles. The counts begin at 0; sim_draft_vertex and
 * sim_draft_triangle add one each and do not check the room. After an error the draft is empty. Caller:
 * sim_draft_clear. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_draft_init(sim_draft *d, int n_vertices, int n_triangles, cb_err *err);
void sim_draft_clear(sim_draft *d);
void sim_draft_vertex(sim_draft *d, double x_m, double y_m, int curve);
void sim_draft_triangle(sim_draft *d, int a, int b, int c);

/* A row of vertices. Position i = 0 ... steps of the row is vertex `first` + i % n; at(row, i) is its place
 * on the row's scale. An open row has steps = n - 1, a closed one n. */
typedef struct sim_draft_row {
  int first, n, steps;
  double (*at)(const struct sim_draft_row *row, int i);
  double from, scale; /* for `at`; their meaning depends on the kind of row */
} sim_draft_row;

/* Fills the strip between two rows with triangles, taking the shorter diagonal each time. They turn
 * counter-clockwise if `right` lies to the right of `left` as their scales run. */
void sim_draft_zip(sim_draft *d, const sim_draft_row *right, const sim_draft_row *left);

/* Numbers the draft for caches (sim_mesh_order) and makes it a mesh in z = 0 whose warp is at warp_rad from
 * x. Caller: sim_mesh_clear. Errors: those of sim_mesh_build. */
CB_CHECKED cb_status sim_draft_finish(const sim_draft *d, double warp_rad, sim_mesh *out, cb_err *err);

/* Returns the edge length between shortest_m and longest_m that gives a number of vertices nearest to
 * `wanted`. count must fall with the length. Bisection. */
double sim_draft_edge(double (*count)(const void *context, double edge), const void *context, double wanted,
                      double shortest_m, double longest_m);

/* A flat triangulation whose edges can be flipped (Lawson 1977): a draft with the neighbours of its
 * triangles. */

typedef struct sim_flip {
  sim_draft *draft;    /* borrowed */
  int (*neighbour)[3]; /* the triangle across the edge opposite to each corner; -1 on the border */
  int *at;             /* one triangle of each vertex */
} sim_flip;

/* Finds the neighbours. Later flips change the draft, which must outlive f. After an error f is empty.
 * Caller: sim_flip_clear. Errors: those of sim_mesh_build. */
CB_CHECKED cb_status sim_flip_init(sim_flip *f, sim_draft *draft, cb_err *err);
void sim_flip_clear(sim_flip *f);

/* Flips edges until all are Delaunay. Edges along a curve stay, and so do edges whose flip would join two
 * vertices of one curve. */
void sim_flip_delaunay(sim_flip *f);

/* Returns the triangle after t, counter-clockwise around vertex v. *corner is the corner of v in t, on return
 * its corner in the new triangle. v must not be on the border. */
int sim_flip_next(const sim_flip *f, int v, int t, int *corner);

/* Irregular meshes: the vertices of a regular draft are displaced at random, then relaxed
 * (docs/reference/meshes.md). */

/* The wanted edge length at a place. */
typedef struct sim_sizing {
  double (*edge_m)(const void *context, const double at_m[2]);
  const void *context;
} sim_sizing;

/* Makes a draft irregular. Vertices on curves keep their places, and edges along curves stay edges. The same
 * seed gives the same draft. Errors: those of sim_flip_init. */
CB_CHECKED cb_status sim_draft_relax(sim_draft *d, const sim_sizing *sizing, uint64_t seed, cb_err *err);

#endif
