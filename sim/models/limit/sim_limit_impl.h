/* The state of sim_limit, private to sim/models/limit/. */
#ifndef SIM_LIMIT_IMPL_H
#define SIM_LIMIT_IMPL_H

#include <stdbool.h>
#include <suitesparse/cholmod.h>

#include "sim_blocks.h"
#include "sim_limit_strain.h"

/* Factorisation of a block matrix by CHOLMOD. The matrix of the penalties is too far from diagonal for
 * conjugate gradients (docs/method/strain-limiting.md has the measurement). */

typedef struct sim_limit_factor {
  const sim_blocks *blocks; /* not owned; its pattern must not change */
  cholmod_common common;
  cholmod_sparse *matrix; /* the lower triangle */
  cholmod_factor *factor;
  cholmod_dense *right;
} sim_limit_factor;

/* Analyses the pattern of the blocks. Clear *out even after an error. Error: memory. */
CB_CHECKED cb_status sim_limit_factor_init(const sim_blocks *blocks, sim_limit_factor *out, cb_err *err);
void sim_limit_factor_clear(sim_limit_factor *f);

/* Solves A change = b for the present blocks, per vertex; change is 0 where held (NULL: nowhere). If A is
 * not positive definite, *positive is false and change is 0. Error: memory. */
CB_CHECKED cb_status sim_limit_factor_solve(sim_limit_factor *f, const bool *held, const double (*b)[3],
                                            double (*change)[3], bool *positive, cb_err *err);

/* A plane that bounds one vertex: normal . x >= at_m. */
typedef struct sim_limit_wall {
  bool active;
  double normal[3], at_m;
  double multiplier; /* per area, as penalty_kg; <= 0 */
} sim_limit_wall;

/* Whose planes: a vertex may have one of each. */
enum { SIM_LIMIT_OF_BODY, SIM_LIMIT_OF_CLOTH, SIM_LIMIT_WALLS };

struct sim_limit {
  sim_limit_setup setup; /* mass_kg points to the limit's copy */
  int n, n_triangles;
  double blur;              /* of mapped limits, see sim_limit_gauges_of */
  double extent_m2, side_m; /* area of the cloth; typical side of a triangle */
  double (*slope)[2][3];    /* per triangle: weights of its corners in w_u and w_v [1/m] */
  int (*slot)[9];           /* per triangle: index of block 3 a + b in the matrix */
  double *mass_kg;
  double (*multiplier)[SIM_LIMIT_GAUGES]; /* per triangle and gauge, per area; > 0 pulls the cloth together */
  double whole_kg, penalty_kg;            /* mass of the cloth; present penalty */
  sim_limit_wall (*wall)[SIM_LIMIT_WALLS]; /* per vertex */
  bool warm;                               /* some multiplier is not 0 */
  sim_blocks matrix;
  sim_limit_factor factor;
  /* scratch of a projection */
  double (*x)[3], (*target)[3], (*trial)[3], (*b)[3], (*change)[3];
  double (*apart)[3];               /* of a step: the projected cloth, put out of itself */
  double (*before)[3], (*start)[3]; /* of a step: where it began; where the cloth comes to without forces */
  double (*corner)[3][3];           /* per triangle: derivative of its penalties by its corners */
  double (*block)[9][9]; /* per triangle: second derivative by corners a and b at 3 a + b; by columns */
  bool exact;            /* of block: second derivatives as they are, not the sizes of their eigenvalues */
  bool *pulls;           /* per triangle: whether a penalty acts */
  double (*sum)[4];      /* per chunk: partial sums */
};

/* The walls of vertex i at x: returns their penalty. */
double sim_limit_wall_value(const sim_limit *l, int i, const double x[3]);
/* b -= the derivative of that penalty; diagonal (a symmetric block) += its second derivative. */
void sim_limit_wall_linearise(const sim_limit *l, int i, const double x[3], double b[3], double diagonal[9]);
/* Returns the largest change of the walls' multipliers over the penalty. update: stores the new ones. */
double sim_limit_wall_look(sim_limit *l, int i, const double x[3], bool update);

/* w[0] = w_u and w[1] = w_v of one triangle. */
void sim_limit_derivative(const double slope[2][3], const int corner[3], const double (*x)[3],
                          double w[2][3]);
/* Returns the range of ratios for range number i of the gauges (sim_limit_gauges.range). */
sim_limit_range sim_limit_range_of(const sim_limit_setup *s, int i);
/* Returns the strain by which gauge i is outside its range: < 0 below, > 0 above, 0 within. */
double sim_limit_outside(const sim_limit_setup *s, const sim_limit_gauges *g, int i);

#endif
