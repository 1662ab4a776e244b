/* Contact springs: springs between vertices of a cloth and a body, so stiff that one system of equations has
 * to move both. sim_layered.h fills them with the air between the two, the pressing contacts, and their
 * friction.
 *
 * A contact spring pulls its vertex with
 *
 *   F = -K (x' - x - h sum w_j v'_j) + k rest n,   K = k_air o o^T + k n n^T + k_across (I - n n^T - s s^T)
 *
 * x' - x is the vertex's way in the step. v'_j are the velocities of the body's corners at its end. The
 * corners are pulled with -w_j F. s is the direction of sliding. In conjugate gradients (sim_pcg.h) the
 * body's unknowns stand beside the cloth's. The preconditioner eliminates the cloth's vertices as if each
 * were alone, so a body that moves takes along the cloth that is tied to it. The remaining system has no k in
 * it, however stiff the springs are. sim_blocks_apply.h solves it roughly.
 *
 * Friction is the part across. It is updated from solve to solve for the present slip.
 *
 * The bits do not depend on the number of threads. SI units. */
#ifndef SIM_SPRING_H
#define SIM_SPRING_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_matrix.h"

/* Friction of a slip s: the pull held_N + across_N_per_m (s - along along.s). */
typedef struct sim_spring_friction {
  double held_N[3], across_N_per_m;
  double along[3]; /* unit: direction of sliding; 0: it holds */
} sim_spring_friction;

/* The contact spring of one vertex of the cloth. */
typedef struct sim_spring {
  int corner[3]; /* the body's triangle under the vertex */
  double weight[3];
  double out[3], air_N_per_m;          /* air, along a direction; 0: none */
  double normal[3], stiffness_N_per_m; /* pressing contact; 0: none */
  double rest_m;                       /* opening at which it no longer presses */
  sim_spring_friction friction;        /* of the pressing contact */
} sim_spring;

/* The body in the step: matrix v' = b (not owned). matrix NULL: prescribed motion, v' its velocities. */
typedef struct sim_spring_body {
  struct sim_blocks *matrix;
  const bool *held;       /* NULL: none */
  const double (*b)[3];   /* [kg m/s] */
  double (*v_m_per_s)[3]; /* in: start; out: v' */
  double dt_s;
} sim_spring_body;

/* A spring prepared for a solve: all of its K as xx xy xz yy yz zz, and carry, the part of a push on the
 * vertex that it hands on to the body. `none` lets the last row be read four numbers at a time. */
typedef struct sim_spring_joint {
  int corner[3];
  float weight[3], out[3], air_N_per_m, stiff_N_per_m[6], carry[9], none;
} sim_spring_joint;

/* A joint at a vertex of the body. */
typedef struct sim_spring_end {
  int joint;
  float weight;
} sim_spring_end;

/* All contact springs between a cloth and one body. */
typedef struct sim_springs {
  int first, n, n_body; /* range of the cloth's vertices; vertices of the body */
  sim_spring *spring;   /* n: of the cloth's vertices from `first` on */
  bool any;             /* false: no spring is used */
  sim_spring_body body;
  /* The air's answer: pull_N for an opening, both of n. It must be symmetric, positive definite and about as
   * stiff as air_N_per_m, which the preconditioner uses. NULL: each vertex by itself. */
  void (*respond)(void *answers, const double *opening_m, double *pull_N);
  void *answers;
  /* Returns the friction of spring i for the next solve, when it is pressed with pressed_N and slid by slip_m
   * in the step under the friction `was`. NULL: none. */
  sim_spring_friction (*friction)(const void *surface, int i, const sim_spring_friction *was,
                                  double pressed_N, const double slip_m[3]);
  const void *surface;

  /* Work arrays of a solve. */
  sim_spring_joint *joint;                                                                   /* n */
  double (*marked)[3], (*right)[3], (*x)[3], (*best)[3], (*r)[3], (*z)[3], (*p)[3], (*q)[3]; /* n_body */
  double (*added)[9]; /* n_body: what the eliminated cloth adds to a vertex's block, summed by rows [kg] */
  double gamma_s, *chunk_sum;
  double (*apart)[3], (*pull)[3]; /* n: opening [m], and pull [N] */
  float (*push)[4];               /* n: a direction's pull, or what a residual hands on */
  float (*under)[4];              /* n_body: a direction's motion of the body's vertices */
  /* n: normal force and friction, and slip, at the end of the last solve of a step. */
  double (*taken)[3], (*way)[3];
  double *opening, *answer; /* n */
  double (*left)[9];        /* n: remainder of a joint's elimination, for the body [kg] */
  int *start;               /* n_body + 1: begin of a vertex's joints in `who` */
  sim_spring_end *who;
} sim_springs;

/* Allocates the arrays, without springs. first, n: range of the cloth's vertices. Caller: sim_springs_clear,
 * also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_springs_init(int first, int n, int n_body, sim_springs *out, cb_err *err);
void sim_springs_clear(sim_springs *b);

/* Call it before the cloth's step, when `spring`, `any` and `body` are set. */
void sim_springs_begin(sim_springs *b);

/* Adds the springs' impulses for the present velocities, where x' = past_x + gamma v, to the cloth's residual
 * and extra blocks, and to the residual of the body's equations. */
void sim_springs_add(sim_springs *b, double gamma_s, const double (*x)[3], const double (*past_x)[3],
                     const double (*v)[3], double (*residual)[3], float (*extra)[6]);
/* Prepares the preconditioner, for the assembled matrix. inverse: of its diagonal blocks
 * (sim_multilevel.h). */
void sim_springs_prepare(sim_springs *b, const float (*inverse)[6], const sim_constraint *constraints,
                         int n_constraints);
/* After a solve: updates v', and each spring's normal force, friction and slip. */
void sim_springs_take(sim_springs *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]);
/* Recomputes friction from the solved slip, and adds the change of its impulses on the cloth to r. Returns
 * true if friction changed by at most `tolerance` of all. r NULL: only tells, and changes nothing. */
bool sim_springs_review(sim_springs *b, double tolerance, float (*r)[4]);
/* Returns the work of the springs on the cloth in the step [J]. */
double sim_springs_work_J(sim_springs *b, const double (*x)[3], const double (*past_x)[3],
                          const double (*v)[3]);

/* For Newton's method: mark stores v'; return goes back to it by the fraction `share`, at the next take. */
void sim_springs_mark(sim_springs *b);
void sim_springs_return(sim_springs *b, double share);

/* Parts of the iteration of sim_pcg.c. Vectors are the cloth's. */
void sim_springs_residual(sim_springs *b, float (*x)[4], float (*r)[4]);
/* The preconditioner, before the cloth's. Returns its part of r.z. */
double sim_springs_give(sim_springs *b, float (*r)[4]);
void sim_springs_carry(sim_springs *b, float (*z)[4]); /* the preconditioner, after the cloth's */
double sim_springs_product(sim_springs *b, float (*p)[4], float (*q)[4]); /* returns its part of p.q */
void sim_springs_start(sim_springs *b);
void sim_springs_go_on(sim_springs *b); /* what is left is the right side, and the solution 0 */
void sim_springs_reduce(sim_springs *b, double alpha);
void sim_springs_advance_and_turn(sim_springs *b, double alpha, double beta);
void sim_springs_keep(sim_springs *b);
void sim_springs_restore(sim_springs *b);

#endif
