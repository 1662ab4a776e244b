/* Where the stages of a step meet: contacts, tethers, self-contacts, and the step that
 * solves.
 *
 * A stage keeps what it remembers in a state of its own, which its folder alone sees, and takes this struct
 * for the rest. The cloth owns the arrays; they are as long as the mesh has vertices. The step fills `x` to
 * `past_v` before the first stage runs. */
#ifndef SIM_STAGE_H
#define SIM_STAGE_H

#include "sim_cloth.h"
#include "sim_matrix.h"

typedef struct sim_stage {
  const sim_cloth_setup *setup; /* as it was given; read only */
  int n;                        /* vertices */
  double *mass_kg, *inertia_kg; /* inertia: mass, and the drag of a step */
  double dt_s, gamma_s;         /* gamma of the scheme (sim_cloth.h) */

  double (*x)[3];                    /* positions at the begin of the step */
  double (*past_x)[3], (*past_v)[3]; /* X and V of the scheme */
  double (*v)[3];  /* velocities at the end of the step, as far as they are solved; the end is past_x + gamma
                      v */
  double (*at)[3]; /* where forces are linearised; for the fail-safe, the positions at the end */

  double (*residual)[3]; /* what the step's equations are missed by [kg m/s]: stages add impulses */
  float (*extra)[6];     /* stiffness of a vertex's own that belongs to them [kg]: xx xy xz yy yz zz */
  double (*reaction)[3]; /* forces of the constraints on the cloth in the last solve [N] */

  sim_constraint *constraint; /* the grips, then the contacts */
  int n_grips, n_constraints;
} sim_stage;

/* How far a vertex goes from the begin of the step to its end. */
static inline void sim_stage_way(const sim_stage *s, int vertex, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = s->past_x[vertex][k] + s->gamma_s * s->v[vertex][k] - s->x[vertex][k];
}

#endif
