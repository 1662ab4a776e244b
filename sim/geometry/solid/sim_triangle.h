/* The point of a triangle that is nearest to another, and on which part of it that is. */
#ifndef SIM_TRIANGLE_H
#define SIM_TRIANGLE_H

/* Returns 0 the face, 1 to 3 the edge opposite to that corner, 4 to 6 the corner; weight: of the corners, >=
 * 0, sum 1. */
int sim_triangle_nearest(const double a[3], const double b[3], const double c[3], const double x[3],
                         double weight[3], double point[3]);

#endif
