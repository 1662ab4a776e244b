/* Private to daq_check*.c: what the steps of a check share. */
#ifndef DAQ_CHECK_IMPL_H
#define DAQ_CHECK_IMPL_H

#include <stdbool.h>

#include "daq_bench.h"
#include "daq_check.h"
#include "daq_emulator.h"

/* Samples of a bench at rest. Stamps in rig seconds since the capture began, trips in wall seconds. */
typedef struct daq_capture {
  double *t_s, *value; /* arrival and reading [force.unit]; owned */
  size_t n, cap;
  double *trip_s; /* time from question to answer of each position; owned */
  size_t n_trips, trips_cap;
  size_t unreadable;
} daq_capture;

typedef struct daq_check {
  const daq_check_job *job;
  const cb_rig *rig;
  const char *stage_port, *force_port;
  daq_emulator *emulator; /* NULL: a person is the operator */
  daq_bench bench;
  cb_status open_status; /* result of opening it */
  cb_err open_err;
  daq_capture capture;
  double period_s;                       /* of the readings, as measured; 0 before */
  double u_period_rel;                   /* standard uncertainty of that, relative */
  double mean;                           /* reading at rest */
  double noise_N;                        /* of a mean over DAQ_LINK_REST_S */
  double drift_N_per_s, u_drift_N_per_s; /* with its sign */
  struct daq_link *link;                 /* owned; NULL before the pull line was measured */
} daq_check;

/* A step's function: fills verdict, text, limit and figures. A status other than CB_OK makes it a FAIL with
 * the error's sentence. */
typedef cb_status daq_check_function(daq_check *c, daq_check_step *s, cb_err *err);

daq_check_function daq_check_rate, daq_check_trip, daq_check_digit, daq_check_noise, daq_check_drift,
    daq_check_zero;
daq_check_function daq_check_stiffness, daq_check_slack, daq_check_polarity, daq_check_displacement;

void daq_capture_clear(daq_capture *p);
void daq_link_clear(struct daq_link *l);

#define DAQ_LINK_REST_S 0.2 /* rest for every reading of the pull line */

/* Adds a figure; u may be NAN. */
void daq_check_figure(daq_check_step *s, const char *name, const char *unit, double value, double u);
/* PASS up to pass, WARN up to warn, FAIL above. */
daq_verdict daq_check_ladder(double value, double pass, double warn);
/* |slope|: newton per unit of the reading; 0 without a calibration. */
double daq_check_slope(const daq_check *c);

#endif
