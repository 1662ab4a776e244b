/* The weights file of `calibrate`: the dead weights with their certificate, place and air, and which of them
 * make which load. docs/guide/calibration.md lists every key. SI units. */
#ifndef DAQ_WEIGHTS_H
#define DAQ_WEIGHTS_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_yaml.h"

#define DAQ_WEIGHTS_MAX 32
#define DAQ_LOADS_MAX 32

typedef struct daq_weight {
  char name[32];
  double nominal_kg;
  double conventional_kg; /* mass of 8000 kg/m3 that balances it in air of 1.2 kg/m3 (OIML D 28) */
  double U_kg, k;         /* expanded uncertainty, coverage factor */
  double density_kg_per_m3;
} daq_weight;

typedef struct daq_load {
  char names[160]; /* of its weights */
  double nominal_kg, conventional_kg;
  double force_N;
  double u_force_N; /* from the certificate, all weights correlated; without gravity and air */
} daq_load;

typedef struct daq_weights {
  char certificate[128];
  double gravity_m_per_s2, u_gravity_m_per_s2;
  double air_density_kg_per_m3, u_air_density_kg_per_m3;
  double temperature_degC;              /* NAN: not given */
  double temperature_coefficient_per_K; /* of the cell's sensitivity; 0: not given */
  double temperature_range_K;           /* half-range of the runs' temperature; 0: not given */
  double density_kg_per_m3; /* of the lightest metal among the weights, on which buoyancy acts most */
  double k;                 /* smallest coverage factor among the weights */
  size_t n_weights, n_loads;
  daq_weight weight[DAQ_WEIGHTS_MAX];
  daq_load load[DAQ_LOADS_MAX]; /* ascending */
  char *text;                   /* the file as read; owned */
} daq_weights;

/* Reads and checks a weights file. The caller frees *w with daq_weights_clear, also after a failure.
 * Errors: those of cb_yaml_load and cb_yaml_bind; CB_E_PARSE or CB_E_RANGE for a broken rule, with file:line;
 * CB_E_NOMEM. */
CB_CHECKED cb_status daq_weights_load(const char *path, daq_weights *w, cb_err *err);
void daq_weights_clear(daq_weights *w);

#endif
