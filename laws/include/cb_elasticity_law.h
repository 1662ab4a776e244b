/* Elasticity of a body: density, Young's modulus, Poisson's ratio, as measured or published. Isotropic, small
 * strains, like the simulator's bodies (docs/method/three-layers.md). A law may know only some of the three.
 * SI units. */
#ifndef CB_ELASTICITY_LAW_H
#define CB_ELASTICITY_LAW_H

#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum cb_elastic_number {
  CB_ELASTIC_DENSITY, /* kg/m3 */
  CB_ELASTIC_YOUNG,   /* Pa */
  CB_ELASTIC_POISSON,
  CB_ELASTIC_NUMBERS
} cb_elastic_number;
extern const char *const cb_elastic_names[]; /* "density_kg_per_m3", "young_Pa", "poisson", NULL */

/* value: NAN where not known. u: standard uncertainty, NAN where not known. Both are indexed by
 * cb_elastic_number. */
typedef struct cb_elasticity_law {
  int64_t id; /* row in the store; 0 if not stored */
  cb_origin origin;
  double value[CB_ELASTIC_NUMBERS], u[CB_ELASTIC_NUMBERS];
} cb_elasticity_law;

/* Returns a law that knows nothing: id 0, all else NAN. */
cb_elasticity_law cb_elasticity_law_unknown(void);
/* Checks that at least one value is known, density and modulus are > 0, and -1 < Poisson's ratio < 0.5
 * (Landau, Lifshitz, Theory of Elasticity, section 5). An uncertainty needs a value and is finite and >= 0.
 * Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_elasticity_law_check(const cb_elasticity_law *law, cb_err *err);

#endif
