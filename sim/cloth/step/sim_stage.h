/* The struct in which the stages of a step meet: contacts, tethers, self-contacts, and the solving step.
 *
 * A stage keeps its memory in a state of its own, which only its folder sees, and exchanges the rest through
 * this struct. The cloth owns the arrays; they have an entry per vertex. The step sets `x` to `past_v` before
 * the first stage runs. */
#ifndef SIM_STAGE_H
#define SIM_STAGE_H

#include "sim_cloth.h"
#include "sim_matrix.h"

typedef struct sim_stage {
  const sim_cloth_setup *setup; /* the cloth's setup; read only */
  int n;                        /* vertices */
  double *mass_kg, *inertia_kg; /* inertia: mass, and the drag of a step */
  double dt_s, gamma_s;         /* gamma of the scheme (sim_cloth.h) */

  double (*x)[3];                    /* positions at the beginning of the step */
  double (*past_x)[3], (*past_v)[3]; /* X and V of the scheme */
  /* Velocities at the end of the step, as far as solved. The end positions are past_x + gamma v. */
  double (*v)[3];
  /* Positions of the linearisation; in the fail-safe, the end positions. */
  double (*at)[3];

  /* Residual of the step's equations [kg m/s]: stages add impulses. */
  double (*residual)[3];
  /* Stiffness of single vertices from the stages [kg]: xx xy xz yy yz zz. */
  float (*extra)[6];
  double (*reaction)[3]; /* forces of the constraints on the cloth in the last solve [N] */

  sim_constraint *constraint; /* the grips, then the contacts */
  int n_grips, n_constraints;
} sim_stage;

/* The motion of a vertex from the beginning of the step to its end. */
static inline void sim_stage_way(const sim_stage *s, int vertex, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = s->past_x[vertex][k] + s->gamma_s * s->v[vertex][k] - s->x[vertex][k];
}

#endif
