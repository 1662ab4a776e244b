/* Details of val_drape_table.h, private to validate/. */
#ifndef VAL_DRAPE_TABLE_IMPL_H
#define VAL_DRAPE_TABLE_IMPL_H

#include "val_drape_table.h"

/* Reads CSV text with the columns of materials/drape_table.csv. Call val_drape_table_clear in any case.
 * Errors name the line as name:line. */
CB_CHECKED cb_status val_drape_table_parse(const char *text, size_t n, const char *name, val_drape_table *out,
                                           cb_err *err);

/* Returns the value of a sign on its even scale; the natural value of one. */
double val_drape_even(val_drape_sign s, double value);
double val_drape_uneven(val_drape_sign s, double even);

/* Returns the standard uncertainty of simulated signs as a whole, on the even scale: mesh, and an allowance
 * (docs/method/drape-inverse.md). */
double val_drape_u_simulation(val_drape_sign s, double even);

/* Returns the index of the specimen on such discs; -1 if the table has none. */
int val_drape_model_find(const val_drape_model *m, double support_m, double specimen_m);

/* Fills the signs that a cloth is expected to have on a specimen. */
void val_drape_expect(const val_drape_model *m, int specimen, const val_drape_cloth *c,
                      val_drape_expected *out);

#endif
