/* A flat triangulation that changes: vertices and triangles come and go, and carry what the cloth has
 * there. */
#ifndef SIM_MESH_EDIT_H
#define SIM_MESH_EDIT_H

#include "sim_remesh.h"

#define SIM_RING 48 /* triangles at a vertex, at most: what would have more is not done */

typedef struct sim_patch_vertex {
  double cloth_m[2], made_m[3], x_m[3], v_m_per_s[3];
  double metric[3]; /* uu, uv, vv */
  double load_kg, mass_kg;
  int at;   /* a triangle; -1: gone */
  int from; /* -1: new */
  bool gripped;
} sim_patch_vertex;

typedef struct sim_patch_triangle {
  int vertex[3], neighbour[3]; /* across the edge opposite to each corner; -1: border. vertex[0] = -1: gone */
  double history[SIM_REMESH_HISTORY];
  int stamp; /* the round that changed it last */
} sim_patch_triangle;

typedef struct sim_mesh_edit {
  sim_patch_vertex *vertex;
  sim_patch_triangle *triangle;
  int n_vertices, n_triangles; /* with those that are gone */
  size_t vertices_capacity, triangles_capacity;
  double density_kg_per_m2;
  double shift_m; /* no flip, no collapse moves the surface by more: INFINITY at first */
  int round;
} sim_mesh_edit;

CB_CHECKED cb_status sim_mesh_edit_init(const sim_remesh_state *sheet, const double (*metric)[3],
                                        double density_kg_per_m2, sim_mesh_edit *p, cb_err *err);
void sim_mesh_edit_clear(sim_mesh_edit *p);
CB_CHECKED cb_status sim_mesh_edit_finish(const sim_mesh_edit *p, sim_remesh_state *out, cb_err *err);

static inline int sim_after(int corner) { return corner == 2 ? 0 : corner + 1; }
static inline int sim_before(int corner) { return corner == 0 ? 2 : corner - 1; }
static inline int sim_corner_of(const sim_patch_triangle *t, int vertex) {
  return t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2;
}

/* The corners (3 * triangle + corner) around a vertex, counter-clockwise, from the border on where it has
 * one. Returns how many, or SIM_RING + 1 where there are more than SIM_RING. */
int sim_mesh_edit_ring(const sim_mesh_edit *p, int vertex, int corner[SIM_RING]);
/* The vertices around, in the same order: n of them, one more at the border. */
int sim_mesh_edit_around(const sim_mesh_edit *p, const int *corner, int n, int out[SIM_RING + 1]);
/* The half edge (3 * triangle + corner opposite to it) of two vertices, or -1. */
int sim_mesh_edit_half(const sim_mesh_edit *p, int a, int b);

double sim_mesh_edit_area(const sim_mesh_edit *p, const int vertex[3]);
/* Squared, in the metric. */
double sim_mesh_edit_length2(const sim_mesh_edit *p, int a, int b);
/* In the metric: 1 equilateral, <= 0 turned over. */
double sim_mesh_edit_quality(const sim_mesh_edit *p, const int vertex[3]);

/* The three operations, on half edges; whether they may be done is asked below. Split makes the vertex
 * n_vertices. */
CB_CHECKED cb_status sim_mesh_edit_split(sim_mesh_edit *p, int half, cb_err *err);
void sim_mesh_edit_flip(sim_mesh_edit *p, int half);
/* `gone` into `stays`, its neighbour. */
void sim_mesh_edit_collapse(sim_mesh_edit *p, int gone, int stays);

/* May it be flipped; is it not Delaunay? */
bool sim_mesh_edit_may_flip(const sim_mesh_edit *p, int half);
bool sim_mesh_edit_wants_flip(const sim_mesh_edit *p, int half);
bool sim_mesh_edit_may_collapse(const sim_mesh_edit *p, int gone, int stays);

#endif
