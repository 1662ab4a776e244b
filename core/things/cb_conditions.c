#include "cb_conditions.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "cb_language.h"

const char *const cb_atmosphere_names[] = {"iso139-standard", "iso139-alternative", N_("none"), NULL};
const char *const cb_side_names[] = {N_("face"), N_("back"), NULL};

cb_conditions cb_conditions_unknown(void) {
  return (cb_conditions){.temperature_degC = NAN,
                         .humidity_percent = NAN,
                         .atmosphere = -1,
                         .conditioning_h = NAN,
                         .cloth_side = -1,
                         .specimen_area_m2 = NAN};
}

#define TEMPERATURE_TOLERANCE_K 2.0
#define HUMIDITY_TOLERANCE_PERCENT 4.0

/* By cb_atmosphere. */
static const struct {
  double temperature_degC, humidity_percent;
  const char *title;
} aims[] = {{20, 65, "ISO 139 standard atmosphere"}, {23, 50, "ISO 139 alternative atmosphere"}};

bool cb_conditions_outside(const cb_conditions *c, char out[200]) {
  out[0] = '\0';
  if (c->atmosphere != CB_ISO139_STANDARD && c->atmosphere != CB_ISO139_ALTERNATIVE) return false;
  double t = aims[c->atmosphere].temperature_degC, h = aims[c->atmosphere].humidity_percent;
  /* An unknown value (NAN) compares false: it is not outside. */
  bool hot = fabs(c->temperature_degC - t) > TEMPERATURE_TOLERANCE_K + 1e-9;
  bool wet = fabs(c->humidity_percent - h) > HUMIDITY_TOLERANCE_PERCENT + 1e-9;
  size_t n = 0;
  if (hot)
    n = (size_t)snprintf(out, 200, "%g degC is outside %.1f +- %.1f degC", c->temperature_degC, t,
                         TEMPERATURE_TOLERANCE_K);
  if (wet)
    n += (size_t)snprintf(out + n, 200 - n, "%s%g %% relative humidity is outside %.1f +- %.1f %%",
                          hot ? ", " : "", c->humidity_percent, h, HUMIDITY_TOLERANCE_PERCENT);
  if (hot || wet) (void)snprintf(out + n, 200 - n, " (%s)", aims[c->atmosphere].title);
  return hot || wet;
}
