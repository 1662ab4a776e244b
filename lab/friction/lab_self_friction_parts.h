/* Stored laws of self-friction, private to lab/. */
#ifndef LAB_SELF_FRICTION_PARTS_H
#define LAB_SELF_FRICTION_PARTS_H

#include "lab_self_friction.h"

/* Finds the newest stored law of the pair. Error: CB_E_NOTFOUND without one. */
CB_CHECKED cb_status lab_self_friction_law_find(cb_store *s, const char *cloth, const char *body,
                                                cb_self_friction_law *law, cb_err *err);

/* Reads a row. The caller calls lab_self_friction_clear, even after an error. Errors: CB_E_DB for another
 * document; CB_E_PARSE for a wrong law. */
CB_CHECKED cb_status lab_self_friction_read(const cb_self_friction_row *row, lab_self_friction *out,
                                            cb_err *err);

#endif
