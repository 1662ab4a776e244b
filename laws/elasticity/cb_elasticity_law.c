#include "cb_elasticity_law.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const char *const cb_elastic_names[] = {"density_kg_per_m3", "young_Pa", "poisson", NULL};

cb_elasticity_law cb_elasticity_law_unknown(void) {
  return (cb_elasticity_law){.value = {NAN, NAN, NAN}, .u = {NAN, NAN, NAN}};
}

static cb_status check_number(const cb_elasticity_law *law, int k, cb_err *err) {
  double v = law->value[k], u = law->u[k];
  const bool ratio = k == CB_ELASTIC_POISSON;
  if (isnan(v) && isnan(u)) return CB_OK;
  if (isnan(v))
    return cb_fail(err, CB_E_RANGE, "%s: an uncertainty of %g, but no value", cb_elastic_names[k], u);
  if (isinf(v) || !(v > (ratio ? -1 : 0)) || (ratio && !(v < 0.5)))
    return cb_fail(err, CB_E_RANGE, "%s = %g: must be %s", cb_elastic_names[k], v,
                   ratio ? "above -1 and below 0.5" : "> 0");
  if (u < 0 || isinf(u))
    return cb_fail(err, CB_E_RANGE, "%s: its uncertainty %g: must be finite and >= 0", cb_elastic_names[k],
                   u);
  return CB_OK;
}

cb_status cb_elasticity_law_check(const cb_elasticity_law *law, cb_err *err) {
  bool any = false;
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++) {
    CB_TRY(check_number(law, k, err));
    any = any || !isnan(law->value[k]);
  }
  return any ? CB_OK
             : cb_fail(err, CB_E_RANGE,
                       "law of elasticity: density, Young's modulus or Poisson's ratio was wanted");
}
