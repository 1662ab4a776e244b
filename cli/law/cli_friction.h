/* Friction laws, as several commands find and print them. lab_friction.h makes them. */
#ifndef CLI_FRICTION_H
#define CLI_FRICTION_H

#include "lab_friction.h"

/* Finds a law by lab_friction_law_find, with the warnings of cli_pooled_warn. *fresh: the law was fitted in
 * memory. */
CB_CHECKED cb_status cli_friction_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                                      cb_friction_law *law, bool *fresh, cb_err *err);

/* Prints the coefficients at the measured loads, and at_N if it is > 0, and what the runs tell of direction
 * and load. */
void cli_friction_said_print(const lab_friction *f, double at_N);
/* Prints where the law misses what was measured, and which runs lie far from it, if any do. */
void cli_friction_far_print(const lab_friction_force *force);

/* Says on stderr how many pulls have which fault, and what helps; nothing of those that none has. */
void cli_faults_say(const char *command, const size_t n_of_fault[FIT_N_FAULTS]);

/* Prints a warning on stderr for each difference between the campaigns of one law. */
void cli_pooled_warn(const lab_pooled *p, const char *cloth, const char *body);
/* Prints on stdout, a line each, the campaigns if there are several, and their differences. */
void cli_pooled_print(const lab_pooled *p);

#endif
