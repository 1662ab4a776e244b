/* Any numbers as points of permeability: the fit ends, with a law that passes its own check and says finite
 * things, an outcome, or one sentence. First byte: points per test; then pressure, velocity and the u of both
 * as floats. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fit_permeability.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_POINTS = 128 };

static size_t read_points(const uint8_t *data, size_t size, size_t per_test, fit_permeability_point *p) {
  size_t n = 0;
  for (float v[4]; n < MAX_POINTS && size >= sizeof v; n++, data += sizeof v, size -= sizeof v) {
    memcpy(v, data, sizeof v);
    /* No import lets such numbers in; NaN goes on to be refused. */
    if (v[0] > 1e7F || v[0] < 1e-6F || v[1] > 1e3F || (v[1] > 0 && v[1] < 1e-12F)) break;
    p[n] = (fit_permeability_point){n / per_test, (double)v[0], (double)v[1], (double)v[2], (double)v[3]};
  }
  return n;
}

static void check_law(const cb_permeability_law *law) {
  cb_err err = {""};
  cb_permeability_value v;
  cb_permeability_layer two[2] = {{law, 1}, {law, 3}};
  if (cb_permeability_law_check(law, &err) != CB_OK) __builtin_trap();
  cb_permeability_at_pressure(two, 1, law->reference_Pa, &v);
  if (!(v.velocity_m_per_s > 0) || !(v.u_ln_velocity >= 0) || !(v.dof > 0)) __builtin_trap();
  cb_permeability_at_pressure(two, 2, law->reference_Pa, &v);
  if (!(v.velocity_m_per_s >= 0)) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_permeability_point points[MAX_POINTS];
  fit_permeability_result r;
  cb_err err = {""};
  if (size < 1) return 0;
  size_t n = read_points(data + 1, size - 1, 1 + data[0] % 16, points);
  cb_status st = fit_permeability(points, n, 0.01, 0.02, &r, &err);
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  if (st == CB_OK && r.outcome == FIT_PERMEABILITY_OK) {
    check_law(&r.law);
    for (size_t i = 0; i < r.n_specimens; i++) {
      cb_permeability_law one = fit_permeability_specimen_law(&r, i);
      check_law(&one);
    }
  }
  fit_permeability_clear(&r);
  return 0;
}
