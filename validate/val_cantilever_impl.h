/* Private to validate/. */
#ifndef VAL_CANTILEVER_IMPL_H
#define VAL_CANTILEVER_IMPL_H

#include "val_cantilever.h"

/* The error falls with the square of the cells' length over that over which the strip bends at its clamp:
 * about 0.25 % on any mesh. */
int val_cantilever_cells(double gamma);

#endif
