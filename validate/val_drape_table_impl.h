/* Private to validate/. */
#ifndef VAL_DRAPE_TABLE_IMPL_H
#define VAL_DRAPE_TABLE_IMPL_H

#include "val_drape_table.h"

/* CSV with the columns of materials/drape_table.csv; val_drape_table_clear in any case. Errors say
 * name:line. */
CB_CHECKED cb_status val_drape_table_parse(const char *text, size_t n, const char *name, val_drape_table *out,
                                           cb_err *err);

double val_drape_even(val_drape_sign s, double value);

/* What a simulated sign may be off by as a whole (even scale): the mesh, and an allowance (docs/drape.md). */
double val_drape_u_simulation(val_drape_sign s, double even);

/* Index of a specimen; -1: the table has none on such discs. */
int val_drape_model_find(const val_drape_model *m, double support_m, double specimen_m);

void val_drape_expect(const val_drape_model *m, int specimen, const val_drape_cloth *c,
                      val_drape_expected *out);

#endif
