/* Friction of cloth on cloth, both turned: from the runs of a database to a stored law of two tensors.
 * docs/method/friction-fit.md, "Cloth on cloth", has the method; docs/reference/json, `fit self-friction`,
 * has the document. Nothing here prints. */
#ifndef LAB_SELF_FRICTION_H
#define LAB_SELF_FRICTION_H

#include <jansson.h>

#include "cb_store_self_friction.h"
#include "fit_self_friction.h"
#include "lab_friction.h"
#include "lab_pooled.h"

typedef struct lab_self_friction {
  fit_self_friction fit; /* it has a law if fit.outcome is FIT_SELF_OK */
  size_t n_points;       /* runs that were fitted */
  size_t n_unknown;      /* runs left out: the angle of the body is unknown */
  size_t n_without;      /* runs left out: no kinetic force was found */
  size_t n_other_speed;  /* runs left out: not at the speed of most runs */
  lab_pooled pooled;
  size_t n_reduced; /* pulls of the whole database that were reduced; 0 if read from the store */
} lab_self_friction;

void lab_self_friction_clear(lab_self_friction *f);

/* Reduces every finished pull of the database to a point, fits the runs of the pair with a known angle of
 * the body, and stores the law. origin selects runs of one origin; LAB_ANY_ORIGIN takes all. CB_OK without a
 * stored law is an outcome: see out->fit.outcome. The caller calls lab_self_friction_clear, even after an
 * error; *out then has what was found so far. Errors: CB_E_NOTFOUND without such a material or runs;
 * CB_E_RANGE for several origins or contact areas. */
CB_CHECKED cb_status lab_self_friction_fit(cb_store *s, const char *cloth, const char *body, int origin,
                                           lab_self_friction *out, cb_err *err);
/* Reads the newest stored law with the results of its fit. The caller calls lab_self_friction_clear, even
 * after an error. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status lab_self_friction_stored(cb_store *s, const char *cloth, const char *body,
                                              lab_self_friction *out, cb_err *err);

/* The tensor of one surface, 1 + cos2 cos 2a + sin2 sin 2a at the angle a, with standard uncertainties.
 * surface: 0 is the cloth, 1 the body. */
typedef struct lab_surface {
  double cos2, u_cos2, sin2, u_sin2, roughest_deg, anisotropy_percent;
} lab_surface;
lab_surface lab_self_friction_surface(const cb_self_friction_law *law, int surface);

/* Makes the document that is stored with the law. Returns NULL without memory. The caller calls
 * json_decref. */
json_t *lab_self_friction_json(const lab_self_friction *f);

#endif
