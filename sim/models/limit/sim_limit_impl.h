/* Private to sim/models/limit/. */
#ifndef SIM_LIMIT_IMPL_H
#define SIM_LIMIT_IMPL_H

#include "sim_limit_factor.h"
#include "sim_limit_strain.h"

/* A vertex's own: normal . x >= at. */
typedef struct sim_limit_wall {
  bool active;
  double normal[3], at_m;
  double multiplier; /* per area [kg], <= 0 */
} sim_limit_wall;

struct sim_limit {
  sim_limit_setup setup; /* its masses are the limit's own */
  int n, n_triangles;
  double blur;              /* sim_limit_gauges_of */
  double extent_m2, side_m; /* area of the whole cloth */
  double (*slope)[2][3];    /* per triangle: w_u and w_v as sums over its corners */
  int (*slot)[9];           /* where its blocks are in the matrix */
  double *mass_kg;
  double (*multiplier)[SIM_LIMIT_GAUGES]; /* per area [kg]; signed: > 0 pulls together */
  double whole_kg, penalty_kg;
  sim_limit_wall *wall; /* per vertex */
  bool warm;            /* there are multipliers */
  sim_blocks matrix;
  sim_limit_factor factor;
  /* of a projection */
  double (*x)[3], (*target)[3], (*trial)[3], (*b)[3], (*change)[3];
  double (*corner)[3][3]; /* per triangle: derivative of the penalties by its corners */
  double (*block)[9][9]; /* per triangle: their second derivative between corners a, b, 3 a + b; by columns */
  bool *pulls;           /* per triangle: whether it has any */
  double (*sum)[4];      /* what chunks leave */
};

/* At vertex i: what the penalty of its wall is; b -= its derivative, the diagonal block (symmetric) += its
 * second one; by how much its multiplier is off, by the penalty, and updated if so. */
double sim_limit_wall_value(const sim_limit *l, int i, const double x[3]);
void sim_limit_wall_linearise(const sim_limit *l, int i, const double x[3], double b[3], double diagonal[9]);
double sim_limit_wall_look(sim_limit *l, int i, const double x[3], bool update);

/* W of one triangle. */
void sim_limit_derivative(const double slope[2][3], const int corner[3], const double (*x)[3],
                          double w[2][3]);
/* What holds for range i of the gauges. */
sim_limit_range sim_limit_range_of(const sim_limit_setup *s, int i);
double sim_limit_blur(const sim_limit_setup *s);
/* By how much value i is outside, signed: < 0 below; 0: within. As a strain of the triangle. */
double sim_limit_outside(const sim_limit_setup *s, const sim_limit_gauges *g, int i);

#endif
