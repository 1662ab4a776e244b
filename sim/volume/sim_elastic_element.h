/* The tetrahedra of an elastic body: their frames, stresses, energies, stiffness. */
#ifndef SIM_ELASTIC_ELEMENT_H
#define SIM_ELASTIC_ELEMENT_H

#include "sim_elastic.h"

typedef struct sim_elastic_element {
  double gradient[4][3]; /* of the corners' shape functions, at rest [1/m] */
  double volume_m3;
  double turn[4];      /* quaternion w, x, y, z of the frame; kept from step to step */
  double turned[4][3]; /* gradients in the turned frame */
  double stress_Pa[6]; /* in world directions: xx xy xz yy yz zz */
  double energy_J;
  bool inverted;
} sim_elastic_element;

void sim_elastic_element_rest(const sim_tets *tets, int tet, sim_elastic_element *out);

/* Frame, turned gradients, stress and energy at these positions. */
void sim_elastic_element_update(sim_elastic_element *e, const double (*x)[3], const int v[4], double lambda_Pa, double mu_Pa);

/* Force on a corner: -V s g. */
void sim_elastic_element_force(const sim_elastic_element *e, int corner, double out_N[3]);

/* out += scale dF_a/dx_b, the frame held: V (lambda g_a g_b' + mu g_b g_a' + mu g_a.g_b I). */
void sim_elastic_element_block(const sim_elastic_element *e, int a, int b, double lambda_Pa, double mu_Pa, double scale, double out[9]);

#endif
