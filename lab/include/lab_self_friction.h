/* Friction of cloth on cloth, both turned: from the runs of a database to a stored law of two tensors.
 * Nothing here prints. docs/friction-fit.md, "Cloth on cloth", has the method; docs/json.md, `fit
 * self-friction`, the document. */
#ifndef LAB_SELF_FRICTION_H
#define LAB_SELF_FRICTION_H

#include <jansson.h>

#include "cb_store_self_friction.h"
#include "fit_self_friction.h"
#include "lab_friction.h"
#include "lab_pooled.h"

typedef struct lab_self_friction {
  fit_self_friction fit; /* outcome other than FIT_SELF_OK: there is no law */
  size_t n_points;       /* runs that were fitted */
  size_t n_unknown;      /* left out: the body's angle is not known, */
  size_t n_without;      /* ... no kinetic force could be found, */
  size_t n_other_speed;  /* ... another speed than that of most */
  lab_pooled pooled;
  size_t n_reduced; /* pulls of the whole database that got a point; 0 in what was read */
} lab_self_friction;

void lab_self_friction_clear(lab_self_friction *f);

/* Gives every finished pull of the database its point, fits those of the pair whose body's angle is known,
 * and stores the law. origin: only runs of that origin, or LAB_ANY_ORIGIN. CB_OK without a stored law:
 * out->fit.outcome says why. CB_E_NOTFOUND: no such material, or no runs. CB_E_RANGE: runs of several origins
 * or contact areas. A failure leaves what was found so far in out. Caller: lab_self_friction_clear, also
 * after a failure. */
CB_CHECKED cb_status lab_self_friction_fit(cb_store *s, const char *cloth, const char *body, int origin,
                                           lab_self_friction *out, cb_err *err);
/* The newest stored law with what its fit said. Caller: lab_self_friction_clear, also after a failure. */
CB_CHECKED cb_status lab_self_friction_stored(cb_store *s, const char *cloth, const char *body,
                                              lab_self_friction *out, cb_err *err);

/* One surface's tensor: 1 + cos2 cos 2a + sin2 sin 2a, with standard uncertainties. surface: 0 the cloth, 1
 * the body. */
typedef struct lab_surface {
  double cos2, u_cos2, sin2, u_sin2, roughest_deg, anisotropy_percent;
} lab_surface;
lab_surface lab_self_friction_surface(const cb_self_friction_law *law, int surface);

/* The document, as stored with the law. NULL: no memory. */
json_t *lab_self_friction_json(const lab_self_friction *f);

#endif
