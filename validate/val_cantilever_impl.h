/* The resolution of val_cantilever, private to validate/. */
#ifndef VAL_CANTILEVER_IMPL_H
#define VAL_CANTILEVER_IMPL_H

#include "val_cantilever.h"

/* Returns the number of cells along the strip that gamma needs for an error of about 0.25 % on any mesh. The
 * error goes with the square of the cell over the length over which the strip bends at its clamp. */
int val_cantilever_cells(double gamma);

#endif
