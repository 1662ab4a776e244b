/* The function of a body (sim_shape.h), prepared for many points. */
#ifndef SIM_SHAPE_FIELD_H
#define SIM_SHAPE_FIELD_H

#include "sim_shape.h"

typedef struct sim_shape_placed {
  sim_shape_kind kind;
  double origin[3], axis[3][3]; /* the part's own x, y, z axes in the world */
  double half[3], round, reach; /* reach: radius of a ball around the centre that holds the part */
} sim_shape_placed;

typedef struct sim_shape_field {
  const sim_shape_body *body; /* borrowed */
  sim_shape_placed part[SIM_SHAPE_PARTS], cut[SIM_SHAPE_CUTS];
  double steepest;        /* upper bound of the gradient's length */
  double low[3], high[3]; /* a box that holds the body */
} sim_shape_field;

/* Prepares f. body is borrowed and must outlive it. */
void sim_shape_field_init(sim_shape_field *f, const sim_shape_body *body);

/* Returns the function at x [m], < 0 inside, and its gradient; gradient may be NULL. */
double sim_shape_field_at(const sim_shape_field *f, const double x[3], double gradient[3]);

/* Moves x along the gradient to where the function is `level`, by `steps` Newton steps. normal: unit gradient
 * there. */
void sim_shape_field_project(const sim_shape_field *f, double level, int steps, double x[3],
                             double normal[3]);

#endif
