/* Private to daq/. */
#ifndef DAQ_WEIGHTS_IMPL_H
#define DAQ_WEIGHTS_IMPL_H

#include "daq_weights.h"

/* daq_weights_load of a text, which is copied. `name` stands for the path in errors. */
CB_CHECKED cb_status daq_weights_parse(const char *text, const char *name, daq_weights *w, cb_err *err);

/* Returns the density of moist air [kg/m3] by the approximation to the CIPM formula in OIML R 111-1:2004,
 * E.3. It is within 2e-4 for 900 to 1100 hPa, 10 to 30 degC, below 80 % relative humidity. */
double daq_air_density(double temperature_degC, double pressure_hPa, double humidity_percent);

#endif
