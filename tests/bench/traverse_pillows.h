/* Three pillows that fall onto each other, are squeezed and rubbed, 70 K triangles of bodies and cases in
 * all; their motion is a function of time, smooth and with the speeds of such things. Both modes of the
 * traversal on the same states, over the same grid. */
#ifndef TRAVERSE_PILLOWS_H
#define TRAVERSE_PILLOWS_H

#include "sim_traverse.h"

typedef struct pillows_result {
  int cloth_triangles, body_triangles, cloth_vertices, steps;
  double reach_m[2];       /* least and most */
  double walk_s, all_s;    /* CPU time of a step: medians */
  double surface_s;        /* CPU time of a step: mean */
  int64_t compared, wrong; /* vertices within reach; of these, signs that differ between the modes */
  sim_traverse_counts walk, all;
  int64_t near_of, near_points, near_triangles; /* every 25th step: vertices; with a triangle's box within
                                                   reach; visited by these */
} pillows_result;

#define PILLOWS_STEPS_MOST 5000

/* steps of 1 ms, at most so many. Ends the program where memory ends. */
void pillows_run(int steps, pillows_result *out);

#endif
