/* Continuous collision of a moving point with a moving triangle, all vertices on straight paths. The four
 * points are coplanar where
 *   (p - x1).((x2 - x1) x (x3 - x1)) = 0, a cubic in the time,
 * and they meet if the point is within the triangle then. The cubic is in Bernstein form: there is no root
 * where all four coefficients have one sign, else the interval is halved. Doubtful cases count as impacts:
 * within 1e-9 outside the sides, and where the four points stay coplanar. */
#ifndef SIM_IMPACT_H
#define SIM_IMPACT_H

#include <stdbool.h>

typedef struct sim_impact {
  double time;      /* of the first passage, as a share of the step */
  double weight[3]; /* of the corners at the point of impact */
  double side;      /* 1: the point came from the side of the triangle's face, -1: from its back */
} sim_impact;

/* Returns true and fills *out if the point passes the triangle. start and end are the corners. */
bool sim_impact_find(const double point_start[3], const double point_end[3], const double start[3][3],
                     const double end[3][3], sim_impact *out);

#endif
