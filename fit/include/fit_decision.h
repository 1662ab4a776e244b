/* Does a measured value keep its limits? By the decision rule of ISO 14253-1 with the expanded uncertainty as
 * guard band, and the risk of JCGM 106; capability. */
#ifndef FIT_DECISION_H
#define FIT_DECISION_H

typedef enum fit_decision_verdict { FIT_KEEPS, FIT_BREAKS, FIT_UNDECIDED } fit_decision_verdict;
extern const char *const fit_decision_names[]; /* "pass", "fail", "not decided", NULL */

typedef struct fit_decision {
  fit_decision_verdict verdict; /* pass, fail: value and value +- U lie on one side of every limit */
  double U;                     /* expanded, 95 %, by Student's t */
  double p_outside;             /* that the true value lies outside (JCGM 106, 7.2, nothing known before) */
} fit_decision;

/* Judges a value with standard uncertainty u > 0 and its degrees of freedom. A limit may be infinite. A true
 * value outside is passed in at most 2.5 of 100 cases. */
fit_decision fit_decide(double value, double u, double dof, double lower, double upper);

#define FIT_CAPABILITY_LEAST 20
/* Returns Cpk = (nearer limit - mean) / 3 sigma; *cp: (upper - lower) / 6 sigma, NAN with one limit; *u:
 * standard uncertainty of Cpk of n points (Bissell, Appl. Stat. 39:331, 1990). */
double fit_capability(double mean, double sigma, double n, double lower, double upper, double *cp, double *u);

#endif
