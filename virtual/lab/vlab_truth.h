/* The truth of the cloth as functions. */
#ifndef VLAB_TRUTH_H
#define VLAB_TRUTH_H

#include "vlab.h"

/* Returns the force per width [N/m] of a free strip at an angle to the warp [rad]. strain >= 0 is its
 * extension. It has uniaxial stress: it narrows and shears until both other stresses are zero. */
double vlab_strip_N_per_m(const vlab_membrane *m, double angle_rad, double strain);
/* Second Piola-Kirchhoff stresses (uu, vv, uv) [N/m] of the strains (uu, vv, uv), and their derivatives by
 * the own strain; the derivative of uu by vv is cross. */
void vlab_membrane_stress(const vlab_membrane *m, const double E[3], double S[3], double own[3]);
double vlab_rigidity_Nm(const vlab_bending *b, double angle_rad);
double vlab_friction_N(const vlab_bending *b, double angle_rad); /* HB */
/* Returns the velocity [m/s] through one piece at a pressure [Pa]. */
double vlab_air_m_per_s(const vlab_truth *t, double pressure_Pa);

#endif
