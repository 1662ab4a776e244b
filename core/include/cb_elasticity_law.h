/* What a body is made of: density, Young's modulus, Poisson's ratio, as somebody measured or published them. Isotropic, small strains,
 * which is what the simulator's bodies are (sim_elastic.h). A law may know some of the three only. SI units. */
#ifndef CB_ELASTICITY_LAW_H
#define CB_ELASTICITY_LAW_H

#include <stdint.h>

#include "cb_err.h"

typedef enum cb_elastic_number { CB_ELASTIC_DENSITY, CB_ELASTIC_YOUNG, CB_ELASTIC_POISSON, CB_ELASTIC_NUMBERS } cb_elastic_number;
extern const char *const cb_elastic_names[]; /* "density_kg_per_m3", "young_Pa", "poisson", NULL */

typedef struct cb_elasticity_law {
  int64_t id;
  double value[CB_ELASTIC_NUMBERS], u[CB_ELASTIC_NUMBERS]; /* u: standard uncertainty; NAN: not known, of either */
} cb_elasticity_law;

/* Nothing known. */
cb_elasticity_law cb_elasticity_law_unknown(void);
/* Errors: nothing known; a density or modulus not > 0, Poisson's ratio not within (-1, 0.5) (Landau, Lifshitz, Theory of Elasticity, 5);
 * an uncertainty < 0 or of nothing. */
CB_CHECKED cb_status cb_elasticity_law_check(const cb_elasticity_law *law, cb_err *err);

#endif
