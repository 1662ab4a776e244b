/* The tetrahedra of an elastic body: frames, stresses, energies, stiffness. sim_elastic.h has the
 * formulas. */
#ifndef SIM_ELASTIC_ELEMENT_H
#define SIM_ELASTIC_ELEMENT_H

#include "sim_elastic.h"

typedef struct sim_elastic_element {
  double gradient[4][3]; /* of the corners' shape functions at rest [1/m] */
  double volume_m3;
  double force_N[4][3]; /* on the corners */
  double energy_J;
  bool inverted;
} sim_elastic_element;

/* Sets gradients and volume from the positions at rest. */
void sim_elastic_element_rest(const sim_tets *tets, int tet, sim_elastic_element *out);

/* Computes frame, forces (-V R s g) and energy at the positions x of the corners v. turned: the gradients in
 * the rotated frame, times the root of the volume. With these g, the stiffness of corners a and b, the frame
 * held, is lambda g_a g_b' + mu g_b g_a' + mu g_a.g_b I. */
void sim_elastic_element_update(sim_elastic_element *e, const double (*x)[3], const int v[4],
                                double lambda_Pa, double mu_Pa, double turned[4][3]);

#endif
