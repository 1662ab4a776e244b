/* Results of hypothesis tests, and the basis of a fit's uncertainties: shared by the fits of all laws. */
#ifndef FIT_HYPOTHESIS_H
#define FIT_HYPOTHESIS_H

#include <stdbool.h>

/* Basis of a figure. */
typedef enum fit_basis {
  FIT_FROM_REPEATS,   /* pooled over cells with several runs */
  FIT_FROM_RESIDUALS, /* residuals; of friction about the local power law of neighbouring loads */
  FIT_ASSUMED         /* too little data: a typical value (docs/method/friction-fit.md) */
} fit_basis;
extern const char *const fit_basis_names[]; /* "repeats", "residuals", "assumed", NULL */

typedef struct fit_test {
  bool done;         /* false: the data cannot say; the rest is 0 */
  double statistic;  /* F or t */
  double dof1, dof2; /* dof1 = 0: a t test with dof2 */
  double p_value;
  double effect; /* size of the effect; the comment at the member of this type says which */
} fit_test;

#endif
