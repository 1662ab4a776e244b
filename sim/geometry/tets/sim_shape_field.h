/* The function of a body (sim_shape.h), made ready for many points. */
#ifndef SIM_SHAPE_FIELD_H
#define SIM_SHAPE_FIELD_H

#include "sim_shape.h"

typedef struct sim_shape_placed {
  sim_shape_kind kind;
  double origin[3], axis[3][3]; /* axis: its own x, y, z in the world */
  double half[3], round, reach; /* reach: of the ball around its middle that holds it */
} sim_shape_placed;

typedef struct sim_shape_field {
  const sim_shape_body *body; /* borrowed */
  sim_shape_placed part[SIM_SHAPE_PARTS], cut[SIM_SHAPE_CUTS];
  double steepest;        /* no gradient is longer */
  double low[3], high[3]; /* the body lies between */
} sim_shape_field;

void sim_shape_field_init(sim_shape_field *f, const sim_shape_body *body);

/* gradient may be NULL. */
double sim_shape_field_at(const sim_shape_field *f, const double x[3], double gradient[3]);

/* x moved along the gradient to where the function is `level`, so many Newton steps; returns the unit
 * gradient there in normal. */
void sim_shape_field_project(const sim_shape_field *f, double level, int steps, double x[3],
                             double normal[3]);

#endif
