#include "fit_hypothesis.h"

#include <stddef.h>

const char *const fit_basis_names[] = {"repeats", "residuals", "assumed", NULL};
