/* One laying of a cloth that is given by its lengths: a row of the table of simulated drapes
 * (val_drape_table.h). */
#ifndef VAL_DRAPE_LAYING_H
#define VAL_DRAPE_LAYING_H

#include <stdbool.h>

#include "val_drape.h"
#include "val_drape_table.h"

typedef struct val_drape_laying {
  val_drape_cloth cloth; /* its softening is not used: the seed draws how friction shares in the moment */
  double support_m, specimen_m; /* diameters */
  int vertices;
  uint64_t seed;
  val_drape_trial trial;
} val_drape_laying;
/* Returns: bending length 15 mm, ratio 1, shear length 20 m; 30 on 18 cm, the vertices of val_drape_default,
 * seed 1. */
val_drape_laying val_drape_laying_default(void);

/* Lays the cloth, and reduces its drape to a row, with the softening that was drawn. The amplitude is in
 * metres. *settled: it came to rest; else it belongs into no table. Errors: as val_drape_many_run. */
CB_CHECKED cb_status val_drape_laying_run(const val_drape_laying *q, val_drape_row *out, bool *settled,
                                          cb_err *err);

#endif
