/* Results of hypothesis tests, and what a fit rests its uncertainties on: shared by the fits of all laws. */
#ifndef FIT_HYPOTHESIS_H
#define FIT_HYPOTHESIS_H

#include <stdbool.h>

/* Where a figure comes from. */
typedef enum fit_basis {
  FIT_FROM_REPEATS,   /* pooled over cells with several runs */
  FIT_FROM_RESIDUALS, /* from neighbouring loads: about the local power law */
  FIT_ASSUMED         /* too little data: a typical value (docs/friction-fit.md) */
} fit_basis;
extern const char *const fit_basis_names[]; /* "repeats", "residuals", "assumed" */

typedef struct fit_test {
  bool done;         /* false: the data cannot say; all else 0 */
  double statistic;  /* F or t */
  double dof1, dof2; /* dof1 = 0: a t test with dof2 */
  double p_value;
  double effect; /* size, as the comment at the member says */
} fit_test;

#endif
