/* When does a point that moves straight come through a triangle whose corners move straight? When the four
 * are in one plane:
 *   (p - x1).((x2 - x1) x (x3 - x1)) = 0, a cubic in the time,
 * and the point is within the triangle there. In Bernstein form: where all four coefficients have one sign
 * there is no root, else the interval is halved. Says yes rather than no: within 1e-9 of the sides, and where
 * the four stay in one plane. */
#ifndef SIM_IMPACT_H
#define SIM_IMPACT_H

#include <stdbool.h>

typedef struct sim_impact {
  double time;      /* of the first passage: share of the step */
  double weight[3]; /* of the corners, there */
  double side;      /* 1: the point came from the side of the triangle's face, -1: from its back */
} sim_impact;

bool sim_impact_find(const double point_start[3], const double point_end[3], const double start[3][3],
                     const double end[3][3], sim_impact *out);

#endif
