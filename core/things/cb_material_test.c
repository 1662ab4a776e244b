#include "cb_material_test.h"

#include <stddef.h>

const char *const cb_test_kind_names[] = {"permeability", "stretch",     "cantilever", "bending-moment",
                                          "shear",        "compression", "buckling",   NULL};
