/* The search for faults, as the reduction of a pull calls it. */
#ifndef FIT_FAULT_FIND_H
#define FIT_FAULT_FIND_H

#include "fit_fault.h"
#include "fit_plateau.h"

/* A pull as the reduction sees it, arrays of n, borrowed. */
typedef struct fit_fault_record {
  size_t n, first, from, to;  /* the motion begins at first; the plateau is [from, to) */
  const double *t_s, *x_m;    /* displacement of the stage along the motion */
  const double *low_m, *up_m; /* the stage surely was between these, however late the stamps are */
  const double *force_N;      /* along the motion, zero subtracted */
  double noise_sd_N, digit_N; /* of a reading at rest */
  double late_s;              /* a force may be older than its stamp by this */
  double u_kinetic_N;
  double u_scale_N;     /* that all pulls share: standard uncertainty of the force's scale, at the plateau */
  double speed_m_per_s; /* as commanded; 0: not known */
  const fit_plateau *plateau;
} fit_fault_record;

/* Finds the faults of a pull. Where swings are the stick and slip of a compliant line, *kinetic_N is set to
 * the middle of what the force between their peaks and valleys leaves open. */
void fit_faults_find(const fit_fault_record *r, fit_faults *out, double *kinetic_N);

#endif
