/* The point of a triangle that is nearest to a given point. */
#ifndef SIM_TRIANGLE_H
#define SIM_TRIANGLE_H

/* Finds the point of triangle a, b, c nearest to x. weight: of the corners, >= 0, sum 1. Returns the part
 * that holds the point: 0 the face, 1 to 3 the edge opposite to corner 0 to 2, 4 to 6 corner 0 to 2. */
int sim_triangle_nearest(const double a[3], const double b[3], const double c[3], const double x[3],
                         double weight[3], double point[3]);

#endif
