/* Contact springs: springs between vertices of a cloth and a body, so stiff that both have to be moved by one
 * system of equations. sim_layered.h puts the air between the two into them, what presses, and its friction.
 *
 * A contact spring pulls its vertex with F = -K (x' - x - h sum w_j v'_j) + k rest n, x' - x the vertex's way
 * in the step, v'_j the velocities of the body's corners at its end, and the body's corners with -w_j F: what
 * one gets the other gives. K = k_air o o^T + k n n^T + k_across (I - n n^T - s s^T), s the direction in
 * which it slides. In conjugate gradients (sim_pcg.h) the body's unknowns stand beside the cloth's. The
 * preconditioner eliminates the cloth's vertices as if each were alone: a body that moves takes along what is
 * bonded to it. What is then left has no k in it, however stiff the contact springs are.
 *
 * Friction is the part across, found from solve to solve for the slip at hand.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_SPRING_H
#define SIM_SPRING_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_matrix.h"

/* Friction of a slip s: held_N + across_N_per_m (s - along along.s), as a pull. */
typedef struct sim_spring_friction {
  double held_N[3], across_N_per_m;
  double along[3]; /* unit: the way it slides; 0: it does not */
} sim_spring_friction;

typedef struct sim_spring {
  int corner[3]; /* of the body, under the cloth's vertex */
  double weight[3];
  double out[3], air_N_per_m;          /* along a direction; 0: none */
  double normal[3], stiffness_N_per_m; /* what presses; 0: none */
  double rest_m;                       /* so much further apart it does not press */
  sim_spring_friction friction;        /* of what presses */
} sim_spring;

/* A body in the step: matrix v' = b (not owned). NULL for one of prescribed motion, v' its velocities. */
typedef struct sim_spring_body {
  struct sim_blocks *matrix;
  const bool *held;       /* NULL: none */
  const double (*b)[3];   /* kg m/s */
  double (*v_m_per_s)[3]; /* in: where to start from; out: v' */
  double dt_s;
} sim_spring_body;

/* For the solve: a vertex's contact spring, all of its K, xx xy xz yy yz zz, and of what it is pushed by what
 * it hands on. */
typedef struct sim_spring_joint {
  int corner[3];
  float weight[3], out[3], air_N_per_m, stiff_N_per_m[6], carry[9];
} sim_spring_joint;

/* What a body's vertex has of a joint. */
typedef struct sim_spring_end {
  int joint;
  float weight;
} sim_spring_end;

typedef struct sim_springs {
  int first, n, n_body; /* vertices of the cloth, of the body */
  sim_spring *spring;   /* n: of the cloth's vertices from the first on */
  bool any;             /* else none is looked at */
  sim_spring_body body;
  /* The air's: pull_N of how much further apart they are, both of n; symmetric, positive definite, about as
   * `air_N_per_m` says (which the preconditioner goes by). NULL: each by itself. */
  void (*respond)(void *answers, const double *opening_m, double *pull_N);
  void *answers;
  /* Friction of contact spring i, where it is pressed with that force and what it holds slides by `slip` in
   * the step, for the next solve. NULL: none. */
  sim_spring_friction (*friction)(const void *surface, int i, double pressed_N, const double slip_m[3]);
  const void *surface;

  /* A solve's work. */
  sim_spring_joint *joint;                                                                   /* n */
  double (*marked)[3], (*right)[3], (*x)[3], (*best)[3], (*r)[3], (*z)[3], (*p)[3], (*q)[3]; /* n_body */
  double (*inverse)[9];
  double gamma_s, *chunk_sum;
  double (*apart)[3], (*pull)[3]; /* n: by how much further [m], and what pulls together [N] */
  double (*taken)[3], (*way)[3];  /* n: normal force and friction, and how far it slid, at the end
                                     of a step's last solve */
  double *opening, *answer;       /* n */
  double (*left)[9];              /* n: what a joint's elimination leaves on the body [kg] */
  int *start;                     /* n_body + 1: of its vertices' */
  sim_spring_end *who;
} sim_springs;

/* No contact springs yet. */
CB_CHECKED cb_status sim_springs_init(int first, int n, int n_body, sim_springs *out, cb_err *err);
void sim_springs_clear(sim_springs *b);

/* After `contact spring`, `any` and `body` are set, before the cloth's step. */
void sim_springs_begin(sim_springs *b);

/* Impulses of the contact springs for the velocities at hand, where x' = past_x + gamma v: into the cloth's
 * residual and extra blocks, and into what is left of the body's equations. */
void sim_springs_add(sim_springs *b, double gamma_s, const double (*x)[3], const double (*past_x)[3],
                     const double (*v)[3], double (*residual)[3], float (*extra)[6]);
/* For the assembled matrix, with those stiffnesses in it; `inverse` of its diagonal blocks
 * (sim_multilevel.h). */
void sim_springs_prepare(sim_springs *b, const float (*inverse)[6], const sim_constraint *constraints,
                         int n_constraints);
/* After a solve: v', and normal force, friction and slip there. */
void sim_springs_take(sim_springs *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]);
/* Friction of what pressed and slid there; whether it had been right: off by no more than the tolerance, of
 * all there is. */
bool sim_springs_review(sim_springs *b, double tolerance);
/* What the contact springs did to the cloth's energy in the step. */
double sim_springs_work_J(sim_springs *b, const double (*x)[3], const double (*past_x)[3],
                          const double (*v)[3]);

/* For Newton's method: v' as it is now; and that share of the way back to it, to be taken. */
void sim_springs_mark(sim_springs *b);
void sim_springs_return(sim_springs *b, double share);

/* y += scale * `pull` of what is bonded to the body's vertex. */
void sim_springs_gather(const sim_springs *b, int vertex, double scale, double y[3]);

/* For sim_pcg.c: the parts of its iteration. Vectors are the cloth's. */
void sim_springs_residual(sim_springs *b, float (*x)[4], float (*r)[4]);
double sim_springs_give(sim_springs *b, float (*r)[4]); /* precondition: before the cloth; returns the part of
                                                           r.z */
void sim_springs_carry(sim_springs *b, float (*z)[4]);  /* ... and after it */
double sim_springs_product(sim_springs *b, float (*p)[4], float (*q)[4]); /* returns the part of p.q */
void sim_springs_start(sim_springs *b);
void sim_springs_reduce(sim_springs *b, double alpha);
void sim_springs_advance_and_turn(sim_springs *b, double alpha, double beta);
void sim_springs_keep(sim_springs *b);
void sim_springs_restore(sim_springs *b);

#endif
