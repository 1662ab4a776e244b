/* A frame: a cloth at one time with its fields, as writers and pictures take it. */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include "sim_cloth.h"

/* The surface of a body in a layer. */
typedef struct sim_frame_body {
  bool rigid;
  int n_vertices, n_triangles;
  double (*position_m)[3], (*velocity_m_per_s)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
  int *vertex;        /* n_vertices: number of the vertex in the body */
} sim_frame_body;

/* A sheet or case, as a run of the mesh's triangles. */
typedef struct sim_frame_part {
  int layer, first_triangle, n_triangles; /* layer: of its body, from 0; -1: a sheet */
} sim_frame_part;

typedef struct sim_frame {
  const sim_mesh *mesh; /* not owned */
  double time_s;
  double (*position_m)[3], (*velocity_m_per_s)[3]; /* n_vertices */
  double *pressure_Pa;  /* n_vertices: normal force of the touched body over the area of the vertex; 0: no
                           contact */
  double *slip_m_per_s; /* n_vertices: speed along the touched body; 0: it sticks */
  int *body;            /* n_vertices: number of the touched body, from 0; -1: none */
  double (*strain)[3], (*curvature_per_m)[3]; /* n_triangles: uu, vv, uv (warp, weft, shear);
                                                 strain: Green-Lagrange; curvature: of the
                                                 surface */
  /* Of a scene with layers (sim_play.h); else NULL and 0. */
  double *air_over_Pa; /* n_vertices: pressure of the air below, over the ambient; 0: no air */
  double *gap_m;       /* n_vertices: signed distance to the nearest body that it meets; 0: it meets none */
  int n_layers, n_parts;
  sim_frame_body *layer;
  sim_frame_part *part;
} sim_frame;

/* Makes a frame at the mesh's own positions with all fields 0. The mesh must outlive it. The caller clears
 * it with sim_frame_clear, even after an error. Error: memory. */
CB_CHECKED cb_status sim_frame_init(const sim_mesh *mesh, sim_frame *out, cb_err *err);
void sim_frame_clear(sim_frame *frame);

/* Fills the frame from the present cloth, which must be of the frame's mesh. Layers, air and gaps stay.
 * Errors: CB_E_NOMEM, in the first frame of a cloth. */
CB_CHECKED cb_status sim_frame_take(const sim_cloth *cloth, sim_frame *frame, cb_err *err);

#endif
