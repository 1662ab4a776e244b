/* Vertex-steps of the traversal (sim_traverse.h) against what does not depend on it: on hard bodies, from
 * step to step. */
#ifndef TRAVERSE_PROOF_H
#define TRAVERSE_PROOF_H

#include "sim_traverse.h"
#include "traverse_bodies.h"

typedef enum proof_motion {
  PROOF_FOLLOW, /* points move by up to a tenth of the reach, the body by as much */
  PROOF_JUMP,   /* the points' share of the reach at once, mostly all of it: towards, along and through the
                   surface */
  PROOF_SPIN,   /* a body that turns and deforms by half of the reach, points that jump by the other half */
  PROOF_LOST,   /* as PROOF_JUMP; every third closest point is put on any triangle, with any sign */
  PROOF_MOTIONS
} proof_motion;
extern const char *const proof_motion_names[PROOF_MOTIONS];

typedef struct proof_counts {
  int64_t vertex_steps;
  int64_t within; /* no further from the surface than the reach, by exhaustive search over the grid: all of
                     these were compared */
  int64_t wrong_signs; /* of these, more than a rounding from the surface */
  int64_t missed;      /* of these, inside and not found to be */
  int64_t shorter;     /* a distance below the true one, beyond rounding */
  int64_t sampled;     /* asked again of all triangles, without grid, by another formula, with the sign of the
                          winding number; near or far */
  int64_t sampled_wrong; /* of these, signs of the traversal that are wrong (near; far too unless closest
                            points are lost) */
  int64_t doubted;       /* of these, where the exhaustive search over the grid is not the truth */
  sim_traverse_counts walk, all;
} proof_counts;

typedef struct proof_case {
  body_kind kind;
  bool inside_out;
  proof_motion motion;
  uint64_t seed;
} proof_case;

/* Every body both ways round, with every motion. */
#define PROOF_CASES (BODY_KINDS * PROOF_MOTIONS * 2)
proof_case proof_case_of(int number);

/* About so many vertex-steps; adds to the counts. Ends the program where memory ends. */
void proof_run(const proof_case *c, int64_t vertex_steps, proof_counts *out);

#endif
