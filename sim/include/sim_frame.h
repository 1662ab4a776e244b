/* A cloth at one time, with the fields that one looks at: what writers and pictures take. */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include "sim_cloth.h"

typedef struct sim_frame {
  const sim_mesh *mesh; /* not owned */
  double time_s;
  double (*position_m)[3], (*velocity_m_per_s)[3]; /* n_vertices */
  double *pressure_Pa;                        /* n_vertices: normal force of the body that is touched over the vertex's area; 0: none */
  double *slip_m_per_s;                       /* n_vertices: speed along that body where it slides; 0 where it holds */
  int *body;                                  /* n_vertices: number of that body, from 0; -1: none */
  double (*strain)[3], (*curvature_per_m)[3]; /* n_triangles: uu, vv, uv (warp, weft, between): Green-Lagrange; of the surface */
} sim_frame;

/* All zero, at the mesh's own positions. Caller: sim_frame_clear, even after a failure. The mesh must outlive it. */
CB_CHECKED cb_status sim_frame_init(const sim_mesh *mesh, sim_frame *out, cb_err *err);
void sim_frame_clear(sim_frame *frame);

/* The cloth as it is now; its mesh is the frame's. */
void sim_frame_take(const sim_cloth *cloth, sim_frame *frame);

#endif
