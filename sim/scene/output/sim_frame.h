/* A cloth at one time, with the fields that one looks at: what writers and pictures take. */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include "sim_cloth.h"

/* A body in a layer: its surface alone. */
typedef struct sim_frame_body {
  bool rigid;
  int n_vertices, n_triangles;
  double (*position_m)[3], (*velocity_m_per_s)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
  int *vertex;        /* n_vertices: its number in the body */
} sim_frame_body;

/* A run of the mesh's triangles: a sheet, a case. */
typedef struct sim_frame_part {
  int layer, first_triangle, n_triangles; /* layer: whose case, from 0; -1: of none */
} sim_frame_part;

typedef struct sim_frame {
  const sim_mesh *mesh; /* not owned */
  double time_s;
  double (*position_m)[3], (*velocity_m_per_s)[3]; /* n_vertices */
  double *pressure_Pa;  /* n_vertices: normal force of the body that is touched over the vertex's area; 0:
                           none */
  double *slip_m_per_s; /* n_vertices: speed along that body where it slides; 0 where it holds */
  int *body;            /* n_vertices: number of that body, from 0; -1: none */
  double (*strain)[3], (*curvature_per_m)[3]; /* n_triangles: uu, vv, uv (warp, weft, between):
                                                 Green-Lagrange; of the surface */
  /* Of a scene with layers (sim_play.h); else NULL and 0. */
  double *air_over_Pa; /* n_vertices: pressure of the air under it, over the ambient; 0: no air */
  double *gap_m;       /* n_vertices: to the nearest of the bodies that it meets, signed; 0: it meets none */
  int n_layers, n_parts;
  sim_frame_body *layer;
  sim_frame_part *part;
} sim_frame;

/* All zero, at the mesh's own positions. Caller: sim_frame_clear, even after a failure. The mesh must outlive
 * it. */
CB_CHECKED cb_status sim_frame_init(const sim_mesh *mesh, sim_frame *out, cb_err *err);
void sim_frame_clear(sim_frame *frame);

/* The cloth as it is now; its mesh is the frame's. */
void sim_frame_take(const sim_cloth *cloth, sim_frame *frame);

#endif
