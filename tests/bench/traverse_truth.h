/* Where a point is against a closed surface, from all of its triangles, by formulas that the simulator does
 * not use. */
#ifndef TRAVERSE_TRUTH_H
#define TRAVERSE_TRUTH_H

/* Signed, < 0 where the surface winds around the point, whichever way it turns. */
double truth_distance(const double (*x_m)[3], const int (*triangle)[3], int n_triangles, const double p[3]);

#endif
