/* Any numbers as a KES sheet: laws that pass their own check and say finite things within what was measured,
 * or one sentence. The input is the figures as floats, in the order of the struct. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fit_kes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next figure; none is left: not known. The uncertainty goes round the percents. */
static fit_kes_number next(const uint8_t **data, size_t *size) {
  float v;
  if (*size < sizeof v) return (fit_kes_number){NAN, 0};
  memcpy(&v, *data, sizeof v);
  *data += sizeof v;
  *size -= sizeof v;
  return (fit_kes_number){(double)v, 0.01 * (double)(*size % 20)};
}

static void check_stretch(const cb_stretch_law *law) {
  cb_err err = {""};
  if (cb_stretch_law_check(law, &err) != CB_OK) __builtin_trap();
  for (size_t i = 0; i < law->n; i++)
    for (int k = 0; k <= 4; k++) {
      cb_stretch_value v;
      const cb_stretch_direction *d = &law->directions[i];
      cb_stretch_eval(law, d->angle_deg, 0.25 * k * cb_stretch_strain_max(d), &v);
      if (!(v.force_N_per_m >= 0) || !(v.u_N_per_m >= 0)) __builtin_trap();
    }
}

static void check_bending(const cb_bending_law *law) {
  cb_bending_value v;
  for (int k = 0; k <= 4; k++) {
    cb_bending_eval(law, 0.4 * k, NAN, &v);
    if (!(v.B_Nm > 0)) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_kes k = fit_kes_unknown();
  cb_err err = {""};
  cb_stretch_law stretch;
  cb_bending_law bending;
  for (int d = 0; d < 2; d++) {
    fit_kes_tensile *t = &k.tensile[d];
    t->em = next(&data, &size);
    t->lt = next(&data, &size);
    t->rt = next(&data, &size);
    t->stiffness_N_per_m = next(&data, &size);
    k.bending_Nm[d] = next(&data, &size);
    k.hysteresis_N[d] = next(&data, &size);
  }
  k.shear_N_per_m = next(&data, &size);
  for (int d = 0; d < 2; d++) k.tensile[d].wt = next(&data, &size);
  if (fit_kes_has_stretch(&k)) {
    const cb_status st = fit_kes_stretch(&k, &stretch, &err);
    if (st == CB_OK)
      check_stretch(&stretch);
    else if (!err.msg[0])
      __builtin_trap();
  }
  if (fit_kes_has_bending(&k) && fit_kes_bending(&k, &bending, &err) == CB_OK) check_bending(&bending);
  return 0;
}
