/* Any numbers as tests of stretch: the fit ends, with a law that passes its own check and says finite things,
 * an outcome, or one sentence. First byte: how many tests the points are divided into; second: pre-tension;
 * then points as floats. */
#include <math.h>
#include <stdint.h>

#include "cb_stretch_green.h"
#include "fit_stretch.h"
#include "points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_POINTS = 256, MAX_TESTS = 6 };

/* What a law says within what was measured. */
static void check(const fit_stretch_result *r) {
  cb_err err = {""};
  cb_stretch_value v;
  cb_stretch_green g;
  if (cb_stretch_law_check(&r->law, &err) != CB_OK) __builtin_trap();
  for (size_t i = 0; i < r->law.n; i++) {
    const cb_stretch_direction *d = &r->law.directions[i];
    for (int k = 0; k <= 4; k++) {
      cb_stretch_eval(&r->law, d->angle_deg, 0.25 * k * cb_stretch_strain_max(d), &v);
      if (v.basis != CB_STRETCH_BY_CURVE || !(v.force_N_per_m >= 0) || !(v.u_N_per_m >= 0)) __builtin_trap();
      cb_stretch_eval(&r->law, d->angle_deg + 7, 0.25 * k * cb_stretch_strain_max(d), &v);
    }
  }
  for (int axis = 0; cb_stretch_axis_names[axis]; axis++)
    cb_stretch_green_curve(&r->law, (cb_stretch_axis)axis, &g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const double directions_deg[MAX_TESTS] = {0, 45, 90, 0, 45, 15};
  cb_test_point points[MAX_POINTS];
  cb_material_test tests[MAX_TESTS];
  fit_stretch_input in[MAX_TESTS];
  fit_stretch_options opt = fit_stretch_options_default();
  fit_stretch_result r;
  cb_err err = {""};
  if (size < 2) return 0;
  opt.pretension_N_per_m = data[1] / 16; /* mostly 0 where people wrote the corpus */
  size_t n = fuzz_points(data + 2, size - 2, points, MAX_POINTS), parts = 1 + data[0] % MAX_TESTS;
  for (size_t i = 0; i < parts; i++) {
    size_t from = i * n / parts, to = (i + 1) * n / parts;
    tests[i] = (cb_material_test){.kind = CB_TEST_STRETCH,
                                  .direction_deg = directions_deg[i],
                                  .layers = 1,
                                  .length_m = 0.1,
                                  .width_m = 0.05,
                                  .y_digit = 0.01,
                                  .origin = CB_IMPORTED};
    in[i] = (fit_stretch_input){&tests[i], points + from, to - from};
  }
  cb_status st = fit_stretch(in, parts, &opt, &r, &err);
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  if (st != CB_OK) return 0;
  if (r.outcome == FIT_STRETCH_OK) check(&r);
  fit_stretch_clear(&r);
  return 0;
}
