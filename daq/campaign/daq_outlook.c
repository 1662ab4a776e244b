#include "daq_outlook.h"

#include <math.h>
#include <stdio.h>

#define DIGITS_LEAST 10

typedef struct loads {
  double least_N, most_N; /* normal forces */
} loads;

static loads find_loads(const daq_campaign *c, const cb_rig *rig) {
  const cb_rig_bench *b = &rig->bench;
  loads l = {INFINITY, 0};
  for (size_t i = 0; i < c->added_masses_kg.n; i++) {
    double N = (b->cart_mass_kg + c->added_masses_kg.v[i]) * b->gravity_m_per_s2;
    l.least_N = fmin(l.least_N, N);
    l.most_N = fmax(l.most_N, N);
  }
  return l;
}

static cb_status check_digit(const cb_rig *rig, const cb_calibration *k, cb_err *err) {
  if (rig->force.overload_N >= DIGITS_LEAST * k->resolution_N) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "%s: force.overload_N = %g: less than %d digits of the reading, %g N each: its noise would "
                 "stop the stage",
                 rig->path, rig->force.overload_N, DIGITS_LEAST, k->resolution_N);
}

static cb_status check_overload(const cb_rig *rig, const loads *l, cb_err *err) {
  double limit_N = rig->force.overload_N;
  if (limit_N >= DAQ_MU_LEAST * l->most_N) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "the heaviest load presses with %.3g N, and force.overload_N = %g of %s stops a pull at a "
                 "friction coefficient of %.2g: cloth has at least %g",
                 l->most_N, limit_N, rig->path, limit_N / l->most_N, DAQ_MU_LEAST);
}

cb_status daq_outlook_judge(const daq_campaign *c, const cb_rig *rig, const cb_calibration *k,
                            char doubt[DAQ_DOUBT_TEXT], cb_err *err) {
  const loads l = find_loads(c, rig);
  double limit_N = rig->force.overload_N;
  doubt[0] = '\0';
  CB_TRY(check_digit(rig, k, err));
  CB_TRY(check_overload(rig, &l, err));
  if (limit_N < DAQ_MU_MOST * l.most_N)
    (void)snprintf(doubt, DAQ_DOUBT_TEXT,
                   "force.overload_N = %g stops a pull at a friction coefficient of %.2g under the lightest "
                   "load (%.3g N) and of %.2g under the heaviest (%.3g N); cloth can have up to %g",
                   limit_N, limit_N / l.least_N, l.least_N, limit_N / l.most_N, l.most_N, DAQ_MU_MOST);
  else if (k->full_scale_N > 0 && k->full_scale_N < DAQ_MU_MOST * l.most_N)
    (void)snprintf(
        doubt, DAQ_DOUBT_TEXT,
        "the calibration reaches to %.3g N, a friction coefficient of %.2g under the heaviest load "
        "(%.3g N); cloth can have up to %g",
        k->full_scale_N, k->full_scale_N / l.most_N, l.most_N, DAQ_MU_MOST);
  return CB_OK;
}

bool daq_outlook_doubts_sign(const cb_rig *rig, const cb_calibration *k, char doubt[DAQ_DOUBT_TEXT]) {
  if (k->kind != CB_CALIBRATION_DECLARED || !(k->slope_N_per_unit < 0)) return false;
  (void)snprintf(
      doubt, DAQ_DOUBT_TEXT,
      "%s: calibration.slope_N_per_unit = %g: a pull then reads as a push, unless the cell's reading "
      "falls when it is pulled; 'rig check' tests it (polarity)",
      rig->path, k->slope_N_per_unit);
  return true;
}
