/* What a picture shows, in one numbering, and how much light comes where. */
#ifndef SIM_PICTURE_STAGE_H
#define SIM_PICTURE_STAGE_H

#include "sim_picture.h"
#include "sim_raster.h"

typedef struct sim_stage {
  const sim_drawn *surface;
  int n_vertices, n_triangles;
  double (*x)[3];
  float (*normal)[3]; /* of vertices, unit */
  float (*sky)[2];    /* of vertices: light of the sky on the face and on the back, 0 to 1 */
  int (*triangle)[3];
  int *of;                 /* of triangles: which surface */
  bool *ground;            /* of triangles */
  double middle[3], reach; /* a ball around all but the ground */

  sim_camera lamp;
  sim_raster shadow;
  float (*seen)[3]; /* scratch: the vertices as a camera sees them */
} sim_stage;

CB_CHECKED cb_status sim_stage_init(const sim_drawn *surface, int n, const double lamp[3], sim_stage *out,
                                    cb_err *err);
void sim_stage_clear(sim_stage *s);

/* `seen` from this camera. */
void sim_stage_see(sim_stage *s, const sim_camera *c);

/* Share of the lamp's light that reaches a point with this unit normal, 0 to 1; soft at the shadow's edge. */
float sim_stage_lamp(const sim_stage *s, const double x[3], const float normal[3]);

#endif
