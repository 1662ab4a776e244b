/* A mesh under edit: a flat triangulation whose vertices and triangles are added and removed, and which
 * carries the state of the cloth. A half edge is 3 * triangle + the corner opposite to the edge. A corner is
 * 3 * triangle + corner. */
#ifndef SIM_MESH_EDIT_H
#define SIM_MESH_EDIT_H

#include "sim_remesh.h"

#define SIM_RING 48 /* most triangles at a vertex; operations that would give more are refused */

typedef struct sim_patch_vertex {
  double cloth_m[2], made_m[3], x_m[3], v_m_per_s[3];
  double metric[3]; /* uu, uv, vv */
  double load_kg, mass_kg;
  int at;   /* one of its triangles; -1: removed */
  int from; /* its number in the old mesh; -1: new */
  bool gripped;
} sim_patch_vertex;

typedef struct sim_patch_triangle {
  int vertex[3], neighbour[3]; /* neighbour: across the edge opposite to each corner, -1 at the border;
                                       vertex[0] = -1: the triangle is removed */
  double history[SIM_REMESH_HISTORY];
  int stamp; /* last round that changed it */
} sim_patch_triangle;

typedef struct sim_mesh_edit {
  sim_patch_vertex *vertex;
  sim_patch_triangle *triangle;
  int n_vertices, n_triangles; /* with removed ones */
  size_t vertices_capacity, triangles_capacity;
  double density_kg_per_m2;
  double shift_m;       /* most distance by which a flip or collapse moves the surface; INFINITY at first */
  sim_remesh_fits fits; /* what a triangle that a flip or collapse makes must do; NULL: nothing */
  const void *fits_of;
  int round;
} sim_mesh_edit;

/* Copies a cloth into a mesh under edit. metric is M_uu, M_uv, M_vv per vertex [1/m2]. Clear *p even after
 * an error. Errors: a seam (a vertex with several places in the flat cloth), two pieces that meet in one
 * vertex, a metric that is not finite and positive definite, memory. */
CB_CHECKED cb_status sim_mesh_edit_init(const sim_remesh_state *sheet, const double (*metric)[3],
                                        double density_kg_per_m2, sim_mesh_edit *p, cb_err *err);
void sim_mesh_edit_clear(sim_mesh_edit *p);
/* Builds a renumbered mesh and state from what is left. *out is empty after an error. */
CB_CHECKED cb_status sim_mesh_edit_finish(const sim_mesh_edit *p, sim_remesh_state *out, cb_err *err);

/* The next and the previous corner of a triangle; the corner at which a vertex stands. */
static inline int sim_after(int corner) { return corner == 2 ? 0 : corner + 1; }
static inline int sim_before(int corner) { return corner == 0 ? 2 : corner - 1; }
static inline int sim_corner_of(const sim_patch_triangle *t, int vertex) {
  return t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2;
}

/* Lists the corners around a vertex, counter-clockwise, from the border on where there is one. Returns their
 * number, or SIM_RING + 1 if there are more than SIM_RING. */
int sim_mesh_edit_ring(const sim_mesh_edit *p, int vertex, int corner[SIM_RING]);
/* Lists the vertices around a ring of n corners in the same order. Returns their number: n, or n + 1 at the
 * border. */
int sim_mesh_edit_around(const sim_mesh_edit *p, const int *corner, int n, int out[SIM_RING + 1]);
/* Returns the half edge between two vertices, or -1. */
int sim_mesh_edit_half(const sim_mesh_edit *p, int a, int b);

/* Signed area in the flat cloth [m2]. */
double sim_mesh_edit_area(const sim_mesh_edit *p, const int vertex[3]);
/* Squared length of an edge in the metric. */
double sim_mesh_edit_length2(const sim_mesh_edit *p, int a, int b);
/* Quality of a triangle in the metric: 1 is equilateral, <= 0 is inverted. */
double sim_mesh_edit_quality(const sim_mesh_edit *p, const int vertex[3]);

/* The three operations. They do not check whether they are allowed: see below. A split adds the vertex with
 * the number n_vertices at the midpoint. Error: memory. */
CB_CHECKED cb_status sim_mesh_edit_split(sim_mesh_edit *p, int half, cb_err *err);
void sim_mesh_edit_flip(sim_mesh_edit *p, int half);
/* Removes the vertex `gone`; its triangles go over to its neighbour `stays`. */
void sim_mesh_edit_collapse(sim_mesh_edit *p, int gone, int stays);

/* Whether a flip or collapse is allowed, and whether an edge is not Delaunay in the metric. */
bool sim_mesh_edit_may_flip(const sim_mesh_edit *p, int half);
bool sim_mesh_edit_wants_flip(const sim_mesh_edit *p, int half);
bool sim_mesh_edit_may_collapse(const sim_mesh_edit *p, int gone, int stays);

/* Runs all rounds and fills *report, except report->kept. Error: memory. */
CB_CHECKED cb_status sim_remesh_rounds(sim_mesh_edit *p, sim_remesh_report *report, cb_err *err);

#endif
