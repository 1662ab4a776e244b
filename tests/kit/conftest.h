/* The cloth of the tests of experiments. */
#ifndef CONFTEST_H
#define CONFTEST_H

#include "cbtest.h"
#include "exch_cloth.h"

static inline exch_cloth poplin(void) {
  return (exch_cloth){.name = "Poplin",
                      .areal_density_kg_per_m2 = {0.15, NAN},
                      .stretch_warp_N_per_m = {1000, NAN},
                      .stretch_weft_N_per_m = {800, NAN},
                      .shear_N_per_m = {40, NAN},
                      .bending_warp_N_m = {1e-5, NAN},
                      .bending_weft_N_m = {4e-6, NAN},
                      .friction = {0.4, NAN}};
}

#endif
