/* What the instruments share: the truth as functions, draws, and files. */
#ifndef VLAB_IMPL_H
#define VLAB_IMPL_H

#include "cb_rng.h"
#include "vlab.h"

/* vlab_load of n bytes of text. */
CB_CHECKED cb_status vlab_parse(const char *text, size_t n, const char *name, vlab *out, cb_err *err);

/* ---- truth ---- */

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

/* ---- draws ---- */

/* One stream of random numbers per purpose. */
enum {
  VLAB_STREAM_STRIPS = 101,
  VLAB_STREAM_BENDS,
  VLAB_STREAM_AIR,
  VLAB_STREAM_WEIGHED,
  VLAB_STREAM_DRAPES,
  VLAB_STREAM_INCLINES,
  VLAB_STREAM_CALIBRATION = 200 /* + number of the axis */
};
/* Returns 1 + u_rel times a normal number, the same one for every file of the laboratory. axis: a number. */
double vlab_calibration(const vlab *lab, int axis, double u_rel);
/* Returns a reading: the value with its noise, rounded to the digit. */
double vlab_read(const vlab_axis *a, double value, cb_rng *rng);
/* Returns 1 + sd times a normal number, at least 0.5. */
double vlab_specimen(cb_rng *rng, double sd);

#endif
