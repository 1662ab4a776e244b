/* How near two features of triangle meshes are: a vertex to a triangle, an edge to an edge.
 *
 * Four points stand for either pair. Vertex and triangle: point 0, and points 1 to 3. Two edges: points 0 and 1, and points 2 and 3. The
 * weights of the first feature are >= 0 and add up to 1, those of the second are <= 0 and add up to -1, so that sum(weight x point) runs
 * from the nearest point of the second to the nearest point of the first. Triangles without area, edges without length and parallel edges
 * are features like others. */
#ifndef SIM_CLOSEST_H
#define SIM_CLOSEST_H

#include <stdbool.h>

typedef enum sim_pair { SIM_VERTEX_TRIANGLE, SIM_EDGE_EDGE } sim_pair;

/* The distance. */
double sim_closest(sim_pair pair, const double point[4][3], double weight[4]);

/* Direction from the second feature's nearest point to the first one's, from sim_closest's weights: at right angles to the sides on which
 * they lie, to all digits, however small the distance is. 0 where the features meet at corners. */
void sim_closest_normal(sim_pair pair, const double point[4][3], const double weight[4], double normal[3]);

/* Cheap and often enough: whether the plane across the line between the two features' middles keeps them further apart than `distance` on
 * the straight way from start to end. */
bool sim_closest_apart(sim_pair pair, const double start[4][3], const double end[4][3], double distance);

#endif
