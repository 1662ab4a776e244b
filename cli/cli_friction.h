/* Friction laws: what several commands say of them. lab_friction.h makes them. */
#ifndef CLI_FRICTION_H
#define CLI_FRICTION_H

#include "lab_friction.h"

/* lab_friction_law_find, with the warnings of cli_pooled_warn. *fresh: the law was fitted just now and is not
 * stored. */
CB_CHECKED cb_status cli_friction_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                                      cb_friction_law *law, bool *fresh, cb_err *err);

/* On stderr: a sentence for each thing that differs between the campaigns of one law; nothing where nothing
 * does. */
void cli_pooled_warn(const lab_pooled *p, const char *cloth, const char *body);
/* On stdout, a line each: the campaigns where there are several, and what they pool. */
void cli_pooled_print(const lab_pooled *p);

#endif
