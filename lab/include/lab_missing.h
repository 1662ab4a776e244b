/* What would have to be measured before a cloth can be simulated by its name alone. */
#ifndef LAB_MISSING_H
#define LAB_MISSING_H

#include "cb_store.h"

/* What a scene takes of a cloth (lab_scene.h). A drape needs all but the last two; air through the cloth
 * needs permeability; sliding needs friction, of each body. */
typedef enum lab_need {
  LAB_AREAL_DENSITY,
  LAB_THICKNESS,
  LAB_STRETCH_WARP,
  LAB_STRETCH_WEFT,
  LAB_SHEAR,
  LAB_BENDING,
  LAB_PERMEABILITY,
  LAB_FRICTION,
  LAB_NEEDS
} lab_need;
extern const char *const lab_need_names[]; /* "areal density" ..., NULL */
/* What tells it: a sentence's end such as "'clothbench import stretch' with strips along the warp". */
extern const char *const lab_need_sources[];

typedef struct lab_missing {
  char cloth[64];
  bool has[LAB_NEEDS];
  size_t bodies; /* on which its kinetic friction is known */
} lab_missing;

/* Whether a drape can be simulated by the cloth's name alone. */
bool lab_missing_drapes(const lab_missing *m);

/* The cloth of that name (NULL: every cloth), by name. CB_E_NOTFOUND lists the cloths there are. Caller:
 * free. */
CB_CHECKED cb_status lab_missing_list(cb_store *s, const char *cloth, lab_missing **list, size_t *n,
                                      cb_err *err);

#endif
