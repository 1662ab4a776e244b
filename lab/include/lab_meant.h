/* Which cloth or body somebody means who types a name in another case, or a part of it. For questions alone:
 * what makes or changes something takes names as they are. */
#ifndef LAB_MEANT_H
#define LAB_MEANT_H

#include "cb_store.h"

/* Letters that a part of a name has at least. */
#define LAB_MEANT_PART 3

/* Writes the whole name that `typed` means to out. A name or alias that is just so means itself. Then follow
 * the name in another case of ASCII letters, and the only name with `typed` in it, in any case. kinds: those
 * that are looked through, with n_kinds entries. A name that means nothing is written as it is: who looks it
 * up says so. Errors: CB_E_ARG where several are meant, with their names; those of the store. */
CB_CHECKED cb_status lab_meant(cb_store *s, const cb_material_kind *kinds, size_t n_kinds, const char *typed,
                               char out[64], cb_err *err);

#endif
