/* Closed surfaces that make it hard to say which side a point is on, none of which cuts itself, and their
 * motion. About a metre wide. */
#ifndef TRAVERSE_BODIES_H
#define TRAVERSE_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_traverse.h"

typedef enum body_kind {
  BODY_SMOOTH,  /* a torus that breathes */
  BODY_BUMPY,   /* with bumps that travel along it */
  BODY_SPIKY,   /* a ball with a random radius at every vertex, changing to another one; many triangles at its
                   poles */
  BODY_PLATE,   /* thinner than the points' reach */
  BODY_SLOTS,   /* a comb, slots thinner than the reach */
  BODY_SHEETS,  /* four sheets folded onto each other, much nearer than the reach */
  BODY_BRICKS,  /* random boxes: holes, steps, corners where parts touch */
  BODY_SLIVERS, /* where a random field is zero in a lattice of tetrahedra: triangles of any shape */
  BODY_KINDS
} body_kind;
extern const char *const body_kind_names[BODY_KINDS];

typedef struct body {
  body_kind kind;
  int n, nt, n_node, n_most, nt_most;
  double (*rest)[3], (*x)[3];
  double *radius[2]; /* of the spiky one */
  int (*triangle)[3];
  sim_hull hull;
  double edge_m; /* mean, at rest */
} body;

/* inside_out: all triangles turned round, as if all but the body were the body. Ends the program where memory
 * ends. */
void body_make(body *b, body_kind kind, bool inside_out, uint64_t seed);
void body_clear(body *b);

/* Where it is at this time: deformed as its kind does, then turned by so much. */
void body_at(body *b, double time, double turn_rad);

#endif
