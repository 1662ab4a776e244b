/* Points that fill a cube evenly: Sobol's sequence with the direction numbers of Joe and Kuo (SIAM J. Sci.
 * Comput. 30:2635, 2008), scrambled as Owen (1995) does, by the hash of Burley (J. Comput. Graph. Tech.
 * 9(4):1, 2020). Of the first 2^k points, and of every later block of 2^k, each of the 2^k equal parts of an
 * axis holds one. A point does not depend on how many are drawn. */
#ifndef CB_SOBOL_H
#define CB_SOBOL_H

#include <stdint.h>

#define CB_SOBOL_DIMENSIONS 20

/* Returns a co-ordinate of a point, between 0 and 1, neither included. 0 <= dimension <
 * CB_SOBOL_DIMENSIONS. */
double cb_sobol(uint32_t index, int dimension, uint32_t scramble);

#endif
