/* The weights file of `calibrate`: the dead weights with their certificate, where and in which air they hang, and which of them make
 * which load. docs/calibration.md lists every key. SI units. */
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
  double conventional_kg; /* of 8000 kg/m3, it would balance the weight in air of 1.2 kg/m3 (OIML D 28) */
  double U_kg, k;         /* expanded uncertainty and its factor */
  double density_kg_per_m3;
} daq_weight;

typedef struct daq_load {
  char names[160]; /* of the weights that hang */
  double nominal_kg, conventional_kg;
  double force_N;
  double u_force_N; /* standard uncertainty from the certificate, all weights wrong together; not from gravity and air */
} daq_load;

typedef struct daq_weights {
  char certificate[128];
  double gravity_m_per_s2, u_gravity_m_per_s2;
  double air_density_kg_per_m3, u_air_density_kg_per_m3;
  double temperature_degC;              /* NAN: not said */
  double temperature_coefficient_per_K; /* of the cell's sensitivity; with temperature_range_K: what runs may be off; 0: not said */
  double temperature_range_K;
  double density_kg_per_m3; /* the lightest metal among the weights: on it buoyancy acts most */
  double k;                 /* the smallest factor among the weights */
  size_t n_weights, n_loads;
  daq_weight weight[DAQ_WEIGHTS_MAX];
  daq_load load[DAQ_LOADS_MAX]; /* ascending */
  char *text;                   /* the file as read; owned */
} daq_weights;

/* Reads and checks a weights file. Caller frees with daq_weights_clear, also after a failure. */
CB_CHECKED cb_status daq_weights_load(const char *path, daq_weights *w, cb_err *err);
/* The same from a text; name stands for the path in errors. */
CB_CHECKED cb_status daq_weights_parse(const char *text, const char *name, daq_weights *w, cb_err *err);
void daq_weights_clear(daq_weights *w);

/* Density of moist air [kg/m3] by the approximation to the CIPM formula in OIML R 111-1:2004, E.3: within 2e-4 for 900..1100 hPa,
 * 10..30 degC, below 80 %. */
double daq_air_density(double temperature_degC, double pressure_hPa, double humidity_percent);
/* Force of a weight [N]: gravity less buoyancy. */
double daq_weight_force_N(const daq_weight *w, double gravity_m_per_s2, double air_density_kg_per_m3);

#endif
