/* Do two triangles cross? For proofs, not for speed. */
#ifndef SIM_INTERSECT_H
#define SIM_INTERSECT_H

#include <stdbool.h>

/* Whether the open segment from p to q passes through the triangle; touching its border counts, lying in its plane does not. Volumes in
 * long double: their signs are right unless a volume is less than about 1e-18 of the product of the lengths. */
bool sim_segment_crosses(const double p[3], const double q[3], const double a[3], const double b[3], const double c[3]);

/* Whether an edge of the one triangle passes through the other. Triangles with a common vertex (by number): only edges without it count;
 * with a common edge: never. */
bool sim_triangles_cross(const double (*position_m)[3], const int first[3], const int second[3]);

#endif
