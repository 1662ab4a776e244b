/* What a friction fit found, in sentences without a full stop: for the terminal and the report. */
#ifndef LAB_FRICTION_WORDS_H
#define LAB_FRICTION_WORDS_H

#include "lab_friction.h"

#define LAB_WORDS 256

/* "isotropic: 1.2 % between directions; more than 3.1 % would have been found". Returns out. */
char *lab_friction_direction_words(const fit_verdict *v, char out[LAB_WORDS]);
/* "nonlinear in load: force ~ load^n, n = 0.912 +- 0.012 at 95 %". Returns out. */
char *lab_friction_load_words(const fit_verdict *v, char out[LAB_WORDS]);
/* What one law has to stand for: pulls to and fro that differ, first pulls that differ from the rest, a force
 * that changes from run to run, directions and loads that the form does not reach. "" where there is nothing
 * to say. Return out. */
char *lab_friction_senses_words(const fit_verdict *v, char out[LAB_WORDS]);
char *lab_friction_first_words(const fit_verdict *v, char out[LAB_WORDS]);
char *lab_friction_wear_words(const fit_verdict *v, char out[LAB_WORDS]);
char *lab_friction_lack_words(const lab_friction_force *f, char out[LAB_WORDS]);
/* "load-off: as if 100 g were missing"; "" where nothing was said. Returns out. */
char *lab_friction_fault_words(const fit_outlier *o, char out[LAB_WORDS]);
/* "2 runs lie beyond 4 u from the kinetic law: run 7 (+6.1 u, ...), ..."; "" where there is none. u: a single
 * pull's. Returns out. */
#define LAB_FAR_WORDS 1024
char *lab_friction_far_words(const lab_friction_force *f, char out[LAB_FAR_WORDS]);

#endif
