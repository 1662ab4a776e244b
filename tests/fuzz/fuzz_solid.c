/* Any OBJ text as a solid: one whose distances are finite and whose quick look agrees with the exact one, or
 * one sentence. */
#include <math.h>
#include <stdint.h>

#include "sim_solid.h"
#include "sim_solid_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const sim_solid *s) {
  const double(*x)[3];
  int n = sim_solid_vertices(s, &x);
  if (!(sim_solid_volume_m3(s) > 0)) __builtin_trap();
  for (int i = 0; i + 1 < n && i < 40; i++) {
    double between[3], normal[3], same[3], near;
    for (int k = 0; k < 3; k++) between[k] = 1.5 * x[i][k] - 0.5 * x[i + 1][k];
    double d = sim_solid_distance(s, between, normal);
    if (isnan(d)) __builtin_trap();
    if (isfinite(d) && !sim_solid_near(s, between, fabs(d) * 1.001 + 1e-300, &near, same)) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sim_solid *s;
  cb_err err = {""};
  if (sim_solid_parse((const char *)data, size, "fuzz", 1, &s, &err) == CB_OK)
    check(s);
  else if (!err.msg[0] || s)
    __builtin_trap();
  sim_solid_free(s);
  return 0;
}
