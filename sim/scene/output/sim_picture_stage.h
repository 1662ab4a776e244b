/* The stage of a picture: all surfaces in one numbering, and the light on them. */
#ifndef SIM_PICTURE_STAGE_H
#define SIM_PICTURE_STAGE_H

#include "sim_picture.h"
#include "sim_raster.h"

static inline float sim_picture_dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* Gives a vector the length 1; 0 stays 0. */
void sim_picture_unit(float v[3]);

typedef struct sim_picture_stage {
  const sim_drawn *surface;
  int n_surfaces, n_vertices, n_triangles;
  double (*x)[3];
  float (*normal)[3];                /* per vertex, unit length */
  float (*face)[3], (*corner)[3][3]; /* per triangle: its area vector, twice as long; the normals at its
                                        corners, unit length: smooth but for creases */
  float (*sky)[2];                   /* per vertex: light of the sky on the face and on the back, 0 to 1 */
  int (*triangle)[3];
  int *of;                 /* per triangle: its surface */
  bool *ground;            /* per triangle */
  double middle[3], reach; /* a sphere around all but the ground */

  sim_camera lamp;
  sim_raster shadow;
  float (*seen)[3]; /* scratch: vertices as seen by a camera (sim_camera_see) */
} sim_picture_stage;

/* Gathers n surfaces and lights them; lamp is the unit vector to the lamp. Clear *out even after an error.
 * Errors: CB_E_RANGE if all surfaces are ground; memory. */
CB_CHECKED cb_status sim_picture_stage_init(const sim_drawn *surface, int n, const double lamp[3],
                                            sim_picture_stage *out, cb_err *err);
void sim_picture_stage_clear(sim_picture_stage *s);

/* Fills `seen` for this camera. */
void sim_picture_stage_see(sim_picture_stage *s, const sim_camera *c);

/* Returns the share of the lamp's light that reaches a point with this unit normal, 0 to 1. The edge of the
 * shadow is soft. */
float sim_picture_stage_lamp(const sim_picture_stage *s, const double x[3], const float normal[3]);

#endif
