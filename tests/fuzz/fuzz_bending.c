/* Any numbers as a bending test: the fit ends, with a law whose numbers are finite, an outcome, or one
 * sentence. First byte: the kind, and how many tests the points are divided into; then points as floats. */
#include <math.h>
#include <stdint.h>

#include "fit_bending.h"
#include "points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_POINTS = 12, MAX_TESTS = 4 }; /* each is a solution of the elastica, or several */

static void check(const fit_bending_result *r) {
  cb_err err = {""};
  cb_bending_value v;
  if (r->outcome != FIT_BENDING_OK) return;
  if (cb_bending_law_check(&r->law, &err) != CB_OK) __builtin_trap();
  for (int i = 0; i < 8; i++) {
    cb_bending_eval(&r->law, 0.4 * i, 10.0 * i * i, &v);
    if (!(v.B_Nm >= 0) || isnan(v.u_B_Nm)) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_test_point points[MAX_POINTS];
  cb_material_test tests[MAX_TESTS];
  fit_bending_input in[MAX_TESTS];
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  cb_err err = {""};
  if (size < 1) return 0;
  size_t n = fuzz_points(data + 1, size - 1, points, MAX_POINTS), parts = 1 + (data[0] >> 1) % MAX_TESTS;
  for (size_t i = 0; i < parts; i++) {
    size_t from = i * n / parts, to = (i + 1) * n / parts;
    tests[i] = (cb_material_test){.kind = data[0] & 1 ? CB_TEST_BENDING_MOMENT : CB_TEST_CANTILEVER,
                                  .direction_deg = 30.0 * (double)i,
                                  .areal_density_kg_per_m2 = 0.15,
                                  .origin = CB_IMPORTED};
    in[i] = (fit_bending_input){&tests[i], points + from, to - from};
  }
  cb_status st = fit_bending(in, parts, &opt, &r, NULL, &err);
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  if (st == CB_OK) check(&r);
  return 0;
}
