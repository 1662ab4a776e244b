/* How many folds an outline has. */
#ifndef FIT_DRAPE_NODES_H
#define FIT_DRAPE_NODES_H

#include <stddef.h>

/* Nodes of an outline given at n equidistant angles, prominences [m] >= least. height_m: their mean height
 * over the valleys beside them. */
int fit_drape_nodes(const double *radius_m, size_t n, double least_m, double *height_m);

#endif
